"""The engine ray: tasks are done by the processes of a Ray cluster, on one machine or many.

Ray finds a free core somewhere, runs a task there and brings back what it gave. It could also repeat what was
lost with a machine, but would not tell; so that is done here, and counted. Only some tasks more than there
are cores are with Ray at any time: results never pile up, and a machine that joins finds something to do.
"""

from __future__ import annotations

import logging
import os
import pickle
import re
import signal
import socket
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from math import ceil
from types import ModuleType
from typing import Any, Generic

from dicetown.arena.engines.engine import Done, Effort, Finish, Job, Look, Task
from dicetown.arena.engines.local_engine import LOOK_EVERY, look_on
from dicetown.arena.engines.ray_worker import this_code
from dicetown.cores import usable_cores
from dicetown.errors import ArenaError, DicetownError
from dicetown.extras import need

RAY = "ray"
#: Games of bots that follow rules in one task: some tenths of a second, beside which a message is nothing.
RAY_GAMES = 16_384
TRIES = 5  # for a task that is lost with its worker again and again; perhaps it is what ends the worker
_COUNT_EVERY = 1.0  # seconds between two looks at how many machines there are
_PATIENCE = 5.0  # seconds until a machine must have answered
_TRIES_TO_JOIN = "RAY_gcs_server_port_wait_time_s"
_AHEAD = 2  # tasks for each core: one that runs, and one to go on with


@contextmanager
def connect(address: str | None, workers: int | None) -> Iterator[RayEngine]:
    """The engine of the cluster at an address, or of the one that is found or started.

    Where this process is part of a cluster already, that one it is.
    """
    os.environ.setdefault("RAY_DEDUP_LOGS_SKIP_REGEX", ".")  # or Ray would print among the figures
    (ray,) = need("ray", "ray", what="The engine ray")
    if ray.is_initialized():
        yield RayEngine(ray, workers)
        return
    with _kept_signals():
        _join(ray, _find(ray, address), workers)
    try:
        yield RayEngine(ray, workers)
    finally:
        ray.shutdown()


def _join(ray: ModuleType, cluster: str | None, workers: int | None) -> None:
    """Become a part of a cluster, or of a new one on this machine."""
    quiet: dict[str, Any] = {"log_to_driver": False, "logging_level": logging.CRITICAL}
    if cluster is None:
        _start(ray, num_cpus=workers or usable_cores(), include_dashboard=False, **quiet)
        return
    try:
        with _asking_once():
            ray.init(cluster, **quiet)
    except (ConnectionError, RuntimeError, ray.exceptions.RayError) as problem:
        where = "of this machine" if cluster == "auto" else f"at {cluster}"
        raise ArenaError(
            f"The Ray cluster {where} cannot be joined; that takes the same Ray and Python on all machines, "
            f"and RAY_AUTH_MODE=token where it has a token ({_first_sentence(problem)})."
        ) from None


def _start(ray: ModuleType, **options: Any) -> None:
    """Start a cluster on this machine, which ends with the engine."""
    try:
        ray.init("local", **options)
    except OSError as problem:
        raise ArenaError(
            f"Ray cannot be started here ({_first_sentence(problem)}); its folder for sockets and logs must "
            "be writable and have a short path: RAY_TMPDIR names another."
        ) from None


def _find(ray: ModuleType, address: str | None) -> str | None:
    """Where the cluster is that is named, or that was started on this machine; None if there is none."""
    named = address or os.environ.get("RAY_ADDRESS") or "auto"
    if named == "local":
        return None
    if named == "auto":
        found: str | None = ray._private.services.canonicalize_bootstrap_address(None)
        return "auto" if found and _answers(found) else None  # Ray leaves notes of clusters that are gone
    if not re.fullmatch(r"[^/]+:\d+", named):
        raise ArenaError(f'"{named}" is no address of a cluster; it reads like 10.0.0.1:6379.')
    if not _answers(named):
        raise ArenaError(f"No Ray cluster answers at {named}; ray start --head starts one and says where.")
    return named


def _answers(address: str) -> bool:
    """Whether anybody is there. Ray itself would ask for minutes."""
    host, _, port = address.rpartition(":")
    try:
        socket.create_connection((host.strip("[]"), int(port)), timeout=_PATIENCE).close()
    except (OSError, OverflowError):
        return False
    return True


@contextmanager
def _asking_once() -> Iterator[None]:
    """Whoever answers, but is no Ray cluster, is asked for half a minute, not twenty times that."""
    before = os.environ.get(_TRIES_TO_JOIN)
    os.environ.setdefault(_TRIES_TO_JOIN, "1")
    try:
        yield
    finally:
        if before is None:
            del os.environ[_TRIES_TO_JOIN]


