"""A compiled game that stops wherever somebody must decide.

It is the loop of :mod:`dicetown.playout.whole_game`, turned inside out: the same steps in the same order with
the same random numbers, so a game of the same bots under the same seed is the same game.
"""

from __future__ import annotations

from typing import Any

from dicetown.bots.rules.choose import choose_as
from dicetown.bots.view import View
from dicetown.rules.chance import draw_outcome, waits_for_chance
from dicetown.rules.codes import OVER
from dicetown.rules.kernel import compiled
from dicetown.rules.layout import CHOICES, LOG, STATE, copy, new
from dicetown.rules.rng import seeded
from dicetown.rules.ruleset import Ruleset
from dicetown.rules.step import befall, settle, take
from dicetown.rules.tables import tables_for
from dicetown.rules.turn import set_up


class SteppedGame:
    """Game number `game` under a seed, from its beginning to the next decision, and the next."""

    def __init__(self, ruleset: Ruleset, players: int, seed: int, game: int) -> None:
        self.ruleset, self.players = ruleset, players
        self.state = new(STATE)
        #: The source of chance; no bot that thinks may come near it.
        self.dice = seeded(seed, game)
        self._choices = new(CHOICES)
        self._tables = tables_for(ruleset, players).array[0]
        self._place = (self._tables, self.state.array[0], new(LOG).array[0])
        compiled(set_up)(*self._place)
        self._go_on()

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return bool(self.state.phase == OVER)

    @property
    def seat(self) -> int:
        """Who is to decide."""
        return int(self.state.turn)

    @property
    def turns(self) -> int:
        """How many turns have been finished."""
        return int(self.state.turns)

    @property
    def view(self) -> View:
        """What a bot sees now."""
        return View(self.ruleset, self.players, copy(self.state))

    def is_legal(self, action: int) -> bool:
        """Whether an action may be taken now."""
        return action in self._choices.action[: self._choices.count]

    def take(self, action: int) -> None:
        """Take a legal action and go on to the next decision."""
        compiled(take)(*self._place, action)
        self._go_on()

    def choose_by_rules(self, mind: Any, numbers: Any) -> int:
        """What a bot that follows rules decides, compiled."""
        return int(
            compiled(choose_as)(mind, *self._place[:2], self._choices.array[0], numbers.array[0]),
        )

    def _go_on(self) -> None:
        choices = self._choices.array[0]
        compiled(settle)(*self._place, choices)
        while waits_for_chance(self.state):
            outcome = compiled(draw_outcome)(self._tables, self._place[1], self.dice.array[0])
            compiled(befall)(*self._place, outcome)
            compiled(settle)(*self._place, choices)
