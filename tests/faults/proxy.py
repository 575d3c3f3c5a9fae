"""A network between two processes that can be cut, frozen, or lose an answer of the database."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Self

#: How PostgreSQL's protocol says that a transaction shall be kept.
_COMMIT = b"COMMIT\x00"
_CHUNK = 65_536


class Proxy:
    """Passes connections at a port on to a server: to its socket, or to another port of this machine."""

    def __init__(self, server: Path | int, answered: bytes = _COMMIT) -> None:
        """``answered`` is how something is asked whose answer may get lost."""
        self._server = server
        self.answered = answered
        self._listening: asyncio.Server | None = None
        self._open: set[asyncio.StreamWriter] = set()
        self._passing = asyncio.Event()
        self._passing.set()
        self.port = 0
        #: How many answers shall still get lost; usually those to commits.
        self.losing = 0
        self.lost = 0

    async def __aenter__(self) -> Self:
        self._listening = await asyncio.start_server(self._connect, "127.0.0.1", 0)
        self.port = self._listening.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._listening is not None
        self._listening.close()
        self._passing.set()
        self.cut()

    def cut(self) -> None:
        """End all connections, in the middle of whatever they carry."""
        for writer in list(self._open):
            writer.transport.abort()

    def freeze(self) -> None:
        """Let nothing through, and tell nobody: packets that get lost look like that."""
        self._passing.clear()

    def thaw(self) -> None:
        """Let everything through again."""
        self._passing.set()

    async def _connect(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            from_server, to_server = await self._reach_server()
        except OSError:
            writer.transport.abort()
            return
        answers = _Answers(self)
        self._open |= {writer, to_server}
        try:
            await asyncio.gather(
                self._pass_on(reader, to_server, answers.asked),
                self._pass_on(from_server, writer, answers.answered),
            )
        finally:
            for end in (writer, to_server):
                self._open.discard(end)
                end.transport.abort()

    async def _reach_server(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        if isinstance(self._server, int):
            return await asyncio.open_connection("127.0.0.1", self._server)
        return await asyncio.open_unix_connection(str(self._server))

    async def _pass_on(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, look: Callable[[bytes], bool]
    ) -> None:
        with suppress(OSError):
            while chunk := await reader.read(_CHUNK):
                await self._passing.wait()
                if not look(chunk):
                    break
                writer.write(chunk)
                await writer.drain()
        # One side has ended, so the other one has nobody to speak to.
        writer.transport.abort()


class _Answers:
    """What is asked over one connection, and whose answers may get lost."""

    def __init__(self, proxy: Proxy) -> None:
        self._proxy = proxy
        self._losing = False

    def asked(self, chunk: bytes) -> bool:
        """Something is asked; its answer may be one to lose."""
        if self._proxy.answered in chunk and self._proxy.losing > 0:
            self._proxy.losing -= 1
            self._losing = True
        return True

    def answered(self, chunk: bytes) -> bool:
        """It is answered: whether that is passed on."""
        if self._losing:
            self._proxy.lost += 1
        return not self._losing
