"""Many games and what became of them.

Games are handed out in chunks to threads, which run compiled and so really at once. Each game is a
function of the seed and its number, and what is kept are sums, so the result is the same for any
number of threads, and memory does not grow with the number of games.
"""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from math import ceil, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dicetown.arena.table import BotTable, bots_for, ready
from dicetown.cores import usable_cores
from dicetown.errors import RulesetError
from dicetown.rules.codes import NOBODY
from dicetown.rules.ruleset import Ruleset

CPU = "cpu"
CUDA = "cuda"
DEVICES = (CPU, CUDA)
CHUNK = 256  # games between two looks at the clock and at Ctrl-C
GPU_CHUNK = 1 << 21  # the same on a GPU: some seconds, or it would wait for its last games too often
LOOK_EVERY = 0.05  # seconds between two looks at how far the threads are
PERCENTILES = (5, 25, 50, 75, 95)
_Z = 1.959963984540054  # 95 % of a normal distribution lie so many deviations around its mean

Progress = Callable[[int, int], None]  # games done, games to do


def wilson(hits: int, tries: int) -> tuple[float, float]:
    """The 95 % Wilson interval of a share.

    >>> [round(end, 4) for end in wilson(50, 100)]
    [0.4038, 0.5962]
    >>> wilson(0, 0)
    (0.0, 1.0)
    """
    if tries == 0:
        return 0.0, 1.0
    share, square = hits / tries, _Z * _Z
    middle = share + square / (2 * tries)
    reach = _Z * sqrt((share * (1 - share) + square / (4 * tries)) / tries)
    whole = 1 + square / tries
    return max(0.0, (middle - reach) / whole), min(1.0, (middle + reach) / whole)


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


@dataclass(frozen=True)
class Simulation:
    """What many games of a ruleset between bots came to."""

    ruleset: Ruleset
    players: int
    bots: list[str]
    seed: int
    threads: int
    asked: int  # games wanted; fewer were played if somebody interrupted
    tally: Tally
    seconds: float
    interrupted: bool
    device: str = CPU

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
            "threads": self.threads,
            "games": self.games,
            "games_asked": self.asked,
            "interrupted": self.interrupted,
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
) -> Simulation:
    """Play games between bots, one named for each seat or one for all, and sum up.

    Ctrl-C stops at the next chunk and gives what is done so far. A ruleset in which games may never end
    wants the house rule ``max_turns``; without it they are given up after a hundred thousand turns.
    The games are the same on any device.
    """
    ruleset.check_players(players)
    names = bots_for(bots, players)
    _check_at_least_one("games", games)
    if device not in DEVICES:
        raise RulesetError(f'There is no device "{device}"; choose one of {", ".join(DEVICES)}.')
    if device == CUDA:
        return _simulate_on_gpu(ruleset, names, games, seed, progress)
    threads = usable_cores() if threads is None else _check_at_least_one("threads", threads)
    ready()
    work = _Work(ruleset, names, seed, games, threads)
    begun = work.finished
    interrupted = work.run(progress)
    seconds = work.finished - begun
    return Simulation(ruleset, players, names, seed, threads, games, work.tally, seconds, interrupted)


def _simulate_on_gpu(
    ruleset: Ruleset, bots: list[str], games: int, seed: int, progress: Progress | None
) -> Simulation:
    """The same with a GPU, which plays some million games between two looks."""
    from dicetown.arena.cuda import CudaTable

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
    seconds = time.perf_counter() - begun
    return Simulation(ruleset, len(bots), bots, seed, 1, games, tally, seconds, interrupted, CUDA)


def _check_at_least_one(what: str, number: int) -> int:
    if number < 1:
        raise RulesetError(f"The number of {what} is {number}; it must be at least 1.")
    return number


class _Work:
    """Games handed out chunk by chunk; each thread adds what it played to the tally.

    The thread that waits only looks on, so that Ctrl-C, which arrives there, never finds a sum half made.
    """

    def __init__(self, ruleset: Ruleset, bots: list[str], seed: int, games: int, threads: int) -> None:
        self.tally = Tally(len(bots))
        self.finished = time.perf_counter()
        self._games = games
        self._chunk = min(CHUNK, ceil(games / (4 * threads)))
        self._next = 0
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._tables = [BotTable(ruleset, bots, seed) for _ in range(threads)]

    def run(self, progress: Progress | None) -> bool:
        """Play all games; whether somebody interrupted."""
        interrupted = False
        with ThreadPoolExecutor(len(self._tables)) as pool:
            tables = [pool.submit(self._play, table) for table in self._tables]
            try:
                self._look_on(tables, progress)
            except KeyboardInterrupt:
                self._stop.set()
                interrupted = True
        for table in tables:
            table.result()  # what went wrong there is raised here
        return interrupted

    def _look_on(self, tables: list[Future[None]], progress: Progress | None) -> None:
        """Wait for the threads and pass on how far they are; where one fails, all stop."""
        pending = set(tables)
        while pending:
            done, pending = wait(pending, timeout=LOOK_EVERY)
            if any(table.exception() for table in done):
                self._stop.set()
            if progress is not None:
                progress(self.tally.games, self._games)

    def _play(self, table: BotTable) -> None:
        while not self._stop.is_set() and (chunk := self._take_chunk()):
            results = table.play(*chunk)
            with self._lock:
                self.tally.add(results)
                self.finished = time.perf_counter()

    def _take_chunk(self) -> tuple[int, int] | None:
        """The numbers of the next games: the first, and how many."""
        with self._lock:
            first = self._next
            self._next = min(self._games, first + self._chunk)
            return (first, self._next - first) if self._next > first else None
