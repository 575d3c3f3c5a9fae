"""Worker processes: whatever takes longer than a moment is done in one, never in the event loop."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from typing import Any, ParamSpec, TypeVar

from dicetown.errors import DicetownError

_Arguments = ParamSpec("_Arguments")
_Answer = TypeVar("_Answer")
_ATTEMPTS = 2


class WorkFailed(DicetownError):
    """A task that was not done: its process ended, it took too long, or it raised something."""


class Workers:
    """Some processes that do tasks; they start when the first task comes."""

    def __init__(self, size: int, niceness: int = 0) -> None:
        self._size = size
        self._niceness = niceness
        # Spawned, not forked: a fork would copy a running event loop, its threads and its sockets.
        self._context = multiprocessing.get_context("spawn")
        self._progress = self._context.RawArray("i", 2)
        self._pool: ProcessPoolExecutor | None = None
        self.waiting = 0  # tasks that have not been answered
        self.answered = 0

    async def do(
        self,
        seconds: float,
        task: Callable[_Arguments, _Answer],
        *arguments: _Arguments.args,
        **named: _Arguments.kwargs,
    ) -> _Answer:
        """Let a task be done within so many seconds."""
        self.waiting += 1
        try:
            for _ in range(_ATTEMPTS):
                with suppress(BrokenProcessPool):  # perhaps by another task; it gets a second chance
                    answer: _Answer = await self._try(seconds, task, *arguments, **named)
                    return answer
        finally:
            self.waiting -= 1
        raise WorkFailed("The process that did it ended.")

    async def _try(self, seconds: float, task: Any, *arguments: Any, **named: Any) -> Any:
        pool = self._open()
        try:
            future = asyncio.wrap_future(pool.submit(task, *arguments, **named))
        except BrokenProcessPool:
            self._drop(pool)
            raise
        future.add_done_callback(_look_at)  # also if nobody waits for it any more
        done, _ = await asyncio.wait({future}, timeout=seconds)
        if not done:
            future.cancel()
            self._drop(pool)
            raise WorkFailed(f"It took longer than {seconds:g} s.")
        problem = future.exception()
        if isinstance(problem, BrokenProcessPool):
            self._drop(pool)
            raise problem
        if problem is not None:
            raise WorkFailed(f"{type(problem).__name__}: {problem}") from problem
        self.answered += 1
        return future.result()

    @property
    def progress(self) -> tuple[int, int]:
        """How far the task under way is, if there is one process and the task tells it: done, of how many."""
        return self._progress[0], self._progress[1]

    def forget_progress(self) -> None:
        """Another task begins."""
        self._progress[:] = 0, 0

    def start(self) -> None:
        """Start a process before somebody waits for it."""
        self._open().submit(_do_nothing)

    def _open(self) -> ProcessPoolExecutor:
        if self._pool is None:
            self._pool = ProcessPoolExecutor(
                self._size,
                self._context,
                initializer=_begin,
                initargs=(self._niceness, list(sys.path), self._progress),
            )
        return self._pool

    def _drop(self, pool: ProcessPoolExecutor) -> None:
        """End a pool whose processes are broken or hang; the next task gets a new one."""
        if pool is self._pool:
            self._pool = None
        _end(pool)

    def close(self) -> None:
        """End the processes, whatever they do."""
        if self._pool is not None:
            _end(self._pool)
            self._pool = None


def _look_at(future: asyncio.Future[Any]) -> None:
    if not future.cancelled():
        future.exception()


def _end(pool: ProcessPoolExecutor) -> None:
    processes = list((pool._processes or {}).values())
    pool.shutdown(wait=False, cancel_futures=True)
    for process in processes:
        process.kill()
    for process in processes:
        process.join()


# ---------------------------------------------------------------------- in the process


_shared: Any = None


def tell_progress(done: int, total: int) -> None:
    """Let those who wait for the task know how far it is."""
    _shared[:] = done, total


def _begin(niceness: int, path: list[str], progress: Any) -> None:
    """Make a process of the service ready for its first task."""
    global _shared  # noqa: PLW0603 - what a process is born with
    _shared = progress
    sys.path[:] = path
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the service, which ends its workers
    with suppress(OSError, AttributeError):
        os.nice(niceness)  # people who wait for a click to be answered go before bots that think
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _do_nothing() -> None:
    pass


def _end_with_parent() -> None:
    """However the service ends, also by kill -9, no worker stays behind."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(0)
