"""All tables: making them, finding them again, listing them, putting those away that nobody is at."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Coroutine, Sequence
from typing import TYPE_CHECKING, Any

from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from dicetown import fair
from dicetown.errors import RulesetError
from dicetown.material import load
from dicetown.rules.ruleset import Ruleset
from dicetown.server import wire
from dicetown.server.common.background import outcome
from dicetown.server.common.backoff import Pauses
from dicetown.server.common.clock import Trust
from dicetown.server.common.fair_line import Asker, Line, Room
from dicetown.server.common.names import check_name, name_bot, told_apart
from dicetown.server.common.settings import House
from dicetown.server.journal.entries import Chair, Closed, Made, Rematch, Settings, Unreadable, Written
from dicetown.server.journal.fold import Standing
from dicetown.server.journal.summary import Head
from dicetown.server.store.contact import reason_of
from dicetown.server.store.store import LISTED, Page
from dicetown.server.store.writer import Unclear
from dicetown.server.table import delete, seating
from dicetown.server.table.abandoned import Abandoned, Told
from dicetown.server.table.announcements import info_of
from dicetown.server.table.table import Table
from dicetown.server.wire.refusals import Refused
from dicetown.server.wire.texts import say
from dicetown.server.workers.thinkers import STAND_IN

if TYPE_CHECKING:
    from dicetown.server.table.service import Service

#: No letter that is taken for another one, by eye or by ear. 32 of them: a code is one of 2**40.
LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
CODE_LENGTH = 8
_LOOKED_AT = 10 * LISTED  # tables of which those are chosen that a list shows
_ANY_NUMBER = Room(_LOOKED_AT, _LOOKED_AT, _LOOKED_AT)
RUNNING = ("lobby", "playing", "paused")
_TIDY_EVERY = 60.0
_DAY = 86_400.0
_LOOK_EVERY = 5.0
_COUNT_EVERY = 3600.0
#: Seconds that the time of day must have gone on evenly, before a table is closed because of it.
_TRUST_AFTER = 3600.0
#: Games that went on in the last so many seconds are folded at once after a start.
_RECENTLY = 600.0


def new_code() -> str:
    """A code that nobody can guess.

    >>> len(new_code())
    8
    """
    return "".join(secrets.choice(LETTERS) for _ in range(CODE_LENGTH))


class Lobby:
    """Where all tables stand."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self.tables: dict[str, Table] = {}
        self._coming: dict[str, asyncio.Task[Table | None]] = {}
        self._is_back = False  # whether the games that a restart has interrupted are here again
        self._abandoned = Abandoned(service)
        self._trust = Trust(service.clock, _TRUST_AFTER)
        self._broken: dict[str, Pauses] = {}
        self._unreadable: set[str] = set()

    # ----------------------------------------------------------------------- finding

    async def find(self, code: str) -> Table:
        """The table of a code; if it is not in memory, its journal is read."""
        code = code.upper()
        if (table := self.tables.get(code)) is not None:
            return table
        if len(code) != CODE_LENGTH or not set(code) <= set(LETTERS):
            raise Refused("no_table")
        # Several who come at once wait for the same table, and share it.
        if code not in self._coming:
            task = asyncio.create_task(self._fetch(code))
            self._coming[code] = task
            task.add_done_callback(lambda _: self._coming.pop(code, None))
        table = await asyncio.shield(self._coming[code])
        if table is None:
            raise Refused("no_table")
        return table

    async def _fetch(self, code: str) -> Table | None:
        try:
            entries = await self._service.store.journal(code)
            if not entries:
                return None
            standing = await asyncio.to_thread(Standing.fold, code, entries)
        except Unreadable as problem:
            self._tell_unreadable(code, problem)
            raise Refused("unreadable") from None
        self._unreadable.discard(code)
        return self._put_up(standing)

    def _tell_unreadable(self, code: str, problem: Unreadable) -> None:
        """Those who run the service are told once which entry it is; pages may ask as often as they like."""
        if code not in self._unreadable:
            self._unreadable.add(code)
            reason = str(problem)
            self._service.log.error("unreadable table", table=code, number=problem.number, problem=reason)

    def _put_up(self, standing: Standing) -> Table:
        table = self.tables[standing.head.code] = Table(standing, self._service)
        return table

    def forget(self, table: Table) -> None:
        """Put a table away from memory; the next who asks for it gets it as it is stored."""
        if self.tables.get(table.code) is table:
            del self.tables[table.code]
        table.close()

    # ----------------------------------------------------------------------- listing

    async def public(self, language: str) -> list[wire.TableInfo]:
        """Tables that everybody may see; each maker's first before anybody's second."""
        heads = await self._service.store.public_tables(_LOOKED_AT)
        return [self._info(head, language) for head in self._in_turn(heads)[:LISTED]]

    def _in_turn(self, heads: Sequence[Head]) -> list[Head]:
        """Tables by how much they are worth a look, those of different addresses and hosts in turn."""
        kinds: dict[tuple[bool, bool], Line[Head]] = {}
        for head in heads:
            table = self.tables.get(head.code)
            forsaken = table is None or not table.listeners
            line = kinds.setdefault((head.stage != "lobby", forsaken), Line(_ANY_NUMBER))
            made_at = self._service.makers.address_of(head.code)
            line.join(Asker(made_at if made_at is not None else head.host, head.host), head)
        return [head for kind in sorted(kinds) for head in kinds[kind].take_all()]

    async def of_guest(self, guest: str, language: str) -> wire.Me:
        """A guest, with the tables they sit at."""
        store = self._service.store
        running = await store.tables_of(guest, RUNNING)
        finished = await self._ended(guest)
        latest = [
            self.tables[head.code].standing.head if head.code in self.tables else head for head in running
        ]
        return wire.Me(
            name=await store.name_of(guest),
            running=[self._info(head, language) for head in running],
            finished=[self._info(head, language) for head in finished],
            your_turn=[head.code for head in latest if head.waits_for(guest)],
            alone=[head.code for head in [*latest, *finished] if head.holders <= {guest}],
        )

    async def _ended(self, guest: str) -> list[Head]:
        """The games of a guest that are over, and those that were closed after they had begun."""
        store = self._service.store
        closed = [head for head in await store.tables_of(guest, ["closed"]) if head.started is not None]
        ended = [*await store.tables_of(guest, ["over"]), *closed]
        return sorted(ended, key=lambda head: head.ended or 0.0, reverse=True)[:LISTED]

    def _info(self, head: Head, language: str) -> wire.TableInfo:
        """A table of a list: as it is in memory, or else as the store has it."""
        table = self.tables.get(head.code)
        return info_of(head, language) if table is None else table.info(language)

    # ------------------------------------------------------------------------ making

    async def make(
        self,
        guest: str,
        request: wire.NewTable,
        language: str,
        address: str = "",
        told: Told = lambda code: None,
    ) -> Table:
        """Make a table; ``told`` hears of those that were put away to make room for it."""
        settings = _settings(request)
        if request.start and any(seat.kind == "friend" for seat in request.seats):
            raise Refused("friends_missing")
        name = await self._service.store.name_of(guest)
        called = name or say(language, "seat.guest")
        chairs = _chairs(request.seats, guest, called, language, self._service.house)
        table = await self._make(Made(settings, chairs, guest, fair.new_secret().hex()), address, told)
        if own := next((seat.name for seat in request.seats if seat.kind == "me" and seat.name), None):
            await self.remember(guest, check_name(own))
        if request.start:
            await _start_if_stored(table, guest)
        return table

    async def remember(self, guest: str, name: str) -> None:
        """Keep what a guest is called, for the next table; nothing at this one hangs on it."""
        try:
            await self._service.store.rename(guest, name, self._service.clock.now())
        except (SQLAlchemyError, Unclear) as problem:
            self._service.log.info("name not kept", problem=reason_of(problem))

    async def _make(self, made: Made, address: str, told: Told) -> Table:
        makers, now = self._service.makers, self._service.clock.now()
        await self._abandoned.make_room(made.host, told)
        while True:
            code = new_code()
            await makers.admit(code, Asker(address, made.host), made.settings.public)
            first = Written(1, now, made)
            standing = Standing(code, first)
            try:
                await self._service.store.write(Page(code, [first], standing.head, now, new=True))
            except IntegrityError:  # once in 2**40
                makers.forget(code)
                continue
            except BaseException:
                makers.forget(code)
                raise
            self._service.gauges.count_entries([made])
            self._service.log.info("table made", table=code)
            return self._put_up(standing)

    async def rematch(
        self,
        table: Table,
        guest: str,
        commitments: Sequence[str | None] = (),
        address: str = "",
        told: Told = lambda code: None,
    ) -> Table:
        """The same players at a new table: who asks sits there, the others' seats are kept for them."""
        async with table.lock:
            head = table.standing.head
            if head.stage != "over":
                raise Refused("not_over")
            if head.rematch is not None:
                return await self.find(head.rematch)
            if not head.seats_of(guest) and guest != head.host:
                raise Refused("not_your_seat")
            chairs = [_again(chair, guest) for chair in head.chairs]
            _bind(chairs, guest, commitments)
            made = Made(head.settings, chairs, guest, fair.new_secret().hex(), follows=head.code)
            following = await self._make(made, address, told)
            await table.write(Rematch(following.code, head.name_of(guest) or ""), guest=guest)
        if not any(chair.kind == "open" for chair in chairs):
            await seating.start(following, guest)
        return following

    async def delete(self, code: str, guest: str) -> None:
        """Delete a table for good, as the only one who ever sat there."""
        await delete.delete(self, code, guest)

    # ----------------------------------------------------------------------- tidying

    def open(self) -> None:
        """Begin to look after the tables."""
        chores = self._service.chores
        chores.begin("tidying", _TIDY_EVERY, self._look_after)
        chores.begin("standstills", _LOOK_EVERY, self._look_for_standstills)
        chores.begin("counting", _COUNT_EVERY, self._tell_count)

    async def _look_after(self) -> None:
        """Put up the games that a restart has interrupted; then tidy."""
        if not self._is_back:
            store = self._service.store
            for code in await store.active_since(self._service.clock.now() - _RECENTLY):
                await self.each(code, self.find(code))
            found = await store.count_unfinished()
            self._service.log.info("tables found", unfinished=found, put_up=len(self.tables))
            self._is_back = True
        await self.tidy()

    def count(self) -> dict[str, int]:
        """How many tables are in memory, and how many pages are connected to them."""
        return {"tables": len(self.tables), "pages": sum(len(one.listeners) for one in self.tables.values())}

    async def _tell_count(self) -> None:
        self._service.log.info("count", **self.count())

    async def _look_for_standstills(self) -> None:
        """Look at every table whether what should be under way is."""
        for table in list(self.tables.values()):
            table.clockwork.look_after()

    async def tidy(self) -> None:
        """Put away tables that nobody is at, and close those that nobody came to for long."""
        for table in list(self.tables.values()):
            await self.each(table.code, self._put_away(table))
        for code in [code for code in self._broken if code not in self.tables]:
            del self._broken[code]
        if self._trust.look():
            await self._close_the_forsaken()
            await self._abandoned.close_in_time()
            await self._delete_the_old()

    async def _put_away(self, table: Table) -> None:
        idle = self._service.clock.steady() - table.left_at > self._service.house.idle
        if idle and not table.listeners:
            await table.put_away()
            if not table.listeners and not table.lock.locked():
                self.forget(table)

    async def _close_the_forsaken(self) -> None:
        now, house, store = self._service.clock.now(), self._service.house, self._service.store
        besides = self._unreadable
        alone = await store.left_alone(["lobby"], now - house.lobby_closes, besides)
        alone += await store.left_alone(["playing", "paused"], now - house.game_closes, besides)
        for code in alone:
            await self.each(code, self._close_forsaken(code))

    async def _delete_the_old(self) -> None:
        """Delete tables that ended long ago, where that is wanted."""
        days = self._service.house.keep_days
        if days is None:
            return
        before = self._service.clock.now() - days * _DAY
        while deleted := await self._service.store.delete_ended(before, self.tables):
            self._service.log.info("old tables deleted", tables=deleted)

    async def _close_forsaken(self, code: str) -> None:
        table = await self.find(code)
        async with table.lock:
            head = table.standing.head
            if not table.listeners and not head.has_ended:
                await table.write(Closed(forsaken=head.is_somebodys))

    async def each(self, code: str, work: Coroutine[Any, Any, object]) -> None:
        """Do something about one of many tables: if it fails, the others have their turn all the same."""
        problem = await outcome(work)
        if isinstance(problem, Refused):
            self._service.log.warning("table not tidied", table=code, problem=problem.code)
        elif problem is not None:
            self._service.log.error("table not tidied", table=code, exc_info=problem)

    def mend(self, table: Table, problem: BaseException) -> None:
        """Something went wrong at a table that nobody had thought of: after a pause, it is read anew."""
        number = table.standing.last
        self._service.log.error("table broke", table=table.code, number=number, exc_info=problem)
        pauses = self._broken.setdefault(table.code, Pauses())
        self._service.clock.ring(pauses.next(), lambda: self.forget(table))

    def close(self) -> None:
        """Put all tables away."""
        for table in list(self.tables.values()):
            self.forget(table)


