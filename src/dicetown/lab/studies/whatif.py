"""`lab whatif`: a changed card or house rule against the original.

The same games are played by both rules, with the same random numbers; what is told are differences.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from dicetown.errors import LabError
from dicetown.lab.findings.figures import Style, style_of
from dicetown.lab.findings.pairs import Paired
from dicetown.lab.findings.section import Cell, Chart, Column, Estimate, Kind, Section, Table
from dicetown.lab.findings.together import together
from dicetown.lab.record.changes import things_changed
from dicetown.lab.record.folder import Recorded
from dicetown.lab.record.sample import Sample
from dicetown.lab.studies.labels import labels_for
from dicetown.lab.studies.study import Wish, usual_samples, words_of
from dicetown.lab.studies.whatif_sums import COURSE, Differences, compare
from dicetown.material import Establishment
from dicetown.material.catalogue import Catalogue
from dicetown.rules.ruleset import Ruleset
from dicetown.words import Speaker

#: Figures of a game's course that are shares of games.
_SHARES = ("comeback", "drawn")
#: Owners in all games together, below which their share says nothing.
_FEWEST = 100
#: Bought less often than this in a game, before and now, a card is one that these bots pass over.
_HARDLY = 0.05


def samples_for(wish: Wish) -> tuple[Sample, ...]:
    """Each sample as it is, and as it would be with the house rules and changes wished for."""
    if not wish.changes and not wish.ruleset.house:
        raise LabError(
            "Say what shall be different: --set convenience_store.cost=3 for a card, "
            "--house start_coins=5 for a house rule."
        )
    plain = Ruleset(wish.ruleset.edition.id, wish.ruleset.set_ids)
    originals = usual_samples(replace(wish, ruleset=plain, changes=()))
    return tuple(sample for pair in zip(originals, usual_samples(wish), strict=True) for sample in pair)


def study(recorded: Sequence[Recorded], language: str) -> Section:
    """The section on what a change does."""
    pairs = _pairs(recorded, language)
    words = words_of("whatif", language)
    told = pairs[0].changes
    paper = _Paper(pairs, words)
    return Section(
        key="whatif",
        title=words.say("whatif.title", changes=", ".join(told)),
        question=words.say("whatif.question"),
        answer=" ".join(_answer(pair, words) for pair in pairs),
        tables=(paper.course(), paper.wins(), paper.cards()),
        charts=paper.charts(),
        notes=(
            *_cards_as_changed(pairs[0], words),
            *(words.say(f"note.{note}") for note in ("paired", "picked", "owners", "bots")),
        ),
        figures={"changes": list(told), "games": sum(pair.found.games for pair in pairs)},
    )


@dataclass
class Pair:
    """A sample by the original rules, and the same games by the changed ones."""

    original: Recorded
    changed: Recorded
    label: str
    language: str

    @cached_property
    def found(self) -> Differences:
        """What they differ in."""
        return compare(self.original, self.changed)

    @cached_property
    def moves(self) -> dict[str, Estimate]:
        """How much more often each card is bought; intervals hold together, so that one may be picked."""
        found = {thing: copies.difference for thing, copies in self.found.copies.items()}
        return together({thing: one for thing, one in found.items() if one is not None})

    @property
    def changes(self) -> list[str]:
        """What was changed, as it was asked for."""
        manifest = self.changed.manifest
        return [*manifest.changes, *(f"{rule}={value}" for rule, value in manifest.house.items())]

    @property
    def cards_changed(self) -> tuple[str, ...]:
        """The cards that were changed, by id."""
        return things_changed(self.changed.manifest.changes)

    def name(self, thing: str) -> str:
        """What a card is called."""
        game = self.original.ruleset.game
        return (game.establishments.get(thing) or game.landmarks[thing]).name[self.language]


def _pairs(recorded: Sequence[Recorded], language: str) -> list[Pair]:
    """Each changed sample with its original."""

    def key(one: Recorded) -> object:
        manifest = one.manifest
        return manifest.edition, manifest.sets, manifest.players, manifest.bots, manifest.seed

    def is_original(one: Recorded) -> bool:
        return not one.manifest.changes and not one.manifest.house

    originals = {key(one): one for one in recorded if is_original(one)}
    changed = [one for one in recorded if not is_original(one) and key(one) in originals]
    if not changed:
        raise LabError("There is no sample yet that has both an original and a changed version.")
    labels = labels_for([originals[key(one)] for one in changed], language)
    return [
        Pair(originals[key(one)], one, label, language) for one, label in zip(changed, labels, strict=True)
    ]


# ------------------------------------------------------------------------- sentences


def _answer(pair: Pair, words: Catalogue) -> str:
    """How long games are now, and what became of the cards that were changed."""
    style = style_of(words.language)
    sentences = [words.say("whatif.turns", **_sides(pair.found.course["turns"], style))]
    for card in pair.cards_changed:
        sentences += _about_card(pair, card, words, style)
    if not pair.cards_changed and (most := _most_changed(pair.moves)) is not None:
        sides = _sides(pair.found.copies[most], style) | {"difference": _ends(pair.moves[most], style)}
        sentences.append(words.say("whatif.most", card=pair.name(most), **sides))
    found = " ".join(sentences)
    return words.say("whatif.of_sample", sample=pair.label, found=found) if pair.label else found


def _about_card(pair: Pair, card: str, words: Catalogue, style: Style) -> Iterator[str]:
    if (copies := pair.found.copies.get(card)) is None:
        yield words.say("whatif.unbought", card=pair.name(card))
        return
    sides = _sides(copies, style)
    if _is_hardly_bought(copies):
        yield words.say("whatif.hardly", card=pair.name(card), **sides)
        return
    beyond = _owners(pair.found, card).difference
    if beyond is None:
        yield words.say("whatif.never", card=pair.name(card), **sides)
    else:
        yield words.say("whatif.bought", card=pair.name(card), beyond=style.points_of(beyond), **sides)


def _is_hardly_bought(copies: Paired) -> bool:
    """Whether so few copies are bought, before and now, that nothing can be seen of a change."""
    return all(one.x < _HARDLY * one.m for one in (copies.original, copies.changed))


def _most_changed(moves: Mapping[str, Estimate]) -> str | None:
    """The card whose purchases have changed most clearly, if any has."""
    clear = {thing: abs(one.is_clear_of) for thing, one in moves.items() if one.is_clear_of}
    return max(clear, key=lambda thing: clear[thing], default=None)


def _sides(paired: Paired, style: Style) -> dict[str, Any]:
    """Both figures and their difference, for a sentence."""
    original, changed, difference = paired.original.estimate, paired.changed.estimate, paired.difference
    assert original is not None
    assert changed is not None
    assert difference is not None
    return {
        "original": style.number(original.value, 2),
        "changed": style.number(changed.value, 2),
        "difference": _ends(difference, style),
    }


def _ends(difference: Estimate, style: Style) -> str:
    return f"{style.signed(difference.low, 2)} … {style.signed(difference.high, 2)}"


def _cards_as_changed(pair: Pair, words: Catalogue) -> Iterator[str]:
    """The cards that were changed, as they read now."""
    speaker = Speaker(pair.changed.ruleset, [], words.language)
    for thing in pair.cards_changed:
        card = speaker.card(thing)
        told: dict[str, Any] = {"name": speaker.thing(thing), "text": speaker.effect(thing)}
        if isinstance(card, Establishment):
            price = speaker.coins(card.cost)
            yield words.say("whatif.card", number=speaker.number(thing), price=price, **told)
        else:
            yield words.say("whatif.landmark", price="/".join(map(str, card.cost)), **told)


# ---------------------------------------------------------------------------- tables


def _owners(found: Differences, thing: str) -> Paired:
    """What owners won, where they are not too few in both samples; else nothing."""
    owners = found.owners.get(thing, Paired())
    return owners if min(owners.original.m, owners.changed.m) >= _FEWEST else Paired()


def _three(paired: Paired) -> tuple[Estimate | None, ...]:
    return paired.original.estimate, paired.changed.estimate, paired.difference


class _Paper:
    """The tables and charts of all pairs."""

    def __init__(self, pairs: Sequence[Pair], words: Catalogue) -> None:
        self._pairs, self._words = pairs, words
        self._several = len(pairs) > 1

    def course(self) -> Table:
        """How games go."""
        columns = self._columns(measure="name", original="number", changed="number", difference="signed")
        measures = [measure for measure in COURSE if measure not in _SHARES]
        return self._table(
            "course",
            columns,
            [
                (pair, (self._words.say(f"measure.{measure}"), *_three(pair.found.course[measure])))
                for pair in self._pairs
                for measure in measures
            ],
        )

    def wins(self) -> Table:
        """Who wins, and from where."""
        columns = self._columns(measure="name", original="share", changed="share", difference="points")
        rows: list[tuple[Pair, tuple[Cell, ...]]] = []
        for pair in self._pairs:
            for seat, paired in sorted(pair.found.seats.items()):
                rows.append((pair, (self._words.say("measure.seat", seat + 1), *_three(paired))))
            for measure in _SHARES:
                paired = pair.found.course[measure]
                if paired.original.x or paired.changed.x:
                    rows.append((pair, (self._words.say(f"measure.{measure}"), *_three(paired))))
        return self._table("wins", columns, rows)

    def cards(self) -> Table:
        """What is bought, and how its owners fare."""
        columns = self._columns(
            thing="name", copies="number", copies_changed="number", copies_difference="signed",
            beyond="points", beyond_changed="points", beyond_difference="points",
        )  # fmt: skip
        return self._table(
            "cards",
            columns,
            [
                (
                    pair,
                    (
                        pair.name(thing),
                        copies.original.estimate,
                        copies.changed.estimate,
                        pair.moves.get(thing),
                        *_three(_owners(pair.found, thing)),
                    ),
                )
                for pair in self._pairs
                for thing, copies in pair.found.copies.items()
            ],
        )

    def charts(self) -> tuple[Chart, ...]:
        """The differences to look at first."""
        apart = "sample" if self._several else None
        say = self._words.say
        return (
            Chart("dots", say("chart.cards"), "cards", "copies_difference", "thing", apart, line_at=0.0),
            Chart("dots", say("chart.wins"), "wins", "difference", "measure", apart, line_at=0.0),
        )

    def _columns(self, **kinds: Kind) -> tuple[Column, ...]:
        names: dict[str, Kind] = {"sample": "name"} if self._several else {}
        return tuple(
            Column(key, self._words.say(f"column.{key}"), kind) for key, kind in (names | kinds).items()
        )

    def _table(
        self, key: str, columns: tuple[Column, ...], rows: Sequence[tuple[Pair, tuple[Cell, ...]]]
    ) -> Table:
        whole = tuple((pair.label, *row) if self._several else row for pair, row in rows)
        return Table(key, self._words.say(f"table.{key}"), columns, whole)
