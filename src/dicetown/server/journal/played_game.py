"""The game at a table: decisions of players, chance by the fair dice, choices taken back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dicetown import fair
from dicetown.errors import IllegalAction
from dicetown.game import Game
from dicetown.game.events import Event
from dicetown.game.notation import Outcome
from dicetown.game.record import Fair, GameRecord
from dicetown.server.journal.summary import Summary
from dicetown.server.wire.refusals import Refused


@dataclass(frozen=True, slots=True)
class Step:
    """What one entry did to the game."""

    moves: list[str]
    events: list[Event]
    chances: int  # dice and draws among the moves


@dataclass(frozen=True, slots=True)
class _Taken:
    """A step that may be taken back: by whom, in which entry."""

    number: int
    seat: int
    moves: int


class PlayedGame:
    """A game whose chance comes from the table's secret and the players' words."""

    def __init__(self, summary: Summary) -> None:
        assert summary.words is not None
        self.game = Game(summary.ruleset, names=summary.names, seed=0, chance="manual")
        self._dice = fair.dice_of(summary.fair, bytes.fromhex(summary.secret), summary.words)
        self._taken: list[_Taken] = []

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
        return self._with_chance([], list(self.game.events))

    def act(self, seat: int, actions: Sequence[str]) -> Step:
        """Take actions of one player that belong together, and let chance follow the last.

        All of them happen, or the refusal of one leaves the game as it was.
        """
        if self.game.over:
            raise Refused("is_over")
        if self.game.to_move != seat:
            raise Refused("not_your_turn")
        before = self.moves
        events: list[Event] = []
        try:
            for action in actions:
                # What follows a die cannot have been decided before it fell.
                if self.moves > before and (self.game.waits_for_chance or self.game.to_move != seat):
                    raise Refused("not_together")
                events += self.game.play(action)
        except (IllegalAction, Refused):
            self._back_to(before)
            raise
        return self._with_chance([move.text for move in self.game.moves[before:]], events)

    def _with_chance(self, moves: list[str], events: list[Event]) -> Step:
        chances = 0
        while self.game.waits_for_chance:
            outcome = self._dice.fall(self.game)
            events += self.game.play(outcome)
            moves.append(outcome.text)
            chances += 1
        return Step(moves, events, chances)

    def repeat(self, moves: Sequence[str]) -> Step:
        """Play moves of the journal again, dice and draws as they fell."""
        before = self.moves
        events: list[Event] = [] if before else list(self.game.events)
        for move in moves:
            events += self.game.play(move)
        chances = sum(isinstance(move, Outcome) for move in self.game.moves[before:])
        return Step(list(moves), events, chances)

    def forget(self, step: Step) -> None:
        """Unplay the last step, which could not be stored."""
        self._back_to(self.moves - len(step.moves))

    def _back_to(self, moves: int) -> None:
        while self.moves > moves:
            self.game.undo()

    # ------------------------------------------------------------------- taking back

    def keep(self, number: int, seat: int, step: Step, by_bot: bool) -> None:
        """Remember a step that has been stored as an entry, if it can be taken back.

        What a die, a draw or a bot has followed cannot be, so there is no need to remember that any longer.
        """
        if step.chances or by_bot:
            self._taken.clear()
        else:
            self._taken.append(_Taken(number, seat, len(step.moves)))

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
