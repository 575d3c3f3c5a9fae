"""A page without a browser, as cheap as can be: many of them must not be what a bench measures.

It speaks WebSocket itself, on asyncio's bare protocol. Whoever is measured sends whole text frames, and pings
now and then; nothing else is needed here.
"""

from __future__ import annotations

import asyncio
import base64
import os
from collections.abc import Callable

_SWITCHED = b"HTTP/1.1 101"
_TEXT, _CLOSE, _PING, _PONG = 0x81, 0x88, 0x89, 0x8A
_MASKED, _NO_MASK = 0x80, bytes(4)  # masked with zeros, as a client must
_SHORT, _LONG = 126, 127


class NotWelcome(Exception):
    """The service did not let a page in."""


class Screen(asyncio.Protocol):
    """A live connection; what it is told goes to ``hear``."""

    def __init__(self, request: bytes, hear: Callable[[Screen, bytes], None]) -> None:
        self._request = request
        self._hear = hear
        self._heard = bytearray()
        self._transport: asyncio.Transport | None = None
        self.is_open: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Ask to be let in."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        transport.write(self._request)

    def connection_lost(self, exc: Exception | None) -> None:
        """Be gone."""
        if not self.is_open.done():
            self.is_open.set_exception(NotWelcome("gone"))
            self.is_open.exception()  # whoever waits for it may have gone, too

    def data_received(self, data: bytes) -> None:
        """Hear something."""
        self._heard += data
        if not self.is_open.done():
            head, end, rest = bytes(self._heard).partition(b"\r\n\r\n")
            if not end:
                return
            if not head.startswith(_SWITCHED):
                self.is_open.set_exception(NotWelcome(head.partition(b"\r\n")[0].decode()))
                self.close()
                return
            self._heard = bytearray(rest)
            self.is_open.set_result(None)
        self._read_frames()

    def _read_frames(self) -> None:
        heard, at = self._heard, 0
        while len(heard) >= at + 2:
            kind, length, begin = heard[at], heard[at + 1], at + 2
            if length >= _SHORT:
                begin += 2 if length == _SHORT else 8
                length = int.from_bytes(heard[at + 2 : begin], "big")
            if len(heard) < begin + length:
                break
            at = begin + length
            content = bytes(heard[begin:at])
            if kind == _TEXT:
                self._hear(self, content)
            elif kind == _PING:
                self._send(_PONG, content)
            elif kind == _CLOSE:
                self.close()
        del heard[:at]

    def say(self, text: str) -> None:
        """Send a message."""
        self._send(_TEXT, text.encode())

    def _send(self, kind: int, content: bytes) -> None:
        assert self._transport is not None
        length = len(content)
        size = (
            bytes([_MASKED | length])
            if length < _SHORT
            else bytes([_MASKED | _SHORT, *length.to_bytes(2, "big")])
        )
        self._transport.write(bytes([kind]) + size + _NO_MASK + content)

    def close(self) -> None:
        """Be gone."""
        if self._transport is not None:
            self._transport.close()


async def open_screen(address: str, path: str, cookie: str, hear: Callable[[Screen, bytes], None]) -> Screen:
    """Connect to a service; :class:`NotWelcome` if it does not want that now."""
    host, _, port = address.rpartition(":")
    head = [
        f"GET {path} HTTP/1.1",
        f"Host: {address}",
        "Connection: Upgrade",
        "Upgrade: websocket",
        "Sec-WebSocket-Version: 13",
        f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}",
        *([f"Cookie: {cookie}"] if cookie else []),
    ]
    request = "\r\n".join([*head, "", ""]).encode()
    loop = asyncio.get_running_loop()
    _, screen = await loop.create_connection(lambda: Screen(request, hear), host, int(port))
    await screen.is_open
    return screen
