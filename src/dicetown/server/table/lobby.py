"""All tables: making them, finding them again, listing them, deleting them."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable, Collection, Sequence
from itertools import islice
from weakref import WeakValueDictionary

from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from dicetown import fair
from dicetown.errors import RulesetError, TooFewLandmarks
from dicetown.material import load
from dicetown.rules.ruleset import Ruleset
from dicetown.server import wire
from dicetown.server.common.backoff import Backoff
from dicetown.server.common.fair_line import Asker, Capacity, FairLine
from dicetown.server.common.settings import Settings
from dicetown.server.journal.entries import (
    Chair,
    Closed,
    Entry,
    Made,
    Rematch,
    TableSettings,
    Unreadable,
    kind_of,
)
from dicetown.server.journal.fold import TableState
from dicetown.server.journal.snapshots import Misfit, go_on_from
from dicetown.server.journal.summary import RUNNING, Summary, read_summary
from dicetown.server.store.additions import Addition
from dicetown.server.store.contact import reason_of
from dicetown.server.store.ownership import TableTaken
from dicetown.server.store.store import LISTED, Unfinished
from dicetown.server.store.writer import Unclear
from dicetown.server.table import seating
from dicetown.server.table.automation import Automation
from dicetown.server.table.odds import TableOdds
from dicetown.server.table.quotas import Quotas
from dicetown.server.table.resources import Resources
from dicetown.server.table.table import Table
from dicetown.server.view.announcements import info_of
from dicetown.server.wire.between import Standing
from dicetown.server.wire.names import check_name, name_bot, told_apart
from dicetown.server.wire.refusals import Elsewhere, Refused
from dicetown.server.wire.texts import USUAL, say
from dicetown.server.workers.thinkers import STAND_IN

#: No letter that is taken for another one, by eye or by ear. 32 of them: a code is one of 2**40.
LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
CODE_LENGTH = 8
#: So many codes are looked at for one of a table that would be ours by right.
_CODES_TRIED = 200
_LOOKED_AT = 10 * LISTED  # tables of which those are chosen that a list shows
_ANY_NUMBER = Capacity(_LOOKED_AT, _LOOKED_AT, _LOOKED_AT)
#: Is told of the code of a table that was closed to make room for another.
Told = Callable[[str], None]
#: Asks other workers about tables by their codes, and for their summaries if wanted.
AskOthers = Callable[[Sequence[str], bool], Awaitable[dict[str, Standing]]]


def new_code() -> str:
    """A code that nobody can guess.

    >>> len(new_code())
    8
    """
    return "".join(secrets.choice(LETTERS) for _ in range(CODE_LENGTH))


class Lobby:
    """Where all tables stand."""

    def __init__(self, resources: Resources) -> None:
        self._resources = resources
        self.quotas = Quotas(resources.settings.limits, resources.store, resources.clock)
        self.tables: dict[str, Table] = {}
        self.unreadable: set[str] = set()  # codes of tables whose journals make no sense
        self._making: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()  # by guest
        self._coming: dict[str, asyncio.Task[Table | None]] = {}
        self._broken: dict[str, Backoff] = {}
        #: Of several workers, whether a table belongs to this one by right.
        self.is_ours: Callable[[str], bool] = lambda code: True
        #: And how tables stand that the others have.
        self.ask_others: AskOthers = _nobody_else

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
            owner = await self._resources.store.take(code)
            if owner is not None:
                raise Elsewhere(owner)
            if (found := await self._resume(code)) is not None:
                return found
            entries = await self._resources.store.journal(code)
            if not entries:
                return None
            state = await asyncio.to_thread(TableState.fold, code, entries)
        except Unreadable as problem:
            self._tell_unreadable(code, problem)
            raise Refused("unreadable") from None
        self.unreadable.discard(code)
        return self._put_up(state)

    async def _resume(self, code: str) -> Table | None:
        """The table by its snapshot and what came after, if there is one that fits its journal."""
        store = self._resources.store
        snapshot = await store.snapshot(code)
        if snapshot is None:
            return None
        try:
            rest = await store.journal(code, since=snapshot.number)
            state = await asyncio.to_thread(go_on_from, snapshot.body, code, rest)
        except Misfit as problem:
            self._resources.log.warning("snapshot left aside", table=code, problem=str(problem))
            return None
        self.unreadable.discard(code)
        return self._put_up(state, snapshot.number)

    def _tell_unreadable(self, code: str, problem: Unreadable) -> None:
        """Those who run the service are told once which entry it is; pages may ask as often as they like."""
        if code not in self.unreadable:
            self.unreadable.add(code)
            reason = str(problem)
            self._resources.log.error("unreadable table", table=code, number=problem.number, problem=reason)

    def _put_up(self, state: TableState, snapshot: int = 0) -> Table:
        """Let a table stand here; ``snapshot`` is the last entry that the one in the store knows of."""
        table = Table(state, self._resources, self, Automation, TableOdds, snapshot)
        self.tables[table.code] = table
        return table

    def forget(self, table: Table) -> None:
        """Put a table away from memory; the next who asks for it gets it as it is stored."""
        if self.tables.get(table.code) is table:
            del self.tables[table.code]
        table.close()

    # ----------------------------------------------------------------------- listing

    async def public(self, language: str) -> list[wire.TableInfo]:
        """Tables that everybody may see; each maker's first before anybody's second."""
        summaries = await self._resources.store.public_tables(_LOOKED_AT)
        others = await self.ask_others([one.code for one in summaries if one.code not in self.tables], False)
        visited = {code for code, table in self.tables.items() if table.listeners}
        visited |= {code for code, standing in others.items() if standing.visited}
        return [self._info(summary, language) for summary in self._in_turn(summaries, visited)[:LISTED]]

    def _in_turn(self, summaries: Sequence[Summary], visited: Collection[str]) -> list[Summary]:
        """Tables by how much they are worth a look, those of different addresses and hosts in turn."""
        kinds: dict[tuple[bool, bool], FairLine[Summary]] = {}
        for summary in summaries:
            forsaken = summary.code not in visited
            line = kinds.setdefault((summary.stage != "lobby", forsaken), FairLine(_ANY_NUMBER))
            made_at = self.quotas.address_of(summary.code)
            line.join(Asker(made_at if made_at is not None else summary.host, summary.host), summary)
        return [summary for kind in sorted(kinds) for summary in kinds[kind].take_all()]

    async def of_guest(self, guest: str, language: str) -> wire.Me:
        """A guest, with the tables they sit at."""
        store = self._resources.store
        running = await self._as_others_know(await store.tables_of(guest, RUNNING))
        finished = await self._ended(guest)
        latest = [self.tables[one.code].state.summary if one.code in self.tables else one for one in running]
        return wire.Me(
            name=await store.name_of(guest),
            running=[self._info(summary, language) for summary in running],
            finished=[self._info(summary, language) for summary in finished],
            your_turn=[summary.code for summary in latest if summary.waits_for(guest)],
            alone=[summary.code for summary in [*latest, *finished] if summary.holders <= {guest}],
        )

    async def _as_others_know(self, summaries: Sequence[Summary]) -> list[Summary]:
        """Tables as those workers know them that have them; else as they are stored."""
        others = await self.ask_others([one.code for one in summaries if one.code not in self.tables], True)
        known = {code: read_summary(one.summary) for code, one in others.items() if one.summary is not None}
        return [known.get(one.code, one) for one in summaries]

    async def _ended(self, guest: str) -> list[Summary]:
        """The games of a guest that are over, and those that were closed after they had begun."""
        store = self._resources.store
        closed = [
            summary for summary in await store.tables_of(guest, ["closed"]) if summary.started is not None
        ]
        ended = [*await store.tables_of(guest, ["over"]), *closed]
        return sorted(ended, key=lambda one: one.ended or 0.0, reverse=True)[:LISTED]

    async def look_at(self, code: str, language: str) -> wire.TableInfo:
        """A table, also one that another worker has."""
        try:
            return (await self.find(code)).info(language)
        except Elsewhere:
            summary = await self._resources.store.summary(code)
            if summary is None:
                raise Refused("no_table") from None
            return info_of(summary, language)

    async def rematch_of(self, table: Table, language: str) -> wire.TableInfo | None:
        """The table at which the same players go on; None if there is none, or it was deleted or closed."""
        code = table.state.summary.rematch
        if code is None:
            return None
        try:
            known = await self.look_at(code, language)
        except Refused as refused:
            if refused.code != "no_table":
                raise
            return None
        return None if known.stage == "closed" else known

    def _info(self, summary: Summary, language: str) -> wire.TableInfo:
        """A table of a list: as it is in memory, or else as the store has it."""
        table = self.tables.get(summary.code)
        return info_of(summary, language) if table is None else table.info(language)

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
        name = await self._resources.store.name_of(guest)
        called = name or say(language, "seat.guest")
        chairs = _chairs(request.seats, guest, called, language, self._resources.settings)
        table = await self._make(Made(settings, chairs, guest, fair.new_secret().hex()), address, told)
        if own := next((seat.name for seat in request.seats if seat.kind == "me" and seat.name), None):
            await self.remember(guest, check_name(own))
        if request.start:
            await _start_if_stored(table, guest)
        return table

    async def remember(self, guest: str, name: str) -> None:
        """Keep what a guest is called, for the next table; nothing at this one hangs on it."""
        try:
            await self._resources.store.rename(guest, name, self._resources.clock.now())
        except (SQLAlchemyError, Unclear) as problem:
            self._resources.log.info("name not kept", problem=reason_of(problem))

    async def _make(self, made: Made, address: str, told: Told) -> Table:
        async with self._making.setdefault(
            made.host, asyncio.Lock()
        ):  # two at once would count the same tables
            held = await self._make_room(made.host, told)
            return await self._put_down(made, address, held)

    async def _put_down(self, made: Made, address: str, held: Unfinished) -> Table:
        quotas, now = self.quotas, self._resources.clock.now()
        while True:
            code = self._new_code()
            await quotas.admit(code, Asker(address, made.host), made.settings.public, held)
            first = Entry(1, now, made)
            state = TableState(code, first)
            try:
                await self._resources.store.write(Addition(code, [first], state.summary, now, new=True))
            except IntegrityError:  # once in 2**40
                quotas.forget(code)
                continue
            except BaseException:
                quotas.forget(code)
                raise
            quotas.confirm(code)
            self._resources.metrics.count_entry(kind_of(made))
            self._resources.log.info("table made", table=code)
            return self._put_up(state)

    def _new_code(self) -> str:
        """A code of a table that need not be handed over to another worker, where one is soon found.

        Who is leaving, or is thought to have gone, has a right to none.
        """
        tried = islice(iter(new_code, None), _CODES_TRIED)
        return next((code for code in tried if self.is_ours(code)), None) or new_code()

    async def _make_room(self, guest: str, told: Told) -> Unfinished:
        """Close the oldest abandoned games of a guest who has as many tables as they may have; what is left.

        Nothing is lost by it: such a game stands among the finished ones, and goes on when it is opened.
        """
        store = self._resources.store
        held = await store.count_tables(guest)
        surplus = held.tables - self._resources.settings.limits.tables + 1
        if surplus <= 0:
            return held
        for summary in await store.oldest_of(guest):
            if summary.is_against_bots and await self.close_abandoned(summary.code, for_room=True):
                told(summary.code)
                surplus -= 1
            if surplus <= 0:
                break
        return await store.count_tables(guest)

    async def close_abandoned(self, code: str, *, for_room: bool) -> bool:
        """Close a game against bots, unless somebody is there or it has ended; whether it was closed."""
        try:
            table = await self.find(code)
        except Refused as refused:
            if refused.code in ("no_table", "unreadable", "elsewhere"):  # not to be closed, or not by us
                return False
            raise
        async with table.lock:
            summary = table.state.summary
            if table.listeners or summary.has_ended or not summary.is_against_bots:
                return False
            await table.write(Closed(forsaken=summary.is_somebodys, for_room=for_room))
            return True

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
            summary = table.state.summary
            if summary.stage != "over":
                raise Refused("is_closed" if summary.stage == "closed" else "not_over")
            if summary.rematch is not None and await self.rematch_of(table, USUAL) is not None:
                return await self.find(summary.rematch)
            if not summary.seats_of(guest) and guest != summary.host:
                raise Refused("not_your_seat")
            chairs = [_again(chair, guest) for chair in summary.chairs]
            _bind(chairs, guest, commitments)
            made = Made(summary.settings, chairs, guest, fair.new_secret().hex(), follows=summary.code)
            following = await self._make(made, address, told)
            await table.write(Rematch(following.code, summary.name_of(guest) or ""), guest=guest)
        if not any(chair.kind == "open" for chair in chairs):
            await seating.start(following, guest)
        return following

    # ---------------------------------------------------------------------- deleting

    async def delete(self, code: str, guest: str) -> None:
        """Delete a table with all that is kept of it, for the only one who ever sat there.

        Pages that show it find that it is gone.
        """
        while True:
            table = await self.find(code)
            async with table.lock:
                if self.tables.get(table.code) is table:  # else it was put away or deleted while we waited
                    _check_alone(table, guest)
                    return await self._delete(table)

    async def _delete(self, table: Table) -> None:
        try:
            await self._resources.store.delete(table.code)
            self._resources.log.info("table deleted", table=table.code)
        except TableTaken:
            raise Elsewhere from None
        finally:
            self.forget(
                table
            )  # also if nobody knows whether it is deleted: who asks next gets what is stored
        self.quotas.forget(table.code)

    # ------------------------------------------------------------------- being there

    def count(self) -> dict[str, int]:
        """How many tables are in memory, and how many pages are connected to them."""
        return {"tables": len(self.tables), "pages": sum(len(one.listeners) for one in self.tables.values())}

    def mend(self, table: Table, problem: BaseException) -> None:
        """Something went wrong at a table that nobody had thought of: after a pause, it is read anew."""
        number = table.state.last
        self._resources.log.error("table broke", table=table.code, number=number, exc_info=problem)
        backoff = self._broken.setdefault(table.code, Backoff())
        self._resources.clock.ring(backoff.next(), lambda: self.forget(table))

    def forget_mended(self) -> None:
        """What broke and is not in memory any more has had its pause."""
        for code in [code for code in self._broken if code not in self.tables]:
            del self._broken[code]

    def close(self) -> None:
        """Put all tables away."""
        for table in list(self.tables.values()):
            self.forget(table)


async def _nobody_else(codes: Sequence[str], whole: bool) -> dict[str, Standing]:
    """There are no other workers."""
    return {}


def _check_alone(table: Table, guest: str) -> None:
    """Refuse who does not sit there, and who was not the only one: the game is the others' as well."""
    summary = table.state.summary
    if guest != summary.host and not summary.seats_of(guest):
        raise Refused("not_your_seat")
    if table.state.sat_ever() - {guest}:
        raise Refused("not_yours_alone")


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
    except TooFewLandmarks as problem:
        raise Refused("few_landmarks", wanted=problem.wanted, most=problem.most) from None
    except RulesetError:
        raise Refused("bad_house") from None


def _settings(request: wire.NewTable) -> TableSettings:
    ruleset = ruleset_for(request.edition, request.sets, request.house)
    if not ruleset.min_players <= len(request.seats) <= ruleset.max_players:
        raise Refused("player_count", least=ruleset.min_players, most=ruleset.max_players)
    return TableSettings(
        edition=request.edition,
        sets=list(ruleset.set_ids),
        house=request.house,
        timer=request.timer,
        pace=request.pace,
        public=request.public,
    )


def _chairs(
    seats: Sequence[wire.NewSeat], guest: str, name: str, language: str, settings: Settings
) -> list[Chair]:
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
                bot = seating.check_bot(seat.bot or STAND_IN, settings)
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