@contextmanager
def _kept_signals() -> Iterator[None]:
    """Ray takes over the signal that asks a process to end; whoever handled it before still does."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.getsignal(signal.SIGTERM)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _player(ray: ModuleType, cores: int) -> Any:
    """The remote function. Defined in here it travels as it stands, even to where there is no Dicetown."""

    def play(code: str, job: bytes, task: bytes) -> Any:
        try:
            from dicetown.arena.engines.ray_worker import work
        except ModuleNotFoundError as missing:
            raise ModuleNotFoundError(socket.gethostname(), name=missing.name) from missing
        return work(code, job, task)

    return ray.remote(num_cpus=cores, max_retries=0)(play)


class RayEngine:
    """The cores of a Ray cluster."""

    name = RAY
    games_at_once = RAY_GAMES

    def __init__(self, ray: ModuleType, workers: int | None = None) -> None:
        self._ray, self._most = ray, workers

    @property
    def workers(self) -> int:
        """Cores of all machines that are there now, or as many of them as may be used."""
        cores = sum(self._cores())
        return cores if self._most is None else min(cores, self._most)

    def in_flight(self, cores: int) -> int:
        """How many tasks Ray should have now, if each takes so many cores."""
        if self._most is not None:
            return max(1, self._most // cores)
        return max(1, _AHEAD * ceil(self.workers / cores))

    def work_off(
        self,
        job: Job[Task, Done],
        tasks: Iterator[Task],
        finish: Finish[Task, Done],
        look: Look = lambda: False,
        cores: int = 1,
    ) -> Effort:
        """Do all tasks; see :class:`~dicetown.arena.engines.engine.Engine`."""
        largest = max(self._cores(), default=0)
        if not largest:
            raise ArenaError("The cluster has no core to play on; ray start --address=… adds a machine.")
        stop, finishing = threading.Event(), threading.Lock()

        def finish_alone(task: Task, done: Done) -> None:
            with finishing:
                finish(task, done)

        errand = _Errand(self._ray, job, tasks, finish_alone, min(cores, largest))
        return errand.effort(look_on([partial(errand.run, stop, self.in_flight)], look, stop, finishing))

    def _cores(self) -> list[int]:
        """The cores of each machine."""
        alive = [node for node in self._ray.nodes() if node["Alive"]]
        return [int(node["Resources"].get("CPU", 0)) for node in alive]


@dataclass
class _Trip(Generic[Task]):
    """A task on its way, and which try this is."""

    task: Task
    tries: int = 1


class _Errand(Generic[Task, Done]):
    """All tasks of a list, brought to the cluster and back."""

    def __init__(
        self,
        ray: ModuleType,
        job: Job[Task, Done],
        tasks: Iterator[Task],
        finish: Finish[Task, Done],
        cores: int,
    ) -> None:
        self._ray, self._tasks, self._finish, self._cores = ray, tasks, finish, cores
        self._play = _player(ray, cores)
        self._code, self._job = this_code(), pickle.dumps(job)
        self._under_way: dict[Any, _Trip[Task]] = {}
        self._again: deque[_Trip[Task]] = deque()
        self._lost_workers = self._played_again = 0
        self._begun = self._finished = time.perf_counter()
        failures = ray.exceptions
        self._worker_lost = (failures.WorkerCrashedError, failures.NodeDiedError, failures.OutOfMemoryError)
        self._result_lost = failures.ObjectLostError

    def run(self, stop: threading.Event, in_flight: Callable[[int], int]) -> None:
        """Hand out and gather until all is done, or nobody waits any more."""
        most, counted = in_flight(self._cores), time.perf_counter()
        try:
            while not stop.is_set():
                if time.perf_counter() - counted > _COUNT_EVERY:
                    most, counted = in_flight(self._cores), time.perf_counter()
                self._hand_out(most)
                if not self._under_way:
                    return
                self._gather()
        finally:
            self._call_off()

    def effort(self, interrupted: bool) -> Effort:
        """What it took."""
        return Effort(self._finished - self._begun, interrupted, self._lost_workers, self._played_again)

    def _hand_out(self, most: int) -> None:
        while len(self._under_way) < most and (trip := self._next_trip()):
            result = self._play.remote(self._code, self._job, pickle.dumps(trip.task))
            self._under_way[result] = trip

    def _next_trip(self) -> _Trip[Task] | None:
        if self._again:
            return self._again.popleft()
        task = next(self._tasks, None)
        return None if task is None else _Trip(task)

    def _gather(self) -> None:
        """Wait a little for results, and take all that have come."""
        come, rest = self._ray.wait(list(self._under_way), timeout=LOOK_EVERY)
        if come and rest:
            come += self._ray.wait(rest, num_returns=len(rest), timeout=0)[0]
        for result in come:
            trip = self._under_way.pop(result)
            try:
                done = self._ray.get(result)
            except self._worker_lost as loss:
                self._lost_workers += 1
                self._repeat(trip, loss)
            except self._result_lost as loss:
                self._repeat(trip, loss)
            except self._ray.exceptions.RayTaskError as failure:
                raise _told(failure) from None
            except self._ray.exceptions.RayError as end:
                raise ArenaError(
                    f"The Ray cluster is gone ({_first_sentence(end)}); when it is back, an arena and the "
                    "lab go on from what they have kept."
                ) from None
            else:
                self._finish(trip.task, done)
                self._finished = time.perf_counter()

    def _repeat(self, trip: _Trip[Task], loss: Exception) -> None:
        if trip.tries == TRIES:
            raise ArenaError(
                f"{trip.task} was lost with its worker {TRIES} times, and is not tried again "
                f"({_first_sentence(loss)})."
            )
        self._played_again += 1
        self._again.append(_Trip(trip.task, trip.tries + 1))

    def _call_off(self) -> None:
        """End what is still being played; nobody waits for it."""
        for result in self._under_way:
            self._ray.cancel(result, force=True)
        self._under_way.clear()


def _told(failure: Any) -> Exception:
    """What went wrong in a task, as if it had gone wrong here."""
    cause: Exception = failure.cause
    if isinstance(cause, ModuleNotFoundError):
        return ArenaError(
            f"The machine {cause.msg} of the cluster has no module {cause.name}; "
            "install the same there as here: pip install 'dicetown[ray]'"
        )
    if not isinstance(cause, DicetownError):
        cause.add_note(str(failure))  # where it was
    return cause


def _first_sentence(problem: Exception) -> str:
    """Ray says a lot."""
    return str(problem).strip().partition("\n")[0].partition(". ")[0].rstrip(".")
