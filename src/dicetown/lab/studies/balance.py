"""`lab balance`: which cards are worth their price.

For each card: how often it is bought, whether its owners win more than their seats would, what a copy earns
against its price, and which number of copies does best. Owning follows from winning, too; so beside the plain
share of owners there are two fairer figures, of purchases in the first third of a game.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from dicetown.lab.findings.clusters import Clustered
from dicetown.lab.findings.figures import style_of
from dicetown.lab.findings.section import Cell, Chart, Column, Estimate, Kind, Section, Table
from dicetown.lab.findings.together import together
from dicetown.lab.record.folder import Recorded
from dicetown.lab.studies.balance_odds import MOST_GAMES, odds_of
from dicetown.lab.studies.balance_sums import MOST_COPIES, TURN_GROUPS, Sums, sum_up
from dicetown.lab.studies.labels import labels_for
from dicetown.lab.studies.study import words_of
from dicetown.material.catalogue import Catalogue
from dicetown.rules.codes import MAX_CARDS

#: With fewer players, or copies, nothing is said about them.
_FEWEST = 100
#: A number of copies is compared if at least this share of all players has bought it.
_SELDOM = 1 / 200
#: A turn of purchase is shown if so many coins were spent on a card then.
_FEWEST_COINS = 200


def study(recorded: Sequence[Recorded], language: str) -> Section:
    """The section on the balance of cards."""
    labels = labels_for(recorded, language)
    weighed = [Weighed(one, label, language) for one, label in zip(recorded, labels, strict=True)]
    words = words_of("balance", language)
    paper = _Paper(weighed, words)
    return Section(
        key="balance",
        title=words.say("balance.title"),
        question=words.say("balance.question"),
        answer=" ".join(_answer(one, words, language) for one in weighed),
        tables=(paper.owning(), paper.income(), paper.copies(), paper.by_turn(), paper.by_copies()),
        charts=paper.charts(),
        notes=_notes(weighed, words, language),
        figures={"early_turns": {one.recorded.name: one.sums.early for one in weighed}},
    )


@dataclass
class Weighed:
    """The cards of a sample, weighed."""

    recorded: Recorded
    label: str
    language: str

    @cached_property
    def sums(self) -> Sums:
        """What everything is reckoned from."""
        return sum_up(self.recorded)

    @cached_property
    def odds(self) -> dict[int, Estimate]:
        """What an early copy does to the odds of winning."""
        prices = {thing: self.price(thing) or 0.0 for thing in self.things}
        return odds_of(self.recorded, self.sums.early, prices)

    @cached_property
    def returns(self) -> dict[int, Estimate]:
        """Coins brought in for each coin of the price, of the things that bring any."""
        found = {thing: self.sums.returned[(thing,)].estimate for thing in self.things}
        bringing = {
            thing: one for thing, one in found.items() if one is not None and self.brings_coins(thing)
        }
        return together(bringing)

    @property
    def things(self) -> list[int]:
        """Cards and landmarks that were bought, in the order of the table."""
        return self.sums.things

    def name(self, thing: int) -> str:
        """What a card is called."""
        return self.recorded.thing_name(thing, self.language)

    def price(self, thing: int) -> float | None:
        """What was paid for a copy, on average."""
        copies = self.sums.earned[(thing,)].m
        return self.sums.returned[(thing,)].m / copies if copies else None

    def owners(self, thing: int) -> Estimate | None:
        """The share of players who bought a card."""
        of_games = self.sums.owners[(thing,)]
        everybody = self.sums.games * self.sums.players
        return Clustered(
            everybody,
            of_games.m,
            of_games.mm,
            of_games.m * self.sums.players,
            everybody * self.sums.players,
        ).estimate

    def expected(self, thing: int) -> float:
        """The share of games that a card's owners should have won."""
        owners = self.sums.expected[(thing,)]
        return owners.x / owners.m

    def won(self, thing: int) -> Estimate | None:
        """The share of games that they did win."""
        beyond, expected = self.beyond(thing), self.expected(thing)
        if beyond is None:
            return None
        ends = (beyond.value, beyond.low, beyond.high)
        return Estimate(*(min(1.0, max(0.0, end + expected)) for end in ends))

    def beyond(self, thing: int) -> Estimate | None:
        """How much more they won than they should have."""
        return _if_enough(self.sums.owners[(thing,)])

    def beyond_early(self, thing: int) -> Estimate | None:
        """The same for those who bought the card early."""
        return _if_enough(self.sums.early_owners[(thing,)])

    def brings_coins(self, thing: int) -> bool:
        """Whether a card moves coins by itself, as far as enough copies have been seen."""
        copies = self.sums.earned[(thing,)]
        return copies.m >= _FEWEST and copies.xx > 0

    def by_copies(self, thing: int) -> dict[int, Clustered]:
        """Players by the number of copies they bought, where they are not too few."""
        enough = max(_FEWEST, _SELDOM * self.sums.games * self.sums.players)
        counted = ((number, self.sums.by_copies[(thing, number)]) for number in range(MOST_COPIES + 1))
        return {number: players for number, players in counted if players.m >= enough}

    def beyond_by_copies(self, thing: int) -> dict[int, Estimate]:
        """How much more than they should those won who bought each number of copies."""
        judged = {number: players.estimate for number, players in self.by_copies(thing).items()}
        return together({number: one for number, one in judged.items() if one is not None})

    def extremes(self, thing: int) -> tuple[tuple[int, Estimate], tuple[int, Estimate]] | None:
        """The best and the worst number of copies; None where there is nothing to compare."""
        ranked = sorted(self.beyond_by_copies(thing).items(), key=lambda pair: pair[1].value)
        return (ranked[-1], ranked[0]) if len(ranked) > 1 else None


