"""A page's live connection, which outlasts the worker at its other end.

A page has a connection to the gateway, and the gateway one to the worker that has the page's table. When that
worker ends, dies or stands still, the page keeps its connection: the gateway finds whoever has the table now,
says which entry the page saw last, and asks again what was asked with a key and not answered. Keys make that
harmless. The page notices a pause, and is told anew where the table stands.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import parse_qsl, urlencode

import msgspec
from starlette.types import Message, Receive, Scope, Send
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus, InvalidURI

from dicetown.server.cluster.fleet import Fleet, Known
from dicetown.server.common.backoff import Backoff
from dicetown.server.wire.between import ELSEWHERE
from dicetown.server.wire.refusals import Refused

#: Seconds until a page is let go for which no worker is found: it comes back by itself.
PATIENCE = 20.0
_CONNECT = 3.0  # seconds for a connection to a worker
_SEND = 5.0  # and for it to take a message
_PAUSES = (0.05, 0.5)  # seconds between attempts, the first and the longest
#: What may wait for answers of a worker, of one page: a page that plays asks for one thing at a time.
_MOST_MESSAGES, _MOST_BYTES = 64, 64 * 1024
_LARGEST = 4 * 1024 * 1024  # bytes of a message of a worker
_LATER = (429, 503)  # statuses of who may be asked again
#: Closing codes after which the page's connection goes on with another worker, or the same one anew:
#: it goes away, it died, it restarts, it has not got the table.
_DIED, _RESTARTING, _LATER_CODE = 1006, 1012, 1013
_GOES_ON = (1001, 1005, _DIED, 1011, _RESTARTING, ELSEWHERE)
_PONG = '{"type":"pong"}'


class Gone(Exception):
    """The page has gone, or has to: nothing more is to be done for it."""

    def __init__(self, code: int = _RESTARTING) -> None:
        super().__init__(code)
        self.code = code


class _Stale(Exception):
    """A worker knows less than the page has seen."""


class _Heard(msgspec.Struct):
    """What the gateway has to know of a message: which it is, and what it answers."""

    type: str
    number: int = -1
    key: str | None = None
    last: bool = True  # a hint: no better one will come
    language: str | None = None


_read = msgspec.json.Decoder(_Heard).decode


def read(text: str) -> _Heard | None:
    """What can be understood of a message; whoever it is for says what is wrong with it."""
    try:
        return _read(text)
    except (msgspec.DecodeError, UnicodeEncodeError):
        return None


class Unanswered:
    """What a page has asked with a key, in order, until it is answered."""

    def __init__(self) -> None:
        self._messages: dict[str, str] = {}
        self._size = 0

    def note(self, key: str, text: str) -> None:
        """Something was asked; whoever asks too much without waiting for answers has to begin anew."""
        self.forget(key)
        self._messages[key] = text
        self._size += len(text)
        if len(self._messages) > _MOST_MESSAGES or self._size > _MOST_BYTES:
            raise Gone(_LATER_CODE)

    def forget(self, key: str) -> None:
        """It was answered."""
        if (text := self._messages.pop(key, None)) is not None:
            self._size -= len(text)

    def __iter__(self) -> Any:
        return iter(list(self._messages.values()))


@dataclass(frozen=True)
class Door:
    """How a page came: what a worker has to know to let it in."""

    code: str
    host: str
    path: str
    query: str
    headers: Sequence[tuple[str, str]]
    origin: str | None
    address: str


class Relay:
    """One page."""

    def __init__(self, fleet: Fleet, door: Door, receive: Receive, send: Send) -> None:
        self._fleet = fleet
        self._door = door
        self._receive = receive
        self._send = send
        self._asked = dict(parse_qsl(door.query))
        self._cookies: list[str] = []  # that a worker has set
        self._unanswered = Unanswered()
        self._speak = ""  # in which language to go on, asked for while there was no worker
        self._worker: ClientConnection | None = None  # none while there is none
        self._turn = asyncio.Lock()  # what is sent to a worker is sent in order
        self._pauses = Backoff(*_PAUSES)
        self._seen = -1  # the last entry that the page was told of through us
        self._vain = 0  # workers in a row that had nothing to say
        self._ends = 0.0  # until when a worker is looked for

    async def run(self, scope: Scope) -> None:
        """Be there for the page until it goes."""
        try:
            connection, worker = await self._attach(first=True)
        except InvalidStatus as refused:
            return await _refuse(refused, scope, self._send)
        except Gone:
            raise Refused("not_ready") from None
        assert connection.response is not None
        set_cookies = connection.response.headers.get_all("set-cookie")
        self._cookies = [_pair(cookie) for cookie in set_cookies]
        headers = [(b"set-cookie", cookie.encode("latin-1")) for cookie in set_cookies]
        await self._send({"type": "websocket.accept", "headers": headers})
        await self._converse(connection, worker)

    async def _converse(self, connection: ClientConnection, worker: Known) -> None:
        hearing = asyncio.create_task(self._hear_page())
        telling = asyncio.create_task(self._tell_page(connection, worker))
        try:
            await asyncio.wait({hearing, telling}, return_when=asyncio.FIRST_COMPLETED)
            for task in (telling, hearing):
                if task.done() and isinstance(problem := task.exception(), Gone):
                    with suppress(RuntimeError, OSError):  # the page went first
                        await self._send({"type": "websocket.close", "code": problem.code})
                elif task.done() and (problem := task.exception()) is not None:
                    raise problem
        finally:
            for task in (hearing, telling):
                task.cancel()
            await asyncio.gather(hearing, telling, return_exceptions=True)
            if self._worker is not None:
                await _end(self._worker)

    # ----------------------------------------------------------------------- from the page

    async def _hear_page(self) -> None:
        while True:
            message: Message = await self._receive()
            if message["type"] == "websocket.disconnect":
                return
            text = message.get("text")
            await self._pass_on(text if text is not None else "")

    async def _pass_on(self, text: str) -> None:
        heard = read(text)
        if heard is not None and heard.key is not None:
            self._unanswered.note(heard.key, text)
        if heard is not None and heard.type == "language" and heard.language is not None:
            self._asked["lang"] = heard.language
        async with self._turn:
            if self._worker is not None:
                await _try_to_send(self._worker, text)
                return
        if heard is not None and heard.type == "language":
            self._speak = text
        if heard is not None and heard.type == "ping":  # the gateway is there, and looks for a worker
            await self._send({"type": "websocket.send", "text": _PONG})

    # ------------------------------------------------------------------------- to the page

    async def _tell_page(self, connection: ClientConnection, worker: Known) -> None:
        """Tell the page what its worker says; when that one has gone, what the next one says."""
        while True:
            with worker.watched(connection.transport.abort):
                await self._begin(connection)
                code, reason = await self._listen(connection)
            self._worker = None
            await _end(connection)
            self._learn(code, reason)
            if self._vain > 1:  # one tells us where the table is; if there is none, they have to agree first
                await asyncio.sleep(self._pauses.next())
            connection, worker = await self._attach(first=False)

    def _learn(self, code: int, reason: str) -> None:
        """A connection to a worker has ended: what follows from that."""
        now = asyncio.get_running_loop().time()
        if code not in _GOES_ON and not (code == _LATER_CODE and self._vain):
            raise Gone(code)
        if self._vain == 0:
            self._ends = now + PATIENCE
        elif now > self._ends:
            raise Gone
        self._vain += 1
        if code == ELSEWHERE:
            self._fleet.note_owner(self._door.code, reason)

    async def _begin(self, connection: ClientConnection) -> None:
        """Ask again what was not answered, before anything new."""
        async with self._turn:
            for text in [*self._unanswered, *([self._speak] if self._speak else [])]:
                await _try_to_send(connection, text)
            self._speak = ""
            self._worker = connection

    async def _listen(self, connection: ClientConnection) -> tuple[int, str]:
        try:
            while True:
                text = await connection.recv()
                await self._note(text if isinstance(text, str) else "")
        except _Stale:
            return ELSEWHERE, ""
        except ConnectionClosed as closed:
            return (closed.rcvd.code, closed.rcvd.reason) if closed.rcvd is not None else (_DIED, "")

    async def _note(self, text: str) -> None:
        heard = read(text)
        if heard is not None and heard.type in ("entry", "welcome"):
            if heard.type == "welcome" and heard.number < self._seen:
                raise _Stale  # it stood still, and does not know yet that the table was taken
            self._seen = heard.number
            self._asked["since"] = str(heard.number)
            self._vain = 0
            self._pauses.reset()
        try:
            await self._send({"type": "websocket.send", "text": text})
        except (RuntimeError, OSError):
            raise Gone from None
        if heard is not None and heard.key is not None and heard.last:
            self._unanswered.forget(heard.key)

    # --------------------------------------------------------------------- finding a worker

    async def _attach(self, *, first: bool) -> tuple[ClientConnection, Known]:
        """A connection to whoever has the table, or should have it."""
        loop = asyncio.get_running_loop()
        if first:
            self._ends = loop.time() + PATIENCE
        while (left := self._ends - loop.time()) > 0:
            worker = await self._fleet.find(self._door.code, self._door.address, left)
            if worker is None:
                break
            try:
                return await self._connect(worker), worker
            except InvalidStatus as refused:
                if first:
                    raise
                if refused.response.status_code not in _LATER:
                    raise Gone from None
            except InvalidURI:
                raise Gone(1008) from None
            except (OSError, TimeoutError, InvalidHandshake, ConnectionClosed):  # even as soon as it is made
                worker.is_doubtful = True
                self._fleet.note_owner(self._door.code, "")
            await asyncio.sleep(self._pauses.next())
        raise Gone

    async def _connect(self, worker: Known) -> ClientConnection:
        host, _, port = worker.address.rpartition(":")
        headers = list(self._door.headers)
        if self._cookies:
            had = [value for name, value in headers if name == "cookie"]
            headers = [pair for pair in headers if pair[0] != "cookie"]
            headers.append(("cookie", "; ".join([*had, *self._cookies])))
        return await connect(
            f"ws://{self._door.host}{self._door.path}?{urlencode(self._asked)}",
            host=host.strip("[]"),
            port=int(port),
            origin=self._door.origin,  # type: ignore[arg-type]
            additional_headers=headers,
            user_agent_header=None,
            compression=None,
            proxy=None,
            open_timeout=_CONNECT,
            close_timeout=1.0,
            ping_interval=None,  # the worker asks, and who has died is known from the database
            max_size=_LARGEST,
        )


async def _try_to_send(connection: ClientConnection, text: str) -> None:
    """Send something; if that fails the connection is over, which who listens notices."""
    try:
        async with asyncio.timeout(_SEND):
            await connection.send(text)
    except ConnectionClosed:
        pass
    except TimeoutError:
        connection.transport.abort()


async def _end(connection: ClientConnection) -> None:
    """Let a worker know that the page has gone, or that we have; nobody waits for its answer."""
    with suppress(ConnectionClosed, OSError, TimeoutError):
        await connection.close()
    connection.transport.abort()


def _pair(set_cookie: str) -> str:
    """The name and the value of a cookie that is to be set."""
    try:
        found = SimpleCookie(set_cookie)
    except CookieError:
        return ""
    return "; ".join(f"{name}={morsel.coded_value}" for name, morsel in found.items())


async def _refuse(refused: InvalidStatus, scope: Scope, send: Send) -> None:
    """Say what a worker has said to who wanted a live connection."""
    response = refused.response
    if "websocket.http.response" not in (scope.get("extensions") or {}):
        await send({"type": "websocket.close", "code": 1008})
        return
    kept = ("content-type", "retry-after", "set-cookie", "cache-control")
    headers = [
        (name.lower().encode(), value.encode("latin-1"))
        for name, value in response.headers.raw_items()
        if name.lower() in kept
    ]
    body = bytes(response.body or b"")
    headers.append((b"content-length", str(len(body)).encode()))
    start = {"type": "websocket.http.response.start", "status": response.status_code, "headers": headers}
    await send(start)
    await send({"type": "websocket.http.response.body", "body": body})
