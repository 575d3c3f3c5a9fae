"""``dicetown backup``, ``restore`` and ``erase``: what can be asked of them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from dicetown.commands.options import Database


def backup(
    file: Annotated[Path, typer.Argument(help="The file to make; it must not be there yet.")],
    db: Database = None,
) -> None:
    """Copy all tables into a file, also while the service runs.

    The copy shows one moment, whole. It is a SQLite file, whichever database it comes from; the key of the
    guests' cookies is put beside it. Both hold secrets: keep them as well as the database.

    For example: dicetown backup tables-monday.db

    Or: dicetown backup monday.db --db postgresql://dicetown@localhost/dicetown
    """
    from dicetown.commands.keeping import run_backup

    run_backup(file, db)


def restore(
    file: Annotated[Path, typer.Argument(help="A file that dicetown backup has made.")],
    db: Database = None,
) -> None:
    """Bring a backup back, into a database without tables that no service uses.

    It may be of the other kind: that is how tables move from SQLite to PostgreSQL.

    For example: dicetown restore tables-monday.db --db postgresql://dicetown@localhost/dicetown
    """
    from dicetown.commands.keeping import run_restore

    run_restore(file, db)


def erase(
    code: Annotated[str, typer.Argument(help="The code of a table at which the guest sits.")],
    name: Annotated[str, typer.Argument(help="What they are called there.")],
    db: Database = None,
) -> None:
    """Erase what is known of one guest: their names and what they said, at all tables.

    The games stay, with a number for the name. End the service first; older backups are not changed.

    For example: dicetown erase K7BZ43PU Ana
    """
    from dicetown.commands.keeping import run_erase

    run_erase(code, name, db)
