"""Tuning the planner: its weights against greedy bots and scripts, improved by CMA-ES.

Each generation draws some minds around the best guess so far, lets all of them play the very same games
(the same dice, from every seat), and moves the guess towards those that won most. Which games are played
follows from the seed alone, and nothing depends on who plays them, so the same seed gives the same
weights on any number of threads.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dicetown.bots.rules.planner_weights import START, Weights, mind_of, start_weights
from dicetown.bots.rules.scripts import scripts_for
from dicetown.errors import BotError
from dicetown.playout.table import BotTable, ready
from dicetown.rules.ruleset import Ruleset

#: In the end the guess is compared with the beginning in so many times as many games.
PROOF = 8
#: None of these has any generation played.
_PROOF_FROM = 1 << 30

Progress = Callable[[int, int], None]  # generations done, generations to do
Point = NDArray[np.float64]  # how many steps each weight is away from where it began


@dataclass(frozen=True)
class Tuned:
    """What tuning has come to."""

    ruleset: Ruleset
    players: int
    weights: Weights
    before: float  # the share of games won with the weights to begin with
    share: float  # and with those found, in the same games


class Objective:
    """The share of games that a planner wins: half of it against greedy bots, half against scripts."""

    def __init__(self, ruleset: Ruleset, players: int, games: int, seed: int) -> None:
        self.ruleset = ruleset
        self.players = players
        self.games = games
        self.seed = seed
        self._lineups = lineups(ruleset, players)
        self._own = threading.local()  # a table is for one thread

    def share(self, weights: Weights, first: int, times: int = 1) -> float:
        """The share won with some weights in the games from a number on."""
        mind = mind_of(weights).array[0]
        each = max(1, self.games * times // (2 * self.players))  # games a seat, against either kind
        shares = []
        for place, tables in enumerate(self._tables()):
            games = each if place == 0 else max(1, each // (len(self._lineups) - 1))
            won = 0
            for seat, table in enumerate(tables):
                table.minds[seat] = mind
                won += int(np.count_nonzero(table.play(first, games)["winner"] == seat))
            shares.append(won / (games * self.players))
        greedy, *scripts = shares
        return (greedy + sum(scripts) / len(scripts)) / 2

    def _tables(self) -> list[list[BotTable]]:
        """For each line-up a table for each seat that the planner may have."""
        if not hasattr(self._own, "tables"):
            self._own.tables = [
                [BotTable(self.ruleset, _seat(rivals, seat), self.seed) for seat in range(self.players)]
                for rivals in self._lineups
            ]
        tables: list[list[BotTable]] = self._own.tables
        return tables


def lineups(ruleset: Ruleset, players: int) -> list[list[str]]:
    """The rivals: greedy bots, and then as many tables of scripts as let each of them play.

    >>> lineups(Ruleset("deluxe", sets=["base"]), 4)[:2]
    [['greedy', 'greedy', 'greedy'], ['cheese', 'convenience', 'bakery']]
    """
    rivals = players - 1
    scripts = list(scripts_for(ruleset))
    starts = range(0, len(scripts), rivals)
    tables = [[scripts[(start + k) % len(scripts)] for k in range(rivals)] for start in starts]
    return [["greedy"] * rivals, *tables]


def _seat(rivals: Sequence[str], seat: int) -> list[str]:
    """Everybody at a table; somebody keeps the planner's seat."""
    return [*rivals[:seat], "greedy", *rivals[seat:]]


def tune(
    ruleset: Ruleset,
    players: int,
    generations: int,
    games: int,
    seed: int,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Tuned:
    """Weights that win more games of a ruleset; those to begin with, unless others prove better."""
    ruleset.check_players(players)
    begin = start_weights()
    optimiser = make_optimiser(begin, seed)
    ready()
    objective = Objective(ruleset, players, games, seed)
    with ThreadPoolExecutor(threads or os.cpu_count() or 1) as pool:
        for generation in range(generations):
            points = [optimiser.ask() for _ in range(optimiser.population_size)]
            minds = [weights_at(point, begin) for point in points]
            shares = pool.map(objective.share, minds, [generation * games] * len(minds))
            optimiser.tell([(point, -share) for point, share in zip(points, shares, strict=True)])
            if progress is not None:
                progress(generation + 1, generations)
        found = weights_at(optimiser.mean, begin)
        before, share = pool.map(objective.share, [begin, found], [_PROOF_FROM] * 2, [PROOF] * 2)
    if share < before:
        return Tuned(ruleset, players, begin, before, before)
    return Tuned(ruleset, players, found, before, share)


def make_optimiser(begin: Weights, seed: int) -> Any:
    """CMA-ES around the weights to begin with, at first as far around as each weight's step."""
    try:
        from cmaes import CMA
    except ImportError:
        raise BotError(
            "Tuning needs the library cmaes; install it with: pip install 'dicetown[tune]'."
        ) from None
    bounds = [
        [(end - begin[name]) / weight.step for end in (weight.least, weight.most)]
        for name, weight in START.items()
    ]
    return CMA(mean=np.zeros(len(START)), sigma=1.0, bounds=np.array(bounds), seed=seed)


def weights_at(point: Point, begin: Weights) -> Weights:
    """Whole weights, so many steps away from those to begin with, and within their bounds."""
    weights = {}
    for (name, weight), steps in zip(START.items(), point, strict=True):
        value = begin[name] + round(float(steps) * weight.step)
        weights[name] = min(max(value, weight.least), weight.most)
    return weights
