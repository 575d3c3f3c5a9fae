"""The database's history: each change of its shape, and how to make it."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import Engine, inspect, text

from dicetown.errors import DicetownError

_FOLDER = Path(__file__).parent
#: Of several workers that start together one changes the database; the others find it changed.
_ONE_AT_A_TIME = "SELECT pg_advisory_xact_lock(hashtextextended('dicetown migrates ' || current_schema(), 0))"


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
        if not inspect(connection).has_table("alembic_version"):
            return None
        return connection.execute(text("SELECT version_num FROM alembic_version")).scalar()


def _newest_shape() -> str:
    """The number of the last change, which its file's name begins with."""
    return max(path.name.partition("_")[0] for path in (_FOLDER / "versions").glob("[0-9]*_*.py"))


def _upgrade(engine: Engine) -> None:
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
        config.attributes["connection"] = connection
        try:
            command.upgrade(config, "head")
        except CommandError as problem:
            raise MigrationError(
                f"The database was made by a newer Dicetown; use that one, or another database ({problem})."
            ) from None
