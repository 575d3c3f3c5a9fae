"""What an engine is: whoever has many games to play cuts them into tasks, and an engine does those.

    with open_engine("local") as engine:
        effort = engine.work_off(job, tasks, finish)

A *job* says how tasks are done. It is pickled and sent to where the work is done, and opened there once for
each thread or process, which then does task after task. Tasks are handed out in order, but finish in any;
what a task gives must depend on the task alone, so that the sum is the same everywhere. `finish` is called
here, for one task at a time, and never interrupted by Ctrl-C.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from math import ceil
from typing import Protocol, TypeVar

_PORTIONS = 4  # at least so many tasks for each worker, so that all end at about the same time

Task = TypeVar("Task")
Done = TypeVar("Done")
Done_co = TypeVar("Done_co", covariant=True)
Task_contra = TypeVar("Task_contra", contravariant=True)
Finish = Callable[[Task, Done], None]
Look = Callable[[], bool]  # shows how far it is; whether that is enough


class Job(Protocol[Task_contra, Done_co]):
    """How tasks are done. It can be pickled, since they may be done on another machine."""

    def prepare(self) -> None:
        """Do what a process must do once, such as compiling."""

    def open(self, stop: threading.Event) -> AbstractContextManager[Callable[[Task_contra], Done_co | None]]:
        """What does one task after another, on one thread.

        A long task may ask `stop` whether anybody still waits for it; who gives it up for that returns None.
        """


@dataclass(frozen=True)
class Effort:
    """What it took to work off the tasks.

    >>> print(Effort(2.0, lost_workers=1, played_again=3).losses)
    1 worker was lost, 3 chunks were played again.
    """

    seconds: float  # from the first task handed out to the last one finished
    interrupted: bool = False  # by Ctrl-C; what was finished counts
    lost_workers: int = 0
    played_again: int = 0

    @property
    def losses(self) -> str:
        """What was lost on the way and made good, in a sentence; empty where nothing was."""
        parts = []
        if self.lost_workers:
            parts.append(_counted(self.lost_workers, "worker", "lost"))
        if self.played_again:
            parts.append(_counted(self.played_again, "chunk", "played again"))
        return f"{', '.join(parts)}." if parts else ""


def _counted(number: int, thing: str, happened: str) -> str:
    return f"{number} {thing} was {happened}" if number == 1 else f"{number} {thing}s were {happened}"


class Engine(Protocol):
    """Works off tasks."""

    name: str
    games_at_once: int  # of bots that follow rules: so many are worth a task

    @property
    def workers(self) -> int:
        """How many tasks are done at the same time, when each takes one core."""

    def work_off(
        self,
        job: Job[Task, Done],
        tasks: Iterator[Task],
        finish: Finish[Task, Done],
        look: Look = lambda: False,
        cores: int = 1,
    ) -> Effort:
        """Do all tasks, or stop when `look`, which is asked all the time, finds that it is enough.

        A worker takes so many cores. What goes wrong in a task is raised here, and stops everything.
        """


def portion(engine: Engine, games: int) -> int:
    """How many games to put into a task: as many as are worth it, but some tasks for every worker.

    >>> from dicetown.arena.engines import LocalEngine
    >>> portion(LocalEngine(2), 1_000_000), portion(LocalEngine(2), 80)
    (256, 10)
    """
    return max(1, min(engine.games_at_once, ceil(games / (_PORTIONS * engine.workers))))
