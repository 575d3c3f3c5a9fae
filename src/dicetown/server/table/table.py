"""A table at which people sit: it takes what they do, stores it, and tells everybody.

There is one authority for each table, this object. Whatever happens takes three steps, one thing at a time:
it is stored, then acknowledged to who did it, then told to all. So nobody ever sees what could be lost.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from math import inf
from typing import Protocol

import msgspec
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from dicetown.errors import IllegalAction
from dicetown.server import wire
from dicetown.server.common.fair_line import Asker
from dicetown.server.common.logs import tells_everything
from dicetown.server.journal.applied import AppliedEntry
from dicetown.server.journal.entries import (
    Body,
    Changed,
    Closed,
    Entry,
    Joined,
    Left,
    Moved,
    Over,
    Paused,
    Reopened,
    Resumed,
    Said,
    Started,
    Undone,
    kind_of,
)
from dicetown.server.journal.fold import TableState
from dicetown.server.journal.played_game import PlayedGame, Step
from dicetown.server.journal.snapshots import write_snapshot
from dicetown.server.journal.summary import read_summary, write_summary
from dicetown.server.store.additions import Addition
from dicetown.server.store.contact import reason_of
from dicetown.server.store.ownership import TableTaken
from dicetown.server.store.snapshots import Snapshot
from dicetown.server.store.writer import Unclear
from dicetown.server.table.members import Automatic, Forecast, Listener
from dicetown.server.table.recent import RecentlyTold
from dicetown.server.table.refused import RefusedBefore
from dicetown.server.table.resources import Resources
from dicetown.server.view.announcements import entry_of, info_of, welcome_of
from dicetown.server.view.log_lines import speaker_of
from dicetown.server.view.questions import peek
from dicetown.server.view.scene import Trace, change_of, scene_of, trace_of
from dicetown.server.wire.names import clean_line
from dicetown.server.wire.refusals import Elsewhere, Refused
from dicetown.server.wire.texts import phrases
from dicetown.words.refusals import why_not_build

Acknowledge = Callable[[int], None]
#: Entries after which where the table stands is stored anew, and how many more are worth it in the end.
_SNAPSHOT_EVERY, _WORTH_A_SNAPSHOT = 64, 16
#: How often at most the store is told that a table is active, in seconds.
_ACTIVE = 60.0
#: After these who was a spectator may be a player, or the other way round, and who is gone may be waited for.
_TELLING = frozenset({Joined, Left, Changed, Started, Paused, Resumed, Reopened})
_PLAYING = frozenset({Started, Moved, Undone})  # these change the game,
_MINOR = frozenset({Moved, Undone, Said})  # these nothing about the table itself,
_GREAT = frozenset({Started, Over, Closed, Reopened})  # and these those hear of who run the service


class Keeper(Protocol):
    """Who keeps the tables in memory; :class:`~dicetown.server.table.lobby.Lobby` does."""

    def forget(self, table: Table) -> None:
        """Put a table away from memory; the next who asks for it gets it as it is stored."""

    def mend(self, table: Table, problem: BaseException) -> None:
        """Something went wrong at a table that nobody had thought of: after a pause, it is read anew."""


class Table:
    """A table, live."""

    def __init__(
        self,
        state: TableState,
        resources: Resources,
        keeper: Keeper,
        automate: Callable[[Table], Automatic],
        foretell: Callable[[Table], Forecast],
        snapshot: int = 0,
    ) -> None:
        self.state = state
        self.resources = resources
        self._keeper = keeper
        self.lock = asyncio.Lock()
        self.listeners: set[Listener] = set()
        self._thoughts: set[asyncio.Task[None]] = set()  # about where the game stands
        self.automation = automate(self)
        self.odds = foretell(self)
        # By the steady clock: when the last page went or the table was put up, and when it was last changed.
        self.left_at = resources.clock.steady()
        self.written_at = -inf
        self._recent = RecentlyTold()
        self.refused = RefusedBefore()
        self._active = -inf  # when the store was last told, by the steady clock
        self._summary_is_old = False  # whether the store's copy of the summary is older than the game
        self._was_visited = False  # by one of its players, which the store has not been told
        self._is_put_away = False
        self._shown: Trace | None = None  # the moment that all pages here know
        self._snapshot = snapshot  # the last entry that the snapshot in the store knows of
        self._snapping: asyncio.Task[None] | None = None
        self._keep_snapshot(_SNAPSHOT_EVERY)

    @property
    def code(self) -> str:
        """The table's code."""
        return self.state.summary.code

    # ------------------------------------------------------------------- who is there

    def is_here(self, guest: str | None) -> bool:
        """Whether a guest has a page open at this table."""
        return guest is not None and any(listener.guest == guest for listener in self.listeners)

    @property
    def guests_here(self) -> set[str | None]:
        """All guests who have a page open at this table; None among them for those without a name."""
        return {listener.guest for listener in self.listeners}

    @property
    def present(self) -> list[bool]:
        """For each seat, whether its player could act now."""
        return [chair.kind == "bot" or self.is_here(chair.guest) for chair in self.state.summary.chairs]

    @property
    def asker(self) -> Asker:
        """For whom the table's bots think: somebody who is here, and plays if anybody here does."""
        holders = self.state.summary.holders
        playing = [listener.address for listener in self.listeners if listener.guest in holders]
        here = playing or [listener.address for listener in self.listeners]
        return Asker(min(here, default=""), self.code)

    def info(self, language: str) -> wire.TableInfo:
        """The table as everybody may see it."""
        return info_of(self.state.summary, language, self.present)

    async def enter(self, listener: Listener, since: int | None) -> None:
        """A page connects; it is told where the table stands, and what it has missed."""
        async with self.lock:
            if self._is_put_away:  # while the page waited to come in; it finds the table that is read anew
                return listener.hang_up()
            self.listeners.add(listener)
            self._was_visited |= listener.guest in {*self.state.summary.holders, self.state.summary.host}
            self.automation.go_on()  # before the welcome, which names the deadline
            self.welcome(listener, since)
            await self.automation.somebody_came(listener.guest)
        self._tell_presence()
        self.odds.show(listener)

    def leave(self, listener: Listener) -> None:
        """A page has gone."""
        self.listeners.discard(listener)
        self.left_at = self.resources.clock.steady()
        self.automation.somebody_went(listener.guest)
        self._tell_presence()
        if not self.listeners:
            self.odds.stop()

    def welcome(self, listener: Listener, since: int | None) -> None:
        """Tell a page where the table stands; before that what it has missed, if that is little."""
        summary, language = self.state.summary, listener.language
        for message in self._missed(since, language):
            listener.send(message)
        you = wire.You(seats=summary.seats_of(listener.guest), host=listener.guest == summary.host)
        told = welcome_of(
            self.state,
            language,
            you,
            self.info(language),
            self.scene(),
            self.automation.deadline,
            self.resources.clock.now(),
        )
        self._shown = None if self.state.play is None else trace_of(self.state.play.game)
        listener.send(encode(told))

    def _missed(self, since: int | None, language: str) -> list[bytes]:
        """The entries after one, in order, if all of them are at hand in the language."""
        if since is None or since >= self.state.last:
            return []
        return self._recent.after(since, self.state.last, language)

    def _tell_presence(self) -> None:
        holders = self.state.summary.holders
        watching = {
            listener.guest or str(id(listener))
            for listener in self.listeners
            if listener.guest not in holders
        }
        stand_ins = [self.automation.grace_left(seat) for seat in range(len(self.state.summary.chairs))]
        self.tell_all(wire.Presence(present=self.present, spectators=len(watching), stand_ins=stand_ins))

    def tell_all(self, message: wire.Presence | wire.Thinking | wire.ReviewTold) -> None:
        """Tell all pages something that is not kept."""
        if self.listeners:
            encoded = encode(message)
            for listener in self.listeners:
                listener.send(encoded)

    # --------------------------------------------------------------------- the journal

    async def write(
        self,
        *bodies: Body,
        guest: str | None = None,
        key: str | None = None,
        step: Step | None = None,
        acknowledge: Acknowledge | None = None,
    ) -> int:
        """Store entries, acknowledge them and tell everybody; the lock is held. The first one's number.

        ``step`` is what the first of them did to the game, which has been played already.
        """
        now = self.resources.clock.now()
        first = self.state.last + 1
        entries = [Entry(first, now, bodies[0], guest, key)]
        entries += [Entry(first + k, now, body) for k, body in enumerate(bodies[1:], start=1)]
        kinds = {type(body) for body in bodies}
        is_minor = kinds <= _MINOR
        addition = self._addition(entries, now, is_minor=is_minor)
        journey = self.resources.metrics.journey()
        await self._store(addition, step)
        journey.note_stored()
        applied = self._apply(entries, step)
        self._note_stored(addition)
        self._log(entries)
        if acknowledge is not None:
            acknowledge(first)
        self._keep_snapshot(_SNAPSHOT_EVERY)
        if is_minor:
            self.automation.go_on_playing()
        else:
            self.automation.go_on()
        self._tell(applied, played=not kinds.isdisjoint(_PLAYING))
        if not kinds.isdisjoint(_TELLING):
            self._tell_presence()
        journey.note_told(first)
        return first

    async def _store(self, addition: Addition, step: Step | None) -> None:
        """Keep what is added; if that fails, it is as if nothing had been tried.

        If nobody knows whether it failed, nothing more is done here: who asks next gets the table read anew.
        """
        self._check_stands()
        sure = False
        try:
            await self.resources.store.write(addition)
            sure = True
        except IntegrityError:  # the journal is longer than we know, and this may be what it holds
            number = self.state.last
            self.resources.log.warning("journal is longer than known", table=self.code, number=number)
            raise Refused("unclear") from None
        except TableTaken:  # the pages go there, and ask again for what was not answered
            self.resources.log.warning("table lost", table=self.code)
            raise Elsewhere from None
        except Unclear:
            self.resources.log.error("unclear whether stored", table=self.code, number=self.state.last + 1)
            raise Refused("unclear") from None
        except SQLAlchemyError as problem:
            reason, number = reason_of(problem), self.state.last + 1
            self.resources.log.info("not stored", table=self.code, number=number, problem=reason)
            sure = True
            if step is not None:
                self.playing().forget(step)
            self.automation.go_on()
            raise Refused("not_stored") from None
        finally:
            if not sure:  # nor after a broken-off wait: what is stored must be looked at anew
                self._keeper.forget(self)

    def _apply(self, entries: Sequence[Entry], step: Step | None) -> list[AppliedEntry]:
        """Let happen what is stored; if that goes wrong, what is in memory is worth nothing any more."""
        sure = False
        try:
            applied = [self.state.apply(entry, step if entry is entries[0] else None) for entry in entries]
            sure = True
            return applied
        finally:
            if not sure:
                self._keeper.forget(self)

    def _addition(self, entries: Sequence[Entry], now: float, *, is_minor: bool) -> Addition:
        """What the store must keep; the summary with it, where it changes."""
        if is_minor:
            old = self.resources.clock.steady() - self._active > _ACTIVE
            return Addition(self.code, entries, None, now if old else 0.0)
        summary = read_summary(write_summary(self.state.summary))
        for entry in entries:
            summary.apply(entry.body, now)
        return Addition(self.code, entries, summary, now)

    def _log(self, entries: Sequence[Entry]) -> None:
        """Count all, and tell those who run the service of the great moments: which entry, and no more."""
        for entry in entries:
            kind = kind_of(entry.body)
            self.resources.metrics.count_entry(kind)
            if type(entry.body) in _GREAT:
                self.resources.log.info(f"table {kind}", table=self.code, number=entry.number)
            elif tells_everything():
                self.resources.log.debug("entry", table=self.code, number=entry.number, kind=kind)

    def _note_stored(self, addition: Addition) -> None:
        self.written_at = self.resources.clock.steady()
        self._summary_is_old = addition.summary is None
        if addition.active:
            self._active = self.written_at

    def _keep_snapshot(self, after: int) -> None:
        """After so many entries, let the store keep where the table stands; nobody waits for that."""
        number = self.state.last
        if number - self._snapshot < after or self._snapping is not None:
            return
        self._snapshot = number
        written = Snapshot(number, write_snapshot(self.state))
        self._snapping = asyncio.create_task(self._store_snapshot(written))

    async def _store_snapshot(self, snapshot: Snapshot) -> None:
        """Nothing hangs on it: without it, the next who opens the table waits a little longer."""
        try:
            await self.resources.store.write(Addition(self.code, [], None, 0.0, snapshot=snapshot))
        except (SQLAlchemyError, Unclear) as problem:
            self.resources.log.info("snapshot not kept", table=self.code, problem=reason_of(problem))
        finally:
            self._snapping = None

    async def put_away(self) -> None:
        """Before the table leaves memory: let lists of tables know how far the game is, and who was here."""
        async with self.lock:
            self._keep_snapshot(_WORTH_A_SNAPSHOT)
            if self._snapping is not None:
                await asyncio.wait([self._snapping])
            if self._summary_is_old or self._was_visited:
                self.state.count_rounds()
                clock = self.resources.clock
                left = clock.now() - (clock.steady() - self.left_at)
                await self._store(Addition(self.code, [], self.state.summary, left), None)
                self._summary_is_old = self._was_visited = False

    def _tell(self, entries: Sequence[AppliedEntry], *, played: bool) -> None:
        """Tell all pages about entries, each language once."""
        scene = self._what_is_new() if played else None
        if scene is not None:
            self.state.summary.round = scene.round
        told: dict[str, list[bytes]] = {}
        for language in {listener.language for listener in self.listeners}:
            told[language] = [self._encode(entry, language, scene) for entry in entries]
        for listener in self.listeners:
            for message in told[listener.language]:
                listener.send(message)
        for k, entry in enumerate(entries):
            self._recent.add(entry.number, {language: told[language][k] for language in told})
        if played:
            self.odds.game_changed()
            for thought in self._thoughts:
                thought.cancel()

    def _encode(
        self, entry: AppliedEntry, language: str, scene: wire.Scene | wire.SceneChange | None
    ) -> bytes:
        body = entry.body
        shown = scene if type(body) in _PLAYING else None
        table = None if type(body) in _MINOR else self.info(language)
        deadline = self.automation.deadline_from(entry.at)
        return encode(entry_of(self.state, entry, language, table, shown, deadline))

    def _what_is_new(self) -> wire.Scene | wire.SceneChange | None:
        """Where the game stands, as far as pages do not know it; all of it, if nobody was told before."""
        before, self._shown = self._shown, None
        if self.state.play is None or not self.listeners:
            return None
        game = self.state.play.game
        self._shown = trace_of(game)
        return scene_of(game) if before is None else change_of(game, before, self._shown)

    def scene(self) -> wire.Scene | None:
        """Where the game stands; not kept, for it is many small objects that would soon be garbage."""
        return None if self.state.play is None else scene_of(self.state.play.game)

    # ------------------------------------------------------------------------ the game

    @property
    def is_played(self) -> bool:
        """Whether the game goes on."""
        return self.state.summary.stage == "playing"

    def playing(self) -> PlayedGame:
        """The game, which must be going on."""
        self.check_open()
        refusals = {"lobby": "not_begun", "paused": "is_paused"}
        if (code := refusals.get(self.state.summary.stage)) is not None:
            raise Refused(code)
        assert self.state.play is not None
        return self.state.play

    def check_open(self) -> None:
        """Refuse what is not for a table whose game is over, or that was closed."""
        refusals = {"over": "is_over", "closed": "is_closed"}
        if (code := refusals.get(self.state.summary.stage)) is not None:
            raise Refused(code)

    def check_holder(self, guest: str | None, seat: int) -> None:
        """Refuse who does not hold a seat."""
        summary = self.state.summary
        if seat >= len(summary.chairs):
            raise Refused("no_such_seat")
        if guest is None or summary.chairs[seat].guest != guest:
            raise Refused("not_your_seat")

    def number_of(self, guest: str | None, key: str) -> int | None:
        """The entry that a request led to, if it has come before."""
        return self.state.entries.number_of(guest, key)

    def _done_before(self, guest: str | None, key: str) -> int | None:
        """The same, for who has waited for the lock and asks for something to be done."""
        number = self.number_of(guest, key)
        if number is None:
            self._check_stands()
            self.refused.check(guest, key)
        return number

    def _check_stands(self) -> None:
        """Send those away who waited while the table was put away, perhaps as nobody knew what is stored.

        What is in memory says nothing any more, and this may be what was being stored, sent once more.
        """
        if self._is_put_away:
            raise Refused("unclear") if self.resources.store.registry is None else Elsewhere()

    async def act(self, guest: str | None, request: wire.Act, language: str, done: Acknowledge) -> None:
        """A player decides."""
        async with self.lock:
            if (number := self._done_before(guest, request.key)) is not None:
                return done(number)
            self.check_holder(guest, request.seat)
            play = self.playing()
            if request.moves is not None and request.moves != play.moves:
                raise Refused("late")
            try:
                step = play.act(request.seat, request.actions)
            except IllegalAction:
                raise Refused("illegal", sentence=_why_not(play, request.actions, language)) from None
            moved = Moved(request.seat, step.moves)
            await self._move(moved, step, guest, request.key, done)

    async def act_as_bot(self, seat: int, action: str, moment: int) -> None:
        """A bot decides; if the game has gone on without it, nothing happens."""
        async with self.lock:
            if not self.is_played or self.state.moment != moment:
                return
            step = self.playing().act(seat, [action])
            await self._move(Moved(seat, step.moves, by_bot=True), step)

    async def _move(
        self,
        moved: Moved,
        step: Step,
        guest: str | None = None,
        key: str | None = None,
        done: Acknowledge | None = None,
    ) -> None:
        game = self.playing().game
        bodies: list[Body] = [moved, Over(game.winner)] if game.over else [moved]
        await self.write(*bodies, guest=guest, key=key, step=step, acknowledge=done)

    async def undo(self, guest: str | None, request: wire.Undo, done: Acknowledge) -> None:
        """A player takes the last choice back."""
        async with self.lock:
            if (number := self._done_before(guest, request.key)) is not None:
                return done(number)
            self.check_holder(guest, request.seat)
            play = self.playing()
            if play.undoable != request.seat:
                raise Refused("nothing_to_undo")
            body = Undone(request.seat, play.last_number)
            await self.write(body, guest=guest, key=request.key, acknowledge=done)

    async def peek(self, guest: str | None, request: wire.Peek, language: str) -> wire.Asked | None:
        """What would be asked after some actions."""
        async with self.lock:
            self.check_holder(guest, request.seat)
            play = self.playing()
            if play.game.to_move != request.seat:
                raise Refused("not_your_turn")
            try:
                return peek(play.game, request.actions, request.seat, language)
            except IllegalAction:
                raise Refused("illegal", sentence=_why_not(play, request.actions, language)) from None

    async def say(self, guest: str | None, name: str, request: wire.Say, done: Acknowledge) -> None:
        """Somebody says something."""
        if (request.text is None) == (request.phrase is None):
            raise Refused("nothing_said")
        text = clean_line(request.text) if request.text is not None else None
        if text == "":
            raise Refused("nothing_said")
        if request.phrase is not None and request.phrase not in phrases():
            raise Refused("no_phrase")
        async with self.lock:
            if (number := self._done_before(guest, request.key)) is not None:
                return done(number)
            seats = self.state.summary.seats_of(guest)
            self._check_remarks(watches=not seats)
            said = Said(name, seats[0] if seats else None, text, request.phrase)
            await self.write(said, guest=guest, key=request.key, acknowledge=done)

    def _check_remarks(self, *, watches: bool) -> None:
        """Refuse what would make a journal endless; who only watches cannot silence who plays."""
        limits = self.resources.settings.limits
        most = limits.remarks_of_watchers if watches else limits.remarks
        entries = self.state.entries
        before = entries.said_by_watchers if watches else len(entries.said) - entries.said_by_watchers
        if before >= most:
            raise Refused("said_enough")

    def think_meanwhile(self, thought: asyncio.Task[None]) -> None:
        """Let something be thought about as long as the game stands where it does."""
        self._thoughts.add(thought)
        thought.add_done_callback(self._thoughts.discard)

    def mend(self, problem: BaseException) -> None:
        """Something went wrong that nobody had thought of, and the table may be in disorder: read it anew."""
        self._keeper.mend(self, problem)

    def close(self) -> None:
        """Put the table away; its journal is kept, and pages that are connected have to come back."""
        self._is_put_away = True
        for listener in self.listeners:
            listener.hang_up()
        self.automation.stop()
        self.odds.stop()


_encoder = msgspec.json.Encoder()


def encode(message: wire.ToPage) -> bytes:
    """A message as it is sent."""
    return _encoder.encode(message)


def _why_not(play: PlayedGame, actions: Sequence[str], language: str) -> str | None:
    """Why an action is not possible, where the game has words for it."""
    word, _, thing = " ".join(actions[-1].lower().split()).partition(" ")
    if word != "build" or thing not in play.game.notation.numbers:
        return None
    return why_not_build(speaker_of(play.game, language), play.game, thing)
