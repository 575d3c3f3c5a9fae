"""What can be seen of a database: whether there is room, who can read it, its shape, and who uses it."""

from __future__ import annotations

import shutil
import stat
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from sqlalchemy import Connection, Engine, inspect, select, text
from sqlalchemy.exc import SQLAlchemyError

from dicetown.server.common.settings import Timeouts
from dicetown.server.doctor.findings import Finding, right, unknown, wrong
from dicetown.server.store.contact import reason_of
from dicetown.server.store.database_url import file_of, open_engine, shown
from dicetown.server.store.migrations import shape_of
from dicetown.server.store.schema import workers

_ROOM = 512 * 1024 * 1024  # bytes that should be free
_OTHERS = 0o077
_BESIDE = ("", "-wal", "-shm", ".lock")
#: Seconds without a sign of life after which a process counts as gone.
_GONE = 4.0
_THINKER = "thinker"


def look_inside(place: str, key: Path) -> Iterator[Finding]:
    """Everything about a database; if it cannot be opened, only that."""
    engine = open_engine(place, Timeouts(), as_it_is=True)
    try:
        file = file_of(engine)
        if file is not None and not file.is_file():
            yield wrong("database", "missing", place=shown(place))
            return
        with engine.connect() as connection:
            connection.execute(select(1))
        yield right("database", place=shown(place))
        if file is not None:
            yield check_room(file)
            yield check_modes([Path(f"{file}{ending}") for ending in _BESIDE] + [key])
        else:
            yield check_modes([key])
        yield _look_at_shape(engine)
        with engine.connect() as connection:
            yield from _look_at_workers(connection)
    except (SQLAlchemyError, OSError) as problem:
        yield wrong("database", "away", place=shown(place), problem=reason_of(problem))
    finally:
        engine.dispose()


def check_room(file: Path) -> Finding:
    """Whether there is room on the disk."""
    free = shutil.disk_usage(file.parent).free
    return (right if free >= _ROOM else wrong)("room", megabytes=free // 1024**2)


def check_modes(files: list[Path]) -> Finding:
    """Whether only their owner can read the files; they hold the secrets of the dice and of the cookies."""
    open_ones = [file.name for file in files if file.exists() and stat.S_IMODE(file.stat().st_mode) & _OTHERS]
    return wrong("modes", files=", ".join(open_ones)) if open_ones else right("modes")


def _look_at_shape(engine: Engine) -> Finding:
    found, newest = shape_of(engine)
    if found == newest:
        return right("shape")
    return wrong("shape", "old" if found is None or found < newest else "new")


def _look_at_workers(connection: Connection) -> Iterator[Finding]:
    """Those who share the database, where several do."""
    if not inspect(connection).has_table(workers.name):
        return
    rows = connection.execute(select(workers.c.role, workers.c.seen, workers.c.version)).all()
    if not rows:
        return
    now = _now(connection)
    heard = Counter(row.role for row in rows if now - row.seen <= _GONE)
    silent = sorted({row.role for row in rows} - heard.keys())
    if silent:
        yield wrong("workers", roles=", ".join(silent))
    else:
        roles = ", ".join(f"{count} {role}" for role, count in sorted(heard.items()))
        yield right("workers", roles=roles)
    versions = sorted({row.version for row in rows if now - row.seen <= _GONE})
    if len(versions) > 1:
        yield unknown("workers", "mixed", versions=", ".join(versions))
    if heard and not heard[_THINKER] and _THINKER not in silent:
        yield unknown("thinking", "none")


def _now(connection: Connection) -> float:
    """The time by the database's own clock, as signs of life are noted."""
    if connection.dialect.name != "postgresql":
        return time.time()
    return float(connection.execute(text("SELECT extract(epoch FROM clock_timestamp())")).scalar_one())
