"""What the service measures about itself, for Prometheus."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, TypedDict

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from dicetown.server.journal.entries import Body, kind_of

if TYPE_CHECKING:
    from dicetown.server.table.lobby import Lobby
    from dicetown.server.web.gate import Gate
    from dicetown.server.web.outbox import Post
    from dicetown.server.web.welcomes import Reception
    from dicetown.server.workers.thinkers import Thinkers

_QUICK = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0)
_SLOW = (0.001, 0.01, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 30.0, 120.0)


class _Named(TypedDict):
    """What all of them have in common."""

    registry: CollectorRegistry
    namespace: str


class Gauges:
    """Counters and gauges of one service, in a registry of its own."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        named: _Named = {"registry": self._registry, "namespace": "dicetown"}
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
        self._tables = Gauge("tables", "Tables in memory.", **named)
        self._pages = Gauge("connections", "Pages connected.", **named)
        self._open = Gauge("open_connections", "Connections open, pages and requests.", **named)
        self._unsent = Gauge("unsent_bytes", "What waits for pages to read it.", **named)
        self._welcomes = Gauge("welcomes_waiting", "Pages that wait to be told everything.", **named)
        self._thoughts = Gauge("thoughts_waiting", "What waits to be thought about.", ["kind"], **named)

    def look_at(self, lobby: Lobby, thinkers: Thinkers, reception: Reception) -> None:
        """Count tables, connections and what waits when they are asked for."""
        self._tables.set_function(lambda: len(lobby.tables))
        self._pages.set_function(lambda: sum(len(table.listeners) for table in lobby.tables.values()))
        self._welcomes.set_function(lambda: reception.waiting)
        for kind in thinkers.waiting:
            self._thoughts.labels(kind).set_function(partial(_waiting, thinkers, kind))

    def look_at_gate(self, gate: Gate) -> None:
        """Count open connections when they are asked for."""
        self._open.set_function(lambda: len(gate))

    def look_at_post(self, post: Post) -> None:
        """Weigh what waits when that is asked for."""
        self._unsent.set_function(lambda: post.waiting)

    def count_entries(self, bodies: Sequence[Body]) -> None:
        """Count what was written."""
        for body in bodies:
            self._entries.labels(kind_of(body)).inc()

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


def _waiting(thinkers: Thinkers, kind: str) -> float:
    return thinkers.waiting[kind]
