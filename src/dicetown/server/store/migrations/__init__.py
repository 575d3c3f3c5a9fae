"""The database's history: each change of its shape, and how to make it."""

from __future__ import annotations

import time
from pathlib import Path

from sqlalchemy import Engine, inspect, text
from sqlalchemy.exc import OperationalError

from dicetown.errors import DicetownError
from dicetown.server.common.backoff import Backoff

#: The table that says which shape a database has.
SHAPES = "alembic_version"
_FOLDER = Path(__file__).parent
#: Of several workers that start together one changes the database; the others find it changed.
_ONE_AT_A_TIME = "SELECT pg_advisory_xact_lock(hashtextextended('dicetown migrates ' || current_schema(), 0))"
#: While the version before goes on, its transactions come first: who changes the database waits so many
#: milliseconds for a table that is being written to, then lets go of all it has and begins anew. PostgreSQL
#: itself would look after a second who waits for whom, and might end the transaction of somebody who plays.
_GIVE_WAY = "SET LOCAL lock_timeout = 200"
_GAVE_WAY = "55P03"  # what PostgreSQL calls that
_PAUSES = (0.05, 1.0)  # seconds, the first and the longest
_PATIENCE = 60.0


class MigrationError(DicetownError):
    """A database whose shape this version does not know."""


def migrate(engine: Engine) -> None:
    """Bring a database to the shape that this version needs; one that has it is left alone."""
    if not is_current(engine):
        _upgrade(engine)


def is_current(engine: Engine) -> bool:
    """Whether a database has the shape that this version needs."""
    found, newest = shape_of(engine)
    return found == newest


def shape_of(engine: Engine) -> tuple[str | None, str]:
    """The shape that a database has, if it has one, and the newest that this version knows."""
    return _shape_of(engine), _newest_shape()


def _shape_of(engine: Engine) -> str | None:
    with engine.connect() as connection:
        if not inspect(connection).has_table(SHAPES):
            return None
        return connection.execute(text(f"SELECT version_num FROM {SHAPES}")).scalar()


def _newest_shape() -> str:
    """The number of the last change, which its file's name begins with."""
    return max(path.name.partition("_")[0] for path in (_FOLDER / "versions").glob("[0-9]*_*.py"))


def _upgrade(engine: Engine) -> None:
    ends, pauses = time.monotonic() + _PATIENCE, Backoff(*_PAUSES)
    while True:
        try:
            return _try_to_upgrade(engine)
        except OperationalError as problem:
            if getattr(problem.orig, "sqlstate", None) != _GAVE_WAY:
                raise
            if time.monotonic() > ends:
                raise MigrationError(
                    "The database cannot be brought to this version's shape: its tables are in use all the "
                    "time, perhaps by a long transaction of another program; try again when that has ended."
                ) from None
        time.sleep(pauses.next())


def _try_to_upgrade(engine: Engine) -> None:
    # Imported only where there is something to change: it takes as long as everything else at a start.
    from alembic import command
    from alembic.config import Config
    from alembic.util import CommandError

    config = Config()
    config.set_main_option("script_location", str(_FOLDER))
    config.set_main_option("path_separator", "os")
    with engine.begin() as connection:
        if connection.dialect.name == "postgresql":
            from dicetown.server.store.postgres import take_time

            take_time(connection)  # to change a big table takes longer than to play
            connection.exec_driver_sql(_ONE_AT_A_TIME)
            connection.exec_driver_sql(_GIVE_WAY)
        config.attributes["connection"] = connection
        try:
            command.upgrade(config, "head")
        except CommandError as problem:
            raise MigrationError(
                f"The database was made by a newer Dicetown; use that one, or another database ({problem})."
            ) from None
