"""Where tables are kept: a database, SQLite beside the program or PostgreSQL by its address."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from sqlalchemy import Connection, Engine, create_engine, delete, event, func, insert, select, update
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, OperationalError

from dicetown.errors import DicetownError
from dicetown.server.head import Head, read_head, write_head
from dicetown.server.journal import Written, kind_of, read_body, write_body
from dicetown.server.migrations import migrate
from dicetown.server.patience import Patience
from dicetown.server.schema import entries, guests, reviews, sittings, tables
from dicetown.server.writer import Watch, Writer

_Answer = TypeVar("_Answer")
_READERS = 2
#: How many tables a list shows at most.
LISTED = 50


class StoreError(DicetownError):
    """A database that cannot be used."""


@dataclass(frozen=True, slots=True)
class Page:
    """What one step adds to a table: entries, and the head after them where it changed."""

    code: str
    entries: Sequence[Written]
    head: Head | None
    active: float
    new: bool = False


#: What the one who writes is given: a page, or anything else that may be done twice in a transaction.
Work = Page | Callable[[Connection], object]
_ENTER = insert(entries)


class Store:
    """The database as the service uses it; nothing here blocks the event loop."""

    def __init__(
        self,
        place: str,
        watch: Watch = lambda works, seconds: None,
        patience: Patience | None = None,
    ) -> None:
        self._patience = patience or Patience()
        self.engine = open_engine(place)
        try:
            migrate(self.engine)
        except OperationalError as problem:
            self.engine.dispose()
            raise StoreError(f"The database {_shown(place)} cannot be opened: {_reason(problem)}.") from None
        except BaseException:
            self.engine.dispose()
            raise
        self._writer = Writer(self.engine, write_all, _write_missing, watch, self._patience)
        self._readers = ThreadPoolExecutor(_READERS, "reader")

    def close(self) -> None:
        """Finish writing, and let the database go."""
        self._writer.close()
        self._readers.shutdown()
        self.engine.dispose()

    # ----------------------------------------------------------------------- writing

    async def write(self, page: Page) -> None:
        """Keep a page; when this returns, it survives a power cut.

        It raises what SQLAlchemy says if the page certainly is not kept, and ``Unclear`` if nobody knows.
        """
        await self._writer.write(page)

    async def rename(self, guest: str, name: str, now: float) -> None:
        """Keep the name that a guest has chosen."""

        def work(connection: Connection) -> None:
            connection.execute(delete(guests).where(guests.c.id == guest))
            connection.execute(insert(guests).values(id=guest, name=name, seen=now))

        await self._writer.write(work)

    async def keep_review(self, code: str, review: dict[str, Any]) -> None:
        """Keep the review of a game."""
        body = msgspec.json.encode(review).decode()

        def work(connection: Connection) -> None:
            connection.execute(delete(reviews).where(reviews.c.code == code))
            connection.execute(insert(reviews).values(code=code, body=body))

        await self._writer.write(work)

    # ----------------------------------------------------------------------- reading

    async def review(self, code: str) -> dict[str, Any] | None:
        """The review of a game, if there is one."""
        wanted = select(reviews.c.body).where(reviews.c.code == code)
        body = await self._read(lambda connection: connection.execute(wanted).scalar())
        return None if body is None else msgspec.json.decode(body, type=dict[str, Any])

    async def journal(self, code: str) -> list[Written]:
        """All entries of a table, in order; none if there is no such table."""
        columns = (entries.c.number, entries.c.at, entries.c.body, entries.c.guest, entries.c.key)
        wanted = select(*columns).where(entries.c.code == code).order_by(entries.c.number)

        def work(connection: Connection) -> list[Written]:
            rows = connection.execute(wanted).all()
            return [Written(row.number, row.at, read_body(row.body), row.guest, row.key) for row in rows]

        return await self._read(work)

    async def name_of(self, guest: str) -> str:
        """The name that a guest has chosen, or nothing."""
        wanted = select(guests.c.name).where(guests.c.id == guest)
        return await self._read(lambda connection: connection.execute(wanted).scalar() or "")

    async def public_tables(self) -> list[Head]:
        """Tables that everybody may see: those that wait for players first, then those to watch."""
        listed = tables.c.stage.in_(["lobby", "playing", "paused"]) & tables.c.public
        wanted = select(tables.c.head).where(listed).order_by(tables.c.stage, tables.c.active.desc())
        return await self._heads(wanted.limit(LISTED))

    async def tables_of(self, guest: str, stages: Sequence[str]) -> list[Head]:
        """The tables that a guest sits at, the latest first."""
        mine = select(tables.c.head).join(sittings, sittings.c.code == tables.c.code)
        mine = mine.where((sittings.c.guest == guest) & tables.c.stage.in_(stages))
        return await self._heads(mine.order_by(tables.c.active.desc()).limit(LISTED))

    async def count_tables(self, guest: str) -> int:
        """How many unfinished tables a guest sits at."""
        mine = select(func.count()).select_from(tables).join(sittings, sittings.c.code == tables.c.code)
        mine = mine.where((sittings.c.guest == guest) & tables.c.stage.in_(["lobby", "playing", "paused"]))
        return await self._read(lambda connection: int(connection.execute(mine).scalar_one()))

    async def left_alone(self, stages: Sequence[str], before: float) -> list[str]:
        """The codes of tables at which nothing has happened for long."""
        alone = tables.c.stage.in_(stages) & (tables.c.active < before)
        wanted = select(tables.c.code).where(alone).limit(LISTED)
        return await self._read(lambda connection: list(connection.execute(wanted).scalars()))

    async def active_since(self, moment: float) -> list[str]:
        """The codes of games that went on lately, the latest first."""
        lately = tables.c.stage.in_(["playing", "paused"]) & (tables.c.active >= moment)
        wanted = select(tables.c.code).where(lately).order_by(tables.c.active.desc())
        return await self._read(lambda connection: list(connection.execute(wanted).scalars()))

    async def check(self) -> None:
        """Ask the database whether it is there."""
        await self._read(lambda connection: connection.execute(select(1)).scalar_one())

    async def _heads(self, wanted: Any) -> list[Head]:
        def work(connection: Connection) -> list[Head]:
            texts = connection.execute(wanted).scalars()
            return [read_head(text) for text in texts]

        return await self._read(work)

    async def _read(self, work: Callable[[Connection], _Answer]) -> _Answer:
        def read() -> _Answer:
            with self.engine.connect() as connection:
                return work(connection)

        return await asyncio.get_running_loop().run_in_executor(self._readers, read)


def write_all(connection: Connection, works: Sequence[Work]) -> None:
    """Write many pages at once: all of their entries go to the database in one piece."""
    rows: list[dict[str, Any]] = []
    for work in works:
        if isinstance(work, Page):
            _write_head(connection, work)
            rows += _rows(work)
        else:
            work(connection)
    if rows:
        connection.execute(_ENTER, rows)


def _write_missing(connection: Connection, works: Sequence[Work]) -> None:
    """Write those pages that the database does not hold already; other works are simply done again."""
    write_all(connection, [work for work in works if not _is_kept(connection, work)])


def _is_kept(connection: Connection, work: Work) -> bool:
    """Whether exactly this page stands in the database; its entries and its head came there together."""
    if not isinstance(work, Page) or not work.entries:
        return False
    rows = _rows(work)
    numbers = [row["number"] for row in rows]
    mine = (entries.c.code == work.code) & entries.c.number.in_(numbers)
    found = connection.execute(select(entries).where(mine).order_by(entries.c.number)).mappings()
    return [dict(row) for row in found] == rows


def _rows(page: Page) -> list[dict[str, Any]]:
    return [
        {
            "code": page.code,
            "number": entry.number,
            "kind": kind_of(entry.body),
            "body": write_body(entry.body),
            "guest": entry.guest,
            "key": entry.key,
            "at": entry.at,
        }
        for entry in page.entries
    ]


def _write_head(connection: Connection, page: Page) -> None:
    this = tables.c.code == page.code
    if page.head is None:
        if page.active:
            connection.execute(update(tables).where(this).values(active=page.active))
        return
    values = {
        "stage": page.head.stage,
        "public": page.head.settings.public,
        "active": page.active,
        "head": write_head(page.head),
    }
    if page.new:
        connection.execute(insert(tables).values(code=page.code, **values))
    else:
        connection.execute(update(tables).where(this).values(**values))
        connection.execute(delete(sittings).where(sittings.c.code == page.code))
    sitting = [{"guest": guest, "code": page.code} for guest in {*page.head.holders, page.head.host}]
    connection.execute(insert(sittings), sitting)


def open_engine(place: str) -> Engine:
    """The engine of a database: a file's path, or an address such as ``postgresql://…``."""
    if "://" not in place:
        return _open_sqlite(f"sqlite:///{Path(place).expanduser().absolute()}")
    try:
        url = make_url(place)
    except ArgumentError:
        raise StoreError(f'"{place}" is no address of a database; write a path or postgresql://….') from None
    backend = url.get_backend_name()
    if backend == "sqlite":
        return _open_sqlite(place)
    if backend != "postgresql":
        raise StoreError(f"Tables can be kept in SQLite or PostgreSQL, not in {backend}.")
    try:
        return create_engine(url.set(drivername="postgresql+psycopg"), pool_pre_ping=True)
    except ModuleNotFoundError:
        raise StoreError(
            "PostgreSQL needs the library psycopg: pip install 'dicetown[postgres]' brings it."
        ) from None


def _open_sqlite(url: str) -> Engine:
    engine = create_engine(url, connect_args={"timeout": 10.0})

    @event.listens_for(engine, "connect")
    def prepare(connection: Any, record: Any) -> None:
        # WAL lets people read while others write; FULL makes every commit survive a power cut.
        for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
            connection.execute(f"PRAGMA {pragma}")

    return engine


def _shown(place: str) -> str:
    """The place without its password."""
    return make_url(place).render_as_string(hide_password=True) if "://" in place else place


def _reason(problem: OperationalError) -> str:
    return str(problem.orig).strip().splitlines()[0].rstrip(".")
