"""Knowing whether a program lives, on any system: it holds a line to us, which is cut when it ends."""

import socket
from typing import Self


class Tether:
    """Programs connect to the port and hold on."""

    def __init__(self) -> None:
        self._server = socket.create_server(("127.0.0.1", 0))
        self._server.setblocking(False)
        self._lines: list[socket.socket] = []
        self.port = str(self._server.getsockname()[1])

    def holding(self) -> int:
        """How many programs hold on now."""
        while (line := self._next()) is not None:
            self._lines.append(line)
        for line in [line for line in self._lines if _is_cut(line)]:
            line.close()
            self._lines.remove(line)
        return len(self._lines)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Let all go."""
        for line in [*self._lines, self._server]:
            line.close()

    def _next(self) -> socket.socket | None:
        try:
            line, _ = self._server.accept()
        except BlockingIOError:
            return None
        line.setblocking(False)
        return line


def _is_cut(line: socket.socket) -> bool:
    try:
        return line.recv(1) == b""
    except BlockingIOError:
        return False
    except ConnectionResetError:
        return True
