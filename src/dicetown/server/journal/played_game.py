"""The game at a table: decisions of players, chance by the fair dice, choices taken back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from dicetown import fair
from dicetown.errors import IllegalAction
from dicetown.game import Game
from dicetown.game.events import Event
from dicetown.game.game import StoredGame
from dicetown.game.notation import Outcome
from dicetown.game.record import Fair, GameRecord
from dicetown.server.journal.entries import Moved
from dicetown.server.journal.summary import Summary
from dicetown.server.wire.refusals import Refused


class Step(NamedTuple):
    """What one entry did to the game."""

    moves: list[str]
    events: list[Event]


class Taken(msgspec.Struct, array_like=True, frozen=True):
    """A step that may be taken back: by whom, in which entry."""

    number: int
    seat: int
    moves: int


class StoredPlay(msgspec.Struct, array_like=True, frozen=True):
    """A game at a table, as a snapshot has it."""

    game: StoredGame
    names: list[str]
    taken: list[Taken]


class PlayedGame:
    """A game whose chance comes from the table's secret and the players' words."""

    def __init__(self, summary: Summary) -> None:
        assert summary.words is not None
        self.game = Game(summary.ruleset, names=summary.names, seed=0, chance="manual")
        self._dice = fair.dice_of(summary.fair, bytes.fromhex(summary.secret), summary.words)
        self._taken: list[Taken] = []

    def stored(self) -> StoredPlay:
        """The game as a snapshot has it."""
        return StoredPlay(self.game.stored(), list(self.game.names), list(self._taken))

    @classmethod
    def restored(cls, summary: Summary, stored: StoredPlay) -> PlayedGame:
        """The game of a snapshot."""
        assert summary.words is not None
        play = cls.__new__(cls)
        play.game = Game.restored(summary.ruleset, stored.names, stored.game)
        play._dice = fair.dice_of(summary.fair, bytes.fromhex(summary.secret), summary.words)
        play._taken = list(stored.taken)
        return play

    @property
    def moves(self) -> int:
        """The number of the moment: decisions and chance so far."""
        return len(self.game.moves)

    @property
    def asked_seat(self) -> int | None:
        """Who must decide; None when the game is over."""
        return self.game.to_move

    # ------------------------------------------------------------------------ playing

    def open(self) -> Step:
        """Deal the market."""
        return self._with_chance(0, 0)

    def act(self, seat: int, actions: Sequence[str]) -> Step:
        """Take actions of one player that belong together, and let chance follow the last.

        All of them happen, or the refusal of one leaves the game as it was.
        """
        game = self.game
        if (asked := game.to_move) != seat:
            raise Refused("is_over" if asked is None else "not_your_turn")
        before, happened = self.moves, len(game.events)
        try:
            for action in actions:
                # What follows a die cannot have been decided before it fell.
                if self.moves > before and (game.waits_for_chance or game.to_move != seat):
                    raise Refused("not_together")
                game.advance(action)
        except (IllegalAction, Refused):
            self._back_to(before)
            raise
        return self._with_chance(before, happened)

    def _with_chance(self, moves: int, events: int) -> Step:
        """Let chance follow; what was done and what happened since there were so many moves and events."""
        game = self.game
        while game.waits_for_chance:
            game.advance(self._dice.fall(game))
        return Step([move.text for move in game.moves[moves:]], game.events[events:])

    def repeat(self, moves: Sequence[str]) -> None:
        """Play moves of the journal again, dice and draws as they fell."""
        for move in moves:
            self.game.advance(move)

    def forget(self, step: Step) -> None:
        """Unplay the last step, which could not be stored."""
        self._back_to(self.moves - len(step.moves))

    def _back_to(self, moves: int) -> None:
        while self.moves > moves:
            self.game.undo()

    # ------------------------------------------------------------------- taking back

    def keep(self, number: int, moved: Moved) -> None:
        """Remember moves that have been stored as an entry, if they can be taken back.

        What a die, a draw or a bot has followed cannot be, so there is no need to remember that any longer.
        """
        moves = len(moved.moves)
        if moved.by_bot or any(isinstance(move, Outcome) for move in self.game.moves[-moves:]):
            self._taken.clear()
        else:
            self._taken.append(Taken(number, moved.seat, moves))

    @property
    def undoable(self) -> int | None:
        """The seat that can take its last choice back: no die, draw or other choice has followed."""
        if not self._taken or self.game.over:
            return None
        return self._taken[-1].seat

    @property
    def last_number(self) -> int:
        """The entry that an undo would take back."""
        return self._taken[-1].number

    def take_back(self) -> None:
        """Take the last choice back."""
        last = self._taken.pop()
        self._back_to(self.moves - last.moves)

    # ----------------------------------------------------------------------- keeping

    def record(self, summary: Summary) -> GameRecord:
        """The game as it can be saved; the dice's secret is part of it once it will never go on."""
        words = list(summary.words or [])
        promise = Fair(
            commitment=fair.commitment(bytes.fromhex(summary.secret)),
            secret=summary.secret if summary.is_settled else None,
            words=words,
            version=summary.fair,
            commitments=(summary.frozen or [None] * len(words)) if summary.fair > 1 else [],
            closed=summary.stage == "closed",
        )
        return GameRecord(
            ruleset=summary.ruleset.as_dict(),
            players=list(self.game.names),
            moves=[move.text for move in self.game.moves],
            bots=[chair.bot if chair.kind == "bot" else None for chair in summary.chairs],
            fair=promise,
        )
