"""`dicetown serve` whose clock can jump and whose commits can lose their answers. Run by the fault program.

The first argument is a file that says what shall go wrong, read whenever it gets SIGUSR1; the others
are those of `dicetown serve`.
"""

import faulthandler
import signal
import sqlite3
import sys
import time
from pathlib import Path
from typing import Any

import msgspec
from sqlalchemy import Connection, Engine, event
from sqlalchemy.engine.default import DefaultDialect

from dicetown.cli import main


class Wrongs(msgspec.Struct):
    """What goes wrong at the moment."""

    clock: float = 0.0  # seconds that the time of day is ahead
    lose_answers: int = 0  # of so many commits
    read_only: bool = False


wrongs = Wrongs()


def hear_of_wrongs(file: Path) -> None:
    """Read what shall go wrong whenever somebody says so."""

    def read(*_: object) -> None:
        global wrongs  # noqa: PLW0603 - what the process suffers from
        wrongs = msgspec.json.decode(file.read_bytes(), type=Wrongs)

    signal.signal(signal.SIGUSR1, read)


def bend_the_clock() -> None:
    """Let the time of day jump; the clock that only counts on is left alone."""
    true_time = time.time
    time.time = lambda: true_time() + wrongs.clock


def lose_answers() -> None:
    """Let a commit happen whose answer never arrives, as when the disk fails right after it."""
    commit = DefaultDialect.do_commit

    def commit_and_fail(self: DefaultDialect, connection: Any) -> None:
        commit(self, connection)
        if wrongs.lose_answers > 0:
            wrongs.lose_answers -= 1
            raise sqlite3.OperationalError("disk I/O error")

    DefaultDialect.do_commit = commit_and_fail  # type: ignore[method-assign]


def forbid_writing() -> None:
    """Let a file be one that must not be written, from one transaction to the next."""

    @event.listens_for(Engine, "begin")
    def begin(connection: Connection) -> None:
        if connection.dialect.name == "sqlite":
            connection.exec_driver_sql(f"PRAGMA query_only = {int(wrongs.read_only)}")


if __name__ == "__main__":
    faulthandler.enable()
    hear_of_wrongs(Path(sys.argv[1]))
    bend_the_clock()
    lose_answers()
    forbid_writing()
    main(["serve", *sys.argv[2:]])
