"""Jobs for tests of the engines. Processes of a cluster import them from here."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from dicetown import Ruleset
from dicetown.arena.simulate import Chunk, SimulationJob, Tally
from dicetown.errors import BotError


@dataclass(frozen=True)
class Errand:
    """A task: the number to double, and what happens on the way."""

    number: int
    mishap: str = ""
    folder: Path = Path()


@dataclass(frozen=True)
class Workshop:
    """Doubles numbers; it may be told to fail, or to die."""

    folder: Path
    closed: list[int] = field(default_factory=list)  # seen by the threads of this process only

    def prepare(self) -> None:
        """Leave a note: once in each process."""
        (self.folder / f"prepared-{os.getpid()}").touch(exist_ok=False)

    @contextmanager
    def open(self, stop: threading.Event) -> Iterator[Callable[[Errand], int | None]]:
        try:
            yield Doubling(stop).work
        finally:
            self.closed.append(os.getpid())


@dataclass(frozen=True)
class Doubling:
    stop: threading.Event

    def work(self, task: Errand) -> int | None:
        match task.mishap:
            case "fails":
                raise BotError(f"The bot cannot double {task.number}.")
            case "breaks":
                raise ZeroDivisionError("nobody expects this")
            case "waits":
                while not self.stop.is_set():
                    time.sleep(0.01)
                return None
            case "dies":
                os.kill(os.getpid(), signal.SIGKILL)
            case "dies once":
                try:
                    (task.folder / f"died-{task.number}").touch(exist_ok=False)
                except FileExistsError:
                    pass
                else:
                    os.kill(os.getpid(), signal.SIGKILL)
        return 2 * task.number


@dataclass(frozen=True)
class HeldJob:
    """A simulation in which nobody hands in a chunk until a file says so."""

    ruleset: Ruleset
    bots: list[str]
    seed: int
    folder: Path

    def prepare(self) -> None:
        self._job.prepare()

    @contextmanager
    def open(self, stop: threading.Event) -> Iterator[Callable[[Chunk], Tally]]:
        with self._job.open(stop) as play:
            yield lambda chunk: self._hold(play(chunk))

    def _hold(self, tally: Tally) -> Tally:
        # The parent of a worker is the process that stands for its machine.
        (self.folder / f"playing-{os.getppid()}-{os.getpid()}").touch()
        while not (self.folder / "go").exists():
            time.sleep(0.01)
        return tally

    @property
    def _job(self) -> SimulationJob:
        return SimulationJob(self.ruleset, self.bots, self.seed)
