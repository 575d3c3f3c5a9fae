"""Who may write: a database belongs to one service at a time.

Two things see to it. A *lock* keeps a second service out; the operating system or PostgreSQL lets it go when
the process ends, however it ends, so that a service that was killed can be started again at once. And a
*fence*: each owner has a number, one higher than the last, and every transaction that writes holds the row
it stands in. So a service that has lost its lock without noticing (it stood still, its network was gone)
does no harm when it wakes up.

Several workers share the lock, and each table has an owner of its own among them
(:mod:`dicetown.server.store.ownership`). All workers together have one fence here, so that they and a service
of one process keep each other out in the same way.
"""

from __future__ import annotations

import fcntl
import os
import socket
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, NoReturn, Protocol

import structlog
from sqlalchemy import Connection, Engine, Row, bindparam, delete, insert, inspect, select, text, update
from sqlalchemy.exc import SQLAlchemyError

from dicetown.server.store.database_url import file_of
from dicetown.server.store.registry import DEAD_AFTER, in_words, living
from dicetown.server.store.schema import leases, tables, workers

_ALL = "tables"  # what the lease is for; there is one for all tables
_LOOK_EVERY = 0.5  # seconds between looks whether it still holds; no other service starts more quickly
_TAKE_WITHIN = 2.0  # seconds in which a predecessor that was killed is gone for good
_TAKE_EVERY = 0.1
_MINE = leases.c.name == _ALL
_SEVERAL = 0  # the process that has the database, when it is not one
#: Changes nothing; but it finds the row only if the fence is the one that is asked for, and holds it.
_HOLD = update(leases).where(_MINE & (leases.c.fence == bindparam("mine"))).values(fence=leases.c.fence)
#: The same as a condition, for what is written into SQLite, where who writes holds the whole file.
HELD = f"EXISTS (SELECT 1 FROM {leases.name} WHERE name = '{_ALL}' AND fence = ?)"


class Surpassed(SQLAlchemyError):
    """Another service has the database now; for who wants to write this is a failure like any other."""


class Lock(Protocol):
    """Something that only one process can have, and has no longer than it lives."""

    def take(self) -> bool:
        """Try to have it."""

    def is_held(self) -> bool:
        """Whether it is still ours."""

    def release(self) -> None:
        """Let it go."""


