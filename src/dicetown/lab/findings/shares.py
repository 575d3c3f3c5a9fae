"""Shares of things that come in bunches, with intervals that hold near nothing and near everything, too."""

from __future__ import annotations

from math import sqrt

from dicetown.intervals import Z
from dicetown.lab.findings.clusters import Clustered
from dicetown.lab.findings.section import Estimate


def share_of_sums(sums: Clustered, z: float = Z) -> Estimate | None:
    """A share with its Wilson interval, for as many independent things as would have the same variance.

    `z` is how many deviations it reaches.

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
