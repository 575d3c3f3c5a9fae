"""A saved game taken apart: decisions, and the strokes of chance between them.

Dice or draws that follow one another without a decision (a roll and the catch it brings, the cards that
refill a market) are one stroke: nobody could do anything in between. What is dealt before the first decision
is part of the beginning, and nobody's luck.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from functools import cached_property

from dicetown.bots.view import View
from dicetown.game import Game
from dicetown.game.events import Event
from dicetown.game.notation import Action, Move, Outcome


@dataclass
class Happening:
    """A decision or a stroke of chance, as the record has it."""

    number: int  # of its first move in the record, from 1
    turn: int  # from 1
    seat: int  # whose turn it is
    moves: list[Move]
    view: View | None  # what who decides saw; None for chance
    events: list[Event] = field(default_factory=list)


@dataclass
class Replayed:
    """A saved game, ready to be looked at again."""

    game: Game  # as it stands in the end
    happenings: list[Happening]
    end: View | None  # who would have to decide next; None where the game is over or chance is due

    @cached_property
    def views(self) -> list[View]:
        """Every position in which somebody had to decide, and the last one if somebody still has to."""
        views = [one.view for one in self.happenings if one.view is not None]
        return [*views, self.end] if self.end is not None else views

    @cached_property
    def carried(self) -> list[int]:
        """Which of these positions have but one legal action and came of a decision without any chance."""
        numbers = [one.number for one in self.happenings if one.view is not None]
        numbers.append(len(self.game.moves) + 1)
        return [
            k
            for k, view in enumerate(self.views)
            if k > 0 and view.choices.count == 1 and numbers[k] == numbers[k - 1] + 1
        ]

    @property
    def taken(self) -> list[Action | None]:
        """What was done in each of these positions; None in one that is still to be decided."""
        moves = [one.moves[0] for one in self.happenings if one.view is not None]
        taken: list[Action | None] = [move for move in moves if isinstance(move, Action)]
        return [*taken, None] if self.end is not None else taken


def replay(source: str | os.PathLike[str]) -> Replayed:
    """Take a saved game apart; each move is checked as it is replayed."""
    happenings: list[Happening] = []
    told = 0
    for game, text in Game.retrace(source):
        if happenings:
            happenings[-1].events += game.events[told:]
        told = len(game.events)
        if text is None:
            break
        _note(game, text, happenings)
    end = None if game.over or game.waits_for_chance else View.of(game)
    return Replayed(game, happenings, end)


def _note(game: Game, text: str, happenings: list[Happening]) -> None:
    """Write down the move that comes next."""
    move = game.notation.parse(text)
    number = len(game.moves) + 1
    if not isinstance(move, Outcome):
        happenings.append(Happening(number, game.turns + 1, game.turn, [move], View.of(game)))
    elif happenings and happenings[-1].view is None:
        happenings[-1].moves.append(move)
    elif happenings:
        happenings.append(Happening(number, game.turns + 1, game.turn, [move], None))
