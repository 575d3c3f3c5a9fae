"""Worker processes: whatever takes longer than a moment is done in one, never in the event loop.

A worker does one task at a time. The event loop itself writes tasks into its pipe and reads the answers:
that takes a tenth of the time which a pool's threads and queues would take away from everybody. Tasks that
wait are done in turn, the urgent ones first and then one for each who asks. What nobody waits for any longer
is not begun, and broken off if it is under way and takes long.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import pickle
import signal
import socket
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from multiprocessing import resource_tracker
from typing import Any, ParamSpec, TypeVar

from dicetown.errors import DicetownError
from dicetown.server.common.fair_line import Asker, Capacity, RankedLines
from dicetown.server.workers.pipes import Pipe, hear, tell

_Arguments = ParamSpec("_Arguments")
_Answer = TypeVar("_Answer")

#: Says how far a task is: done, of how many; nothing of nothing while it has not told.
HowFar = Callable[[], tuple[int, int]]
#: Seconds in which a task that nobody waits for any longer may end by itself: to end its process would cost
#: the next task the start of another.
_LEFT_ALONE = 3.0


class WorkFailed(DicetownError):
    """A task that was not done: it was refused, took too long, or its process ended."""


class WorkLost(WorkFailed):
    """A task that took too long, or whose process ended: elsewhere it may be done all the same."""


class TooMuchToDo(WorkFailed):
    """A task that was not taken on: so many wait already."""


@dataclass(frozen=True, slots=True)
class Errand:
    """For whom something is done, and how long it may take once it is begun."""

    asker: Asker
    seconds: float
    first: float = 0.0  # seconds, if more, of a process that has done nothing yet
    rank: int = 0  # the lowest are done first
    begun: Callable[[HowFar], None] = lambda how_far: None


@dataclass(eq=False, slots=True)
class _Task:
    """Something to do, and who waits for it."""

    work: bytes
    errand: Errand
    answer: asyncio.Future[Any]


class _Worker:
    """A process, and the task it is at."""

    def __init__(self, process: Any, end: socket.socket, board: Any, workers: Workers) -> None:
        self.process = process
        self.pipe = Pipe(end, partial(workers._take, self), partial(workers._dismiss, self, _ENDED))
        self.board = board  # what both sides see while the task is under way
        self.task: _Task | None = None
        self.answered = 0
        self.alarm: asyncio.TimerHandle | None = None

    def how_far(self, task: _Task) -> tuple[int, int]:
        """How far a task is, as far as it has told."""
        return (self.board[_DONE], self.board[_TOTAL]) if self.task is task else (0, 0)


class Workers:
    """Some processes that do tasks; they start when there are tasks for them."""

    def __init__(self, size: int, *rooms: Capacity, niceness: int = 0) -> None:
        self._size = size
        self._niceness = niceness
        # Spawned, not forked: a fork would copy a running event loop, its threads and its sockets.
        self._context = multiprocessing.get_context("spawn")
        self._workers: list[_Worker] = []
        self._starting: set[asyncio.Task[None]] = set()
        self._line: RankedLines[_Task] = RankedLines(rooms)
        self._closed = False
        self.answered = 0

    async def do(
        self,
        errand: Errand,
        task: Callable[_Arguments, _Answer],
        *arguments: _Arguments.args,
        **named: _Arguments.kwargs,
    ) -> _Answer:
        """Let a task be done when its turn has come."""
        if self._closed:
            raise WorkLost(_ENDED)
        if not self._line.has_room(errand.rank, errand.asker):
            raise TooMuchToDo("So much waits already that this was not begun.")
        work = pickle.dumps((task, arguments, named), pickle.HIGHEST_PROTOCOL)
        waiting = _Task(work, errand, asyncio.get_running_loop().create_future())
        self._line.join(errand.rank, errand.asker, waiting)
        self._hand_out()
        try:
            answer: _Answer = await waiting.answer
        except asyncio.CancelledError:
            self._break_off(waiting)
            raise
        finally:
            self._line.leave(errand.rank, errand.asker, waiting)  # who gives up makes room for others
        return answer

    @property
    def waiting(self) -> int:
        """How many tasks are not begun yet."""
        return len(self._line)

    def waiting_at(self, rank: int) -> int:
        """How many of them are of a rank."""
        return self._line.waiting(rank)

    def start(self) -> None:
        """Start a process before somebody waits for it."""
        self._begin_worker()

    # ---------------------------------------------------------------- giving, taking

    def _hand_out(self) -> None:
        """Give tasks to those who have none; if all have, more are started, as far as there may be more."""
        for worker in list(self._workers):
            if worker.task is None and (task := self._next()) is not None:
                self._give(worker, task)
        if self._line and len(self._workers) + len(self._starting) < self._size:
            self._begin_worker()

    def _next(self) -> _Task | None:
        while (task := self._line.next()) is not None:
            if not task.answer.done():  # else nobody waits for it any more
                return task
        return None

    def _give(self, worker: _Worker, task: _Task) -> None:
        worker.task = task
        errand = task.errand
        seconds = errand.seconds if worker.answered else max(errand.seconds, errand.first)
        late = f"It took longer than {seconds:g} s."
        worker.alarm = asyncio.get_running_loop().call_later(seconds, self._dismiss, worker, late)
        worker.board[:] = 0, 0, True
        errand.begun(partial(worker.how_far, task))
        worker.pipe.send(task.work)

    def _take(self, worker: _Worker, message: bytes) -> None:
        """A worker has answered."""
        done, answer = pickle.loads(message)
        task = worker.task
        self._rest(worker)
        if task is not None and not task.answer.done():
            if done:
                task.answer.set_result(answer)
            else:
                task.answer.set_exception(WorkFailed(answer))
        worker.answered += done
        self.answered += done
        self._hand_out()

    def _break_off(self, task: _Task) -> None:
        """Nobody waits for a task: if it is under way, it hears of that, or else its process ends soon.

        A process that has done nothing yet may be compiling what all others need: that one is left alone.
        """
        for worker in self._workers:
            if worker.task is task:
                worker.board[_WANTED] = False
                if worker.answered and worker.alarm is not None:
                    worker.alarm.cancel()
                    loop = asyncio.get_running_loop()
                    worker.alarm = loop.call_later(_LEFT_ALONE, self._dismiss, worker, _UNWANTED)

    def _rest(self, worker: _Worker) -> None:
        worker.task = None
        if worker.alarm is not None:
            worker.alarm.cancel()
            worker.alarm = None

    # ----------------------------------------------------------------- coming, going

    def _begin_worker(self) -> None:
        task = asyncio.create_task(self._hire())
        self._starting.add(task)
        task.add_done_callback(self._hired)

    async def _hire(self) -> None:
        """Start a process; that takes a moment, so not in the event loop."""
        ours, theirs = socket.socketpair()
        board = self._context.RawArray("i", 3)
        arguments = (theirs, self._niceness, list(sys.path), board)
        process = self._context.Process(target=_work, args=arguments, daemon=True)
        await asyncio.to_thread(_start, process)
        theirs.close()
        worker = _Worker(process, ours, board, self)
        if self._closed:
            _end(worker)
            return
        self._workers.append(worker)
        self._hand_out()

    def _hired(self, task: asyncio.Task[None]) -> None:
        self._starting.discard(task)
        if not task.cancelled() and (problem := task.exception()) is not None:
            self._give_up(f"No process could be started: {problem}")

    def _give_up(self, why: str) -> None:
        """Disappoint all who wait."""
        while (task := self._next()) is not None:
            task.answer.set_exception(WorkLost(why))

    def _dismiss(self, worker: _Worker, why: str) -> None:
        """End a process that hangs or has ended; its task is not done, and others get a new process."""
        task = worker.task
        self._rest(worker)
        self._workers.remove(worker)
        _end(worker)
        if task is not None and not task.answer.done():
            task.answer.set_exception(WorkLost(why))
        self._hand_out()

    def close(self) -> None:
        """End the processes, whatever they do."""
        self._closed = True
        self._give_up(_ENDED)
        while self._workers:
            self._dismiss(self._workers[-1], _ENDED)


_ENDED = "The process that did it ended."
_UNWANTED = "Nobody waits for it any longer."
#: What stands where on a board.
_DONE, _TOTAL, _WANTED = range(3)


def _start(process: Any) -> None:
    """Start a process that does not hear Ctrl-C, not even before it comes to work: that is the service's."""
    resource_tracker.ensure_running()  # it would start with the first process, and let the signal through
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})  # what is blocked now stays blocked
    try:
        process.start()
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _end(worker: _Worker) -> None:
    worker.process.kill()
    worker.process.join()
    worker.process.close()
    worker.pipe.close()


