"""Whether the database can be reached, and a word in the log when that changes."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any, Literal

import structlog
from sqlalchemy.exc import (
    DataError,
    DBAPIError,
    IntegrityError,
    NotSupportedError,
    ProgrammingError,
    SQLAlchemyError,
)

from dicetown.server.store.ownership import TableTaken

Doing = Literal["read", "write"]
_OF_WHAT_IS_WRITTEN = (IntegrityError, DataError, ProgrammingError, NotSupportedError, TableTaken)


class Contact:
    """Knows since when the database is lost; each loss is logged once, and each return.

    ``count`` hears of everything that the database did not do, however often.
    """

    def __init__(self, count: Callable[[str], None] = lambda doing: None) -> None:
        self._count = count
        self._log: Any = structlog.get_logger("dicetown")
        self._lock = threading.Lock()
        self._failing: set[Doing] = set()
        self._since = 0.0

    @property
    def is_lost(self) -> bool:
        """Whether the last try failed."""
        return bool(self._failing)

    def lost(self, doing: Doing, problem: Exception) -> None:
        """Something failed, and the database is to blame."""
        self._count(doing)
        with self._lock:
            was_lost = self.is_lost
            self._failing.add(doing)
            if was_lost:
                return
            self._since = time.monotonic()
        self._log.error("database lost", doing=doing, problem=reason_of(problem))

    def was_unclear(self) -> None:
        """Nobody could find out what became of something."""
        self._count("unclear")

    def found(self, doing: Doing) -> None:
        """Something worked; who can write can read, but not the other way round."""
        if not self._failing:
            return
        with self._lock:
            self._failing -= {"read", doing}
            if self._failing or not self._since:
                return
            away, self._since = time.monotonic() - self._since, 0.0
        self._log.warning("database back", seconds=round(away, 1))


def blames_the_database(problem: Exception) -> bool:
    """Whether something failed because of the database, and not of what was asked of it."""
    return isinstance(problem, SQLAlchemyError) and not isinstance(problem, _OF_WHAT_IS_WRITTEN)


def reason_of(problem: Exception) -> str:
    """What the database says, in one line and without anything that was to be stored."""
    said = problem.orig if isinstance(problem, DBAPIError) and problem.orig is not None else problem
    if isinstance(problem, OSError):
        return problem.strerror or type(problem).__name__
    if not blames_the_database(problem) and not isinstance(problem, IntegrityError):
        return type(said).__name__  # it may quote what was to be stored
    return (str(said).strip().splitlines() or [type(said).__name__])[0].rstrip(".")
