"""Starting all processes of a service on one machine, and again whichever of them dies.

``SIGTERM`` ends all of them, the workers first. ``SIGHUP`` replaces the workers one after the other: the next
one is there before the one before it leaves, so that its tables are taken over at once.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from types import FrameType
from typing import Any

import structlog

from dicetown.server.common.backoff import Backoff

#: In the environment of a process that ends when its standard input does.
SUPERVISED = "DICETOWN_SUPERVISED"
_LOOK_EVERY = 0.1  # seconds
_START_WITHIN = 60.0
_END_WITHIN = 15.0  # a worker has its own limits, which are shorter
_PAUSES = (0.2, 10.0)  # seconds until a process that died is started again, the first and the longest
_STEADY = 30.0  # seconds after which a process is no longer one that dies at its start
_MISUSED = 2  # the exit status of a process that has said why it cannot work like this
Kill = Callable[[int], None]


class Child:
    """A process that is to run, as often as it takes."""

    def __init__(self, name: str, command: Sequence[str], environment: dict[str, str], files: Sequence[int]):
        self.name = name
        self._command = [*command]
        self._environment = environment
        self._files = files
        self.backoff = Backoff(*_PAUSES)
        self.start()

    def start(self) -> None:
        """Start it (again)."""
        self.is_ready = False
        self.began = time.monotonic()
        self.due: float | None = None  # when it is to be started again
        self.process = subprocess.Popen(
            self._command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=self._environment,
            pass_fds=self._files,
            start_new_session=True,  # Ctrl-C at a terminal is for us, and we end them in order
        )
        threading.Thread(target=self._hear, args=[self.process], daemon=True).start()

    def _hear(self, process: subprocess.Popen[bytes]) -> None:
        """It says something when it can be reached."""
        assert process.stdout is not None
        with process.stdout as said:
            for _ in said:
                if process is self.process:
                    self.is_ready = True

    @property
    def status(self) -> int | None:
        """How it has ended; None while it runs."""
        return self.process.poll()

    def end(self) -> None:
        """Ask it to end."""
        with suppress(ProcessLookupError):
            self.process.terminate()

    def let_go(self) -> None:
        """It has ended, or has to now."""
        if self.status is None:
            self.process.kill()
        self.process.wait()
        if self.process.stdin is not None:
            self.process.stdin.close()


class Supervisor:
    """All processes of a service on one machine."""

    def __init__(self, command: Sequence[str], secret: str, workers: int, found: int, forget: Kill) -> None:
        """``command`` starts a process without its role; ``forget`` is told of a worker that has died."""
        self._command = [sys.executable, "-m", "dicetown", *command]
        self._environment = os.environ | {"DICETOWN_SECRET": secret, SUPERVISED: "1"}
        self._found = found
        self._count = workers
        self._forget = forget
        self._log: Any = structlog.get_logger("dicetown")
        self._ending = threading.Event()
        self._rolling = threading.Event()
        self._status = 0
        self._has_begun = False
        self._children: list[Child] = []

    def run(self, ready: Callable[[], None]) -> int:
        """Run until somebody ends it; the exit status."""
        before = {number: signal.signal(number, self._hear) for number in _SIGNALS}
        try:
            self._children = [self._worker() for _ in range(self._count)]
            if self._wait(lambda: all(one.is_ready for one in self._children), _START_WITHIN):
                self._children.append(self._gateway())
            if self._wait(lambda: self._children[-1].is_ready, _START_WITHIN):
                self._has_begun = True
                ready()
            while not self._ending.is_set():
                if self._rolling.is_set():
                    self._rolling.clear()
                    self._roll()
                self._wait(self._rolling.is_set, _END_WITHIN)
            return self._status
        finally:
            self._end()
            for number, handler in before.items():
                signal.signal(number, handler)

    def _hear(self, number: int, frame: FrameType | None) -> None:
        (self._rolling if number == signal.SIGHUP else self._ending).set()

    def end(self) -> None:
        """End all, from any thread: a service of one process has the database."""
        self._status = _MISUSED
        self._ending.set()

    def _worker(self) -> Child:
        command = [*self._command, "--role", "game", "--host", "127.0.0.1", "--port", "0"]
        return Child("worker", command, self._environment, [])

    def _gateway(self) -> Child:
        command = [*self._command, "--role", "gateway", "--socket", str(self._found)]
        return Child("gateway", command, self._environment, [self._found])

    def _wait(self, until: Callable[[], bool], seconds: float) -> bool:
        """Wait for something, and look after all processes meanwhile; whether it came."""
        ends = time.monotonic() + seconds
        while not self._ending.is_set() and time.monotonic() < ends:
            self._look_after()
            if until():
                return True
            self._ending.wait(_LOOK_EVERY)
        return False

    def _look_after(self) -> None:
        """Start again what has died."""
        for child in self._children:
            if child.due is not None:
                if time.monotonic() >= child.due:
                    child.let_go()
                    child.start()
            elif (status := child.status) is not None:
                self._mourn(child, status)

    def _mourn(self, child: Child, status: int) -> None:
        # It has said why it cannot start, and will say so again; those who play are not ended for that.
        if status == _MISUSED and not child.is_ready and not (self._has_begun and self._is_played()):
            self._status = status
            self._ending.set()
            return
        self._log.error("process died", process=child.name, pid=child.process.pid, status=status)
        if child.name == "worker":
            self._forget(child.process.pid)
        if time.monotonic() - child.began > _STEADY:
            child.backoff.reset()
        child.due = time.monotonic() + child.backoff.next()

    def _is_played(self) -> bool:
        workers = [child for child in self._children if child.name == "worker"]
        return any(one.is_ready and one.status is None for one in workers)

    def _roll(self) -> None:
        """Replace the workers, one after the other; if the next does not come, the one before stays."""
        for old in [child for child in self._children if child.name == "worker"]:
            new = self._worker()
            self._wait(lambda new=new: new.is_ready or new.status is not None, _START_WITHIN)  # type: ignore[misc]
            if not new.is_ready:
                self._log.error("worker not replaced", pid=old.process.pid)
                new.let_go()
                return
            self._children.append(new)
            self._children.remove(old)
            old.end()
            self._wait(lambda old=old: old.status is not None, _END_WITHIN)  # type: ignore[misc]
            old.let_go()
            self._log.info("worker replaced", before=old.process.pid, now=new.process.pid)

    def _end(self) -> None:
        """End all: workers, so that they write down what is under way; then who keeps the connections."""
        for name in ("worker", "gateway"):
            some = [child for child in self._children if child.name == name]
            for child in some:
                child.end()
            ends = time.monotonic() + _END_WITHIN
            while any(child.status is None for child in some) and time.monotonic() < ends:
                time.sleep(_LOOK_EVERY / 2)
            for child in some:
                child.let_go()


_SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