# ---------------------------------------------------------------------- in the process

_board: Any = None


def tell_progress(done: int, total: int) -> None:
    """Let those who wait for the task know how far it is; if nobody does any longer, it is broken off."""
    if not _board[_WANTED]:
        raise WorkFailed(_UNWANTED)
    _board[_DONE], _board[_TOTAL] = done, total


def _work(pipe: socket.socket, niceness: int, path: list[str], board: Any) -> None:
    """Do tasks, one after the other. What cannot be answered in a sentence ends the process."""
    global _board  # noqa: PLW0603 - what a process is born with
    _board = board
    sys.path[:] = path
    with suppress(OSError, AttributeError):
        os.nice(niceness)  # people who wait for a click to be answered go before bots that think
    threading.Thread(target=_end_with_parent, daemon=True).start()
    while (work := hear(pipe)) is not None:
        task, arguments, named = pickle.loads(work)
        try:
            answer = True, task(*arguments, **named)
        except DicetownError as problem:
            answer = False, str(problem)
        with suppress(ConnectionError):  # nobody is there to be answered, which the next look tells
            tell(pipe, pickle.dumps(answer, pickle.HIGHEST_PROTOCOL))


def _end_with_parent() -> None:
    """However the service ends, also by kill -9, no worker stays behind."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(0)
