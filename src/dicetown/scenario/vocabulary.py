"""The names a scenario may use: cards, landmarks and seats of its game."""

from __future__ import annotations

from copy import copy

from dicetown.rules.ruleset import Ruleset
from dicetown.scenario.model import Counts
from dicetown.scenario.place import Place, brief
from dicetown.suggestions import did_you_mean

MOST_COPIES = 99


class Vocabulary:
    """What a scenario's ruleset calls things, and how many sit at the table.

    Names *in play* belong to the sets chosen; *known* names to the edition's family of games at large.
    A position and its steps need things in play; an expectation may also say that a thing is not there.
    """

    def __init__(self, ruleset: Ruleset, players: int) -> None:
        self.players = players
        self.cards = [card.id for card in ruleset.cards]
        self.landmarks = [mark.id for mark in ruleset.landmarks]
        self.known_cards = list(ruleset.game.establishments)
        self.known_landmarks = list(ruleset.game.landmarks)

    # --------------------------------------------------------------- things in play

    def card(self, place: Place, name: object) -> str:
        """A card in play."""
        return self._in_play(place, name, "card", self.cards, self.known_cards)

    def landmark(self, place: Place, name: object) -> str:
        """A landmark in play."""
        return self._in_play(place, name, "landmark", self.landmarks, self.known_landmarks)

    def thing(self, place: Place, name: object) -> str:
        """A card or a landmark in play."""
        in_play = [*self.cards, *self.landmarks]
        return self._in_play(place, name, "card or landmark", in_play, self.known_things)

    def _in_play(self, place: Place, name: object, what: str, in_play: list[str], known: list[str]) -> str:
        if isinstance(name, str) and name in in_play:
            return name
        if isinstance(name, str) and name in known:
            names = ", ".join(in_play)
            raise place.wrong(f"the {what} {brief(name)} is not in play with these sets; in play: {names}")
        raise place.wrong(f"there is no {what} {brief(name)}; {did_you_mean(name, in_play)}")

    # ------------------------------------------------------------------ known things

    def at_large(self) -> Vocabulary:
        """The same table with every thing of the game: what must be refused need not be in play."""
        wide = copy(self)
        wide.cards, wide.landmarks = self.known_cards, self.known_landmarks
        return wide

    @property
    def known_things(self) -> list[str]:
        """All cards and landmarks of the game, whatever the sets."""
        return [*self.known_cards, *self.known_landmarks]

    def known(self, place: Place, name: object) -> str:
        """A card or landmark of the game, in play or not."""
        return self._in_play(place, name, "card or landmark", self.known_things, self.known_things)

    # ---------------------------------------------------------------- groups and seats

    def counts(self, place: Place, value: object, what: str) -> Counts:
        """Cards in play with numbers of copies; none of a card is the same as not naming it."""
        named = {self.card(place, name): n for name, n in self._copies(place, value, what).items()}
        return {card: copies for card, copies in named.items() if copies}

    def known_counts(self, place: Place, value: object, what: str) -> Counts:
        """Cards of the game with numbers of copies, zeros too."""
        named = self._copies(place, value, what)
        return {self.known(place, name): copies for name, copies in named.items()}

    def _copies(self, place: Place, value: object, what: str) -> dict[object, int]:
        if not isinstance(value, dict):
            raise place.wrong(f"{what} is {brief(value)}; it must be a mapping like {{cafe: 2}}")
        return {
            name: place.number(copies, f"{brief(name)} of {what}", 0, MOST_COPIES)
            for name, copies in value.items()
        }

    def landmark_list(self, place: Place, value: object, what: str) -> tuple[str, ...]:
        """Different landmarks in play."""
        names = [self.landmark(place, name) for name in place.listing(value, what)]
        for name in names:
            if names.count(name) > 1:
                raise place.wrong(f"{what} names {name} twice; name it once")
        return tuple(names)

    def seat(self, place: Place, value: object, what: str) -> int:
        """A seat at this table."""
        return place.number(value, what, 0, self.players - 1)
