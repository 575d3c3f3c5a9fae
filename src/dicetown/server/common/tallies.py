"""Counting for Prometheus, cheap enough for every action: plain numbers, put into its form when it asks.

The library's own counters take a lock and look a child up each time, which for ten figures an action is as
long as a decision takes. A tally or a spread is written by one thread only, so it needs none of that.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from math import inf

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily
from prometheus_client.registry import Collector


class Tally(Collector):
    """How often something happened, by what it was.

    >>> tally = Tally("clicks", "Clicks.", ["kind"])
    >>> tally.count("double")
    >>> [sample.value for family in tally.collect() for sample in family.samples]
    [1.0]
    """

    def __init__(self, name: str, meaning: str, labels: Sequence[str] = ()) -> None:
        self._family = name, meaning, labels
        self._counts: dict[tuple[str, ...], int] = {}

    def count(self, *values: str) -> None:
        """Once more, with a value for each label."""
        self._counts[values] = self._counts.get(values, 0) + 1

    def collect(self) -> Iterator[CounterMetricFamily]:
        """All counts, as Prometheus has them."""
        name, meaning, labels = self._family
        family = CounterMetricFamily(name, meaning, labels=labels)
        for values, count in list(self._counts.items()):
            family.add_metric(values, float(count))
        yield family


class Cells:
    """How some amounts are spread: how many were up to each bound, and all of them together."""

    __slots__ = ("_bounds", "counts", "total")

    def __init__(self, bounds: Sequence[float]) -> None:
        self._bounds = bounds
        self.counts = [0] * (len(bounds) + 1)
        self.total = 0.0

    def add(self, amount: float) -> None:
        """One more amount."""
        self.counts[bisect_left(self._bounds, amount)] += 1
        self.total += amount

    def cumulative(self) -> list[tuple[str, float]]:
        """How many were at most so much, for each bound.

        >>> cells = Cells([1.0, 2.0])
        >>> cells.add(2.0); cells.add(9.0)
        >>> cells.cumulative()
        [('1.0', 0.0), ('2.0', 1.0), ('+Inf', 2.0)]
        """
        found, so_far = [], 0.0
        for bound, count in zip([*self._bounds, inf], self.counts, strict=True):
            so_far += count
            found.append(("+Inf" if bound == inf else str(float(bound)), so_far))
        return found


class Spread(Collector):
    """A histogram, or several of them by one label."""

    def __init__(self, name: str, meaning: str, bounds: Sequence[float], label: str | None = None) -> None:
        self._family = name, meaning, [label] if label else []
        self._bounds = tuple(bounds)
        self._cells: dict[str, Cells] = {}

    def of(self, value: str = "") -> Cells:
        """The cells of one value of the label, to keep and to add to."""
        if (cells := self._cells.get(value)) is None:
            cells = self._cells[value] = Cells(self._bounds)
        return cells

    def collect(self) -> Iterator[HistogramMetricFamily]:
        """All of them, as Prometheus has them."""
        name, meaning, labels = self._family
        family = HistogramMetricFamily(name, meaning, labels=labels)
        for value, cells in list(self._cells.items()):
            family.add_metric([value] if labels else [], cells.cumulative(), cells.total)
        yield family


class Followed(Collector):
    """A gauge that shows what is counted whenever it is asked for, by one label where there is one."""

    def __init__(
        self, name: str, meaning: str, counts: Callable[[], Mapping[str, float]], label: str | None = None
    ) -> None:
        self._family = name, meaning, [label] if label else []
        self._counts = counts

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """What there is now."""
        name, meaning, labels = self._family
        family = GaugeMetricFamily(name, meaning, labels=labels)
        for value, count in self._counts().items():
            family.add_metric([value] if labels else [], float(count))
        yield family