async def _start_if_stored(table: Table, guest: str) -> None:
    """Let the game of a new table begin; if that cannot be stored, the table waits, and is not made twice."""
    try:
        await seating.start(table, guest)
    except Refused as refused:
        if refused.code not in ("not_stored", "unclear"):
            raise


def ruleset_for(edition: str, sets: Sequence[str] | None, house: dict[str, object]) -> Ruleset:
    """What is wanted, if it can be played; else a refusal that says what is wrong."""
    known = load().editions
    if edition not in known:
        raise Refused("no_edition")
    parts = [part.id for part in known[edition].sets]
    if sets is not None and not set(sets) <= set(parts):
        raise Refused("no_set")
    if sets is not None and parts[0] not in sets:
        raise Refused("no_base_set")
    try:
        return Ruleset(edition, sets=sets, house=house)
    except RulesetError:
        raise Refused("bad_house") from None


def _settings(request: wire.NewTable) -> Settings:
    ruleset = ruleset_for(request.edition, request.sets, request.house)
    if not ruleset.min_players <= len(request.seats) <= ruleset.max_players:
        raise Refused("player_count", least=ruleset.min_players, most=ruleset.max_players)
    return Settings(
        edition=request.edition,
        sets=list(ruleset.set_ids),
        house=request.house,
        timer=request.timer,
        pace=request.pace,
        public=request.public,
    )


