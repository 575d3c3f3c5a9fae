"""Means over things that come in bunches, such as the players of a game: only one of them can win.

Such things are not independent, but games are. So the interval of their mean comes from sums over games: of
each game it is enough to know how many there were, and what they came to together.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING, Any

from dicetown.intervals import Z
from dicetown.lab.findings.section import Estimate

if TYPE_CHECKING:
    import duckdb


@dataclass(frozen=True)
class Clustered:
    """Sums over games, each with `m` things that came to `x` together.

    >>> once = Clustered.of([(2, 1.0), (2, 1.0), (1, 0.0)])
    >>> once.estimate.value
    0.4
    """

    m: float = 0.0
    x: float = 0.0
    xx: float = 0.0
    xm: float = 0.0
    mm: float = 0.0

    @classmethod
    def of(cls, games: list[tuple[float, float]]) -> Clustered:
        """The sums of some games, each given by how many things there were and what they came to."""
        return sum((cls(m, x, x * x, x * m, m * m) for m, x in games), cls())

    def __add__(self, other: Clustered) -> Clustered:
        return Clustered(
            self.m + other.m, self.x + other.x, self.xx + other.xx, self.xm + other.xm, self.mm + other.mm
        )

    @property
    def estimate(self) -> Estimate | None:
        """The mean of all things with its interval; None where there were none."""
        if not self.m:
            return None
        mean = self.x / self.m
        variance = self.xx - 2 * mean * self.xm + mean * mean * self.mm
        return Estimate.around(mean, sqrt(max(0.0, variance)) / self.m)


#: The sums of a table of games with the columns m and x, in SQL.
SUMS = "sum(m)::DOUBLE, sum(x)::DOUBLE, sum(x * x)::DOUBLE, sum(x * m)::DOUBLE, sum(m * m)::DOUBLE"


def summed(connection: duckdb.DuckDBPyConnection, by_game: str, parameters: list[Any]) -> Clustered:
    """The sums of a query that gives m and x of each game; nothing, where it finds no game."""
    numbers = connection.execute(f"SELECT {SUMS} FROM ({by_game})", parameters).fetchall()[0]
    return Clustered(*(number or 0.0 for number in numbers))


def share_of_sums(sums: Clustered, z: float = Z) -> Estimate | None:
    """A share with its Wilson interval, for as many independent things as would have the same variance.

    It holds near nothing and near everything, too; `z` is how many deviations it reaches.

    >>> share_of_sums(Clustered.of([(1, 1), (1, 0)] * 50)).value
    0.5
    >>> share_of_sums(Clustered.of([(2, 2)] * 100)).high, share_of_sums(Clustered())
    (1.0, None)
    """
    found = sums.estimate
    if found is None:
        return None
    share = min(1.0, max(0.0, found.value))
    error = (found.high - found.low) / (2 * Z)
    tries = share * (1 - share) / error**2 if error and 0 < share < 1 else sums.m
    square = z * z
    whole = 1 + square / tries
    middle = (share + square / (2 * tries)) / whole
    reach = z * sqrt((share * (1 - share) + square / (4 * tries)) / tries) / whole
    return Estimate(share, max(0.0, min(share, middle - reach)), min(1.0, max(share, middle + reach)))
