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
from typing import Any

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import SQLAlchemyError

Work = Callable[[Connection], Any]
#: Told after each commit: how many works it held, and how long it took.
Watch = Callable[[int, float], None]
_MOST_AT_ONCE = 256


@dataclass(frozen=True, slots=True, eq=False)
class _Job:
    work: Work
    loop: asyncio.AbstractEventLoop
    done: asyncio.Future[Any]


class Writer:
    """Runs works in order, many to a transaction, and says when they are safe."""

    def __init__(self, engine: Engine, watch: Watch = lambda works, seconds: None) -> None:
        self._engine = engine
        self._watch = watch
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="writer", daemon=True)
        self._thread.start()

    def write(self, work: Work) -> asyncio.Future[Any]:
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
                return

    def _gather(self, first: _Job) -> tuple[list[_Job], bool]:
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

    def _carry_out(self, jobs: Sequence[_Job]) -> None:
        try:
            with self._engine.begin() as connection:
                results = [job.work(connection) for job in jobs]
        except SQLAlchemyError as problem:
            if len(jobs) == 1:
                _tell(jobs, [problem])
                return
            for job in jobs:  # nothing was written; who of them is at fault must not harm the others
                self._carry_out([job])
        else:
            _tell(jobs, results)


def _tell(jobs: Sequence[_Job], results: Sequence[Any]) -> None:
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
