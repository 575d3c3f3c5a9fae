"""The one thread that writes to the database.

Everything that wants to be written while a commit is under way waits for it together and goes into the
next one: a commit costs a few milliseconds of waiting for the disk, whether it holds one action or fifty.

A commit can end in three ways: it is done, it certainly is not, or its answer is lost. Then the database is
asked before anybody is told anything: "not stored" is said only of what is not stored.
"""

from __future__ import annotations

import asyncio
import queue
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Generic, TypeVar

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as TookTooLong

from dicetown.errors import DicetownError
from dicetown.server.common.settings import Timeouts
from dicetown.server.store.contact import Contact, blames_the_database

_Work = TypeVar("_Work")
#: Why some works were not done, by their places among those that were to be; all others were.
Failures = Mapping[int, Exception]
#: Does some works in one transaction, in order.
Do = Callable[[Connection, Sequence[_Work]], Failures]
#: Done when nothing has been written for a while.
Rest = Callable[[Connection], None]
#: Told after each commit: how many works it held, and how long it took.
Watch = Callable[[int, float], None]
_MOST_AT_ONCE = 256
_FIRST_PAUSE = 0.05  # seconds before a lost commit is looked for once more; each further one is twice as long
_IDLE = 1.0  # seconds without anything to write; then a database that was lost is looked for


class Unclear(DicetownError):
    """Nobody could find out in time whether something was stored."""


class _CommitLost(Exception):
    """A commit was sent, and its answer did not come."""


@dataclass(slots=True, eq=False)
class _Job(Generic[_Work]):
    work: _Work
    loop: asyncio.AbstractEventLoop
    done: asyncio.Future[None]


