"""``dicetown erase``: a guest forgotten."""

from __future__ import annotations

from typing import Annotated

import typer

from dicetown.commands.databases import usual_place
from dicetown.commands.options import Database
from dicetown.server.store.erase import erase


def run(
    code: Annotated[str, typer.Argument(help="The code of a table at which the guest sits.")],
    name: Annotated[str, typer.Argument(help="What they are called there.")],
    db: Database = None,
) -> None:
    """Erase what is known of one guest: their names and what they said, at all tables.

    The games stay, with a number for the name. End the service first; older backups are not changed.

    For example: dicetown erase K7BZ43PU Ana
    """
    erased = erase(db or usual_place(), code, name)
    print(f"Erased at {erased.tables} tables, with {erased.remarks} remarks.")
