"""A table at which people sit: it takes what they do, stores it, and tells everybody.

There is one authority for each table, this object. Whatever happens takes three steps, one thing at a time:
it is stored, then acknowledged to who did it, then told to all. So nobody ever sees what could be lost.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from math import inf
from typing import TYPE_CHECKING, Protocol

from pydantic import BaseModel
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from dicetown.errors import IllegalAction
from dicetown.server import wire
from dicetown.server.common.fair_line import Asker
from dicetown.server.common.names import clean_line
from dicetown.server.journal.entries import (
    Body,
    Changed,
    Closed,
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
    Written,
    kind_of,
)
from dicetown.server.journal.fold import Note, Standing
from dicetown.server.journal.played_game import Play, Step
from dicetown.server.journal.summary import read_head, write_head
from dicetown.server.store.contact import reason_of
from dicetown.server.store.store import Page
from dicetown.server.store.writer import Unclear
from dicetown.server.table.announcements import entry_of, info_of, welcome_of
from dicetown.server.table.automation import Clockwork
from dicetown.server.table.odds import Outlook
from dicetown.server.view.scene import peek, scene_of, speaker_of
from dicetown.server.wire.refusals import Refused
from dicetown.server.wire.texts import phrases
from dicetown.words.refusals import why_not_build

if TYPE_CHECKING:
    from dicetown.server.table.service import Service

Acknowledge = Callable[[int], None]
#: Entries that are kept as they were told, for pages that come back after a short while.
_RECENT = 40
#: Bytes of them at most that such a page is sent: beyond, it is only told where the table stands by now.
_MISSED = 128 * 1024
#: How often at most the store is told that a table is active, in seconds.
_ACTIVE = 60.0
#: After these who was a spectator may be a player, or the other way round, and who is gone may be waited for.
_TELLING = Joined | Left | Changed | Started | Paused | Resumed | Reopened


class Listener(Protocol):
    """A page that is connected to the table."""

    guest: str | None
    address: str
    language: str

    def send(self, message: str) -> None:
        """Pass a message on; never waits."""

    def hang_up(self) -> None:
        """End the connection; the page will come back."""


class Table:
    """A table, live."""

    def __init__(self, standing: Standing, service: Service) -> None:
        self.standing = standing
        self.service = service
        self.lock = asyncio.Lock()
        self.listeners: set[Listener] = set()
        self.clockwork = Clockwork(self)
        self.outlook = Outlook(self)
        # By the steady clock: when the last page went or the table was put up, and when it was last changed.
        self.left_at = service.clock.steady()
        self.written_at = -inf
        self._recent: deque[tuple[int, dict[str, str]]] = deque(maxlen=_RECENT)
        self._active = -inf  # when the store was last told, by the steady clock
        self._head_is_old = False  # whether the store's copy of the head is older than the game
        self._was_visited = False  # by one of its players, which the store has not been told
        self._is_put_away = False

    @property
    def code(self) -> str:
        """The table's code."""
        return self.standing.head.code

    # ------------------------------------------------------------------- who is there

    def is_here(self, guest: str | None) -> bool:
        """Whether a guest has a page open at this table."""
        return guest is not None and any(listener.guest == guest for listener in self.listeners)

    @property
    def present(self) -> list[bool]:
        """For each seat, whether its player could act now."""
        return [chair.kind == "bot" or self.is_here(chair.guest) for chair in self.standing.head.chairs]

    @property
    def asker(self) -> Asker:
        """For whom the table's bots think: somebody who is here, and plays if anybody here does."""
        holders = self.standing.head.holders
        playing = [listener.address for listener in self.listeners if listener.guest in holders]
        here = playing or [listener.address for listener in self.listeners]
        return Asker(min(here, default=""), self.code)

    def info(self, language: str) -> wire.TableInfo:
        """The table as everybody may see it."""
        return info_of(self.standing.head, language, self.present)

    async def enter(self, listener: Listener, since: int | None) -> None:
        """A page connects; it is told where the table stands, and what it has missed."""
        async with self.lock:
            if self._is_put_away:  # while the page waited to come in; it finds the table that is read anew
                return listener.hang_up()
            self.listeners.add(listener)
            self._was_visited |= listener.guest in {*self.standing.head.holders, self.standing.head.host}
            self.clockwork.go_on()  # before the welcome, which names the deadline
            self.welcome(listener, since)
            await self.clockwork.somebody_came(listener.guest)
        self._tell_presence()
        self.outlook.show(listener)

    def leave(self, listener: Listener) -> None:
        """A page has gone."""
        self.listeners.discard(listener)
        self.left_at = self.service.clock.steady()
        self.clockwork.somebody_went(listener.guest)
        self._tell_presence()
        if not self.listeners:
            self.outlook.stop()

    def welcome(self, listener: Listener, since: int | None) -> None:
        """Tell a page where the table stands; before that what it has missed, if that is little."""
        head, language = self.standing.head, listener.language
        for message in self._missed(since, language):
            listener.send(message)
        you = wire.You(seats=head.seats_of(listener.guest), host=listener.guest == head.host)
        told = welcome_of(
            self.standing,
            language,
            you,
            self.info(language),
            self.scene(),
            self.clockwork.deadline,
            self.service.clock.now(),
        )
        listener.send(encode(told))

    def _missed(self, since: int | None, language: str) -> list[str]:
        """The entries after one, in order, if all of them are at hand in the language and not too much."""
        if since is None or since >= self.standing.last:
            return []
        told = [told.get(language) for number, told in self._recent if number > since]
        whole = [message for message in told if message is not None]
        if len(whole) < self.standing.last - since or sum(len(text.encode()) for text in whole) > _MISSED:
            return []
        return whole

    def _tell_presence(self) -> None:
        holders = self.standing.head.holders
        watching = {
            listener.guest or str(id(listener))
            for listener in self.listeners
            if listener.guest not in holders
        }
        stand_ins = [self.clockwork.grace_left(seat) for seat in range(len(self.standing.head.chairs))]
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
        now = self.service.clock.now()
        first = self.standing.last + 1
        entries = [Written(first + k, now, body) for k, body in enumerate(bodies)]
        entries[0] = Written(first, now, bodies[0], guest, key)
        page = self._page(entries, now)
        await self._store(page, step)
        notes = self._apply(entries, step)
        self._note_stored(page)
        self._log(bodies)
        if acknowledge is not None:
            acknowledge(first)
        self.clockwork.go_on()
        self._tell(notes)
        if any(isinstance(body, _TELLING) for body in bodies):
            self._tell_presence()
        return first

    async def _store(self, page: Page, step: Step | None) -> None:
        """Keep a page; if that fails, it is as if nothing had been tried.

        If nobody knows whether it failed, nothing more is done here: who asks next gets the table read anew.
        """
        if self._is_put_away:  # who waited for the lock meanwhile; the table may stand elsewhere already
            raise Refused("not_stored")
        sure = False
        try:
            await self.service.store.write(page)
            sure = True
        except IntegrityError:
            raise Refused("not_stored") from None  # somebody else writes this journal
        except Unclear:
            self.service.log.error("unclear whether stored", table=self.code)
            raise Refused("unclear") from None
        except SQLAlchemyError as problem:
            self.service.log.info("not stored", table=self.code, problem=reason_of(problem))
            sure = True
            if step is not None:
                self.playing().forget(step)
            self.clockwork.go_on()
            raise Refused("not_stored") from None
        finally:
            if not sure:  # nor after a broken-off wait: what is stored must be looked at anew
                self.service.lobby.forget(self)

    def _apply(self, entries: Sequence[Written], step: Step | None) -> list[Note]:
        """Let happen what is stored; if that goes wrong, what is in memory is worth nothing any more."""
        sure = False
        try:
            notes = [self.standing.apply(entry, step if entry is entries[0] else None) for entry in entries]
            sure = True
            return notes
        finally:
            if not sure:
                self.service.lobby.forget(self)

    def _page(self, entries: Sequence[Written], now: float) -> Page:
        """What the store must keep; the head with it, where it changes."""
        bodies = [entry.body for entry in entries]
        if all(isinstance(body, Moved | Said | Undone) for body in bodies):
            old = self.service.clock.steady() - self._active > _ACTIVE
            return Page(self.code, entries, None, now if old else 0.0)
        head = read_head(write_head(self.standing.head))
        for body in bodies:
            head.apply(body, now)
        return Page(self.code, entries, head, now)

    def _log(self, bodies: Sequence[Body]) -> None:
        """Count all, and tell those who run the service of the great moments: which table, and no more."""
        self.service.gauges.count_entries(bodies)
        for body in bodies:
            if isinstance(body, Started | Over | Closed | Reopened):
                self.service.log.info(f"table {kind_of(body)}", table=self.code)

    def _note_stored(self, page: Page) -> None:
        self.written_at = self.service.clock.steady()
        self._head_is_old = page.head is None
        if page.active:
            self._active = self.written_at

    async def put_away(self) -> None:
        """Before the table leaves memory: let lists of tables know how far the game is, and who was here."""
        async with self.lock:
            if self._head_is_old or self._was_visited:
                self.standing.count_rounds()
                clock = self.service.clock
                left = clock.now() - (clock.steady() - self.left_at)
                await self._store(Page(self.code, [], self.standing.head, left), None)
                self._head_is_old = self._was_visited = False

    def _tell(self, notes: Sequence[Note]) -> None:
        """Tell all pages about entries, each language once."""
        played = any(isinstance(note.body, Started | Moved | Undone) for note in notes)
        scene = self.scene() if played and self.listeners else None
        told: dict[str, list[str]] = {}
        for language in {listener.language for listener in self.listeners}:
            told[language] = [self._encode(note, language, scene) for note in notes]
        for listener in self.listeners:
            for message in told[listener.language]:
                listener.send(message)
        for k, note in enumerate(notes):
            self._recent.append((note.number, {language: told[language][k] for language in told}))
        if played:
            self.outlook.game_changed()

    def _encode(self, note: Note, language: str, scene: wire.Scene | None) -> str:
        body = note.body
        shown = scene if isinstance(body, Started | Moved | Undone) else None
        table = None if isinstance(body, Moved | Undone | Said) else self.info(language)
        deadline = self.clockwork.deadline_from(note.at)
        return encode(entry_of(self.standing, note, language, table, shown, deadline))

    def scene(self) -> wire.Scene | None:
        """Where the game stands; not kept, for it is many small objects that would soon be garbage."""
        play = self.standing.play
        if play is None:
            return None
        scene = scene_of(play.game)
        self.standing.head.round = scene.round
        return scene

    # ------------------------------------------------------------------------ the game

    @property
    def is_played(self) -> bool:
        """Whether the game goes on."""
        return self.standing.head.stage == "playing"

    def playing(self) -> Play:
        """The game, which must be going on."""
        refusals = {"lobby": "not_begun", "paused": "is_paused", "over": "is_over", "closed": "is_closed"}
        if (code := refusals.get(self.standing.head.stage)) is not None:
            raise Refused(code)
        assert self.standing.play is not None
        return self.standing.play

    def check_holder(self, guest: str | None, seat: int) -> None:
        """Refuse who does not hold a seat."""
        head = self.standing.head
        if seat >= len(head.chairs):
            raise Refused("no_such_seat")
        if guest is None or head.chairs[seat].guest != guest:
            raise Refused("not_your_seat")

    def number_of(self, guest: str | None, key: str) -> int | None:
        """The entry that a request led to, if it has come before."""
        return self.standing.keys.get((guest or "", key))

    async def act(self, guest: str | None, request: wire.Act, language: str, done: Acknowledge) -> None:
        """A player decides."""
        async with self.lock:
            if (number := self.number_of(guest, request.key)) is not None:
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
            if not self.is_played or self.standing.moment != moment:
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
            if (number := self.number_of(guest, request.key)) is not None:
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
            if (number := self.number_of(guest, request.key)) is not None:
                return done(number)
            seats = self.standing.head.seats_of(guest)
            self._check_remarks(watches=not seats)
            said = Said(name, seats[0] if seats else None, text, request.phrase)
            await self.write(said, guest=guest, key=request.key, acknowledge=done)

    def _check_remarks(self, *, watches: bool) -> None:
        """Refuse what would make a journal endless; who only watches cannot silence who plays."""
        limits = self.service.house.limits
        most = limits.remarks_of_watchers if watches else limits.remarks
        before = sum(
            isinstance(note.body, Said) and (note.body.seat is None) == watches for note in self.standing.said
        )
        if before >= most:
            raise Refused("said_enough")

    def close(self) -> None:
        """Put the table away; its journal is kept, and pages that are connected have to come back."""
        self._is_put_away = True
        for listener in self.listeners:
            listener.hang_up()
        self.clockwork.stop()
        self.outlook.stop()


def encode(message: BaseModel) -> str:
    """A message as it is sent."""
    return message.model_dump_json()


def _why_not(play: Play, actions: Sequence[str], language: str) -> str | None:
    """Why an action is not possible, where the game has words for it."""
    word, _, thing = " ".join(actions[-1].lower().split()).partition(" ")
    if word != "build" or thing not in play.game.notation.numbers:
        return None
    return why_not_build(speaker_of(play.game, language), play.game, thing)
