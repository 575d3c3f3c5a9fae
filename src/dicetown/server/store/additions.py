"""What is added to tables, and how it gets into the database: many additions at once, each of them whole."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, NamedTuple, TypeAlias

from sqlalchemy import Connection, delete, insert, select, update

from dicetown.server.journal.entries import Entry, kind_of, write_body
from dicetown.server.journal.summary import Summary, write_summary
from dicetown.server.store.lease import HELD, Lease
from dicetown.server.store.ownership import Ownership, taken
from dicetown.server.store.schema import entries, sittings, tables
from dicetown.server.store.snapshots import Snapshot, keep_snapshot
from dicetown.server.store.writer import Failures


class Addition(NamedTuple):
    """What one step adds to a table: entries, the summary after them where it changed, and a snapshot."""

    code: str
    entries: Sequence[Entry]
    summary: Summary | None
    active: float
    new: bool = False
    fence: int | None = None  # under which we have the table; none where nobody else could
    snapshot: Snapshot | None = None


#: What the one who writes is given: an addition, or anything else that may be done twice in a transaction.
Work: TypeAlias = Addition | Callable[[Connection], object]
_Row: TypeAlias = dict[str, Any]
_ENTER = insert(entries)
_MOST_ROWS = 64  # that one statement writes; SQLite keeps one for each number of them


def write_alone(connection: Connection, works: Sequence[Work], lease: Lease) -> None:
    """Write what a service adds that has the database for itself, if it still does.

    Entries of tables that are there already ask for that themselves: between two statements the event loop is
    let on, and to be let on again takes longer than all of it.
    """
    additions = [work for work in works if isinstance(work, Addition)]
    adds_entries = any(addition.entries for addition in additions)
    makes_tables = any(addition.new for addition in additions)
    if connection.dialect.name != "sqlite" or makes_tables or not adds_entries:
        lease.guard(connection)
        write_all(connection, works)
        return
    rows = _rows_of(works)
    if lease.is_surpassed or _enter_into_sqlite(connection, rows, lease.fence) < len(rows):
        lease.refuse()
    _write_the_rest(connection, works)


def write_all(connection: Connection, works: Sequence[Work]) -> None:
    """Write many additions, whoever has the database; all of their entries go there in one piece."""
    _write_the_rest(connection, works)
    rows = _rows_of(works)
    if connection.dialect.name == "sqlite":
        _enter_into_sqlite(connection, rows)
    elif rows:
        connection.execute(_ENTER, rows)


def write_shared(connection: Connection, works: Sequence[Work], ownership: Ownership) -> Failures:
    """Write what one of several workers adds; what is not ours any more is left out, and said so."""
    additions = [work for work in works if isinstance(work, Addition)]
    for addition in additions:
        if addition.new:
            _write_summary(connection, addition, ownership.me)
    wanted = {(addition.code, addition.fence or 0) for addition in additions}
    held = ownership.enter(connection, wanted, _rows_of(additions)) if additions else set()
    failures = {}
    for place, work in enumerate(works):
        if not isinstance(work, Addition):
            work(connection)
        elif (work.code, work.fence) not in held:
            failures[place] = taken(work.code)
        elif not work.new:
            _write_summary(connection, work)
    return failures


def is_kept(connection: Connection, work: Work) -> bool:
    """Whether exactly this stands in the database; its entries and its summary came there together."""
    if not isinstance(work, Addition) or not work.entries:
        return False
    rows = _rows_of([work])
    numbers = [row["number"] for row in rows]
    mine = (entries.c.code == work.code) & entries.c.number.in_(numbers)
    columns = [entries.c[name] for name in rows[0]]
    found = connection.execute(select(*columns).where(mine).order_by(entries.c.number)).mappings()
    return [dict(row) for row in found] == rows


# -------------------------------------------------------------------------------- the entries


def _rows_of(works: Sequence[Work]) -> list[_Row]:
    return [
        {
            "code": addition.code,
            "number": entry.number,
            "kind": kind_of(entry.body),
            "body": write_body(entry.body),
            "guest": entry.guest,
            "key": entry.key,
            "at": float(entry.at),  # SQLite would take anything for a time
            "fence": addition.fence,
        }
        for addition in works
        if isinstance(addition, Addition)
        for entry in addition.entries
    ]


def _enter_into_sqlite(connection: Connection, rows: Sequence[_Row], fence: int | None = None) -> int:
    """Write entries, many with one statement; under a fence, if there is one. How many were written."""
    first = written = 0
    while first < len(rows):
        many = min(len(rows) - first, _MOST_ROWS)
        values = [value for row in rows[first : first + many] for value in row.values()]
        if fence is not None:
            values.append(fence)
        statement = _statement(tuple(rows[0]), many, fence is not None)
        written += connection.exec_driver_sql(statement, tuple(values)).rowcount
        first += many
    return written


@cache
def _statement(names: Sequence[str], rows: int, under_fence: bool) -> str:
    """What writes so many entries into SQLite; under a fence, only as long as the database is ours."""
    places = f"({', '.join('?' * len(names))})"
    quoted = ", ".join(f'"{name}"' for name in names)
    values = f"VALUES {', '.join([places] * rows)}"
    if under_fence:
        values = f"SELECT * FROM ({values}) WHERE {HELD}"
    return f"INSERT INTO {entries.name} ({quoted}) {values}"


# -------------------------------------------------------------------------------- the rest


def _write_the_rest(connection: Connection, works: Sequence[Work]) -> None:
    for work in works:
        if isinstance(work, Addition):
            _write_summary(connection, work)
        else:
            work(connection)


def _write_summary(connection: Connection, addition: Addition, owner: str | None = None) -> None:
    if addition.snapshot is not None:
        keep_snapshot(connection, addition.code, addition.snapshot)
    if addition.summary is None and not addition.active:  # most have nothing but entries
        return
    this = tables.c.code == addition.code
    if addition.summary is None:
        connection.execute(update(tables).where(this).values(active=addition.active))
        return
    values = {
        "stage": addition.summary.stage,
        "public": addition.summary.settings.public,
        "active": addition.active,
        "head": write_summary(addition.summary),
    }
    if addition.new:
        whose = {"owner": owner, "fence": addition.fence or 0}
        connection.execute(insert(tables).values(code=addition.code, **values, **whose))
    else:
        connection.execute(update(tables).where(this).values(**values))
        connection.execute(delete(sittings).where(sittings.c.code == addition.code))
    sitting = [
        {"guest": guest, "code": addition.code}
        for guest in {*addition.summary.holders, addition.summary.host}
    ]
    connection.execute(insert(sittings), sitting)
