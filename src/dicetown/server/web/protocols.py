"""How the service speaks HTTP and WebSocket: as uvicorn does, but every connection passes the gate."""

from __future__ import annotations

import asyncio
from functools import cache
from typing import Any

import h11
import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from dicetown.languages import LANGUAGES
from dicetown.server.web.gate import ASKING, IDLE, SENDING, SERVED, Gate
from dicetown.server.web.sockets import ReadersOnly
from dicetown.server.wire.texts import say

_AGAIN_AFTER = 5  # seconds


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