def _chairs(seats: Sequence[wire.NewSeat], guest: str, name: str, language: str, house: House) -> list[Chair]:
    """The seats of a new table; who is called alike is told apart by a number."""
    if sum(seat.kind == "me" for seat in seats) > 1:
        raise Refused("too_many_me")
    chairs: list[Chair] = []
    for number, seat in enumerate(seats, start=1):
        names = [chair.name for chair in chairs]
        given = check_name(seat.name) if seat.name is not None else None
        match seat.kind:
            case "me":
                chairs.append(Chair("person", told_apart(given or name, names), guest=guest))
            case "here":
                called = given or say(language, "seat.here", number=number)
                chairs.append(Chair("person", told_apart(called, names), guest=guest, here=True))
            case "friend":
                chairs.append(Chair("open", ""))
            case "bot":
                bot = seating.check_bot(seat.bot or STAND_IN, house)
                called = told_apart(given, names) if given else name_bot([*names, name])
                chairs.append(Chair("bot", called, bot=bot))
    _bind(chairs, guest, [seat.commitment for seat in seats])
    return chairs


def _bind(chairs: Sequence[Chair], guest: str, commitments: Sequence[str | None]) -> None:
    """Commit a guest to words for the dice, for seats of their own."""
    for seat, commitment in enumerate(commitments):
        if commitment is not None:
            if seat >= len(chairs) or chairs[seat].guest != guest:
                raise Refused("not_your_seat")
            chairs[seat].commitment = commitment


def _again(chair: Chair, guest: str) -> Chair:
    """A seat of the next game: taken at once if it is who asks for it, or kept for who sat there."""
    if chair.kind == "person" and chair.guest != guest:
        return Chair("open", chair.name, kept_for=chair.guest, here=chair.here)
    if chair.kind == "open":
        return Chair("open", "")
    return Chair(chair.kind, chair.name, bot=chair.bot, guest=chair.guest, here=chair.here)
