"""A program that is spoken to line by line, and that can neither block, flood nor outlive the speaker."""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import time
from collections.abc import Callable, Sequence
from contextlib import suppress

from dicetown.bots.programs.protocol import LONGEST_LINE, shorten
from dicetown.errors import BotFault

_PIECE = 65_536
_LAST_WORDS = 4_096  # bytes of its stderr that are kept
_WORDS = 300  # letters of its last line
_FAREWELL = 0.2  # seconds to end by itself
_GLANCE = 0.1  # seconds between two looks at whether the answer is still wanted


class CalledOff(Exception):
    """Nobody wants the answer any more: no fault of the program."""


class Program:
    """A running program, with pipes to its stdin, stdout and stderr that nobody waits for in vain."""

    def __init__(self, command: Sequence[str], called_off: Callable[[], bool] = lambda: False) -> None:
        self._called_off = called_off
        try:
            # A session of its own: Ctrl-C is not for it, and what it starts can be ended with it.
            self._child = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                start_new_session=True,
            )
        except OSError as problem:
            raise BotFault("died", f"It cannot be started: {problem.strerror}.") from None
        child = self._child
        assert child.stdin is not None
        assert child.stdout is not None
        assert child.stderr is not None
        self._in, self._out, self._err = child.stdin, child.stdout, child.stderr
        for pipe in (self._in, self._out, self._err):
            os.set_blocking(pipe.fileno(), False)
        self._unsent = b""
        self._heard = b""
        self._words = b""
        self._silent = False  # its stdout has ended

    # --------------------------------------------------------------------- speaking

    def say(self, line: bytes) -> None:
        """Have a line sent while the next answer is waited for."""
        self._unsent += line

    def hear(self, seconds: float) -> bytes:
        """The next line it says; a fault if none comes in time, none can come, or it has no end.

        :raises CalledOff: when it turns out meanwhile that no answer is wanted
        """
        deadline = time.monotonic() + seconds
        while b"\n" not in self._heard:
            if len(self._heard) > LONGEST_LINE:
                raise BotFault("garbage", f"It sent a line of more than {LONGEST_LINE:,} bytes.")
            if self._silent:
                raise BotFault("died", self._say_how_it_ended())
            left = deadline - time.monotonic()
            if left <= 0:
                raise BotFault("late", f"It did not answer within {seconds:.2f} s.")
            if self._called_off():
                raise CalledOff
            self._exchange(min(left, _GLANCE))
        line, _, self._heard = self._heard.partition(b"\n")
        return line

    def overhear(self) -> bytes:
        """What it has said without being asked."""
        while not self._silent and len(self._heard) <= LONGEST_LINE and self._exchange(0.0):
            pass
        return self._heard

    def _exchange(self, seconds: float) -> bool:
        """Send and receive what can be sent and received now, or soon; whether anything could."""
        with selectors.DefaultSelector() as selector:
            selector.register(self._out, selectors.EVENT_READ)
            if not self._err.closed:
                selector.register(self._err, selectors.EVENT_READ)
            if self._unsent:
                selector.register(self._in, selectors.EVENT_WRITE)
            ready = [key.fileobj for key, _ in selector.select(seconds)]
        if self._in in ready:
            self._send()
        if self._err in ready:
            words = self._receive(self._err.fileno())
            self._words = (self._words + words)[-_LAST_WORDS:]
            if not words:
                self._err.close()
        if self._out in ready:
            piece = self._receive(self._out.fileno())
            self._heard += piece
            self._silent = not piece
        return self._out in ready

    def _send(self) -> None:
        try:
            sent = os.write(self._in.fileno(), self._unsent)
        except BlockingIOError:
            return
        except BrokenPipeError:  # it does not listen; whether it still speaks will be seen
            sent = len(self._unsent)
        self._unsent = self._unsent[sent:]

    def _receive(self, pipe: int) -> bytes:
        return os.read(pipe, _PIECE)

    # ----------------------------------------------------------------------- ending

    def _say_how_it_ended(self) -> str:
        with suppress(subprocess.TimeoutExpired):
            self._child.wait(_FAREWELL)
        status = self._child.poll()
        if status is None:
            how = "closed its output"
        elif status < 0:
            how = f"was ended by {signal.Signals(-status).name}"
        else:
            how = f"ended with status {status}"
        words = self.last_words()
        return f"It {how}: {words}" if words else f"It {how}."

    def last_words(self) -> str:
        """The last line of its stderr."""
        if not self._err.closed:
            with suppress(BlockingIOError):
                self._words = (self._words + self._receive(self._err.fileno()))[-_LAST_WORDS:]
        lines = [line for line in self._words.splitlines() if line.strip()]
        return shorten(lines[-1], _WORDS) if lines else ""

    @property
    def status(self) -> int | None:
        """Its exit status, once it has ended."""
        return self._child.poll()

    def end(self, goodbye: bytes = b"") -> None:
        """Say goodbye, wait a moment, and end it with all that it has started."""
        if goodbye and self._child.poll() is None:
            with suppress(OSError):
                os.write(self._in.fileno(), goodbye)
        self._in.close()
        if goodbye:
            with suppress(subprocess.TimeoutExpired):
                self._child.wait(_FAREWELL)
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._child.pid, signal.SIGKILL)
        self._child.wait()
        self._out.close()
        self._err.close()
