"""Asking a worker something over HTTP, in time or not at all."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Self

import h11

from dicetown.server.cluster.fleet import Known

Headers = Sequence[tuple[bytes, bytes]]
_CONNECT = 2.0  # seconds for a connection to another process
_ANSWER = 30.0  # and for each part of an answer: longer than a worker waits for its database
_CHUNK = 64 * 1024


class NotAsked(Exception):
    """A worker could not be reached: nothing was asked."""


class NoAnswer(Exception):
    """A worker was asked, and its answer did not come whole: nobody knows what it has done."""


@dataclass(frozen=True)
class Question:
    """A request that can be asked again."""

    method: str
    target: bytes
    headers: Headers
    body: bytes = b""


class Answer:
    """An answer that is being read; its connection is used for this alone."""

    def __init__(self, question: Question, worker: Known) -> None:
        self._question = question
        self._worker = worker
        self._h11 = h11.Connection(h11.CLIENT)
        self._reader: asyncio.StreamReader | None = None
        self._writer: asyncio.StreamWriter | None = None
        self.status = 0
        self.headers: list[tuple[bytes, bytes]] = []

    async def __aenter__(self) -> Self:
        """Ask, and read the head of the answer."""
        host, _, port = self._worker.address.rpartition(":")
        try:
            async with asyncio.timeout(_CONNECT):
                self._reader, self._writer = await asyncio.open_connection(host.strip("[]"), int(port))
        except (OSError, TimeoutError) as problem:
            raise NotAsked(self._worker.address) from problem
        if self._writer.transport.is_closing():  # cut as soon as it was made: uvloop would not take a word
            raise NotAsked(self._worker.address)
        self._worker.watchers.add(self._abort)
        try:
            self._ask(self._writer)
            head = await self._next()
        except BaseException:
            self._end()
            raise
        assert isinstance(head, h11.Response)
        self.status, self.headers = head.status_code, list(head.headers)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Read nothing more."""
        self._end()

    async def body(self) -> AsyncIterator[bytes]:
        """What the answer consists of, as it comes."""
        while isinstance(event := await self._next(), h11.Data):
            yield bytes(event.data)

    def header(self, name: str) -> str | None:
        """One of the headers."""
        return next((value.decode("latin-1") for key, value in self.headers if key == name.encode()), None)

    def _ask(self, writer: asyncio.StreamWriter) -> None:
        question, say = self._question, self._h11.send
        headers = [*question.headers, (b"connection", b"close")]
        if question.body or question.method not in ("GET", "HEAD"):
            headers.append((b"content-length", str(len(question.body)).encode()))
        head = h11.Request(method=question.method, target=question.target, headers=headers)
        said = [say(head), say(h11.Data(data=question.body)), say(h11.EndOfMessage())]
        writer.write(b"".join(part for part in said if part))

    async def _next(self) -> h11.Event:
        assert self._reader is not None
        try:
            async with asyncio.timeout(_ANSWER):
                while (event := self._h11.next_event()) is h11.NEED_DATA or isinstance(
                    event, h11.InformationalResponse
                ):
                    if event is h11.NEED_DATA:
                        self._h11.receive_data(await self._reader.read(_CHUNK))
        except (OSError, TimeoutError, h11.RemoteProtocolError) as problem:
            raise NoAnswer(self._worker.address) from problem
        if isinstance(event, h11.ConnectionClosed):
            raise NoAnswer(self._worker.address)
        assert isinstance(event, h11.Event)
        return event

    def _abort(self) -> None:
        """The worker has gone: whoever waits for it need not."""
        if self._writer is not None:
            self._writer.transport.abort()

    def _end(self) -> None:
        self._worker.watchers.discard(self._abort)
        if self._writer is not None:
            self._writer.close()