class FileLock:
    """A lock on a file beside the database."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: int | None = None

    def take(self) -> bool:
        """Try to have it."""
        file = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(file)
            return False
        self._file = file
        return True

    def is_held(self) -> bool:
        """Whether it is still ours."""
        return self._file is not None

    def release(self) -> None:
        """Let it go; the file stays, for who waits for it must not be left with one that nobody else sees."""
        if self._file is not None:
            os.close(self._file)
            self._file = None


class ServerLock:
    """An advisory lock of PostgreSQL, which belongs to a connection of its own."""

    def __init__(self, engine: Engine, shared: bool) -> None:
        self._engine = engine
        self._lock = "pg_try_advisory_lock_shared" if shared else "pg_try_advisory_lock"
        self._connection: Connection | None = None

    def take(self) -> bool:
        """Try to have it."""
        self.release()
        self._connection = self._engine.connect().execution_options(isolation_level="AUTOCOMMIT")
        self._connection.detach()
        lock = f"SELECT {self._lock}(hashtextextended('dicetown:' || current_schema(), 0))"
        if not self._connection.execute(text(lock)).scalar_one():
            self.release()
            return False
        return True

    def is_held(self) -> bool:
        """Whether it is still ours, which it is as long as the connection lives."""
        if self._connection is None:
            return False
        try:
            self._connection.execute(select(1))
        except SQLAlchemyError:
            self.release()
            return False
        return True

    def release(self) -> None:
        """Let it go; a connection that is dead has done so already, whatever it says."""
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(SQLAlchemyError):
                connection.close()


class NoLock:
    """For a database in memory, which nobody else can reach."""

    def take(self) -> bool:
        """Try to have it."""
        return True

    def is_held(self) -> bool:
        """Whether it is still ours."""
        return True

    def release(self) -> None:
        """Let it go."""


def lock_of(engine: Engine, shared: bool = False) -> Lock:
    """What keeps others out of a database; but for those who share it, where it is shared."""
    if engine.dialect.name == "postgresql":
        return ServerLock(engine, shared)
    file = file_of(engine)
    return FileLock(Path(f"{file}.lock")) if file is not None else NoLock()


class Lease:
    """A database's only owner, as long as nobody else becomes it; or one of several that are it together."""

    def __init__(
        self,
        engine: Engine,
        surpassed: Callable[[], None],
        changed: Callable[[str], None] = lambda change: None,
        shared: bool = False,
    ) -> None:
        self._engine = engine
        self._shared = shared
        self._lock = lock_of(engine, shared)
        self._tell_surpassed = surpassed
        self._tell_change = changed
        self.fence = 0
        self._log: Any = structlog.get_logger("dicetown")
        self._ended = threading.Event()
        self._looking = threading.Lock()
        self._watching: threading.Thread | None = None
        self.is_surpassed = False

    def take(self) -> bool:
        """Keep others out; False if somebody else does that already."""
        began, patience = time.monotonic(), _TAKE_WITHIN
        while not self._lock.take() or self._is_shared_by_others():
            if (
                self._lock.is_held()
            ):  # they have lost it with their connections, and are about to take it again
                self._lock.release()
                patience = _TAKE_WITHIN + DEAD_AFTER  # or they have just been killed
            if time.monotonic() - began > patience:
                return False
            time.sleep(_TAKE_EVERY)
        return True

    def _is_shared_by_others(self) -> bool:
        """Whether several processes say that they live, though the lock is ours alone."""
        if self._shared or self._engine.dialect.name != "postgresql":
            return False
        with self._engine.connect() as connection:
            return inspect(connection).has_table(workers.name) and bool(living(connection))

    def begin(self) -> None:
        """Become the owner, and look from time to time whether we still are."""
        with self._engine.begin() as connection:
            if not self._shared:
                self._raise(connection, os.getpid())
                # Workers that stood still while their lock was lost have no table any more.
                nobodys = {"owner": None, "fence": tables.c.fence + 1}
                connection.execute(update(tables).where(tables.c.owner.is_not(None)).values(**nobodys))
                connection.execute(delete(workers))
            else:
                connection.execute(text("LOCK TABLE leases IN EXCLUSIVE MODE"))  # for several begin at once
                if connection.execute(select(leases.c.pid).where(_MINE)).scalar() != _SEVERAL:
                    self._raise(connection, _SEVERAL)
            self.fence = connection.execute(select(leases.c.fence).where(_MINE)).scalar_one()
        self._tell_change("taken")
        self._watching = threading.Thread(target=self._watch, name="lease", daemon=True)
        self._watching.start()

    @staticmethod
    def _raise(connection: Connection, pid: int) -> None:
        owner = {"host": socket.gethostname()[:255], "pid": pid, "since": time.time()}
        raised = update(leases).where(_MINE).values(fence=leases.c.fence + 1, **owner)
        if not connection.execute(raised).rowcount:
            connection.execute(insert(leases).values(name=_ALL, fence=1, **owner))

    def guard(self, connection: Connection) -> None:
        """Let a transaction write only if we are the owner; nobody else becomes it before it has ended."""
        if self.is_surpassed or not connection.execute(_HOLD, {"mine": self.fence}).rowcount:
            self.refuse()

    def refuse(self) -> NoReturn:
        """Let nothing be written: somebody else is the owner."""
        self._end()
        raise Surpassed("Another service has this database now.")

    def release(self, seconds: float) -> None:
        """Let the next one have it."""
        self._ended.set()
        if self._watching is not None:
            self._watching.join(seconds)
        self._lock.release()

    # ------------------------------------------------------------------------ watching

    def _watch(self) -> None:
        while not self._ended.wait(_LOOK_EVERY):
            try:
                self.look()
            except SQLAlchemyError:
                continue  # the database is away, which those notice who use it

    def look(self) -> None:
        """See whether the lease still holds; a lock that was lost with its connection is taken again."""
        with self._looking:
            if not self._lock.is_held() and self._lock.take():
                self._log.warning("lock taken again")
                self._tell_change("taken_again")
        with self._engine.connect() as connection:
            fence = connection.execute(select(leases.c.fence).where(_MINE)).scalar()
        if fence != self.fence:
            self._end()

    def _end(self) -> None:
        """There is another owner: nothing is written any more."""
        if self.is_surpassed:
            return
        self.is_surpassed = True
        self._log.critical("another service has this database now; this one ends")
        self._ended.set()
        self._tell_change("lost")
        self._tell_surpassed()


def holder_of(engine: Engine) -> str:
    """Who has a database, in words."""
    with engine.connect() as connection:
        known = inspect(connection).has_table(leases.name)
        if engine.dialect.name == "postgresql" and inspect(connection).has_table(workers.name):
            if several := living(connection):
                return in_words(several)
        row: Row[Any] | None = connection.execute(select(leases).where(_MINE)).first() if known else None
    if row is None or row.pid == _SEVERAL:
        return "another Dicetown"
    since = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(row.since))
    return f"another Dicetown (process {row.pid} on {row.host}, since {since})"
