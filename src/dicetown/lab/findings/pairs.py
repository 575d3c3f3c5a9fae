"""Differences between two ways of playing the same games.

Both samples have the same random numbers, game by game. So means are compared game by game: what both have in
common, such as a lucky roll at the beginning, falls out, and the interval is that of the difference itself.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import sqrt

from dicetown.lab.findings.clusters import Clustered
from dicetown.lab.findings.section import Estimate


@dataclass(frozen=True)
class Paired:
    """Sums over the games of two samples, and over their products game by game.

    >>> turns = Paired.of_games(2, (10.0, 12.0), (52.0, 72.0), 61.0)  # 4 and 6 turns, then 5.5 and 6.5
    >>> round(turns.difference.value, 2)
    1.0
    """

    original: Clustered = field(default_factory=Clustered)
    changed: Clustered = field(default_factory=Clustered)
    xx: float = 0.0
    xm: float = 0.0  # x of the original, m of the changed
    mx: float = 0.0
    mm: float = 0.0

    @classmethod
    def of_games(
        cls, games: int, sums: tuple[float, float], squares: tuple[float, float], products: float
    ) -> Paired:
        """A figure that every game has once."""
        (a, b), (aa, bb) = sums, squares
        return cls(
            Clustered(games, a, aa, a, games), Clustered(games, b, bb, b, games), products, a, b, games
        )

    def __add__(self, other: Paired) -> Paired:
        return Paired(
            self.original + other.original,
            self.changed + other.changed,
            self.xx + other.xx,
            self.xm + other.xm,
            self.mx + other.mx,
            self.mm + other.mm,
        )

    @property
    def difference(self) -> Estimate | None:
        """The mean of the changed sample less that of the original; None where one has nothing."""
        a, b = self.original, self.changed
        if not a.m or not b.m:
            return None
        of_a, of_b = a.x / a.m, b.x / b.m
        together = self.xx - of_b * self.xm - of_a * self.mx + of_a * of_b * self.mm
        variance = _spread(a) + _spread(b) - 2 * together / (a.m * b.m)
        return Estimate.around(of_b - of_a, sqrt(max(0.0, variance)))


def _spread(one: Clustered) -> float:
    """The variance of a mean."""
    mean = one.x / one.m
    return max(0.0, one.xx - 2 * mean * one.xm + mean * mean * one.mm) / (one.m * one.m)
