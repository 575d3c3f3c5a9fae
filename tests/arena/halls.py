"""Places of work for tests of the engines. Processes of a cluster import them from here."""

from __future__ import annotations

import os
import signal
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

from dicetown import Ruleset
from dicetown.arena.simulate import Chunk, CountedTable, Hall, Tally
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

    def open(self, stop: threading.Event) -> Doubling:
        return Doubling(self, stop)


@dataclass(frozen=True)
class Doubling:
    shop: Workshop
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

    def close(self) -> None:
        self.shop.closed.append(os.getpid())


@dataclass(frozen=True)
class HeldHall:
    """A hall of a simulation in which nobody hands in a chunk until a file says so."""

    ruleset: Ruleset
    bots: list[str]
    seed: int
    folder: Path

    def prepare(self) -> None:
        self._hall.prepare()

    def open(self, stop: threading.Event) -> HeldTable:
        return HeldTable(self._hall.open(stop), self.folder)

    @property
    def _hall(self) -> Hall:
        return Hall(self.ruleset, self.bots, self.seed)


@dataclass(frozen=True)
class HeldTable:
    table: CountedTable
    folder: Path

    def work(self, task: Chunk) -> Tally:
        tally = self.table.work(task)
        # The parent of a worker is the process that stands for its machine.
        (self.folder / f"playing-{os.getppid()}-{os.getpid()}").touch()
        while not (self.folder / "go").exists():
            time.sleep(0.01)
        return tally

    def close(self) -> None:
        self.table.close()
