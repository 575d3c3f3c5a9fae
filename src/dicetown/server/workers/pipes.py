"""The pipe between the event loop and a worker process, which neither holds up the other.

The event loop waits for nothing: what a pipe does not take at once is written when it has room again, and of
a message that has come in part the rest is awaited. The pipes of multiprocessing expect to be waited for;
uvloop makes whatever it watches non-blocking, and a long answer then looked like a process that had ended.
"""

from __future__ import annotations

import asyncio
import socket
import struct
from collections.abc import Callable

_LENGTH = struct.Struct("!Q")  # before each message: how long it is
_PIECE = 1 << 18  # bytes that are read at once


class Pipe:
    """The event loop's end of a pipe: says when a message has come, and when nobody is at the other end."""

    def __init__(self, end: socket.socket, heard: Callable[[bytes], None], lost: Callable[[], None]) -> None:
        self._end, self._heard, self._lost = end, heard, lost
        self._come, self._unsent = bytearray(), bytearray()
        self._loop = asyncio.get_running_loop()
        end.setblocking(False)
        self._loop.add_reader(end, self._read)

    def send(self, message: bytes) -> None:
        """Send a message, whenever there is room for it."""
        self._unsent += _LENGTH.pack(len(message))
        self._unsent += message
        self._write()

    def close(self) -> None:
        """Leave; what has not been sent is not sent any more."""
        if self._end.fileno() >= 0:
            self._loop.remove_reader(self._end)
            self._loop.remove_writer(self._end)
            self._end.close()

    def _write(self) -> None:
        try:
            sent = self._end.send(self._unsent)
        except (BlockingIOError, InterruptedError):
            sent = 0
        except OSError:
            self._lost()
            return
        del self._unsent[:sent]
        if self._unsent:
            self._loop.add_writer(self._end, self._write)
        else:
            self._loop.remove_writer(self._end)

    def _read(self) -> None:
        try:
            piece = self._end.recv(_PIECE)
        except (BlockingIOError, InterruptedError):
            return
        except OSError:
            piece = b""
        if not piece:
            self._lost()
            return
        self._come += piece
        while self._end.fileno() >= 0 and (message := self._next()) is not None:
            self._heard(message)

    def _next(self) -> bytes | None:
        """The next message, if all of it has come."""
        begins = _LENGTH.size
        if len(self._come) < begins:
            return None
        ends = begins + _LENGTH.unpack_from(self._come)[0]
        if len(self._come) < ends:
            return None
        message = bytes(self._come[begins:ends])
        del self._come[:ends]
        return message


# ---------------------------------------------------------------------- in the process, which may wait


def tell(end: socket.socket, message: bytes) -> None:
    """Send a message."""
    end.sendall(_LENGTH.pack(len(message)) + message)


def hear(end: socket.socket) -> bytes | None:
    """The next message; None when nobody is at the other end any more, however they went."""
    try:
        (length,) = _LENGTH.unpack(_exactly(end, _LENGTH.size))
        return _exactly(end, length)
    except (EOFError, ConnectionError):
        return None


def _exactly(end: socket.socket, count: int) -> bytes:
    come = bytearray()
    while len(come) < count:
        piece = end.recv(min(_PIECE, count - len(come)))
        if not piece:
            raise EOFError
        come += piece
    return bytes(come)
