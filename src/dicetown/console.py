"""The terminal a command runs at: what its output can show, and what ends the command from outside."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TextIO

from rich.console import Console

#: The exit status of a command that Ctrl-C has ended.
INTERRUPTED = 128 + signal.SIGINT


def make_console(stream: TextIO | None = None) -> Console:
    """A console that keeps to what its output can show: no codes in a pipe or with NO_COLOR."""
    stream = stream or sys.stdout
    plain = not stream.isatty() or bool(os.environ.get("NO_COLOR"))
    return Console(
        file=stream, color_system=None if plain else "auto", highlight=False, markup=False, emoji=False
    )


class Stopped(KeyboardInterrupt):
    """The system told us to end."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number


@contextmanager
def stops_raised() -> Iterator[None]:
    """Let the system's wish to end arrive like a Ctrl-C."""

    def stop(number: int, frame: Any) -> None:
        raise Stopped(number)

    with _handled(_signals(), stop):
        yield


@contextmanager
def stops_ignored() -> Iterator[None]:
    """Nothing shall interrupt what is being saved."""
    with _handled([signal.SIGINT, *_signals()], signal.SIG_IGN):
        yield


def _signals() -> list[int]:
    return [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]


@contextmanager
def _handled(signals: list[int], handler: Any) -> Iterator[None]:
    """Handle signals in a way for a while; outside the main thread that cannot be, and is left out."""
    try:
        before = [(number, signal.signal(number, handler)) for number in signals]
    except ValueError:
        before = []
    try:
        yield
    finally:
        for number, old in before:
            signal.signal(number, old)
