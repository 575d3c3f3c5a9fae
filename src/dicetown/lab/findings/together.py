"""Intervals that hold for several figures at once, and so for whichever of them is picked.

Of twenty cards that are all alike, one looks best by luck, and its own 95 % interval leaves out the truth
more often than not. So where a study names the best, the worst or the most changed of many, the intervals of
all of them are wide enough to hold together in 95 of 100 studies. How wide follows from their number alone
(Šidák): for normal estimates that is enough however they hang together, as cards of one game do. To reckon
with how they do would need all their covariances, and gain next to nothing; tests/lab/test_together.py says.
"""

from __future__ import annotations

from collections.abc import Mapping
from statistics import NormalDist
from typing import TypeVar

from dicetown.intervals import Z
from dicetown.lab.findings.section import Estimate

Name = TypeVar("Name")
_CONFIDENCE = 0.95


def z_among(figures: int) -> float:
    """How many deviations an interval reaches, so that those of so many figures hold together.

    >>> [round(z_among(figures), 2) for figures in (1, 2, 20)]
    [1.96, 2.24, 3.02]
    """
    if figures <= 1:
        return Z
    each = _CONFIDENCE ** (1 / figures)
    return NormalDist().inv_cdf((1 + each) / 2)


def together(figures: Mapping[Name, Estimate]) -> dict[Name, Estimate]:
    """The same figures, each of whose intervals reaches as far as so many need.

    >>> together({"a": Estimate(1.0, 0.0, 2.0), "b": Estimate(5.0, 4.0, 6.0)})["a"].high > 2.1
    True
    """
    return {name: widened(figure, len(figures)) for name, figure in figures.items()}


def widened(figure: Estimate, figures: int) -> Estimate:
    """A figure as one of several."""
    more = z_among(figures) / Z
    low, high = (figure.value + more * (end - figure.value) for end in (figure.low, figure.high))
    return Estimate(figure.value, low, high)
