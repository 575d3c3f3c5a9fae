"""Where tables are kept: a database, SQLite beside the program or PostgreSQL by its address."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Collection, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple, TypeVar

import msgspec
import structlog
from sqlalchemy import ColumnElement, Connection, Table, bindparam, delete, func, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import DatabaseError, DBAPIError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as TookTooLong

from dicetown.errors import RulesetError
from dicetown.server.common.metrics import Metrics
from dicetown.server.common.settings import Timeouts
from dicetown.server.journal.entries import Entry, read_entry
from dicetown.server.journal.summary import RUNNING, Summary, read_summary
from dicetown.server.store.additions import Addition, Work, is_kept, write_alone, write_shared
from dicetown.server.store.contact import Contact, blames_the_database, reason_of
from dicetown.server.store.database_url import StoreError, make_file_private, open_engine, shown
from dicetown.server.store.lease import Lease, holder_of
from dicetown.server.store.migrations import migrate
from dicetown.server.store.opening import check_can_be_ours
from dicetown.server.store.ownership import (
    FIRST_FENCE,
    Ownership,
    check_can_be_shared,
    orphans,
    share,
)
from dicetown.server.store.registry import Registry, check_neighbours
from dicetown.server.store.schema import entries, guests, reviews, sittings, tables, workers
from dicetown.server.store.snapshots import Snapshot, find_snapshot
from dicetown.server.store.writer import Failures, Watch, Writer

_Answer = TypeVar("_Answer")
_READERS = 2
_BUSY = 0.02  # seconds until a table is asked for again that somebody writes to
#: How many tables a list shows at most.
LISTED = 50
#: Lengths of longer lists in a statement are multiples of this, and filled up to no more than that: SQLite
#: takes 32,766 values.
_STEP, _MOST_VALUES = 1024, 32_000
_RUNNING = tables.c.stage.in_(RUNNING)
# Asked whenever somebody makes a table: made once, for to put a statement together takes as long as to ask.
_NAME = select(guests.c.name).where(guests.c.id == bindparam("of"))
_MINE = (
    select(func.count(), func.count().filter(tables.c.public))
    .select_from(tables)
    .join(sittings, sittings.c.code == tables.c.code)
    .where((sittings.c.guest == bindparam("of")) & _RUNNING)
)
_log: Any = structlog.get_logger("dicetown")


class Unfinished(NamedTuple):
    """How many unfinished tables a guest sits at, and how many of them everybody may see."""

    tables: int
    public: int


class Store:
    """The database as the service uses it; nothing here blocks the event loop."""

    def __init__(
        self,
        place: str,
        watch: Watch = lambda works, seconds: None,
        timeouts: Timeouts | None = None,
        surpassed: Callable[[], None] = lambda: None,
        metrics: Metrics | None = None,
        shared_at: str | None = None,
    ) -> None:
        """Open a database; where it is shared with other workers, they reach this one at ``shared_at``."""
        measured = metrics or Metrics()
        self._timeouts = replace(timeouts or Timeouts())  # one's own, to be lost at the end
        self._contact = Contact(measured.count_storage_error)
        self.engine = open_engine(place, self._timeouts)
        self.registry: Registry | None = None
        self._ownership: Ownership | None = None
        if shared_at is not None:
            check_can_be_shared(self.engine)
            self.registry = Registry(share(self.engine), "game", shared_at)
            self._ownership = Ownership(self.registry.id)
        self._lease = Lease(self.engine, surpassed, measured.count_lease_change, shared=shared_at is not None)
        try:
            self._open(place)
        except (DatabaseError, OSError) as problem:
            self._let_go()
            raise StoreError(f"The database {shown(place)} cannot be opened: {reason_of(problem)}.") from None
        except BaseException:
            self._let_go()
            raise
        self._writer = Writer(
            self.engine, self._write_all, self._write_missing, _rest, watch, self._timeouts, self._contact
        )
        self._proof: asyncio.Future[None] | None = None
        self._readers = ThreadPoolExecutor(_READERS, "reader")
        self._reading: set[Future[Any]] = set()
        self._unreadable: set[str] = set()  # tables whose summaries make no sense

    def close(self) -> None:
        """Finish writing, and let the database go; if it does not answer, without its leave."""
        self._writer.close()
        if self.registry is not None:
            self.registry.end_within(self._timeouts.farewell)
        self._timeouts.end()
        self._readers.shutdown(wait=False, cancel_futures=True)
        wait(self._reading, self._timeouts.farewell)
        self._let_go()

    def _open(self, place: str) -> None:
        """Have the database for ourselves, in the shape that we need."""
        check_can_be_ours(place, self._timeouts)
        make_file_private(self.engine)
        if not self._lease.take():
            raise StoreError(
                f"The database {shown(place)} is in use by {holder_of(self.engine)}; end that one, or choose "
                "another database with --db."
            )
        if self.registry is not None:
            check_neighbours(self.engine)
        migrate(self.engine)
        self._lease.begin()
        if self.registry is not None:
            self.registry.join()
        with self.engine.connect() as connection:
            _rest(connection)

    def _let_go(self) -> None:
        self._lease.release(self._timeouts.farewell)
        self.engine.dispose()

    @property
    def is_surpassed(self) -> bool:
        """Whether another service has the database now."""
        return self._lease.is_surpassed

    @property
    def is_lost(self) -> bool:
        """Whether the database did not do what it was last asked for."""
        return self._contact.is_lost

    @property
    def waiting(self) -> int:
        """How many works wait to be written."""
        return self._writer.waiting

    # ----------------------------------------------------------------------- writing

    async def write(self, addition: Addition) -> None:
        """Keep an addition; when this returns, it survives a power cut.

        It raises what SQLAlchemy says if it certainly is not kept (``TableTaken`` if the table is another
        worker's by now), and ``Unclear`` if nobody knows.
        """
        if self._ownership is not None:
            if addition.new:
                self._ownership.fences[addition.code] = FIRST_FENCE
            addition = addition._replace(fence=self._ownership.fence_of(addition.code))
        await self._writer.write(addition)

    def _write_all(self, connection: Connection, works: Sequence[Work]) -> Failures:
        if self._ownership is not None:
            self._ownership.guard(connection)
            return write_shared(connection, works, self._ownership)
        write_alone(connection, works, self._lease)
        return {}

    def _write_missing(self, connection: Connection, works: Sequence[Work]) -> Failures:
        """Write those additions that the database does not hold already; other works are simply done again.

        The guard comes first: once it has let us in, a transaction that we have lost has come to its end.
        """
        (self._ownership or self._lease).guard(connection)
        missing = {place: work for place, work in enumerate(works) if not is_kept(connection, work)}
        failures = self._write_all(connection, list(missing.values()))
        places = list(missing)
        return {places[place]: problem for place, problem in failures.items()}

    async def prove(self) -> None:
        """Write (the guard does), to know that it is possible; nobody waits long for that."""
        if self._proof is None or self._proof.done():  # however many ask: one proof at a time
            self._proof = self._writer.write(self._prove)
            self._proof.add_done_callback(lambda proof: proof.cancelled() or proof.exception())
        async with _limit(self._timeouts.proof):
            await asyncio.shield(self._proof)

    def _prove(self, connection: Connection) -> None:
        if self._ownership is not None:
            self._ownership.prove(connection)

    async def rename(self, guest: str, name: str, now: float) -> None:
        """Keep the name that a guest has chosen."""
        await self._writer.write(partial(put, guests, {"id": guest, "name": name, "seen": now}))

    async def keep_review(self, code: str, review: dict[str, Any]) -> None:
        """Keep the review of a game."""
        body = msgspec.json.encode(review).decode()
        await self._writer.write(partial(put, reviews, {"code": code, "body": body}))

    async def delete_ended(self, before: float, besides: Collection[str]) -> int:
        """Delete some tables that ended before a moment, besides those in use; how many.

        With them go guests who have not been heard of since. To be called again until there are none left.
        """
        ended = tables.c.stage.in_(["over", "closed"]) & (tables.c.active < before)
        if self._ownership is not None:  # those of others are in use, too
            of_others = select(workers.c.id).where(workers.c.id != self._ownership.me)
            ended &= tables.c.owner.is_(None) | tables.c.owner.not_in(of_others)
        wanted = select(tables.c.code).where(ended & ~_among(besides)).limit(LISTED)
        codes = await self._read(lambda connection: list(connection.execute(wanted).scalars()))
        silent = (guests.c.seen < before) & guests.c.id.not_in(select(sittings.c.guest))

        def work(connection: Connection) -> None:
            gone = delete(tables).where(ended & _among(codes))  # and all that belongs to them
            connection.execute(gone)
            connection.execute(delete(guests).where(silent))

        await self._writer.write(work)
        return len(codes)

    async def delete(self, code: str) -> None:
        """Delete a table and all that belongs to it."""
        ours = self._ownership
        held = (code, ours.fence_of(code)) if ours is not None else None

        def work(connection: Connection) -> None:
            if ours is not None and held is not None:
                ours.delete(connection, held)
            else:
                connection.execute(delete(tables).where(tables.c.code == code))

        await self._writer.write(work)

    # ------------------------------------------------------------- sharing with other workers

    async def take(self, code: str) -> str | None:
        """Have a table for ourselves; else the address of the worker that has it, empty if nobody knows.

        What is read of the table afterwards is all that there is: nobody else can add to it.
        """
        ours = self._ownership
        if ours is None or self.registry is None:
            return None
        if self.registry.is_leaving:
            return ""
        async with _limit(self._timeouts.read):
            while (taken := await self._read(lambda connection: ours.take(connection, code))) is False:
                await asyncio.sleep(_BUSY)
        if isinstance(taken, int):
            ours.fences[code] = taken
        return taken if isinstance(taken, str) else None

    async def give_back(self, code: str) -> None:
        """Let anybody have a table that we have put away."""
        ours = self._ownership
        if ours is not None and (fence := ours.fences.pop(code, None)) is not None:
            await self._writer.write(lambda connection: ours.give_back(connection, (code, fence)))

    async def lost(self) -> list[str]:
        """The tables that we believe to have, and that others have taken."""
        ours = self._ownership
        if ours is None:
            return []
        believed = dict(ours.fences)
        held = await self._read(ours.held)
        missing = [held_by_us for held_by_us in believed.items() if held_by_us not in held]
        return [code for code, fence in missing if ours.fences.get(code) == fence]  # not taken anew meanwhile

    async def orphans(self, since: float, *, unowned: bool) -> list[str]:
        """Games that went on lately and whose worker has gone; with ``unowned`` those without one, too."""
        return await self._read(lambda connection: orphans(connection, since, unowned=unowned))

    # ----------------------------------------------------------------------- reading

    async def review(self, code: str) -> dict[str, Any] | None:
        """The review of a game, if there is one that can be read."""
        wanted = select(reviews.c.body).where(reviews.c.code == code)
        body = await self._read(lambda connection: connection.execute(wanted).scalar())
        if body is None:
            return None
        try:
            return msgspec.json.decode(body, type=dict[str, Any])
        except (msgspec.DecodeError, UnicodeEncodeError) as problem:
            _log.error("unreadable review", table=code, problem=str(problem))
            return None

    async def snapshot(self, code: str) -> Snapshot | None:
        """The snapshot of a table, if there is one that this version has made."""
        return await self._read(lambda connection: find_snapshot(connection, code))

    async def journal(self, code: str, since: int = 1) -> list[Entry]:
        """All entries of a table, or those since a number, in order; none if there is no such table.

        Raises :class:`~dicetown.server.journal.entries.Unreadable` if one of them makes no sense.
        """
        columns = (entries.c.number, entries.c.at, entries.c.body, entries.c.guest, entries.c.key)
        wanted = select(*columns).where((entries.c.code == code) & (entries.c.number >= since))
        wanted = wanted.order_by(entries.c.number)

        def work(connection: Connection) -> list[Entry]:
            rows = connection.execute(wanted).all()
            return [read_entry(row.number, row.at, row.body, row.guest, row.key) for row in rows]

        return await self._read(work)

    async def summary(self, code: str) -> Summary | None:
        """A table as lists show it, if there is one that can be read."""
        found = await self._summaries(select(tables.c.code, tables.c.head).where(tables.c.code == code))
        return found[0] if found else None

    async def name_of(self, guest: str) -> str:
        """The name that a guest has chosen, or nothing."""
        return await self._read(lambda connection: connection.execute(_NAME, {"of": guest}).scalar() or "")

    async def public_tables(self, most: int = LISTED) -> list[Summary]:
        """Tables that everybody may see: those that wait for players first, then those to watch."""
        listed = _RUNNING & tables.c.public
        wanted = (
            select(tables.c.code, tables.c.head)
            .where(listed)
            .order_by(tables.c.stage, tables.c.active.desc())
        )
        return await self._summaries(wanted.limit(most))

    async def tables_of(self, guest: str, stages: Sequence[str]) -> list[Summary]:
        """The tables that a guest sits at, the latest first."""
        mine = select(tables.c.code, tables.c.head).join(sittings, sittings.c.code == tables.c.code)
        mine = mine.where((sittings.c.guest == guest) & tables.c.stage.in_(stages))
        return await self._summaries(mine.order_by(tables.c.active.desc()).limit(LISTED))

    async def oldest_of(self, guest: str) -> list[Summary]:
        """The unfinished tables that a guest sits at, the one first at which nothing happened for longest."""
        mine = select(tables.c.code, tables.c.head).join(sittings, sittings.c.code == tables.c.code)
        mine = mine.where((sittings.c.guest == guest) & _RUNNING)
        return await self._summaries(mine.order_by(tables.c.active))

    async def count_tables(self, guest: str) -> Unfinished:
        """The unfinished tables that a guest sits at."""
        return await self._read(
            lambda connection: Unfinished(*connection.execute(_MINE, {"of": guest}).one())
        )

    async def unfinished(self, codes: Collection[str]) -> set[str]:
        """Which of these tables are not finished."""
        wanted = select(tables.c.code).where(_RUNNING & _among(codes))
        return await self._read(lambda connection: set(connection.execute(wanted).scalars()))

    async def count_unfinished(self) -> int:
        """How many tables there are whose game is not over."""
        wanted = select(func.count()).where(_RUNNING)
        return await self._read(lambda connection: int(connection.execute(wanted).scalar_one()))

    async def left_alone(
        self, stages: Sequence[str], before: float, besides: Collection[str] = ()
    ) -> list[str]:
        """The codes of tables at which nothing has happened for long, besides some."""
        alone = tables.c.stage.in_(stages) & (tables.c.active < before) & ~_among(besides)
        wanted = select(tables.c.code).where(alone).limit(LISTED)
        return await self._read(lambda connection: list(connection.execute(wanted).scalars()))

    async def left_by_one(self, before: float, after: str) -> list[Summary]:
        """Games of one guest alone at which nothing has happened for long: some, with codes after one."""
        alone = select(sittings.c.code).group_by(sittings.c.code).having(func.count() == 1)
        old = tables.c.stage.in_(["playing", "paused"]) & (tables.c.active < before)
        wanted = select(tables.c.code, tables.c.head).where(old & tables.c.code.in_(alone))
        wanted = wanted.where((tables.c.code > after) & ~_among(self._unreadable))
        return await self._summaries(wanted.order_by(tables.c.code).limit(LISTED))

    async def _summaries(self, wanted: Any) -> list[Summary]:
        def work(connection: Connection) -> list[Summary]:
            summaries = [self._read_summary(row.code, row.head) for row in connection.execute(wanted)]
            return [summary for summary in summaries if summary is not None]

        return await self._read(work)

    def _read_summary(self, code: str, text: str) -> Summary | None:
        """A summary; none if it makes no sense, which keeps nobody from seeing the other tables."""
        try:
            summary = read_summary(text)
            summary.check()
        except (msgspec.DecodeError, UnicodeEncodeError, RulesetError) as problem:
            if code not in self._unreadable:  # told once, for lists are asked for often
                self._unreadable.add(code)
                _log.error("unreadable head", table=code, problem=str(problem))
            return None
        return summary

    async def _read(self, work: Callable[[Connection], _Answer]) -> _Answer:
        reading = self._readers.submit(self._look, work)
        self._reading.add(reading)
        reading.add_done_callback(self._reading.discard)
        async with _limit(self._timeouts.read):
            return await asyncio.wrap_future(reading)

    def _look(self, work: Callable[[Connection], _Answer]) -> _Answer:
        """Read, and once more over a new connection where a kept one turns out to be dead."""
        try:
            try:
                answer = self._look_once(work)
            except DBAPIError as problem:
                if not problem.connection_invalidated:
                    raise
                answer = self._look_once(work)
        except SQLAlchemyError as problem:
            if blames_the_database(problem):
                self._contact.lost("read", problem)
            raise
        self._contact.found("read")
        return answer

    def _look_once(self, work: Callable[[Connection], _Answer]) -> _Answer:
        with self.engine.connect() as connection:
            return work(connection)


def _among(codes: Collection[str]) -> ColumnElement[bool]:
    return tables.c.code.in_(filled_up(codes))


def filled_up(codes: Collection[str]) -> list[str]:
    """Codes for a list in a statement, the last one again and again up to one of few lengths.

    Each length is a statement of its own, and a connection to SQLite keeps a hundred of them: one for each
    number of tables that there ever were would be megabytes.

    >>> filled_up(["A", "B", "C"])
    ['A', 'B', 'C', 'C']
    """
    listed = list(codes)
    length = 1 << (len(listed) - 1).bit_length() if listed else 0
    if length > _STEP:
        length = -(-len(listed) // _STEP) * _STEP
    return listed + listed[-1:] * (min(length, _MOST_VALUES) - len(listed))


@asynccontextmanager
async def _limit(seconds: float) -> AsyncIterator[None]:
    """Wait no longer than that."""
    try:
        async with asyncio.timeout(seconds):
            yield
    except TimeoutError:
        raise TookTooLong(f"The database has not answered within {seconds:g} seconds.") from None


def put(table: Table, row: dict[str, Any], connection: Connection) -> None:
    """Write a row, in place of the one that has the same key; others may do that at the same moment."""
    new = (postgresql if connection.dialect.name == "postgresql" else sqlite).insert(table).values(row)
    key = [column.name for column in table.primary_key]
    others = {name: new.excluded[name] for name in row if name not in key}
    connection.execute(new.on_conflict_do_update(index_elements=key, set_=others))


def _rest(connection: Connection) -> None:
    """Bring what was written from SQLite's log into the file itself, for who copies only that."""
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql("PRAGMA wal_checkpoint(PASSIVE)")
