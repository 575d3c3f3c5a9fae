"""Many games and what became of them.

Games are handed out in chunks, to threads of this machine or to a cluster (``arena/engines/``). Each
game is a function of the seed and its number, and what is kept are sums, so the result is the same wherever
it was played, and memory does not grow with the number of games.
"""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dicetown.arena.engines import LOCAL, Effort, Engine, LocalEngine, portion
from dicetown.errors import RulesetError
from dicetown.intervals import wilson
from dicetown.playout.table import bots_for, ready, table_for
from dicetown.rules.codes import NOBODY
from dicetown.rules.ruleset import Ruleset

CPU = "cpu"
CUDA = "cuda"
DEVICES = (CPU, CUDA)
#: Games on a GPU between two looks at Ctrl-C: some seconds, or it would wait for the last too often.
GPU_CHUNK = 1 << 21
PERCENTILES = (5, 25, 50, 75, 95)

Progress = Callable[[int, int], None]  # games done, games to do


@dataclass
class Tally:
    """Sums over games."""

    players: int
    games: int = 0
    wins: list[int] = field(default_factory=list)
    draws: int = 0
    endless: int = 0
    decisions: int = 0
    turns: Counter[int] = field(default_factory=Counter)  # how many games took so many turns

    def __post_init__(self) -> None:
        self.wins = self.wins or [0] * self.players

    @classmethod
    def of(cls, results: NDArray[Any], players: int) -> Tally:
        """The sums over some games."""
        tally = cls(players)
        tally.add(results)
        return tally

    def add(self, results: NDArray[Any]) -> None:
        """Count what became of some games."""
        self.games += len(results)
        for seat in range(self.players):
            self.wins[seat] += int(np.count_nonzero(results["winner"] == seat))
        self.draws += int(np.count_nonzero(results["winner"] == NOBODY))
        self.endless += int(results["endless"].sum())
        self.decisions += int(results["decisions"].sum())
        counts = np.bincount(results["turns"])
        self.turns.update({int(turns): int(counts[turns]) for turns in np.flatnonzero(counts)})

    def join(self, other: Tally) -> None:
        """Count what somebody else has counted."""
        self.games += other.games
        self.wins = [ours + theirs for ours, theirs in zip(self.wins, other.wins, strict=True)]
        self.draws += other.draws
        self.endless += other.endless
        self.decisions += other.decisions
        self.turns.update(other.turns)


@dataclass(frozen=True)
class Simulation:
    """What many games of a ruleset between bots came to."""

    ruleset: Ruleset
    players: int
    bots: list[str]
    seed: int
    threads: int  # or processes of a cluster
    asked: int  # games wanted; fewer were played if somebody interrupted
    tally: Tally
    effort: Effort
    device: str = CPU
    engine: str = LOCAL

    @property
    def games(self) -> int:
        """Games played."""
        return self.tally.games

    @property
    def wins(self) -> list[int]:
        """Games won, seat by seat."""
        return self.tally.wins

    @property
    def draws(self) -> int:
        """Games that ended by `max_turns`, or were given up as endless."""
        return self.tally.draws

    @property
    def decisions(self) -> int:
        """Choices between several actions, and rolls."""
        return self.tally.decisions

    @property
    def shares(self) -> list[float]:
        """The share of games won, seat by seat."""
        return [self._share(won) for won in self.wins]

    @property
    def intervals(self) -> list[tuple[float, float]]:
        """The 95 % interval of each share."""
        return [wilson(won, self.games) for won in self.wins]

    @property
    def draw_share(self) -> float:
        """The share of drawn games."""
        return self._share(self.draws)

    @property
    def mean_turns(self) -> float:
        """Turns of a game, extra turns counted, on average."""
        return self._share(sum(turns * games for turns, games in self.tally.turns.items()))

    @property
    def percentiles(self) -> dict[int, int]:
        """Turns within which so many percent of the games were over."""
        turns, reached = sorted(self.tally.turns.items()), 0
        wanted, found = list(PERCENTILES), {}
        for number, games in turns:
            reached += games
            while wanted and reached * 100 >= wanted[0] * self.games:
                found[wanted.pop(0)] = number
        return found

    @property
    def seconds(self) -> float:
        """Seconds of waiting."""
        return self.effort.seconds

    @property
    def interrupted(self) -> bool:
        """Whether somebody stopped it by Ctrl-C."""
        return self.effort.interrupted

    @property
    def games_per_second(self) -> float:
        """Games per second of waiting, all threads together."""
        return self.games / self.seconds if self.seconds else 0.0

    @property
    def decisions_per_second(self) -> float:
        """Decisions per second of waiting, all threads together."""
        return self.decisions / self.seconds if self.seconds else 0.0

    def as_dict(self) -> dict[str, Any]:
        """Everything, for JSON."""
        return {
            **self.ruleset.as_dict(),
            "players": self.players,
            "bots": self.bots,
            "seed": self.seed,
            "device": self.device,
            "engine": self.engine,
            "threads": self.threads,
            "games": self.games,
            "games_asked": self.asked,
            "interrupted": self.interrupted,
            "lost_workers": self.effort.lost_workers,
            "played_again": self.effort.played_again,
            "wins": self.wins,
            "shares": self.shares,
            "intervals": [list(interval) for interval in self.intervals],
            "draws": self.draws,
            "draw_share": self.draw_share,
            "endless": self.tally.endless,
            "mean_turns": self.mean_turns,
            "percentiles": {str(percent): turns for percent, turns in self.percentiles.items()},
            "fewest_turns": min(self.tally.turns, default=0),
            "most_turns": max(self.tally.turns, default=0),
            "decisions": self.decisions,
            "seconds": self.seconds,
            "games_per_second": self.games_per_second,
            "decisions_per_second": self.decisions_per_second,
        }

    def _share(self, part: int) -> float:
        return part / self.games if self.games else 0.0


