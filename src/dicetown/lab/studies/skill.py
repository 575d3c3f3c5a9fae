"""What strong players do otherwise than weak ones, and so which cards are underrated.

The same game is played once by weak bots and once by strong ones, the same bot on all seats. A card is
underrated if surely more of the strong players buy it, and do not lose by it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from math import hypot
from typing import Any

from dicetown.errors import LabError
from dicetown.intervals import Z
from dicetown.lab.findings.clusters import Clustered, share_of_sums
from dicetown.lab.findings.figures import style_of
from dicetown.lab.findings.section import Cell, Chart, Column, Estimate, Kind, Section, Table
from dicetown.lab.findings.together import together
from dicetown.lab.record.folder import Recorded
from dicetown.lab.record.query import database
from dicetown.lab.record.sample import Sample
from dicetown.lab.studies.balance import Weighed
from dicetown.lab.studies.pace import Pace, pace_of
from dicetown.lab.studies.study import Wish, usual_samples, words_of
from dicetown.material.catalogue import Catalogue
from dicetown.rules.codes import MAX_CARDS

#: Games of each sample: a network plays some hundred a second.
USUAL_GAMES = 5_000
WEAK, STRONG = ("greedy",), ("champion",)
#: Of the cards that more, or fewer, of the strong players buy, so many are named.
_NAMED = 3
#: First purchases of a smaller share of the players, weak or strong, are left out.
_RARE = 0.01


def samples_for(wish: Wish) -> tuple[Sample, ...]:
    """Each table with weak bots and with strong ones; who names one line-up sees it beside the champion.

    >>> from dicetown.rules.ruleset import Ruleset
    >>> [one.bots[0] for one in samples_for(Wish(Ruleset("ciudad"), (2,), (("planner",),), 100))]
    ['planner', 'champion']
    """
    alike = [lineup for lineup in wish.lineups if len(set(lineup)) == 1]
    if len(alike) < 2:
        alike = [WEAK if alike in ([], [STRONG]) else alike[0], STRONG]
    lineups = (alike[0][:1], alike[-1][:1])
    return usual_samples(Wish(wish.ruleset, wish.players, lineups, wish.games, wish.seed, wish.changes))


@dataclass(frozen=True)
class Figures:
    """What there is to know of one sample."""

    recorded: Recorded
    language: str

    @property
    def bot(self) -> str:
        """Who sits on all seats."""
        return self.recorded.bots[0]

    @cached_property
    def weighed(self) -> Weighed:
        """Its cards."""
        return Weighed(self.recorded, "", self.language)

    @cached_property
    def pace(self) -> Pace:
        """How its games went."""
        return pace_of(self.recorded)

    @cached_property
    def first(self) -> dict[int, Estimate]:
        """The share of players who bought a thing first."""
        with database() as connection:
            found = connection.execute(
                """SELECT first, sum(x)::DOUBLE, sum(x * x)::DOUBLE
                   FROM (SELECT game, first, count(*) AS x
                         FROM read_parquet($1) WHERE first >= 0 GROUP BY ALL)
                   GROUP BY first""",
                [self.recorded.players],
            ).fetchall()
        seats, everybody = self.recorded.seats, self.recorded.seats * self.recorded.count
        shares = {
            thing: share_of_sums(Clustered(everybody, x, xx, x * seats, everybody * seats))
            for thing, x, xx in found
        }
        return {thing: share for thing, share in shares.items() if share is not None}


@dataclass(frozen=True)
class Compared:
    """Weak and strong players at a table of so many."""

    weak: Figures
    strong: Figures

    @cached_property
    def differences(self) -> dict[int, Estimate]:
        """How many more of the strong players buy a card, as one of all cards, the underrated first."""
        things = {*self.weak.weighed.things, *self.strong.weighed.things}
        found = {
            thing: _difference(self.weak.weighed.owners(thing), self.strong.weighed.owners(thing))
            for thing in things
            if thing < MAX_CARDS
        }
        return dict(sorted(together(found).items(), key=lambda one: -one[1].value))

    @property
    def underrated(self) -> list[int]:
        """Cards that surely more of the strong players buy, and by which they do not surely lose."""
        return [thing for thing, more in self.differences.items() if more.low > 0 and not self._loses(thing)]

    @property
    def overrated(self) -> list[int]:
        """Cards that surely fewer of them buy."""
        return [thing for thing, more in reversed(self.differences.items()) if more.high < 0]

    def _loses(self, thing: int) -> bool:
        early = self.strong.weighed.beyond_early(thing)
        return early is not None and early.high < 0


def _difference(one: Estimate | None, other: Estimate | None) -> Estimate:
    before, after = one or Estimate(0, 0, 0), other or Estimate(0, 0, 0)
    errors = ((figure.high - figure.low) / (2 * Z) for figure in (before, after))
    return Estimate.around(after.value - before.value, hypot(*errors))


def study(recorded: Sequence[Recorded], language: str) -> Section:
    """Weak and strong players side by side."""
    words = words_of("skill", language)
    compared = [
        Compared(*(Figures(one, language) for one in (samples[0], samples[-1])))
        for _, group in groupby(recorded, key=lambda one: one.seats)
        if len(samples := list(group)) > 1
    ]
    if not compared:
        raise LabError(
            "Weak and strong players are compared at the same table; name two line-ups of one bot."
        )
    tables = (_cards(compared, words), _first(compared, words), _course(compared, words))
    return Section(
        key="skill",
        title=words.say("skill.title"),
        question=words.say("skill.question"),
        answer=" ".join(_answer(one, words) for one in compared),
        tables=tables,
        charts=(Chart("dots", words.say("chart.cards"), "cards", "more", "thing", "sample", line_at=0.0),),
        notes=tuple(words.say(f"note.{key}") for key in ("alike", "owners", "early", "interval")),
    )


# ------------------------------------------------------------------------------- telling


def _sample(one: Compared, words: Catalogue) -> str:
    return words_of("labels", words.language).say("label.players", one.weak.recorded.seats)


def _answer(one: Compared, words: Catalogue) -> str:
    style = style_of(words.language)
    weak_turns, strong_turns = (
        style.number_of(_per_player(figures.pace)) for figures in (one.weak, one.strong)
    )
    told: dict[str, Any] = {"weak": one.weak.bot, "strong": one.strong.bot}
    told |= {"weak_turns": weak_turns, "strong_turns": strong_turns}
    parts = [words.say("answer.turns", sample=_sample(one, words), **told)]
    for key, things in (("underrated", one.underrated), ("overrated", one.overrated)):
        named = ", ".join(_named(one, thing, words) for thing in things[:_NAMED])
        parts.append(
            words.say(f"answer.{key}" if named else f"answer.not_{key}", cards=named, weak=one.weak.bot)
        )
    return " ".join(parts)


def _named(one: Compared, thing: int, words: Catalogue) -> str:
    more = style_of(words.language).points_of(one.differences[thing])
    return words.say("answer.card", card=one.strong.weighed.name(thing), points=more)


def _per_player(pace: Pace) -> Estimate:
    seats, turns = len(pace.wins), pace.turns
    return Estimate(turns.value / seats, turns.low / seats, turns.high / seats)


def _cards(compared: Sequence[Compared], words: Catalogue) -> Table:
    """Who buys what, and whether early buyers win."""
    kinds: dict[str, Kind] = {
        "sample": "name", "thing": "name", "weak": "share", "strong": "share", "more": "points",
        "weak_early": "points", "strong_early": "points",
    }  # fmt: skip
    rows = tuple(
        (
            _sample(one, words),
            one.strong.weighed.name(thing),
            one.weak.weighed.owners(thing),
            one.strong.weighed.owners(thing),
            more,
            one.weak.weighed.beyond_early(thing),
            one.strong.weighed.beyond_early(thing),
        )
        for one in compared
        for thing, more in one.differences.items()
    )
    return Table("cards", words.say("table.cards"), _columns(kinds, compared, words), rows)


def _first(compared: Sequence[Compared], words: Catalogue) -> Table:
    """What is bought first."""
    kinds: dict[str, Kind] = {"sample": "name", "thing": "name", "weak": "share", "strong": "share"}
    rows: list[tuple[Cell, ...]] = []
    for one in compared:
        shares = (one.weak.first, one.strong.first)
        things = {thing for found in shares for thing, share in found.items() if share.value >= _RARE}
        for thing in sorted(
            things, key=lambda thing: -max(found[thing].value for found in shares if thing in found)
        ):
            rows.append(
                (_sample(one, words), one.strong.weighed.name(thing), *(found.get(thing) for found in shares))
            )
    return Table("first", words.say("table.first"), _columns(kinds, compared, words), tuple(rows))


def _course(compared: Sequence[Compared], words: Catalogue) -> Table:
    """How games go."""
    kinds: dict[str, Kind] = {
        "sample": "name", "bot": "name", "rounds": "number", "seat": "share", "comebacks": "share",
        "endgame": "number", "games": "count",
    }  # fmt: skip
    rows = tuple(
        (
            _sample(one, words),
            figures.bot,
            _per_player(figures.pace),
            figures.pace.shares[0],
            figures.pace.comebacks,
            figures.pace.endgame,
            figures.pace.games,
        )
        for one in compared
        for figures in (one.weak, one.strong)
    )
    return Table("course", words.say("table.course"), _columns(kinds, compared, words), rows)


def _columns(kinds: dict[str, Kind], compared: Sequence[Compared], words: Catalogue) -> tuple[Column, ...]:
    """Columns; those of weak and strong players are named after the bots."""
    bots: dict[str, Any] = {"weak": compared[0].weak.bot, "strong": compared[0].strong.bot}
    return tuple(Column(key, words.say(f"column.{key}", **bots), kind) for key, kind in kinds.items())
