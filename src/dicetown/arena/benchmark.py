"""How fast it is: decisions and games per second on one core, interpreted and compiled.

Machines are noisy, so each rate is the median of several short slices, and the slices of all cases take
turns: a slow moment of the machine then hits both sides of a comparison.
"""

from __future__ import annotations

import platform
import time
from dataclasses import dataclass, field
from statistics import median
from typing import Any

from dicetown.playout.table import BotTable, Readiness, ready
from dicetown.readiness import Say
from dicetown.rules.layout import STATE
from dicetown.rules.ruleset import Ruleset

SLICES = 5
PLAYERS = 4
_CHUNK = 64
_SEED = 1

#: What is played: the smallest game and the largest.
GAMES: dict[str, tuple[str, tuple[str, ...]]] = {
    "base": ("deluxe", ("base",)),
    "everything": ("deluxe", ("base", "harbor", "millionaires_row", "deluxe_extras")),
}
BOTS = ("random", "greedy")


@dataclass
class Measurement:
    """One bot at all seats of one game, run one way, on one core."""

    game: str
    sets: tuple[str, ...]
    bot: str
    is_compiled: bool
    decisions: int = 0
    games: int = 0
    seconds: float = 0.0
    rates: list[tuple[float, float]] = field(default_factory=list)  # decisions/s and games/s of each slice

    @property
    def decisions_per_second(self) -> float:
        """The median of the slices."""
        return median(decisions for decisions, _ in self.rates)

    @property
    def games_per_second(self) -> float:
        """The median of the slices."""
        return median(games for _, games in self.rates)

    def as_dict(self) -> dict[str, Any]:
        """The measurement, for JSON."""
        return {
            "game": self.game,
            "edition": GAMES[self.game][0],
            "sets": list(self.sets),
            "players": PLAYERS,
            "bot": self.bot,
            "mode": "compiled" if self.is_compiled else "interpreted",
            "decisions_per_second": self.decisions_per_second,
            "best_decisions_per_second": max(decisions for decisions, _ in self.rates),
            "games_per_second": self.games_per_second,
            "decisions": self.decisions,
            "games": self.games,
            "seconds": self.seconds,
        }


@dataclass(frozen=True)
class Benchmark:
    """All measurements of a run, and what compiling took."""

    measurements: list[Measurement]
    readiness: Readiness
    state_bytes: int

    def find(self, game: str, bot: str, *, is_compiled: bool) -> Measurement:
        """The measurement of a case."""
        return next(
            one
            for one in self.measurements
            if (one.game, one.bot, one.is_compiled) == (game, bot, is_compiled)
        )

    def ratio(self, game: str, bot: str) -> float:
        """How many times faster compiled play is."""
        fast, slow = (self.find(game, bot, is_compiled=mode) for mode in (True, False))
        return fast.decisions_per_second / slow.decisions_per_second

    def as_dict(self) -> dict[str, Any]:
        """Everything, for JSON."""
        return {
            "measurements": [one.as_dict() for one in self.measurements],
            "ratios": [
                {"game": game, "bot": bot, "compiled_over_interpreted": self.ratio(game, bot)}
                for game in GAMES
                for bot in BOTS
            ],
            "compile_seconds": self.readiness.compile_seconds,
            "ready_seconds": self.readiness.seconds,
            "from_cache": self.readiness.cached,
            "state_bytes": self.state_bytes,
            "python": platform.python_version(),
            "machine": platform.machine(),
        }


def benchmark(seconds: float = 1.0, say: Say | None = None) -> Benchmark:
    """Measure every case for about so many seconds; `say` hears if compiling comes first."""
    readiness = ready(say)
    cases = [
        Measurement(game, sets, bot, is_compiled)
        for game, (_, sets) in GAMES.items()
        for bot in BOTS
        for is_compiled in (False, True)
    ]
    tables = [
        BotTable(Ruleset(GAMES[case.game][0], case.sets), [case.bot] * PLAYERS, _SEED) for case in cases
    ]
    for _ in range(SLICES):
        for case, table in zip(cases, tables, strict=True):
            _measure(case, table, seconds / SLICES)
    return Benchmark(cases, readiness, STATE.itemsize)


def _measure(case: Measurement, table: BotTable, seconds: float) -> None:
    """One slice: whole games until the time is up."""
    decisions = games = 0
    begun = time.perf_counter()
    while (passed := time.perf_counter() - begun) < seconds or games == 0:
        first = case.games + games
        results = table.play(first, _CHUNK) if case.is_compiled else table.play_interpreted(first, 1)
        decisions += int(results["decisions"].sum())
        games += len(results)
    case.decisions += decisions
    case.games += games
    case.seconds += passed
    case.rates.append((decisions / passed, games / passed))
