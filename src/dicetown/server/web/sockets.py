"""WebSockets as uvicorn speaks them, but for one thing: nothing piles up for somebody who does not read."""

from __future__ import annotations

import asyncio
import socket

from uvicorn._types import ASGISendEvent
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

#: Bytes of a connection that wait in the operating system; it takes twice as many.
_KERNEL = 64 * 1024
#: In the scope of a live connection: how to end it at once, without a word to who does not read words.
ABORT = "dicetown.abort"


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
