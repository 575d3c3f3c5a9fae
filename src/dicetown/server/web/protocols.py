"""How the service speaks HTTP and WebSocket: as uvicorn does, but for three things.

Every connection passes the gate, nothing piles up for somebody who does not read, and what is told to pages
goes straight to their sockets: nearly all that a service says is said to several pages at once, and often.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable, Coroutine, Sequence
from functools import cache
from typing import Any

import h11
import uvicorn
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn._types import ASGISendEvent
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from dicetown.languages import LANGUAGES
from dicetown.server.web.gate import ASKING, IDLE, SENDING, SERVED, Gate
from dicetown.server.wire.texts import say

_AGAIN_AFTER = 5  # seconds
#: Bytes of a connection that wait in the operating system; it takes twice as many.
_KERNEL = 64 * 1024
#: In the scope of a live connection: the connection itself, as who tells pages something uses it.
LINE = "dicetown.line"
#: Messages of a page that may wait to be looked at before no more are read. To stop reading and to begin
#: again costs as much as reading does.
_UNREAD = 4
_SHORT, _LONG = 126, 1 << 16
Conversation = Callable[[], Coroutine[None, None, None]]


@cache
def _turned_away() -> bytes:
    """The answer to who finds no room, in all languages: nobody has said yet which one they read."""
    sentences = "".join(f"{say(language, 'refuse.no_room')}\n" for language in LANGUAGES).encode()
    head = (
        "HTTP/1.1 503 Service Unavailable",
        "Content-Type: text/plain; charset=utf-8",
        f"Content-Length: {len(sentences)}",
        f"Retry-After: {_AGAIN_AFTER}",
        "Connection: close",
    )
    return "\r\n".join((*head, "", "")).encode() + sentences


class GatedConfig(uvicorn.Config):
    """What uvicorn has to know, and the gate."""

    gate: Gate

    def __init__(self, app: ASGIApp, **settings: Any) -> None:
        super().__init__(app, http=GatedRequests, ws=GatedSocket, **settings)


class GatedRequests(H11Protocol):
    """A connection for requests; the gate knows what it is at."""

    config: GatedConfig

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Come in, or be turned away."""
        super().connection_made(transport)
        if not self.config.gate.let_in(transport):
            transport.write(_turned_away())
            transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        """Be gone."""
        self.config.gate.leave(self.transport)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Hear something."""
        super().data_received(data)
        self._note_stage()

    def on_response_complete(self) -> None:
        """Be ready for the next request."""
        super().on_response_complete()
        self._note_stage()

    def _note_stage(self) -> None:
        if self.transport.get_protocol() is not self:
            return  # it has become a live connection
        heard = self.conn.their_state
        if heard is h11.SEND_BODY:
            stage = SENDING
        elif heard is not h11.IDLE:
            stage = SERVED
        else:
            stage = ASKING if self.conn.trailing_data[0] else IDLE
        self.config.gate.note(self.transport, stage)


def _head(size: int) -> bytes:
    """What stands before a text on the wire: that it is one and whole, and how long it is (RFC 6455, 5.2)."""
    if size < _SHORT:
        return bytes((0x81, size))
    return b"\x81\x7e" + size.to_bytes(2, "big") if size < _LONG else b"\x81\x7f" + size.to_bytes(8, "big")


class _Inbox:
    """What a page has said and nobody has looked at yet: a queue for one reader, as small as can be."""

    __slots__ = ("_loop", "_messages", "_news")

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop  # to ask which one runs is a system call, in Python 3.11
        self._messages: list[Any] = []
        self._news: asyncio.Future[None] | None = None

    def qsize(self) -> int:
        return len(self._messages)

    def empty(self) -> bool:
        return not self._messages

    def put_nowait(self, message: Any) -> None:
        self._messages.append(message)
        if self._news is not None and not self._news.done():
            self._news.set_result(None)

    async def get(self) -> Any:
        while not self._messages:
            self._news = self._loop.create_future()
            await self._news
        return self._messages.pop(0)


class _Room:
    """Whether the operating system takes more: an event as asyncio has it, without room for who waits.

    Somebody seldom does, and there is one for each page.
    """

    __slots__ = ("_is_there", "_waiting")

    def __init__(self) -> None:
        self._is_there = True
        self._waiting: list[asyncio.Future[None]] = []

    def is_set(self) -> bool:
        return self._is_there

    def clear(self) -> None:
        self._is_there = False

    def set(self) -> None:
        self._is_there = True
        waiting, self._waiting = self._waiting, []
        for one in waiting:
            if not one.done():
                one.set_result(None)

    async def wait(self) -> None:
        if not self._is_there:
            self._waiting.append(asyncio.get_running_loop().create_future())
            await self._waiting[-1]


def _nothing() -> None:
    """Nobody waits for it."""


class ReadersOnly(WebSocketsSansIOProtocol):
    """A live connection, for those who read what they are sent."""

    # Some are ours, the others uvicorn's. It has so many that Python would keep a table of their names for
    # each page: a kilobyte and a half. One that is not named here is kept as ever.
    __slots__ = (
        "_conversation", "_when_free", "_when_gone", "app", "app_state", "asgi_version", "client",
        "close_sent", "close_timeout", "close_timer", "config", "conn", "connections", "curr_msg_data_type",
        "default_headers", "disconnected", "frames", "handshake_complete", "handshake_initiated",
        "initial_response", "last_ping_rtt", "logger", "loop", "pending_ping_payload", "ping_interval",
        "ping_sent_at", "ping_timeout", "ping_timer", "pong_timer", "queue", "read_paused", "request",
        "response", "root_path", "scheme", "scope", "server", "tasks", "transport", "writable",
    )  # fmt: skip

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take a connection over; as soon as the operating system takes no more, sending waits."""
        super().connection_made(transport)
        self.transport.set_write_buffer_limits(0)
        if (found := self.transport.get_extra_info("socket")) is not None and found.family != socket.AF_UNIX:
            found.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _KERNEL)

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.queue = _Inbox(self.loop)  # type: ignore[assignment]
        self.writable = _Room()  # type: ignore[assignment]
        self._when_free: Callable[[], None] = _nothing
        self._when_gone: Callable[[], None] = _nothing
        self._conversation: Conversation | None = None

    async def run_asgi(self) -> None:
        """Let the application have the connection."""
        self.scope["extensions"] = {**(self.scope.get("extensions") or {}), LINE: self}  # type: ignore[dict-item]
        self.app = self._go_on_after_the_app
        try:
            await super().run_asgi()
        finally:
            self._let_go()

    def _let_go(self) -> None:
        """Refer to nothing that refers to us, so that all of it is gone with the page.

        Else it would lie about until garbage is looked for among all objects, which a gateway seldom has to.
        """
        self.app = self.config.loaded_app
        self.scope.clear()  # type: ignore[attr-defined]
        self._when_free = self._when_gone = _nothing

    def go_on_with(self, conversation: Conversation) -> None:
        """Let a conversation begin when the application has returned, in which requests pass many hands.

        A page stays for hours, and whatever has passed it on would be kept as long: half of what it takes.
        """
        self._conversation = conversation

    def when_gone(self, then: Callable[[], None]) -> None:
        """Have something called when nothing more is to be said."""
        self._when_gone = then

    async def _go_on_after_the_app(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await self.config.loaded_app(scope, receive, send)
            if (conversation := self._conversation) is not None:
                scope.clear()
                # The library keeps the request for as long as the page stays; all that is in it is headers.
                self.request.headers.clear()
                self.request = self.response = self._conversation = None  # type: ignore[assignment]
                going_on = conversation()
                del conversation
                await going_on
        finally:
            self._when_gone()
            self._conversation = None

    @property
    def is_free(self) -> bool:
        """Whether the operating system has taken all that was written."""
        return self.writable.is_set()

    def when_free(self, then: Callable[[], None]) -> None:
        """Have something called whenever the operating system has taken what it would not take at once."""
        self._when_free = then

    def resume_writing(self) -> None:
        """The operating system has taken what waited."""
        super().resume_writing()
        self._when_free()

    def write(self, messages: Sequence[bytes]) -> None:
        """Send texts at once, in one piece; nobody is there any more, nobody gets them."""
        if self.handshake_complete and not (
            self.close_sent or self.disconnected or self.transport.is_closing()
        ):
            self.transport.write(b"".join([part for text in messages for part in (_head(len(text)), text)]))

    def abort(self) -> None:
        """End the connection at once, without a word to who does not read words."""
        self.transport.abort()

    def send_receive_event_to_app(self) -> None:
        """Let the application have a message; while several wait for it, nothing more is read."""
        was_paused, self.read_paused = self.read_paused, True  # or uvicorn would stop reading after each
        super().send_receive_event_to_app()
        self.read_paused = was_paused
        if not was_paused and self.queue.qsize() > _UNREAD:
            self.read_paused = True
            self.transport.pause_reading()

    async def send(self, message: ASGISendEvent) -> None:
        """Send something; a message only counts as sent when the operating system has taken all of it."""
        await super().send(message)
        if message["type"] == "websocket.send":
            await self.writable.wait()

    def handle_ping(self) -> None:
        """Answer a ping, unless what was sent before has not been read: answers would pile up."""
        if self.writable.is_set():
            super().handle_ping()
        else:
            self.conn.data_to_send()


class GatedSocket(ReadersOnly):
    """A live connection. Whether somebody is still there is found out by pings."""

    config: GatedConfig

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take a connection over from requests."""
        super().connection_made(transport)
        self.config.gate.note(self.transport, SERVED)

    def connection_lost(self, exc: Exception | None) -> None:
        """Be gone."""
        self.config.gate.leave(self.transport)
        super().connection_lost(exc)

    async def send(self, message: Any) -> None:
        """Send something; who is refused with an answer is answered, which uvicorn forgets to note.

        Unless they were answered already, because the service ends: then there is nobody to be let in either.
        """
        if self.transport.is_closing():
            if message["type"].startswith("websocket.http.response."):
                return
            if not self.handshake_complete:
                raise ClientDisconnected
        await super().send(message)
        if message["type"] == "websocket.http.response.body" and not message.get("more_body", False):
            self.handshake_complete = True
