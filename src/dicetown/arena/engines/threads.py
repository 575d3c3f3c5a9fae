"""Threads that work off a list of tasks, and one that looks on.

The thread that waits only looks on, so that Ctrl-C, which arrives there, never finds anything half done.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from functools import partial
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


def look_on(
    shifts: Sequence[Callable[[], None]],
    look: Callable[[], bool],
    stop: threading.Event,
    finishing: threading.Lock,
) -> bool:
    """Run each shift on a thread of its own until all end; whether somebody interrupted.

    `look` is asked all the time, while nobody is `finishing` a task. When it finds that it is enough, when
    a shift fails, or after Ctrl-C, `stop` is set, and the shifts are to end.
    """
    interrupted = False
    with ThreadPoolExecutor(len(shifts)) as pool:
        running = [pool.submit(shift) for shift in shifts]
        pending = set(running)
        try:
            while pending:
                ended, pending = wait(pending, timeout=LOOK_EVERY)
                with finishing:
                    enough = look()
                if enough or any(shift.exception() for shift in ended):
                    stop.set()
        except KeyboardInterrupt:
            interrupted = True
        finally:
            stop.set()
    for shift in running:
        shift.result()  # what went wrong there is raised here
    return interrupted


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
        shifts = [partial(self._work, worker) for worker in self._workers]
        return look_on(shifts, look, self._stop, self._finishing)

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
