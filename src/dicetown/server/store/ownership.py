"""Which tables are ours, where several workers share a database.

A table has an *owner* and a *fence*, a number that is raised whenever somebody takes the table. What we write
names the fence under which we have it, and the statement that writes finds nothing to write to if the table
has another owner or fence by then. It holds the table's row until the transaction ends, so nobody takes the
table in between. A worker that stood still, was given up and goes on is refused by the database itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

from sqlalchemy import Connection, Engine, delete, event, select, text, update

from dicetown.server.store.database_url import StoreError
from dicetown.server.store.lease import Surpassed
from dicetown.server.store.registry import DEAD_AFTER, NOW
from dicetown.server.store.schema import entries, tables, workers

#: A table under a fence.
Held = tuple[str, int]
#: What came of an attempt to take a table: its fence; whose it is; somebody writes to it; there is none.
Taken = int | str | Literal[False] | None

_HAS_A_LIVING_OWNER = f"""EXISTS (
    SELECT 1 FROM workers WHERE id = tables.owner AND NOT leaving
    AND seen > extract(epoch FROM clock_timestamp()) - {DEAD_AFTER})"""
#: Nobody is waited for: who holds the row is about to write, and it is asked for again.
_TAKE = text(f"""
WITH free AS (
    SELECT code FROM tables
    WHERE code = :code AND (owner IS NULL OR owner = :me OR NOT {_HAS_A_LIVING_OWNER})
    FOR NO KEY UPDATE SKIP LOCKED)
UPDATE tables SET owner = :me, fence = fence + 1 FROM free WHERE tables.code = free.code
RETURNING tables.fence""")
_WHOSE = text(f"""
SELECT {_HAS_A_LIVING_OWNER} AND owner <> :me AS elsewhere,
    (SELECT address FROM workers WHERE id = tables.owner) AS address
FROM tables WHERE code = :code""")
_ORPHANS = text(f"""
SELECT code FROM tables WHERE stage IN ('playing', 'paused') AND active >= :since
AND (owner IS NOT NULL OR :unowned) AND NOT {_HAS_A_LIVING_OWNER}
ORDER BY active DESC""")
_COLUMNS = {
    "code": "text",
    "number": "integer",
    "kind": "text",
    "body": "text",
    "guest": "text",
    "key": "text",
    "at": "double precision",
    "fence": "bigint",
}
_NAMES = ", ".join(f'"{name}"' for name in _COLUMNS)
#: Entries come in with the rows of the tables that are still ours, and only with them.
_ENTER = text(f"""
WITH mine AS (
    SELECT code, fence FROM tables
    WHERE owner = :me AND (code, fence) IN (
        SELECT * FROM unnest(CAST(:of AS text[]), CAST(:under AS bigint[])))
    ORDER BY code FOR SHARE
), entered AS (
    INSERT INTO {entries.name} ({_NAMES})
    SELECT {_NAMES} FROM unnest({", ".join(f"CAST(:{name} AS {type}[])" for name, type in _COLUMNS.items())})
        AS new({_NAMES}) JOIN mine USING (code, fence))
SELECT code, fence FROM mine""")
#: A transaction of ours whose end we have not heard of is over when the next one has this.
_ONE_AT_A_TIME = text("SELECT pg_advisory_xact_lock(:mine)")


#: Of a table that nobody has had before.
FIRST_FENCE = 1
_STANDS_STILL = 3000  # milliseconds in the middle of a transaction, until the database ends it


class TableTaken(Surpassed):
    """Another worker has a table now; nothing was written to it."""


class Ownership:
    """The tables that one worker has."""

    def __init__(self, me: str) -> None:
        self.me = me
        self.fences: dict[str, int] = {}  # by the table's code
        self._mine = {"mine": int(me[:15], 16)}

    def guard(self, connection: Connection) -> None:
        """Wait for the end of a transaction of ours that we have lost."""
        connection.execute(_ONE_AT_A_TIME, self._mine)

    def fence_of(self, code: str) -> int:
        """Under which fence we have a table."""
        if code not in self.fences:
            raise taken(code)
        return self.fences[code]

    def take(self, connection: Connection, code: str) -> Taken:
        """Try to have a table; where somebody else has it, their address."""
        who = {"code": code, "me": self.me}
        fence = connection.execute(_TAKE, who).scalar()
        found = None if fence is not None else connection.execute(_WHOSE, who).first()
        connection.commit()
        if fence is not None:
            return int(fence)
        if found is None:
            return None
        return str(found.address) if found.elsewhere else False

    def enter(
        self, connection: Connection, wanted: Iterable[Held], rows: Sequence[Mapping[str, Any]]
    ) -> set[Held]:
        """Write entries of tables that are ours; of those that are wanted, which ones are."""
        of = sorted(set(wanted))
        columns = {name: [row[name] for row in rows] for name in _COLUMNS}
        under = {"of": [code for code, _ in of], "under": [fence for _, fence in of]}
        found = connection.execute(_ENTER, {"me": self.me, **under, **columns})
        return {(code, fence) for code, fence in found}

    def give_back(self, connection: Connection, held: Held) -> None:
        """Let anybody have a table; nothing happens if it is not ours any more."""
        connection.execute(update(tables).where(self._is_ours(held)).values(owner=None))

    def delete(self, connection: Connection, held: Held) -> None:
        """Delete a table."""
        if not connection.execute(delete(tables).where(self._is_ours(held))).rowcount:
            raise taken(held[0])

    def prove(self, connection: Connection) -> None:
        """Write something, to know that it is possible."""
        connection.execute(update(workers).where(workers.c.id == self.me).values(seen=NOW))

    def held(self, connection: Connection) -> set[Held]:
        """What we have, as the database knows it."""
        mine = select(tables.c.code, tables.c.fence).where(tables.c.owner == self.me)
        return {(code, fence) for code, fence in connection.execute(mine)}

    def _is_ours(self, held: Held) -> Any:
        code, fence = held
        return (tables.c.code == code) & (tables.c.owner == self.me) & (tables.c.fence == fence)


def taken(code: str) -> TableTaken:
    """What is said of a table that is not ours any more."""
    return TableTaken(f"The table {code} belongs to another worker now.")


def orphans(connection: Connection, since: float, *, unowned: bool) -> list[str]:
    """Games that went on lately and whose owner has gone; with ``unowned`` those that had none, too."""
    return list(connection.execute(_ORPHANS, {"since": since, "unowned": unowned}).scalars())


def check_can_be_shared(engine: Engine) -> None:
    """Refuse a database that is for one process alone."""
    if engine.dialect.name != "postgresql":
        raise StoreError(
            "Several processes need PostgreSQL (--db postgresql://…); with SQLite there is one, --workers 1."
        )


def share(engine: Engine) -> Engine:
    """Let no worker that stands still keep others from a table that it was about to write to."""

    @event.listens_for(engine, "connect")
    def prepare(connection: Any, record: Any) -> None:
        connection.execute(f"SET idle_in_transaction_session_timeout = {_STANDS_STILL}")
        connection.commit()

    return engine
