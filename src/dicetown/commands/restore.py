"""``dicetown restore``: a backup brought back."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from dicetown.commands.databases import copy_key, key_beside, key_file, usual_place, with_folder
from dicetown.commands.options import Database
from dicetown.server.store.backup import restore


def run(
    file: Annotated[Path, typer.Argument(help="A file that dicetown backup has made.")],
    db: Database = None,
) -> None:
    """Bring a backup back, into a database without tables that no service uses.

    It may be of the other kind: that is how tables move from SQLite to PostgreSQL.

    For example: dicetown restore tables-monday.db --db postgresql://dicetown@localhost/dicetown
    """
    place = with_folder(db or usual_place())
    copied = restore(file, place)
    key = key_file(place)
    if key_beside(file).is_file() and not key.exists():
        copy_key(key_beside(file), key)
    print(f"{copied.tables} tables with {copied.entries} entries are back.")
