"""``dicetown backup``: for those who keep a service's tables."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from dicetown.commands.databases import copy_key, key_beside, key_file, usual_place
from dicetown.commands.options import Database
from dicetown.server.store.backup import back_up


def run(
    file: Annotated[Path, typer.Argument(help="The file to make; it must not be there yet.")],
    db: Database = None,
) -> None:
    """Copy all tables into a file, also while the service runs.

    The copy shows one moment, whole. It is a SQLite file, whichever database it comes from; the key of the
    guests' cookies is put beside it. Both hold secrets: keep them as well as the database.

    For example: dicetown backup tables-monday.db

    Or: dicetown backup monday.db --db postgresql://dicetown@localhost/dicetown
    """
    place = db or usual_place()
    copied = back_up(place, file)
    key = key_file(place)
    if key.is_file():
        copy_key(key, key_beside(file))
    print(f"{file}: {copied.tables} tables with {copied.entries} entries.")
