"""The one thread that writes to the database.

Everything that wants to be written while a commit is under way waits for it together and goes into the
next one: a commit costs a few milliseconds of waiting for the disk, whether it holds one action or fifty.
"""

from __future__ import annotations

import asyncio
import queue
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import SQLAlchemyError

_Work = TypeVar("_Work")
#: Does some works in one transaction, in order, and returns their results.
Do = Callable[[Connection, Sequence[_Work]], Sequence[Any]]
#: Told after each commit: how many works it held, and how long it took.
Watch = Callable[[int, float], None]
_MOST_AT_ONCE = 256


@dataclass(frozen=True, slots=True, eq=False)
class _Job(Generic[_Work]):
    work: _Work
    loop: asyncio.AbstractEventLoop
    done: asyncio.Future[Any]


class Writer(Generic[_Work]):
    """Does works in order, many to a transaction, and says when they are safe."""

    def __init__(self, engine: Engine, do: Do[_Work], watch: Watch) -> None:
        self._engine = engine
        self._do = do
        self._watch = watch
        self._connection: Connection | None = None  # kept, for each commit to be short
        self._jobs: queue.SimpleQueue[_Job[_Work] | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="writer", daemon=True)
        self._thread.start()

    def write(self, work: _Work) -> asyncio.Future[Any]:
        """Let a work be done; the future has its result once it is on the disk."""
        loop = asyncio.get_running_loop()
        job = _Job(work, loop, loop.create_future())
        self._jobs.put(job)
        return job.done

    def close(self) -> None:
        """Finish what waits, and end."""
        self._jobs.put(None)
        self._thread.join()

    # ------------------------------------------------------------------ in the thread

    def _run(self) -> None:
        while (first := self._jobs.get()) is not None:
            jobs, ends = self._gather(first)
            began = time.perf_counter()
            self._carry_out(jobs)
            self._watch(len(jobs), time.perf_counter() - began)
            if ends:
                break
        if self._connection is not None:
            self._connection.close()

    def _gather(self, first: _Job[_Work]) -> tuple[list[_Job[_Work]], bool]:
        """All that waits, and whether the end does."""
        jobs = [first]
        while len(jobs) < _MOST_AT_ONCE:
            try:
                job = self._jobs.get_nowait()
            except queue.Empty:
                break
            if job is None:
                return jobs, True
            jobs.append(job)
        return jobs, False

    def _carry_out(self, jobs: Sequence[_Job[_Work]]) -> None:
        try:
            if self._connection is None:
                self._connection = self._engine.connect()
            with self._connection.begin():
                results = self._do(self._connection, [job.work for job in jobs])
        except SQLAlchemyError as problem:
            self._reconnect()
            if len(jobs) == 1:
                _tell(jobs, [problem])
                return
            for job in jobs:  # nothing was written; who of them is at fault must not harm the others
                self._carry_out([job])
        else:
            _tell(jobs, results)

    def _reconnect(self) -> None:
        """Begin anew after a mistake: the database may have been away."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None


def _tell(jobs: Sequence[_Job[Any]], results: Sequence[Any]) -> None:
    """Wake those who wait: in their event loop, and with one call for all of them."""

    def wake() -> None:
        for job, result in zip(jobs, results, strict=True):
            if job.done.done():  # given up in the meantime
                continue
            if isinstance(result, Exception):
                job.done.set_exception(result)
            else:
                job.done.set_result(result)

    if not jobs[0].loop.is_closed():
        jobs[0].loop.call_soon_threadsafe(wake)
