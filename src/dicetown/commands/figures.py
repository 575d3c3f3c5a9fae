"""Printing figures: tables for people, JSON for programs, progress for who waits."""

from __future__ import annotations

import ctypes
import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from dicetown.console import make_console


def print_json(figures: dict[str, Any]) -> None:
    """Figures for programs: JSON and nothing else on stdout."""
    print(json.dumps(figures, ensure_ascii=False, indent=2))


@contextmanager
def stdout_for_figures() -> Iterator[None]:
    """While games are played stdout is nobody's: what a bot or Ray writes there goes to stderr."""
    try:
        os.fstat(2)
        kept = os.dup(1)
    except OSError:  # one of them was closed before we came
        yield
        return
    sys.stdout.flush()
    os.dup2(2, 1)  # Ray is C++ for the most part, and its processes inherit what this one has
    try:
        with redirect_stdout(sys.stderr):
            yield
    finally:
        ctypes.CDLL(None).fflush(None)  # or what C still holds would be written to stdout at the end
        os.dup2(kept, 1)
        os.close(kept)


def make_table(names: Sequence[str], numbers: Sequence[str]) -> Table:
    """A table with columns that name things, and columns of numbers."""
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for column in names:
        table.add_column(column, no_wrap=True)
    for column in numbers:
        table.add_column(column, justify="right", no_wrap=True)
    return table


def let_wrap(table: Table, *texts: int) -> None:
    """Let headings, and the texts in some columns, take several lines, so that figures stay whole."""
    for place, column in enumerate(table.columns):
        column.no_wrap = False
        if place not in texts:
            figures = [*map(str, column.cells), *str(column.header).split()]
            column.min_width = max(map(len, figures))


def print_table(table: Table) -> None:
    """A table on stdout; over a pipe as wide as it needs to be."""
    console = make_console()
    if not console.is_terminal:
        console = Console(file=sys.stdout, color_system=None, width=200)
    console.print(table)


@contextmanager
def progress_bar(what: str) -> Iterator[Callable[[int, int], None]]:
    """A bar on a terminal, silence in a pipe; call it with how many are done, and how many there are."""
    console = make_console(sys.stderr)
    if not console.is_terminal:
        yield lambda done, total: None
        return
    from rich.progress import Progress

    with Progress(console=console, transient=True) as bar:
        task = bar.add_task(what, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


@contextmanager
def waiting(message: str) -> Iterator[None]:
    """A sign of life on a terminal while something takes its time."""
    console = make_console(sys.stderr)
    if not console.is_terminal:
        yield
        return
    with console.status(message):
        yield


def share_of(games: int) -> Callable[[float], str]:
    """How shares of so many games are written: from ten thousand on, another digit is worth reading.

    >>> share_of(100)(0.123456), share_of(10_000)(0.123456)
    ('12.3%', '12.35%')
    """
    digits = 1 if games < 10_000 else 2
    return lambda share: f"{share:.{digits}%}"


def grouped(number: float) -> str:
    """A number as people read it: three digits that matter.

    >>> grouped(14_400_000), grouped(65_400), grouped(12.3456), grouped(0.5)
    ('14.4 M', '65,400', '12.3', '0.5')
    """
    if number >= 1_000_000:
        return f"{number / 1_000_000:,.3g} M" if number < 1e9 else f"{number / 1_000_000:,.0f} M"
    return f"{number:,.0f}" if number >= 100 else f"{number:.3g}"