def simulate(
    ruleset: Ruleset,
    players: int,
    bots: Sequence[str],
    games: int,
    seed: int = 0,
    threads: int | None = None,
    progress: Progress | None = None,
    device: str = CPU,
    engine: Engine | None = None,
) -> Simulation:
    """Play games between bots, one named for each seat or one for all, and sum up.

    They are played on `threads` of this machine, one for each core if not said, or on another engine, or
    on a GPU. The games are the same everywhere.

    Ctrl-C stops at the next chunk and gives what is done so far. A ruleset in which games may never end
    wants the house rule ``max_turns``; without it they are given up after a hundred thousand turns.
    """
    ruleset.check_players(players)
    names = bots_for(bots, players)
    if games < 1:
        raise RulesetError(f"The number of games is {games}; it must be at least 1.")
    if device not in DEVICES:
        raise RulesetError(f'There is no device "{device}"; choose one of {", ".join(DEVICES)}.')
    if device == CUDA:
        return _simulate_on_gpu(ruleset, names, games, seed, progress)
    return _simulate_on(engine or LocalEngine(threads), ruleset, names, games, seed, progress)


def _simulate_on(
    engine: Engine, ruleset: Ruleset, bots: list[str], games: int, seed: int, progress: Progress | None
) -> Simulation:
    tally, workers = Tally(len(bots)), engine.workers

    def look() -> bool:
        if progress is not None:
            progress(tally.games, games)
        return False

    chunks = _cut(games, portion(engine, games))
    effort = engine.work_off(
        SimulationJob(ruleset, bots, seed), chunks, lambda chunk, sums: tally.join(sums), look
    )
    return Simulation(ruleset, len(bots), bots, seed, workers, games, tally, effort, engine=engine.name)


def _simulate_on_gpu(
    ruleset: Ruleset, bots: list[str], games: int, seed: int, progress: Progress | None
) -> Simulation:
    """The same with a GPU, which plays some million games between two looks."""
    from dicetown.playout.gpu.games import CudaTable

    table = CudaTable(ruleset, bots, seed)
    table.get_ready()
    tally, interrupted = Tally(len(bots)), False
    begun = time.perf_counter()
    try:
        while tally.games < games:
            tally.add(table.play(tally.games, min(GPU_CHUNK, games - tally.games)))
            if progress is not None:
                progress(tally.games, games)
    except KeyboardInterrupt:
        interrupted = True
    effort = Effort(time.perf_counter() - begun, interrupted)
    return Simulation(ruleset, len(bots), bots, seed, 1, games, tally, effort, CUDA)


# --------------------------------------------------------------------------- chunks


@dataclass(frozen=True)
class Chunk:
    """Some games, by their numbers."""

    first: int
    games: int


def _cut(games: int, size: int) -> Iterator[Chunk]:
    for first in range(0, games, size):
        yield Chunk(first, min(size, games - first))


@dataclass(frozen=True)
class SimulationJob:
    """How a simulation is played: at each thread's own table, chunk after chunk."""

    ruleset: Ruleset
    bots: Sequence[str]
    seed: int

    def prepare(self) -> None:
        """Compile."""
        ready()

    @contextmanager
    def open(self, stop: threading.Event) -> Iterator[Callable[[Chunk], Tally]]:
        """What plays a chunk and counts; that is short, so that nobody asks whether to stop."""
        table = table_for(self.ruleset, self.bots, self.seed)
        yield lambda chunk: Tally.of(table.play(chunk.first, chunk.games), len(self.bots))
