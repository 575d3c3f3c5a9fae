"""The live connection of a page to a table: a WebSocket, over which both tell each other things."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

import msgspec
from sqlalchemy.exc import SQLAlchemyError
from starlette.websockets import WebSocket, WebSocketDisconnect

from dicetown.server import wire
from dicetown.server.common.fair_line import Asker
from dicetown.server.table.table import Table, encode
from dicetown.server.web.origins import came_from, is_own_page
from dicetown.server.web.protocols import LINE, ReadersOnly
from dicetown.server.web.service import Service
from dicetown.server.wire.between import ELSEWHERE
from dicetown.server.wire.refusals import Elsewhere, Refused
from dicetown.server.wire.texts import choose_language
from dicetown.server.workers.processes import TooMuchToDo, WorkFailed
from dicetown.server.workers.snapshot import Snapshot

#: Why a connection is closed, beside the usual codes of the protocol.
NO_TABLE = 4404
TOO_MANY = 4429
UNREADABLE = 4500  # what is stored of the table makes no sense: no use in coming back
TOO_SLOW = 1013  # try again later
RESTARTING = 1012
_A_BIT_LATER = 0.1  # seconds until a page that asks for much is looked at again
_LATEST = 2**53  # no journal has more entries; what a page may claim to have seen

_FAREWELLS = {"no_table": NO_TABLE, "unreadable": UNREADABLE, "not_ready": TOO_SLOW}

#: Made here, not when a message is first read.
_messages: msgspec.json.Decoder[wire.FromPage] = msgspec.json.Decoder(wire.FromPage)


class Connection:
    """A page, as a table sees it: what is sent to it waits in an outbox, so that no page slows others."""

    __slots__ = (
        "_code", "_farewell", "_line", "_outbox", "_outboxes", "address", "guest", "language", "sees_odds",
    )  # fmt: skip

    def __init__(
        self, line: ReadersOnly, guest: str | None, address: str, language: str, service: Service
    ) -> None:
        self.guest = guest
        self.address = address
        self.language = language
        self.sees_odds = True
        self._line = line
        self._outboxes = service.outboxes
        self._outbox = service.outboxes.open(self._line, service.settings.limits.unsent, self._give_up)
        self._line.when_free(self._outbox.pass_on)
        self._code = 1000
        self._farewell: asyncio.Task[None] | None = None

    def send(self, message: bytes) -> None:
        """Pass a message on; a page that does not keep up is disconnected, and will come back."""
        self._outbox.put(message)

    def hang_up(self) -> None:
        """End the connection; the page will come back."""
        self._code = RESTARTING
        self._outbox.end()
        if self._farewell is None:
            self._farewell = asyncio.create_task(self._see_off())

    def _give_up(self) -> None:
        """Nobody reads what is sent, so nobody would read a farewell; the operating system says it."""
        self._code = TOO_SLOW
        self._line.abort()

    async def _see_off(self) -> None:
        """Say farewell, when all has been sent and nothing more is to come."""
        await self._outbox.is_done()
        with suppress(OSError, RuntimeError):  # the page has gone; who listens notices
            await self._line.send({"type": "websocket.close", "code": self._code, "reason": None})

    async def close(self) -> None:
        """The page has gone."""
        if self._farewell is not None:
            self._farewell.cancel()
        self._outboxes.close(self._outbox)
        if self._farewell is not None:
            with suppress(asyncio.CancelledError):
                await self._farewell


class Conversation:
    """What one page asks, and what it is answered."""

    __slots__ = (
        "_aside", "_client", "_has_ended", "_page", "_service", "_strikes", "_table", "_thinking_on",
        "_welcoming",
    )  # fmt: skip

    def __init__(self, service: Service, table: Table, page: Connection) -> None:
        self._service = service
        self._table = table
        self._page = page
        self._client = page.guest or page.address
        self._strikes = 0
        self._has_ended = False  # the page has gone
        #: What is thought about while it goes on: one question of each kind.
        self._aside: dict[type[wire.AskHint | wire.AskWorth], asyncio.Task[None]] = {}
        self._thinking_on: asyncio.Task[None] | None = None  # about a hint that was given already
        self._welcoming: asyncio.Task[None] | None = None

    @property
    def _asker(self) -> Asker:
        return Asker(self._page.address, self._client)

    async def hear(self, text: str) -> None:
        """Do what a message asks, or say why not."""
        try:
            self._check_rate()
            message = self._read(text)
        except Refused as refused:
            self._refuse(_key_of(text), refused)
            if self._strikes > self._service.settings.limits.strikes:
                self._page.hang_up()
            return
        key = getattr(message, "key", None)
        try:
            with self._service.metrics.acting(str(message.__struct_config__.tag)):
                await self._do_or_refuse(message, key)
        except Refused as refused:
            self._refuse(key, refused)

    def _check_rate(self) -> None:
        try:
            self._service.message_rate.check(self._client)
            self._service.message_rate_from.check(self._page.address)
            self._strikes = 0
        except Refused:
            self._strikes += 1
            raise

    def _read(self, text: str) -> wire.FromPage:
        if len(text) > self._service.settings.limits.message:
            raise Refused("too_big")
        try:
            return _messages.decode(text)
        except (msgspec.DecodeError, RecursionError, UnicodeError):
            raise Refused("garbage") from None

    def _refuse(self, key: str | None, refused: Refused) -> None:
        if key is not None and refused.code == "too_quick":  # said before anybody looked whether it was done
            if (number := self._table.number_of(self._page.guest, key)) is not None:
                self._done(key)(number)
                return
            if self._table.lock.locked():  # perhaps it is being done
                refused = Refused("unclear")
        if key is not None:
            self._table.refused.note(self._page.guest, key, refused.code)
        self._service.metrics.count_refusal(refused.code)
        sentence = refused.sentence(self._page.language)
        self._send(wire.Refused(key=key, code=refused.code, message=sentence))

    def _send(self, message: wire.ToPage) -> None:
        self._page.send(encode(message))

    async def _do_or_refuse(self, message: wire.FromPage, key: str | None) -> None:
        try:
            await self._do(message)
        except SQLAlchemyError:  # it could not even be looked up whether it was done when it was sent before
            raise Refused("unclear" if key else "not_ready") from None

    async def _do(self, message: wire.FromPage) -> None:
        table, page = self._table, self._page
        match message:
            case wire.Act():
                await table.act(page.guest, message, page.language, self._done(message.key))
            case wire.Undo():
                await table.undo(page.guest, message, self._done(message.key))
            case wire.Peek():
                asked = await table.peek(page.guest, message, page.language)
                self._send(wire.Peeked(key=message.key, asked=asked))
            case wire.Say():
                await self._say(message)
            case wire.AskHint() | wire.AskWorth():
                self._ask_aside(message)
            case wire.Speak():
                page.language = message.language
                self._welcome_anew()
            case wire.Look():
                page.sees_odds = message.odds
                if message.odds:
                    table.odds.show_soon(page)
            case wire.Ping():
                self._send(wire.Pong())

    def _welcome_anew(self) -> None:
        """Tell everything again, as soon as that may be; who asks again before then gets the same answer."""
        if self._welcoming is None or self._welcoming.done():
            self._welcoming = asyncio.create_task(self._welcome())
            self._welcoming.add_done_callback(self._look_after)

    async def _welcome(self) -> None:
        while not await self._is_next():
            await asyncio.sleep(_A_BIT_LATER)
        async with self._table.lock:
            self._table.welcome(self._page, self._table.state.last)

    async def _is_next(self) -> bool:
        """Whether this page may be told everything now, after it has waited for its turn."""
        service = self._service
        if not service.welcome_rate.allows(self._client):
            return False
        if not service.welcome_rate_from.allows(self._page.address):
            return False
        try:
            await service.welcomes.turn(self._asker)
        except Refused:
            return False
        return True

    def _look_after(self, task: asyncio.Task[None]) -> None:
        """If something breaks while nobody waits for it, let it be known, and the page come back."""
        if not task.cancelled() and (problem := task.exception()) is not None:
            self._service.log.error("broken", table=self._table.code, exc_info=problem)
            self._page.hang_up()

    def _done(self, key: str) -> Any:
        return lambda number: self._send(wire.Done(key=key, number=number))

    async def _say(self, message: wire.Say) -> None:
        guest = self._page.guest
        self._check_chat_rate()
        name = self._table.state.summary.name_of(guest) if guest is not None else None
        if name is None and guest is not None:
            name = await self._service.store.name_of(guest)
        if not name:
            raise Refused("no_name")
        await self._table.say(guest, name, message, self._done(message.key))

    def _check_chat_rate(self) -> None:
        """Identities cost nothing, so those who only watch share what may be said at a table, too."""
        self._service.chat_rate.check(self._client)
        self._service.chat_rate_from.check(self._page.address)
        if not self._table.state.summary.seats_of(self._page.guest):
            self._service.chat_rate_of_watchers.check(self._table.code)

    # ------------------------------------------------------------- what takes a while

    def _ask_aside(self, message: wire.AskHint | wire.AskWorth) -> None:
        """Let something be thought about while the conversation goes on; one thing of a kind at a time.

        What cards are worth is asked wherever a pointer rests: no hint shall have to wait for that.
        """
        kind = type(message)
        if (before := self._aside.get(kind)) is not None and not before.done():
            raise Refused("thinking_already")
        self._aside[kind] = asyncio.create_task(self._answer(message))
        self._aside[kind].add_done_callback(self._look_after)

    async def _answer(self, message: wire.AskHint | wire.AskWorth) -> None:
        try:
            if isinstance(message, wire.AskHint):
                await self._hint(message)
            else:
                await self._worth(message)
        except Refused as refused:
            self._refuse(message.key, refused)
        except TooMuchToDo:
            self._refuse(message.key, Refused("too_much_to_think"))
        except WorkFailed as failure:
            self._service.log.warning("not thought about", table=self._table.code, problem=str(failure))
            self._refuse(message.key, Refused("no_thinker"))

    async def _hint(self, message: wire.AskHint) -> None:
        table, page, thinkers = self._table, self._page, self._service.thinkers
        async with table.lock:
            table.check_holder(page.guest, message.seat)
            game = table.playing().game
            if game.to_move != message.seat:
                raise Refused("nothing_to_decide")
            if len(game.legal_actions()) == 1:
                raise Refused("one_option")
            position, moment = Snapshot.of(game), table.state.moment
        first = await thinkers.first_hint(position, page.language, self._asker)
        thinks_on = thinkers.thinks_on(first) and table.state.moment == moment
        self._send(wire.HintGiven(key=message.key, hint=first, last=not thinks_on))
        if thinks_on:
            self._think_on(message.key, position, first)

    def _think_on(self, key: str, position: Snapshot, first: wire.Hint) -> None:
        """Think about what was answered at a glance, until something else is asked or the game goes on."""
        if self._thinking_on is not None:
            self._thinking_on.cancel()
        self._thinking_on = asyncio.create_task(self._improve(key, position, first))
        self._table.think_meanwhile(self._thinking_on)
        self._thinking_on.add_done_callback(partial(self._has_thought, key, first))

    async def _improve(self, key: str, position: Snapshot, first: wire.Hint) -> None:
        hint = first
        try:
            hint = await self._service.thinkers.hint(position, self._page.language, self._asker)
        except WorkFailed as failure:
            self._service.log.warning("not thought about", table=self._table.code, problem=str(failure))
        self._send(wire.HintGiven(key=key, hint=hint, last=True))

    def _has_thought(self, key: str, first: wire.Hint, thinking: asyncio.Task[None]) -> None:
        """Where it was broken off, too, nothing better is to come: who waits for that shall not ask again."""
        if thinking.cancelled() and not self._has_ended:
            self._send(wire.HintGiven(key=key, hint=first, last=True))
        self._look_after(thinking)

    async def _worth(self, message: wire.AskWorth) -> None:
        table = self._table
        async with table.lock:
            game = table.playing().game
            if message.seat >= game.players:
                raise Refused("no_such_seat")
            if message.thing not in {card.id for card in game.ruleset.cards}:
                raise Refused("no_thing")
            position = Snapshot.of(game)
        worth = await self._service.thinkers.worth(position, message.seat, message.thing, self._asker)
        self._send(wire.WorthTold(key=message.key, worth=worth))

    def end(self) -> None:
        """The page has gone: nobody waits for an answer."""
        self._has_ended = True
        for answering in self._aside.values():
            answering.cancel()
        if self._thinking_on is not None:
            self._thinking_on.cancel()
        if self._welcoming is not None:
            self._welcoming.cancel()


def _key_of(text: str) -> str | None:
    """The key of a message that makes no sense otherwise, so that who waits for an answer gets one."""
    try:
        message = json.loads(text)
    except (ValueError, RecursionError):
        return None
    try:
        return msgspec.convert(message.get("key") if isinstance(message, dict) else None, wire.Key)
    except msgspec.ValidationError:
        return None


async def converse(socket: WebSocket, service: Service, guest: str | None, code: str) -> None:
    """Let a page in that wants to be connected; it stays until one of both ends it."""
    language = choose_language(socket.query_params.get("lang"), socket.headers.get("accept-language"))
    if not is_own_page(socket.headers, service.settings.origins):
        await socket.close(1008)  # before it is accepted: an answer with status 403
        return
    await socket.accept()
    try:
        table = await _find(service, guest, code)
    except Elsewhere as elsewhere:  # for the gateway, which goes there
        await _send_away(socket, ELSEWHERE, elsewhere.address)
        return
    except Refused as refused:
        service.metrics.count_refusal(refused.code)
        message = wire.Refused(key=None, code=refused.code, message=refused.sentence(language))
        await _send_away(socket, _FAREWELLS.get(refused.code, TOO_MANY), message=message)
        return
    address = came_from(socket.scope)
    try:
        await service.welcomes.turn(Asker(address, guest or address))
    except Refused as refused:
        service.metrics.count_refusal(refused.code)
        await _send_away(socket, TOO_SLOW)
        return
    since = _since(socket.query_params.get("since"))
    line: ReadersOnly = socket.scope["extensions"][LINE]
    open_page = partial(Connection, line, guest, address, language, service)
    line.go_on_with(lambda: _stay(line, service, table, open_page, since))


async def _send_away(
    socket: WebSocket, code: int, reason: str = "", message: wire.Refused | None = None
) -> None:
    """Tell a page why it cannot stay; it may have gone by itself while its table was looked for."""
    with suppress(WebSocketDisconnect):
        if message is not None:
            await socket.send_text(encode(message).decode())
        await socket.close(code, reason)


async def _stay(
    line: ReadersOnly,
    service: Service,
    table: Table,
    open_page: Callable[[], Connection],
    since: int | None,
) -> None:
    """Be at a table."""
    page = open_page()
    del open_page  # with all that it knows, which would be kept as long as the page is
    conversation = Conversation(service, table, page)
    try:
        await table.enter(page, since)
        await _listen(line, conversation)
    finally:
        table.leave(page)
        conversation.end()
        await page.close()


async def _find(service: Service, guest: str | None, code: str) -> Table:
    try:
        table = await service.lobby.find(code)
    except SQLAlchemyError:
        raise Refused("not_ready") from None
    mine = sum(listener.guest == guest for listener in table.listeners)
    if mine >= service.settings.limits.connections:
        raise Refused("too_many_connections")
    return table


def _since(text: str | None) -> int | None:
    """The last entry that a page has seen; None if it does not say so sensibly."""
    if text is None or len(text) > len(str(_LATEST)) or not text.isdecimal():
        return None
    return int(text) if int(text) < _LATEST else None


async def _listen(line: ReadersOnly, conversation: Conversation) -> None:
    while (message := await line.receive())["type"] == "websocket.receive":
        text = message.get("text")
        await conversation.hear(text if text is not None else "")