class Writer(Generic[_Work]):
    """Does works in order, many to a transaction, and says when they are safe.

    ``do_missing`` does those of some works that the database does not hold already.
    """

    def __init__(
        self,
        engine: Engine,
        do: Do[_Work],
        do_missing: Do[_Work],
        rest: Rest,
        watch: Watch,
        timeouts: Timeouts,
        contact: Contact,
    ) -> None:
        self._engine = engine
        self._do = do
        self._do_missing = do_missing
        self._rest = rest
        self._watch = watch
        self._timeouts = timeouts
        self._contact = contact
        self._loop: asyncio.AbstractEventLoop | None = None  # that we were last asked from
        self._connection: Connection | None = None  # kept, for each commit to be short
        self._wrote = False  # since the last rest
        self._jobs: queue.SimpleQueue[_Job[_Work] | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="writer", daemon=True)
        self._thread.start()

    def write(self, work: _Work) -> asyncio.Future[None]:
        """Let a work be done; the future is done once it is on the disk."""
        loop = self._loop
        if loop is None or not loop.is_running():  # to ask which one runs is a system call, in Python 3.11
            loop = self._loop = asyncio.get_running_loop()
        job = _Job(work, loop, loop.create_future())
        self._jobs.put(job)
        return job.done

    @property
    def waiting(self) -> int:
        """How many works wait for a commit; those of the commit under way do not."""
        return self._jobs.qsize()

    def close(self) -> None:
        """Finish what waits, and end; who does not get done in time is left behind."""
        self._jobs.put(None)
        self._thread.join(self._timeouts.farewell)
        if self._thread.is_alive():
            self._timeouts.end()
            self._thread.join(_IDLE)

    # ------------------------------------------------------------------ in the thread

    def _run(self) -> None:
        while (first := self._next()) is not None:
            jobs, ends = self._gather(first)
            began = time.perf_counter()
            self._carry_out(jobs)
            self._watch(len(jobs), time.perf_counter() - began)
            if ends:
                break
        self._cut()

    def _next(self) -> _Job[_Work] | None:
        """The next job, or the end; a database that is lost is looked for, whether anybody writes or not."""
        while True:
            try:
                has_rested = not self._wrote and not self._contact.is_lost
                return self._jobs.get(timeout=None if has_rested else _IDLE)
            except queue.Empty:
                if self._contact.is_lost:
                    self._carry_out([])
                else:
                    self._have_a_rest()

    def _have_a_rest(self) -> None:
        self._wrote = False
        if self._connection is None:
            return
        try:
            self._rest(self._connection)
            self._connection.rollback()  # it has not begun anything that should be kept
        except SQLAlchemyError:
            self._hang_up()

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
        was_kept = self._connection is not None
        try:
            failures = self._transact(self._do, jobs)
        except _CommitLost:
            self._settle(jobs)
        except Exception as problem:  # whatever it is: who waits is told, and the thread goes on
            # Nothing was committed, so it may be tried again: over a new connection, where the kept one
            # was dead; and else one by one, for who of them is at fault must not harm the others.
            if was_kept and _is_cut(problem) and not self._timeouts.are_over:
                self._carry_out(jobs)
            elif blames_the_database(problem):
                if not self._timeouts.are_over:
                    self._contact.lost("write", problem)
                _tell(jobs, problem)
            elif len(jobs) == 1:
                _tell(jobs, problem)
            else:
                for job in jobs:
                    self._carry_out([job])
        else:
            _tell_each(jobs, failures)

    def _settle(self, jobs: Sequence[_Job[_Work]]) -> None:
        """Find out what became of a commit: what is not there is done again."""
        ends = time.monotonic() + self._timeouts.settle
        pause = _FIRST_PAUSE
        while True:
            try:
                return _tell_each(jobs, self._transact(self._do_missing, jobs))
            except _CommitLost:
                pass
            except Exception as problem:  # as above
                if not blames_the_database(problem):
                    return self._settle_each(jobs, problem)
            if time.monotonic() + pause > ends or self._timeouts.are_over:
                self._contact.was_unclear()
                return _tell(jobs, Unclear("It is not certain whether this was stored."))
            self._timeouts.pause(pause)
            pause *= 2

    def _settle_each(self, jobs: Sequence[_Job[_Work]], problem: Exception) -> None:
        """One of them cannot be done, so none of them was."""
        if len(jobs) == 1:
            return _tell(jobs, problem)
        for job in jobs:
            self._settle([job])

    def _transact(self, do: Do[_Work], jobs: Sequence[_Job[_Work]]) -> Failures:
        try:
            if self._connection is None:
                self._connection = self._engine.connect()
            if self._timeouts.are_over:  # and whoever has waited for this has gone
                raise TookTooLong("The service ends.")
            transaction = self._connection.begin()
            failures = do(self._connection, [job.work for job in jobs])
        except BaseException:
            self._hang_up()
            raise
        try:
            transaction.commit()
        except SQLAlchemyError as problem:
            self._contact.lost("write", problem)
            self._cut()
            raise _CommitLost from problem
        self._contact.found("write")
        self._wrote = True
        return failures

    def _hang_up(self) -> None:
        """Begin anew after a mistake: the database may have been away."""
        if self._connection is not None:
            with suppress(SQLAlchemyError):  # it is gone, whatever it says to that
                self._connection.close()
            self._connection = None

    def _cut(self) -> None:
        """Let nobody use the connection again, of which nobody may know what it still does."""
        if self._connection is not None:
            self._connection.invalidate()
        self._hang_up()


def _is_cut(problem: Exception) -> bool:
    return isinstance(problem, DBAPIError) and problem.connection_invalidated


def _tell_each(jobs: Sequence[_Job[_Work]], failures: Failures) -> None:
    """Tell those who wait that it is done, but for some."""
    _tell([job for place, job in enumerate(jobs) if place not in failures])
    for place, problem in failures.items():
        _tell([jobs[place]], problem)


def _tell(jobs: Sequence[_Job[_Work]], problem: Exception | None = None) -> None:
    """Wake those who wait: in their event loop, and with one call for all of them."""

    def wake() -> None:
        for job in jobs:
            if job.done.done():  # given up in the meantime
                continue
            if problem is not None:
                job.done.set_exception(problem)
            else:
                job.done.set_result(None)

    if jobs and not jobs[0].loop.is_closed():
        jobs[0].loop.call_soon_threadsafe(wake)
