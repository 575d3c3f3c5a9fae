"""Copies of all tables: made while the service runs, brought back into any database.

A backup is a SQLite file, whichever database the tables are in, and it is whole: all of it shows the same
moment. So ordinary tools can look at it, and it is the way from one kind of database to the other, too.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Connection, Engine, Table, func, insert, select, text

from dicetown.server.store.database_url import StoreError, make_file_private, shown
from dicetown.server.store.lease import Lease, holder_of
from dicetown.server.store.migrations import migrate
from dicetown.server.store.opening import check_can_be_ours, check_is_of_this_version, check_is_ours, opened
from dicetown.server.store.schema import entries, leases, schema, snapshots, tables, workers

#: What is copied, each after what it refers to. Who has the database is not part of what it holds, and
#: snapshots are made anew.
_COPIED = [table for table in schema.sorted_tables if table not in (leases, workers, snapshots)]
_ROWS_AT_ONCE = 1000


@dataclass(frozen=True)
class Copied:
    """What was copied: tables that people sit at, and entries of their journals."""

    tables: int
    entries: int


def back_up(place: str, file: Path) -> Copied:
    """Copy all of a database, which may be in use, into a new file that only its owner can read."""
    with opened(place, as_it_is=True) as source:
        check_is_of_this_version(source, place)
        _make_private(file)
        try:
            with opened(str(file.absolute()), called=str(file)) as target:
                migrate(target)
                with _at_one_moment(source) as reading, target.begin() as writing:
                    copied = _copy_all(reading, writing)
                _keep_in_one_file(target)
        except BaseException:
            file.unlink(missing_ok=True)
            raise
    return copied


def restore(file: Path, place: str) -> Copied:
    """Bring a backup back into a database that holds no table yet, and that no service uses.

    A backup of an older version is brought to this one's shape on the way; the file itself stays as it is.
    """
    with tempfile.TemporaryDirectory(prefix="dicetown-") as folder:
        looked_at = Path(folder) / "backup.db"
        try:
            shutil.copyfile(file, looked_at)
        except OSError as problem:
            raise StoreError(f"{file}: cannot be read ({problem.strerror}).") from None
        with opened(str(looked_at), called=str(file)) as source:
            check_is_ours(source, str(file))
            migrate(source)
            return _restore(source, place)


def _restore(source: Engine, place: str) -> Copied:
    check_can_be_ours(place)
    with in_nobodys_use(place) as target:
        make_file_private(target)
        migrate(target)
        with source.connect() as reading, target.begin() as writing:
            if _count(writing, tables):
                raise StoreError(f"The database {shown(place)} holds tables already; choose an empty one.")
            return _copy_all(reading, writing)


@contextmanager
def in_nobodys_use(place: str, *, as_it_is: bool = False) -> Iterator[Engine]:
    """A database of which one can be sure that no service has it, and that none takes it."""
    with opened(place, as_it_is=as_it_is) as engine:
        lease = Lease(engine, lambda: None)
        if not lease.take():
            raise StoreError(
                f"The database {shown(place)} is in use by {holder_of(engine)}; end that one first."
            )
        try:
            yield engine
        finally:
            lease.release(0.0)


def _make_private(file: Path) -> None:
    try:
        os.close(os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    except FileExistsError:
        raise StoreError(f"{file}: there is such a file already; a backup never replaces one.") from None
    except OSError as problem:
        raise StoreError(f"{file}: cannot be written ({problem.strerror}).") from None


@contextmanager
def _at_one_moment(engine: Engine) -> Iterator[Connection]:
    """A connection to which the database stands still, however long it takes to read it."""
    with engine.connect() as connection:
        if connection.dialect.name == "postgresql":
            yield connection.execution_options(isolation_level="REPEATABLE READ")
        else:
            connection.exec_driver_sql("BEGIN")  # Python's library would not, before something is written
            yield connection


def _keep_in_one_file(engine: Engine) -> None:
    """Let nothing of a backup lie beside it."""
    with engine.connect() as connection:
        connection.execute(text("PRAGMA journal_mode = DELETE"))


def _copy_all(reading: Connection, writing: Connection) -> Copied:
    for table in _COPIED:
        _copy(reading, writing, table)
    return Copied(_count(writing, tables), _count(writing, entries))


def _copy(reading: Connection, writing: Connection, table: Table) -> None:
    found = reading.execution_options(yield_per=_ROWS_AT_ONCE).execute(select(table)).mappings()
    nobodys = {"owner": None} if table is tables else {}  # the worker that has it now is not there then
    for some in found.partitions():
        writing.execute(insert(table), [dict(row) | nobodys for row in some])


def _count(connection: Connection, table: Table) -> int:
    return int(connection.execute(select(func.count()).select_from(table)).scalar_one())
