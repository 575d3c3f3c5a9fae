"""How the service speaks HTTP and WebSocket: as uvicorn does, but for two things.

Every connection passes the gate, and nothing piles up for somebody who does not read.
"""

from __future__ import annotations

import asyncio
import socket
from functools import cache
from typing import Any

import h11
import uvicorn
from starlette.types import ASGIApp
from uvicorn._types import ASGISendEvent
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from dicetown.languages import LANGUAGES
from dicetown.server.web.gate import ASKING, IDLE, SENDING, SERVED, Gate
from dicetown.server.wire.texts import say

_AGAIN_AFTER = 5  # seconds
#: Bytes of a connection that wait in the operating system; it takes twice as many.
_KERNEL = 64 * 1024
#: In the scope of a live connection: how to end it at once, without a word to who does not read words.
ABORT = "dicetown.abort"


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


class ReadersOnly(WebSocketsSansIOProtocol):
    """A live connection, for those who read what they are sent."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take a connection over; as soon as the operating system takes no more, sending waits."""
        super().connection_made(transport)
        self.transport.set_write_buffer_limits(0)
        if (found := self.transport.get_extra_info("socket")) is not None and found.family != socket.AF_UNIX:
            found.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _KERNEL)

    async def run_asgi(self) -> None:
        """Let the application have the connection, with a way to end it at once."""
        self.scope["extensions"] = {**(self.scope.get("extensions") or {}), ABORT: self.transport.abort}  # type: ignore[dict-item]
        await super().run_asgi()

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
        """Send something; who is refused with an answer is answered, which uvicorn forgets to note."""
        await super().send(message)
        if message["type"] == "websocket.http.response.body" and not message.get("more_body", False):
            self.handshake_complete = True
