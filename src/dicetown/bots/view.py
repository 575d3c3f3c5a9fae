"""What a bot sees: a position and what may be done in it, never where chance comes from."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from dicetown.game import Game
from dicetown.game.notation import Action, Notation, notation_for
from dicetown.game.position import read_position, write_position
from dicetown.rules.choices import find_choices
from dicetown.rules.layout import CHOICES, copy, new
from dicetown.rules.ruleset import Ruleset
from dicetown.rules.tables import tables_for


@dataclass(frozen=True, eq=False)
class View:
    """A position in which somebody must decide; a copy, so nothing a bot does to it changes a game.

    All of Machi Koro is public, so everybody sees the same. What is not here is the seed: the dice to
    come are as unknown to a bot as to a person.

    >>> from dicetown import Game, Ruleset
    >>> view = View.of(Game(Ruleset("deluxe", sets=["base"]), players=2, seed=7))
    >>> view.seat, [str(action) for action in view.legal_actions]
    (0, ['roll 1'])
    """

    ruleset: Ruleset
    players: int
    state: Any  # a record of dicetown.rules.layout.STATE

    @classmethod
    def of(cls, game: Game) -> View:
        """What the player to move sees of a game."""
        return cls(game.ruleset, game.players, copy(game.state))

    @classmethod
    def from_position(cls, text: str) -> View:
        """The view of a position's text."""
        return cls(*read_position(text))

    @property
    def seat(self) -> int:
        """Who is to decide."""
        return int(self.state.turn)

    @property
    def tables(self) -> Any:
        """The ruleset as kernels read it."""
        return tables_for(self.ruleset, self.players)

    @property
    def notation(self) -> Notation:
        """How moves are written."""
        return notation_for(self.ruleset, self.players)

    @cached_property
    def choices(self) -> Any:
        """The legal actions as kernels read them."""
        choices = new(CHOICES)
        find_choices(self.tables, self.state, choices)
        return choices

    @cached_property
    def legal_actions(self) -> list[Action]:
        """What may be done, in a fixed order."""
        numbers = self.choices.action[: self.choices.count].tolist()
        return [self.notation.action(number) for number in sorted(numbers)]

    def position(self) -> str:
        """The position as one line of text."""
        return write_position(self.ruleset, self.players, self.state)
