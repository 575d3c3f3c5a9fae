"""Reading values out of a document, plain ones and names, each with a sentence for what does not fit.

A :class:`Place` knows where in which file it is, so every complaint names file, scenario and step.
"""

from __future__ import annotations

import reprlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

from dicetown.errors import ScenarioError
from dicetown.letters import seen
from dicetown.rules.ruleset import Ruleset
from dicetown.scenario.model import Counts
from dicetown.suggestions import did_you_mean

MOST_COPIES = 99

_brief = reprlib.Repr()
_brief.maxstring = _brief.maxother = 60


def brief(value: object) -> str:
    """A value as a sentence can quote it: short, whatever it is.

    >>> brief("cafe"), brief(True), brief([1, 2, 3, 4, 5, 6, 7, 8])
    ('"cafe"', 'true', '[1, 2, 3, 4, 5, 6, ...]')
    """
    if isinstance(value, str):
        return '"' + _brief.repr(value)[1:-1] + '"'
    if value is None or isinstance(value, bool):
        return {None: "empty", True: "true", False: "false"}[value]
    return _brief.repr(value)


@dataclass(frozen=True)
class Place:
    """A place in a scenario file; its methods check what stands there."""

    where: str

    def inside(self, part: str) -> Self:
        """A place within this one."""
        return replace(self, where=f"{self.where}, {part}")

    def wrong(self, sentence: str) -> ScenarioError:
        """The error to raise here."""
        return ScenarioError(f"{self.where}: {sentence}.")

    def mapping(self, value: object, what: str, known: Iterable[str]) -> dict[str, Any]:
        """A mapping with no other keys than these."""
        if not isinstance(value, dict):
            raise self.wrong(f"{what} is {brief(value)}; it must be a mapping with {', '.join(known)}")
        for key in value:
            if key not in known:
                raise self.wrong(f"{what} has a key {brief(key)}; {did_you_mean(key, known)}")
        return value

    def given(self, value: object, what: str, known: Iterable[str]) -> dict[str, Any]:
        """A mapping with no other keys than these; those without a value are left out."""
        parts = self.mapping(value, what, known)
        return {key: part for key, part in parts.items() if part is not None}

    def listing(self, value: object, what: str) -> list[Any]:
        """A list."""
        if not isinstance(value, list):
            raise self.wrong(f"{what} is {brief(value)}; it must be a list in [ ]")
        return value

    def text(self, value: object, what: str) -> str:
        """A text that says something, in one line."""
        line = " ".join(value.split()) if isinstance(value, str) else ""
        if not line or seen(line, "") != line:
            raise self.wrong(f"{what} is {brief(value)}; it must be a text")
        return line

    def truth(self, value: object, what: str) -> bool:
        """True or false."""
        if not isinstance(value, bool):
            raise self.wrong(f"{what} is {brief(value)}; it must be true or false")
        return value

    def number(self, value: object, what: str, least: int, most: int) -> int:
        """A whole number within limits."""
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            raise self.wrong(f"{what} is {brief(value)}; it must be a whole number from {least} to {most}")
        return value

    def dice(self, value: object, what: str, fewest: int = 1) -> tuple[int, ...]:
        """What dice show."""
        faces = self.listing(value, what)
        if not fewest <= len(faces) <= 2:
            shape = "[a, b]" if fewest == 2 else "[a] or [a, b]"
            raise self.wrong(f"{what} is {brief(value)}; it must be {shape}, one face per die")
        return tuple(self.number(face, f"a die of {what}", 1, 6) for face in faces)

    def choice(self, value: object, what: str, known: Sequence[str]) -> str:
        """One of some words."""
        if not isinstance(value, str) or value not in known:
            raise self.wrong(f"{what} is {brief(value)}; {did_you_mean(value, known)}")
        return value


@dataclass(frozen=True)
class PlaceInGame(Place):
    """A place in a scenario whose game is known: what things are called there, and how many play.

    Names *in play* belong to the sets chosen; *known* names to the edition's family of games at large.
    A position and its steps need things in play; an expectation may also say that a thing is not there.
    """

    players: int
    cards: list[str]
    landmarks: list[str]
    known_cards: list[str]
    known_landmarks: list[str]

    @classmethod
    def of(cls, where: str, ruleset: Ruleset, players: int) -> PlaceInGame:
        """A place in a scenario that is played by some rules."""
        in_play = [card.id for card in ruleset.cards], [mark.id for mark in ruleset.landmarks]
        return cls(where, players, *in_play, list(ruleset.game.establishments), list(ruleset.game.landmarks))

    def card(self, name: object) -> str:
        """A card in play."""
        return self._in_play(name, "card", self.cards, self.known_cards)

    def landmark(self, name: object) -> str:
        """A landmark in play."""
        return self._in_play(name, "landmark", self.landmarks, self.known_landmarks)

    def thing(self, name: object) -> str:
        """A card or a landmark in play."""
        known = [*self.known_cards, *self.known_landmarks]
        return self._in_play(name, "card or landmark", [*self.cards, *self.landmarks], known)

    def _in_play(self, name: object, what: str, in_play: list[str], known: list[str]) -> str:
        if isinstance(name, str) and name in in_play:
            return name
        if isinstance(name, str) and name in known:
            names = ", ".join(in_play)
            raise self.wrong(f"the {what} {brief(name)} is not in play with these sets; in play: {names}")
        raise self.wrong(f"there is no {what} {brief(name)}; {did_you_mean(name, in_play)}")

    def at_large(self) -> PlaceInGame:
        """The same place with every thing of the game in play: what must be refused may be any of them."""
        return replace(self, cards=self.known_cards, landmarks=self.known_landmarks)

    def counts(self, value: object, what: str) -> Counts:
        """Cards in play with numbers of copies; none of a card is the same as not naming it."""
        named = {self.card(name): n for name, n in self._copies(value, what).items()}
        return {card: copies for card, copies in named.items() if copies}

    def known_counts(self, value: object, what: str) -> Counts:
        """Things of the game, in play or not, with numbers of copies, zeros too."""
        at_large = self.at_large()
        return {at_large.thing(name): copies for name, copies in self._copies(value, what).items()}

    def _copies(self, value: object, what: str) -> dict[object, int]:
        if not isinstance(value, dict):
            raise self.wrong(f"{what} is {brief(value)}; it must be a mapping like {{cafe: 2}}")
        return {
            name: self.number(copies, f"{brief(name)} of {what}", 0, MOST_COPIES)
            for name, copies in value.items()
        }

    def landmark_list(self, value: object, what: str) -> tuple[str, ...]:
        """Different landmarks in play."""
        names = [self.landmark(name) for name in self.listing(value, what)]
        for name in names:
            if names.count(name) > 1:
                raise self.wrong(f"{what} names {name} twice; name it once")
        return tuple(names)

    def seat(self, value: object, what: str) -> int:
        """A seat at this table."""
        return self.number(value, what, 0, self.players - 1)
