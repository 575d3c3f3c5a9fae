"""The engine local: tasks are done by threads of this process, and the one that waits only looks on.

So Ctrl-C, which arrives there, never finds anything half done.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait

from dicetown.arena.engines.engine import Done, Effort, Finish, Job, Look, Task
from dicetown.cores import usable_cores
from dicetown.errors import RulesetError

LOCAL = "local"
#: Games of bots that follow rules in one task: some milliseconds between two looks.
LOCAL_GAMES = 256
LOOK_EVERY = 0.05  # seconds


class LocalEngine:
    """The threads of this process. They play in compiled code, and so really at once."""

    name = LOCAL
    games_at_once = LOCAL_GAMES

    def __init__(self, threads: int | None = None) -> None:
        self.workers = usable_cores() if threads is None else check_workers(threads)

    def work_off(
        self,
        job: Job[Task, Done],
        tasks: Iterator[Task],
        finish: Finish[Task, Done],
        look: Look = lambda: False,
        cores: int = 1,
    ) -> Effort:
        """Do all tasks; see :class:`~dicetown.arena.engines.engine.Engine`."""
        job.prepare()
        stop, taking, finishing = threading.Event(), threading.Lock(), threading.Lock()
        begun = finished = time.perf_counter()

        def shift() -> None:
            nonlocal finished
            with job.open(stop) as work:
                while not stop.is_set():
                    with taking:
                        task = next(tasks, None)
                    if task is None or (done := work(task)) is None:
                        return
                    with finishing:
                        finish(task, done)
                        finished = time.perf_counter()

        interrupted = look_on([shift] * max(1, self.workers // cores), look, stop, finishing)
        return Effort(finished - begun, interrupted)


def check_workers(number: int) -> int:
    """The number of threads or processes that is asked for, if it is one."""
    if number < 1:
        raise RulesetError(f"The number of threads is {number}; it must be at least 1.")
    return number


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
