"""Where snapshots of tables are kept: beside the journal, which is the truth."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import structlog
from sqlalchemy import Connection, bindparam, delete, insert, select
from sqlalchemy.exc import DBAPIError

from dicetown.server.journal.snapshots import pack, version
from dicetown.server.store.contact import reason_of
from dicetown.server.store.schema import snapshots

_log: Any = structlog.get_logger("dicetown")


#: Made once: to put a statement together takes longer than to carry it out.
_FORGET, _KEEP = delete(snapshots).where(snapshots.c.code == bindparam("of")), insert(snapshots)


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A table as it stood after an entry: as it was written, or packed, when it comes from the store."""

    number: int
    body: bytes


def keep_snapshot(connection: Connection, code: str, snapshot: Snapshot) -> None:
    """Keep a snapshot in place of the one before; whoever writes has time to pack it.

    If that cannot be, everything else that is written with it can.
    """
    row = {"code": code, "number": snapshot.number, "version": version(), "body": pack(snapshot.body)}
    try:
        with connection.begin_nested():
            connection.execute(_FORGET, {"of": code})
            connection.execute(_KEEP, row)
    except DBAPIError as problem:
        if problem.connection_invalidated:
            raise
        _log.info("snapshot not kept", table=code, problem=reason_of(problem))


def find_snapshot(connection: Connection, code: str) -> Snapshot | None:
    """The snapshot of a table, if there is one that this version has made."""
    wanted = select(snapshots.c.number, snapshots.c.body)
    wanted = wanted.where((snapshots.c.code == code) & (snapshots.c.version == version()))
    row = connection.execute(wanted).first()
    return None if row is None else Snapshot(row.number, row.body)
