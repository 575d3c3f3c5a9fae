"""Where games are played: on the threads of this machine, or on a cluster of many.

Whoever has many games to play cuts them into tasks and hands those to an engine:

    with open_engine("local") as engine:
        effort = engine.work_off(venue, tasks, finish)

A *venue* says how a worker is set up. It is pickled and sent to where the work is done, opens one worker for
each thread or process there, and each worker does task after task. Tasks are handed out in order, but finish
in any; what a task gives must depend on the task alone, so that the sum is the same everywhere. `finish` is
called here, for one task at a time, and never interrupted by Ctrl-C.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from math import ceil
from typing import Protocol, TypeVar

from dicetown.arena.engines.threads import Crew, Worker
from dicetown.cores import usable_cores
from dicetown.errors import ArenaError, RulesetError

LOCAL = "local"
RAY = "ray"
ENGINES = (LOCAL, RAY)
#: Games of bots that follow rules in one task of the local engine: some milliseconds between two looks.
LOCAL_GAMES = 256
_PORTIONS = 4  # at least so many tasks for each worker, so that all end at about the same time

Task = TypeVar("Task")
Done = TypeVar("Done")
Done_co = TypeVar("Done_co", covariant=True)
Task_contra = TypeVar("Task_contra", contravariant=True)
Finish = Callable[[Task, Done], None]
Where = tuple[str, int | None, str | None]  # which engine, how many workers, the address of a cluster
Look = Callable[[], bool]  # shows how far it is; whether that is enough


class Venue(Protocol[Task_contra, Done_co]):
    """How workers are set up. It can be pickled, since they may sit on another machine."""

    def prepare(self) -> None:
        """Do what a process must do once, such as compiling."""

    def open(self, stop: threading.Event) -> Worker[Task_contra, Done_co]:
        """A worker for one thread. A long task may ask `stop` whether anybody still waits for it."""


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
        venue: Venue[Task, Done],
        tasks: Iterator[Task],
        finish: Finish[Task, Done],
        look: Look = lambda: False,
        cores: int = 1,
    ) -> Effort:
        """Do all tasks, or stop when `look`, which is asked all the time, finds that it is enough.

        A worker takes so many cores. What goes wrong in a task is raised here, and stops everything.
        """


class LocalEngine:
    """The threads of this process. They play in compiled code, and so really at once."""

    name = LOCAL
    games_at_once = LOCAL_GAMES

    def __init__(self, threads: int | None = None) -> None:
        self.workers = usable_cores() if threads is None else _check_workers(threads)

    def work_off(
        self,
        venue: Venue[Task, Done],
        tasks: Iterator[Task],
        finish: Finish[Task, Done],
        look: Look = lambda: False,
        cores: int = 1,
    ) -> Effort:
        """Do all tasks; see :class:`Engine`."""
        venue.prepare()
        stop = threading.Event()
        begun = finished = time.perf_counter()

        def finish_in_time(task: Task, done: Done) -> None:
            nonlocal finished
            finish(task, done)
            finished = time.perf_counter()

        workers = [venue.open(stop) for _ in range(max(1, self.workers // cores))]
        interrupted = Crew(workers, tasks, finish_in_time, stop).run(look)
        return Effort(finished - begun, interrupted)


@contextmanager
def open_engine(
    name: str = LOCAL, workers: int | None = None, address: str | None = None
) -> Iterator[Engine]:
    """The engine of a name, for as long as it is needed.

    `workers` is how many threads, or processes of a cluster, work at most; else one for each core. `address`
    is where a cluster is; else the one that ``RAY_ADDRESS`` names or that runs on this machine, and where
    there is none, one is started for the time being.

    >>> with open_engine("local", workers=2) as engine:
    ...     engine.workers
    2
    """
    if name not in ENGINES:
        raise ArenaError(f'There is no engine "{name}"; choose one of {", ".join(ENGINES)}.')
    if name == LOCAL:
        if address is not None:
            raise ArenaError("An address of a cluster is for the engine ray: --engine ray.")
        yield LocalEngine(workers)
        return
    from dicetown.arena.engines.ray_engine import connect

    with connect(address, None if workers is None else _check_workers(workers)) as engine:
        yield engine


def portion(engine: Engine, games: int) -> int:
    """How many games to put into a task: as many as are worth it, but some tasks for every worker.

    >>> portion(LocalEngine(2), 1_000_000), portion(LocalEngine(2), 80)
    (256, 10)
    """
    return max(1, min(engine.games_at_once, ceil(games / (_PORTIONS * engine.workers))))


def _check_workers(number: int) -> int:
    if number < 1:
        raise RulesetError(f"The number of threads is {number}; it must be at least 1.")
    return number
