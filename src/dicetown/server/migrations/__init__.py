"""The database's history: each change of its shape, and how to make it."""

from __future__ import annotations

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import Engine

from dicetown.errors import DicetownError


class MigrationError(DicetownError):
    """A database whose shape this version does not know."""


def migrate(engine: Engine) -> None:
    """Bring a database to the shape that this version needs; one that has it is left alone."""
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent))
    config.set_main_option("path_separator", "os")
    scripts = ScriptDirectory.from_config(config)
    with engine.begin() as connection:
        if MigrationContext.configure(connection).get_current_revision() == scripts.get_current_head():
            return
        config.attributes["connection"] = connection
        try:
            command.upgrade(config, "head")
        except CommandError as problem:
            raise MigrationError(
                f"The database was made by a newer Dicetown; use that one, or another database ({problem})."
            ) from None
