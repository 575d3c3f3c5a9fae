"""What a view shows: the game, who sits there, in which language."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dicetown.game import Game
from dicetown.terminal.seats import Seat
from dicetown.words import Choice, Speaker, describe_choices, question


@dataclass(frozen=True)
class Table:
    """A game with its players, put into words by a speaker."""

    game: Game
    seats: Sequence[Seat]
    speaker: Speaker

    @property
    def person_decides(self) -> bool:
        """Whether somebody at the keyboard is to move."""
        return self.game.to_move is not None and self.seats[self.game.to_move].bot is None

    def choices(self) -> list[Choice]:
        """What can be chosen now, in words; the first is number 1."""
        return describe_choices(self.speaker, self.game)

    def question(self) -> str:
        """What is asked, and whom."""
        name = self.speaker.names[self.game.turn]
        return self.speaker.say("screen.asks", name=name, question=question(self.speaker, self.game))
