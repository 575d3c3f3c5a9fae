"""The score sheet of a tournament: who won each game, and the sums that everything else follows from."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from dicetown.arena.contests.match import Played
from dicetown.arena.contests.schedule import Entry, Schedule
from dicetown.rules.codes import NOBODY

#: In place of a winner.
DRAWN = -1
TAKEN_OVER = -2  # a bot failed, and the one that took over has won: that counts for nobody
UNPLAYED = -3


@dataclass(frozen=True)
class Failure:
    """A contestant that failed in a game."""

    contestant: int
    kind: str
    reason: str


@dataclass
class Sheet:
    """What became of each game of a schedule, in its order; unplayed games are marked as such."""

    schedule: Schedule
    games: int
    winners: NDArray[np.int8] = field(init=False)  # contestants
    turns: NDArray[np.int32] = field(init=False)
    failures: dict[int, list[Failure]] = field(default_factory=dict)  # by game
    thinking: dict[int, list[tuple[int, float, int]]] = field(default_factory=dict)
    # … by game: contestant, seconds and choices for each seat

    def __post_init__(self) -> None:
        self.winners = np.full(self.games, UNPLAYED, np.int8)
        self.turns = np.zeros(self.games, np.int32)

    # ----------------------------------------------------------------- writing down

    def enter(self, number: int, played: Played) -> None:
        """Write down one game."""
        seats = self.schedule.seats(self.schedule.entry(number))
        nobody = TAKEN_OVER if played.faults else DRAWN
        self.winners[number] = nobody if played.winner == NOBODY else seats[played.winner]
        self.turns[number] = played.turns
        if played.faults:
            self.failures[number] = [
                Failure(seats[fault.seat], fault.kind, fault.reason) for fault in played.faults
            ]
        self.thinking[number] = list(zip(seats, played.seconds, played.choices, strict=True))

    def enter_many(
        self,
        lineup: int,
        rotation: int,
        first: int,
        winners: NDArray[np.int8],
        turns: NDArray[np.int32],
    ) -> None:
        """Write down games of one table that were played in bulk; winners are seats."""
        seats = self.schedule.seats(Entry(lineup, rotation, first))
        contestants = np.array([*seats, DRAWN], np.int8)  # NOBODY is -1: the last
        where = self.schedule.numbers(lineup, rotation, first, len(winners))
        self.winners[where] = contestants[winners]
        self.turns[where] = turns

    # ---------------------------------------------------------------------- reading

    @property
    def played(self) -> NDArray[np.bool_]:
        """Which games have been played."""
        played: NDArray[np.bool_] = self.winners != UNPLAYED
        return played

    @property
    def count(self) -> int:
        """How many games have been played."""
        return int(self.played.sum())

    @property
    def leading(self) -> int:
        """How many games from the first on have been played without a gap."""
        missing = np.flatnonzero(self.winners == UNPLAYED)
        return int(missing[0]) if len(missing) else self.games

    def cut(self, games: int) -> Sheet:
        """The sheet of the first games alone."""
        shorter = Sheet(self.schedule, games)
        shorter.winners[:] = self.winners[:games]
        shorter.turns[:] = self.turns[:games]
        shorter.failures = {n: found for n, found in self.failures.items() if n < games}
        shorter.thinking = {n: found for n, found in self.thinking.items() if n < games}
        return shorter

    def credit(self) -> NDArray[np.float64]:
        """A game's worth, shared out: to its winner, or to all seats alike; who failed gets none.

        One row for each game, one column for each contestant; nothing for games not played.
        """
        credit = np.zeros((self.games, self.schedule.contestants))
        won = np.flatnonzero(self.winners >= 0)
        credit[won, self.winners[won]] = 1.0
        drawn = np.flatnonzero(self.winners == DRAWN)
        credit[drawn] = self.seats[self.lineup_of[drawn]] / self.schedule.players
        for number in np.flatnonzero(self.winners == TAKEN_OVER).tolist():
            failed = {failure.contestant for failure in self.failures.get(number, ())}
            seats = self.schedule.seats(self.schedule.entry(number))
            rest = [contestant for contestant in seats if contestant not in failed]
            for contestant in rest:
                credit[number, contestant] += 1 / len(rest)
        return credit

    @property
    def lineup_of(self) -> NDArray[np.int64]:
        """The line-up of each game."""
        numbers = np.arange(self.games)
        return numbers % self.schedule.round_length // self.schedule.players

    @property
    def seats(self) -> NDArray[np.int64]:
        """How many seats each contestant (a column) has in each line-up (a row)."""
        contestants = range(self.schedule.contestants)
        return np.array([[lineup.count(one) for one in contestants] for lineup in self.schedule.lineups])

    def games_by_lineup(self) -> NDArray[np.int64]:
        """How many games of each line-up have been played."""
        return np.bincount(self.lineup_of[self.played], minlength=len(self.schedule.lineups))

    def wins_by_lineup(self) -> NDArray[np.int64]:
        """How many games of each line-up (a row) each contestant (a column) has won."""
        lineups, contestants = len(self.schedule.lineups), self.schedule.contestants
        won = self.winners >= 0
        cells = self.lineup_of[won] * contestants + self.winners[won]
        return np.bincount(cells, minlength=lineups * contestants).reshape(lineups, contestants)
