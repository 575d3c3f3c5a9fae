"""What the service measures about itself, for Prometheus.

No label says anything about anybody: kinds, codes of refusals and names of chores, never a table, a guest or
an address. So there are only so many of them, however long the service runs.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar, Token
from types import TracebackType
from typing import TypedDict, TypeVar

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    GCCollector,
    ProcessCollector,
    generate_latest,
)
from prometheus_client.registry import Collector

from dicetown import __version__
from dicetown.server.common.tallies import Followed, Spread, Tally

_QUICK = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
_SLOW = (0.001, 0.01, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 30.0, 120.0)
_WORKS = (1, 2, 4, 8, 16, 32, 64, 128, 256)
_OURS = "dicetown_"
#: What an action goes through after it was received, in order.
STAGES = ("decided", "stored", "told")
_Collector = TypeVar("_Collector", bound=Collector)
#: The journey that is under way in this task.
_under_way: ContextVar[Journey | None] = ContextVar("journey", default=None)


class _Named(TypedDict):
    """What those of the library have in common."""

    registry: CollectorRegistry
    namespace: str


class Journey:
    """One thing that is done, and when it was received, decided, stored and told; by a clock for intervals.

    A page's message is one from when it was received; what a table does by itself from when it was decided.
    Inside ``with``, whatever is written is part of it. Nothing in it says who did it, or where.
    """

    __slots__ = (
        "_metrics",
        "_token",
        "code",
        "decided",
        "ended",
        "entry",
        "kind",
        "received",
        "stored",
        "told",
    )

    def __init__(self, metrics: Metrics, kind: str) -> None:
        self._metrics = metrics
        self._token: Token[Journey | None] | None = None
        self.kind = kind
        self.code = ""  # why it was refused, if it was
        self.entry = 0  # the number of the entry that it led to, if it did
        self.received = self.decided = self.stored = self.told = self.ended = 0.0

    def __enter__(self) -> Journey:
        self._token = _under_way.set(self)
        self.received = time.perf_counter()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._token is not None
        _under_way.reset(self._token)
        self.ended = time.perf_counter()
        if problem is not None:
            self.code = str(getattr(problem, "code", "")) or "broken"
        self._metrics.has_ended(self)

    def note_decided(self) -> None:
        """It is certain what happens."""
        self.decided = time.perf_counter()

    def note_stored(self) -> None:
        """It is certain that it has happened."""
        self.stored = time.perf_counter()

    def note_told(self, entry: int) -> None:
        """All pages are told: what they are sent lies in their outboxes."""
        self.told = time.perf_counter()
        self.entry = entry
        self._metrics.was_told(self)
        if not self.received:  # nobody else ends it
            self.ended = self.told
            self._metrics.has_ended(self)


class Metrics:
    """Counters and gauges of one service, in a registry of its own."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        #: Is told of every journey that has ended, where traces are wanted.
        self.trace: Callable[[Journey], None] | None = None
        #: Is told what has thought and since when, by the same clock, where traces are wanted.
        self.trace_thinking: Callable[[str, float, bool], None] | None = None
        self._entries = self._add(Tally(_OURS + "entries", "Entries written to journals.", ["kind"]))
        self._refused = self._add(Tally(_OURS + "refused", "Requests and messages refused.", ["code"]))
        self._results = self._add(
            Tally(
                _OURS + "actions",
                "What pages asked for, by how it ended: done, refused (with a code), or unclear.",
                ["kind", "result", "code"],
            )
        )
        commits = Spread(_OURS + "commit_seconds", "Time to commit.", _QUICK)
        works = Spread(_OURS + "commit_works", "Works in one commit.", _WORKS)
        actions = Spread(_OURS + "action_seconds", "From a page's message to its answer.", _QUICK)
        stages = Spread(
            _OURS + "stage_seconds",
            "Time from one stage of an action to the next: received, decided, stored, told.",
            _QUICK,
            "stage",
        )
        lag = Spread(_OURS + "loop_lag_seconds", "How late the event loop was at what was due.", _QUICK)
        for spread in (commits, works, actions, stages, lag):
            self._add(spread)
        self._commits, self._works, self._actions, self._lag = (
            commits.of(),
            works.of(),
            actions.of(),
            lag.of(),
        )
        self._decided, self._stored, self._told = map(stages.of, STAGES)
        self._thinking = self._add(Spread(_OURS + "thinking_seconds", "Time bots take.", _SLOW, "bot"))
        self._add_rare_ones()

    def _add_rare_ones(self) -> None:
        """What happens seldom, and in any thread."""
        named: _Named = {"registry": self._registry, "namespace": "dicetown"}
        self._done = Gauge(
            "background_last_run_seconds", "When a chore was last done, since 1970.", ["task"], **named
        )
        self._failed = Counter("background_failures", "Chores that failed.", ["task"], **named)
        self._still = Counter(
            "standstills", "Tables that stood still, and were set in motion again.", **named
        )
        self._errors = Counter(
            "storage_errors", "What the database did not do: read, write, or unclear.", ["doing"], **named
        )
        self._leases = Counter("lease_changes", "Leases taken, taken again and lost.", ["change"], **named)
        for doing in ("read", "write", "unclear"):  # there from the start, so that the first one is a change
            self._errors.labels(doing)
        for change in ("taken", "taken_again", "lost"):
            self._leases.labels(change)
        Gauge("build", "1, with the version of the service.", ["version"], **named).labels(__version__).set(1)
        ProcessCollector(registry=self._registry)
        GCCollector(registry=self._registry)

    def _add(self, collector: _Collector) -> _Collector:
        self._registry.register(collector)
        return collector

    def follow(self, name: str, meaning: str, count: Callable[[], float]) -> None:
        """Have a gauge that shows what is counted whenever it is asked for."""
        self._add(Followed(_OURS + name, meaning, lambda: {"": count()}))

    def follow_each(
        self, name: str, meaning: str, counts: Callable[[], Mapping[str, float]], label: str = "kind"
    ) -> None:
        """The same for several kinds, of which there are only so many."""
        self._add(Followed(_OURS + name, meaning, counts, label))

    # ------------------------------------------------------------------ for every action

    def acting(self, kind: str) -> Journey:
        """Measure what becomes of a page's message, by ``with``."""
        return Journey(self, kind)

    def journey(self) -> Journey:
        """What is being written belongs to this: to the page's message under way, or to nobody's.

        A task that was begun while a message was answered is a thing of its own.
        """
        found = _under_way.get()
        if found is None or found.told or found.ended:
            found = Journey(self, "table")
        found.note_decided()
        return found

    def was_told(self, journey: Journey) -> None:
        """Note how long each stage took."""
        if journey.received:
            self._decided.add(journey.decided - journey.received)
        self._stored.add(journey.stored - journey.decided)
        self._told.add(journey.told - journey.stored)

    def has_ended(self, journey: Journey) -> None:
        """Note how it ended, if a page waits for it."""
        code = journey.code
        if journey.received:
            self._actions.add(journey.ended - journey.received)
            result = "unclear" if code == "unclear" else "refused" if code else "done"
            self._results.count(journey.kind, result, code)
        if self.trace is not None:
            self.trace(journey)

    def count_entry(self, kind: str) -> None:
        """Count an entry that was written."""
        self._entries.count(kind)

    def count_refusal(self, code: str) -> None:
        """Count what was refused."""
        self._refused.count(code)

    @contextmanager
    def thinking(self, bot: str) -> Iterator[None]:
        """Measure how long a bot takes."""
        began, is_done = time.perf_counter(), False
        try:
            yield
            is_done = True
            self._thinking.of(bot).add(time.perf_counter() - began)
        finally:
            if self.trace_thinking is not None:
                self.trace_thinking(bot, began, is_done)

    def watch_lag(self, seconds: float) -> None:
        """Note how late the event loop was."""
        self._lag.add(seconds)

    # ------------------------------------------------------------------ in other threads

    def watch_commit(self, works: int, seconds: float) -> None:
        """Note a commit; only one thread makes them."""
        self._commits.add(seconds)
        self._works.add(works)

    def count_storage_error(self, doing: str) -> None:
        """Count what the database did not do."""
        self._errors.labels(doing).inc()

    def count_lease_change(self, change: str) -> None:
        """Count that a lease was taken or lost."""
        self._leases.labels(change).inc()

    # ------------------------------------------------------------------------- seldom

    def chore_was_done(self, name: str, now: float) -> None:
        """Note that a chore was done."""
        self._done.labels(name).set(now)

    def count_chore_failure(self, name: str) -> None:
        """Count a chore that failed."""
        self._failed.labels(name).inc()

    def count_standstill(self) -> None:
        """Count a table that stood still."""
        self._still.inc()

    def page(self) -> bytes:
        """Everything, as Prometheus reads it."""
        return generate_latest(self._registry)