def _if_enough(players: Clustered) -> Estimate | None:
    """What some players came to, unless they are too few to say anything."""
    return players.estimate if players.m >= _FEWEST else None


# ------------------------------------------------------------------------- sentences


def _answer(one: Weighed, words: Catalogue, language: str) -> str:
    """What stands out in a sample."""
    found = " ".join([_about_odds(one, words, language), *_about_income(one, words, language)])
    return words.say("balance.of_sample", sample=one.label, found=found) if one.label else found


def _about_odds(one: Weighed, words: Catalogue, language: str) -> str:
    """The best of the cards that surely do good, and the worst of those that surely do harm; or neither."""
    good = {thing: odds for thing, odds in one.odds.items() if odds.low > 1}
    bad = {thing: odds for thing, odds in one.odds.items() if odds.high < 1}
    best = max(good, key=lambda thing: good[thing].value, default=None)
    worst = min(bad, key=lambda thing: bad[thing].value, default=None)
    told: dict[str, Any] = {}
    for which, thing in (("best", best), ("worst", worst)):
        if thing is not None:
            told |= {which: one.name(thing), f"{which}_odds": _factor(one.odds[thing], language)}
    if best is not None and worst is not None:
        return words.say("balance.best", **told)
    if best is not None:
        return words.say("balance.only_best", **told)
    return words.say("balance.only_worst" if worst is not None else "balance.none", **told)


def _factor(odds: Estimate, language: str) -> str:
    """A factor with its interval, for a sentence."""
    style = style_of(language)
    value, low, high = (style.number(end, 2) for end in (odds.value, odds.low, odds.high))
    return f"× {value} [{low}–{high}]"


def _about_income(one: Weighed, words: Catalogue, language: str) -> Iterable[str]:
    """What brings in most and least of its price, where there is more than one thing to compare."""
    if len(one.returns) > 1:
        style = style_of(language)
        most, least = (
            choose(one.returns, key=lambda thing: one.returns[thing].value) for choose in (max, min)
        )
        yield words.say(
            "balance.income",
            most=one.name(most),
            most_return=f"{style.number(one.returns[most].value)} ×",
            least=one.name(least),
            least_return=f"{style.number(one.returns[least].value)} ×",
        )


def _notes(weighed: Sequence[Weighed], words: Catalogue, language: str) -> tuple[str, ...]:
    early = sorted({one.sums.early for one in weighed})
    turns = f"{early[0]}–{early[-1]}" if len(early) > 1 else str(early[0])
    games = style_of(language).count(MOST_GAMES)
    return (
        words.say("note.owners"),
        words.say("note.early", turns=turns, games=games),
        words.say("note.income"),
        words.say("note.copies", MOST_COPIES),
        words.say("note.clusters"),
        words.say("note.picked"),
        words.say("note.bots"),
    )


# ---------------------------------------------------------------------------- tables


