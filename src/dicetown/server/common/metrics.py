"""What the service measures about itself, for Prometheus."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from typing import TypedDict

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

_QUICK = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0)
_SLOW = (0.001, 0.01, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 30.0, 120.0)


class _Named(TypedDict):
    """What all of them have in common."""

    registry: CollectorRegistry
    namespace: str


class Metrics:
    """Counters and gauges of one service, in a registry of its own."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self._named: _Named = {"registry": self._registry, "namespace": "dicetown"}
        named = self._named
        self._entries = Counter("entries", "Entries written to journals.", ["kind"], **named)
        self._commits = Histogram("commit_seconds", "Time to commit.", buckets=_QUICK, **named)
        self._batch = Histogram("commit_works", "Works in one commit.", buckets=(1, 2, 4, 8, 16, 64), **named)
        self._actions = Histogram(
            "action_seconds", "From a page's message to its answer.", buckets=_QUICK, **named
        )
        self._thinking = Histogram("thinking_seconds", "Time bots take.", ["bot"], buckets=_SLOW, **named)
        self._refused = Counter("refused", "Requests and messages refused.", ["code"], **named)
        self._done = Gauge(
            "background_last_run_seconds", "When a chore was last done, since 1970.", ["task"], **named
        )
        self._failed = Counter("background_failures", "Chores that failed.", ["task"], **named)

    def follow(self, name: str, meaning: str, count: Callable[[], float]) -> None:
        """Have a gauge that shows what is counted whenever it is asked for."""
        Gauge(name, meaning, **self._named).set_function(count)

    def follow_each(self, name: str, meaning: str, counts: Callable[[], Mapping[str, float]]) -> None:
        """The same for several kinds, which are always the same ones."""
        gauge = Gauge(name, meaning, ["kind"], **self._named)
        for kind in counts():
            gauge.labels(kind).set_function(partial(_one_of, counts, kind))

    def count_entry(self, kind: str) -> None:
        """Count an entry that was written."""
        self._entries.labels(kind).inc()

    def watch_commit(self, works: int, seconds: float) -> None:
        """Note a commit."""
        self._commits.observe(seconds)
        self._batch.observe(works)

    def count_refusal(self, code: str) -> None:
        """Count what was refused."""
        self._refused.labels(code).inc()

    def chore_was_done(self, name: str, now: float) -> None:
        """Note that a chore was done."""
        self._done.labels(name).set(now)

    def count_chore_failure(self, name: str) -> None:
        """Count a chore that failed."""
        self._failed.labels(name).inc()

    @contextmanager
    def acting(self) -> Iterator[None]:
        """Measure how long a page's request takes."""
        with self._actions.time():
            yield

    @contextmanager
    def thinking(self, bot: str) -> Iterator[None]:
        """Measure how long a bot takes."""
        began = time.perf_counter()
        yield
        self._thinking.labels(bot).observe(time.perf_counter() - began)

    def page(self) -> bytes:
        """Everything, as Prometheus reads it."""
        return generate_latest(self._registry)


def _one_of(counts: Callable[[], Mapping[str, float]], kind: str) -> float:
    return counts()[kind]
