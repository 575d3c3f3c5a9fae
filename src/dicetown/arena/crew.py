"""Threads that work off a list of tasks, and one that looks on.

The thread that waits only looks on, so that Ctrl-C, which arrives there, never finds anything half done.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import Generic, Protocol, TypeVar

LOOK_EVERY = 0.05  # seconds

Task = TypeVar("Task")
Task_contra = TypeVar("Task_contra", contravariant=True)
Done = TypeVar("Done")
Done_co = TypeVar("Done_co", covariant=True)


class Worker(Protocol[Task_contra, Done_co]):
    """Does one task after another, on one thread."""

    def work(self, task: Task_contra) -> Done_co | None:
        """Do a task; None if it was given up because all stops."""

    def close(self) -> None:
        """Let go of everything."""


class Crew(Generic[Task, Done]):
    """Workers that share one list of tasks, in order."""

    def __init__(
        self,
        workers: Sequence[Worker[Task, Done]],
        tasks: Iterator[Task],
        finish: Callable[[Task, Done], None],
        stop: threading.Event,
    ) -> None:
        self._workers, self._tasks, self._finish = workers, tasks, finish
        self._stop = stop
        self._taking, self._finishing = threading.Lock(), threading.Lock()

    def run(self, look: Callable[[], bool]) -> bool:
        """Work until all is done, or `look` finds that it is enough; whether somebody interrupted."""
        interrupted = False
        with ThreadPoolExecutor(len(self._workers)) as pool:
            shifts = [pool.submit(self._work, worker) for worker in self._workers]
            try:
                self._look_on(shifts, look)
            except KeyboardInterrupt:
                interrupted = True
            finally:
                self._stop.set()
        for shift in shifts:
            shift.result()  # what went wrong there is raised here
        return interrupted

    def _look_on(self, shifts: Sequence[Future[None]], look: Callable[[], bool]) -> None:
        pending = set(shifts)
        while pending:
            ended, pending = wait(pending, timeout=LOOK_EVERY)
            if any(shift.exception() for shift in ended) or self._ask(look):
                self._stop.set()

    def _ask(self, look: Callable[[], bool]) -> bool:
        with self._finishing:
            return look()

    def _work(self, worker: Worker[Task, Done]) -> None:
        try:
            while not self._stop.is_set():
                with self._taking:
                    task = next(self._tasks, None)
                if task is None or (done := worker.work(task)) is None:
                    return
                with self._finishing:
                    self._finish(task, done)
        finally:
            worker.close()