class _Paper:
    """The tables and charts of all samples."""

    def __init__(self, weighed: Sequence[Weighed], words: Catalogue) -> None:
        self._weighed, self._words = weighed, words
        self._several = len(weighed) > 1

    def owning(self) -> Table:
        """Who buys, and who wins."""
        columns = self._columns(
            price="number", bought="number", owners="share", won="share", expected="share", beyond="points",
            early="points", odds="factor",
        )  # fmt: skip
        return self._table("owning", columns, lambda one, thing: [self._owning_row(one, thing)])

    def _owning_row(self, one: Weighed, thing: int) -> list[Cell]:
        sums = one.sums
        return [
            one.price(thing),
            sums.bought(thing).estimate,
            one.owners(thing),
            one.won(thing),
            one.expected(thing),
            one.beyond(thing),
            one.beyond_early(thing),
            one.odds.get(thing),
        ]

    def income(self) -> Table:
        """What a copy brings in."""
        columns = self._columns(
            price="number", earned="number", tenth="number", median="number", ninety="number",
            returned="factor", paid_back="share",
        )  # fmt: skip
        return self._table("income", columns, self._income_rows)

    def _income_rows(self, one: Weighed, thing: int) -> Iterable[list[Cell]]:
        if one.brings_coins(thing):
            sums = one.sums
            quantiles = (sums.quantile(thing, share) for share in (0.1, 0.5, 0.9))
            returned, paid_back = one.returns.get(thing), sums.paid_back[(thing,)].estimate
            yield [one.price(thing), sums.earned[(thing,)].estimate, *quantiles, returned, paid_back]

    def copies(self) -> Table:
        """The best and the worst number of copies."""
        columns = self._columns(best="name", best_beyond="points", worst="name", worst_beyond="points")
        return self._table("copies", columns, self._copies_rows)

    def _copies_rows(self, one: Weighed, thing: int) -> Iterable[list[Cell]]:
        if thing < MAX_CARDS and (found := one.extremes(thing)) is not None:
            (best, most), (worst, least) = found
            yield [self._number(best), most, self._number(worst), least]

    def by_turn(self) -> Table:
        """What a coin spent brings in, by the turn it is spent."""
        columns = self._columns(turn="name", returned="factor")
        return self._table("by_turn", columns, self._turn_rows, shown=False)

    def _turn_rows(self, one: Weighed, thing: int) -> Iterable[list[Cell]]:
        """All groups of turns in their order, also those in which nobody bought the card."""
        if one.brings_coins(thing):
            for group in range(len(TURN_GROUPS)):
                spent = one.sums.by_turn[(thing, group)]
                yield [self._turns(group), spent.estimate if spent.m >= _FEWEST_COINS else None]

    def by_copies(self) -> Table:
        """Winning by the number of copies."""
        columns = self._columns(copies="name", players="count", beyond="points")
        return self._table("by_copies", columns, self._by_copies_rows, shown=False)

    def _by_copies_rows(self, one: Weighed, thing: int) -> Iterable[list[Cell]]:
        """All numbers of copies in their order, also those that too few have bought."""
        if thing < MAX_CARDS and len(compared := one.beyond_by_copies(thing)) > 1:
            for number in range(MOST_COPIES + 1):
                players = one.sums.by_copies[(thing, number)]
                yield [self._number(number), round(players.m), compared.get(number)]

    def charts(self) -> tuple[Chart, ...]:
        """The figures to look at first."""
        apart = "sample" if self._several else None
        return (
            Chart("dots", self._words.say("chart.odds"), "owning", "odds", "thing", apart, line_at=1.0),
            Chart(
                "dots", self._words.say("chart.returned"), "income", "returned", "thing", apart, line_at=1.0
            ),
            Chart("cells", self._words.say("chart.by_turn"), "by_turn", "turn", "thing", "returned", apart),
            Chart(
                "cells", self._words.say("chart.by_copies"), "by_copies", "copies", "thing", "beyond", apart
            ),
        )

    def _columns(self, **kinds: Kind) -> tuple[Column, ...]:
        names: dict[str, Kind] = {"sample": "name", "thing": "name"} if self._several else {"thing": "name"}
        return tuple(
            Column(key, self._words.say(f"column.{key}"), kind) for key, kind in (names | kinds).items()
        )

    def _table(self, key: str, columns: tuple[Column, ...], rows_of: Any, shown: bool = True) -> Table:
        rows = tuple(
            (*((one.label,) if self._several else ()), one.name(thing), *row)
            for one in self._weighed
            for thing in one.things
            for row in rows_of(one, thing)
        )
        return Table(key, self._words.say(f"table.{key}"), columns, rows, shown=shown)

    def _number(self, copies: int) -> str:
        return f"{copies}+" if copies == MOST_COPIES else str(copies)

    def _turns(self, group: int) -> str:
        first = TURN_GROUPS[group]
        if group + 1 == len(TURN_GROUPS):
            return self._words.say("group.since", first=first)
        return self._words.say("group.turns", first=first, last=TURN_GROUPS[group + 1] - 1)
