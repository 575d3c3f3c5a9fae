"""The gateway: keeps the pages' connections while workers come and go, and knows nothing of the game.

What is about a table goes to the worker that has it; everything else to the one that a guest's address leads
to. A worker that has not got the table says who has. What can be asked again without harm is asked again when
a worker fails; of everything else it is said honestly that nobody knows.
"""

from __future__ import annotations

import asyncio
import gc
import re
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from time import monotonic
from typing import Any

import msgspec
import structlog
from sqlalchemy.exc import SQLAlchemyError
from starlette.datastructures import Headers
from starlette.requests import HTTPConnection
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.types import Message, Receive, Scope, Send

from dicetown import __version__
from dicetown.server.cluster.asking import Answer, NoAnswer, NotAsked, Question
from dicetown.server.cluster.fleet import Fleet, Known
from dicetown.server.cluster.relay import Door, Relay
from dicetown.server.common.backoff import Backoff
from dicetown.server.common.metrics import Metrics
from dicetown.server.common.settings import Settings
from dicetown.server.store.registry import Registry, Worker
from dicetown.server.web.app import FOR_PROMETHEUS, HEALTH, METRICS, READY
from dicetown.server.web.middleware import HARMLESS
from dicetown.server.web.origins import came_from
from dicetown.server.wire.between import BETWEEN, CLIENT, HOP, OWNER, SCHEME, hop_key
from dicetown.server.wire.rate_limits import ConcurrencyLimit, RateLimit
from dicetown.server.wire.refusals import Refused
from dicetown.server.wire.texts import choose_language

_TABLE = re.compile(r"/api/tables/([^/]+)(/|$)")
#: Seconds in which a worker is looked for; then who asks is told that there is none.
_PATIENCE = 10.0
_PAUSES = (0.05, 0.5)
_LOOK_EVERY = 0.5  # seconds; pages wait for what is seen
#: Seconds between two looks for garbage among all objects: connections to workers leave some behind, and a
#: gateway makes so few objects that nobody would look for many minutes.
_TIDY_EVERY = 60.0
_FAREWELL = 0.2  # seconds in which those who wait for a worker are told that none will come
#: What is between two processes only, and what the gateway itself says to the other side.
_OWN = {
    *("connection", "keep-alive", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade"),
    *("content-length", "expect", "date", "server", HOP, CLIENT, SCHEME, OWNER),
    *("x-forwarded-for", "x-forwarded-proto", "forwarded"),
}
#: Where it is said who tells metrics, and who of all processes does.
_TARGETS = f"{METRICS}/targets"
_TELL_METRICS = ("game", "gateway")
_OF_A_HANDSHAKE = {"host", "origin"}


class Gateway:
    """An application that passes everything on."""

    def __init__(self, registry: Registry, settings: Settings, metrics: Metrics, secret: str) -> None:
        self.fleet = Fleet()
        self.metrics = metrics
        self._registry = registry
        self._limits = settings.limits
        self._key = hop_key(secret)
        self._request_rate = RateLimit(settings.limits.requests, monotonic)
        self._connect_rate = RateLimit(settings.limits.connects, monotonic)
        self._pages = ConcurrencyLimit(settings.limits.pages_of_address, settings.limits.pages_in_all)
        self._log: Any = structlog.get_logger("dicetown")
        self._thread = ThreadPoolExecutor(1, "heartbeat")
        self._living: Sequence[Worker] = ()
        metrics.follow("connections", "Pages connected.", self._pages.__len__)
        metrics.follow("workers", "Workers that can be asked.", self.fleet.__len__)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request or a live connection on."""
        if scope["type"] == "lifespan":
            return await self._live(receive, send)
        try:
            if scope["path"].startswith(BETWEEN):
                raise Refused("no_page")  # for workers among themselves
            if scope["type"] == "websocket":
                await self._connect(scope, receive, send)
            elif (answer := self._answer(scope["path"])) is not None:
                await answer(scope, receive, send)
            else:
                await self._pass_on(scope, receive, send)
        except Refused as refused:
            await self._refuse(refused, scope, receive, send)

    # ------------------------------------------------------------------------- being there

    async def _live(self, receive: Receive, send: Send) -> None:
        await receive()
        looking = asyncio.create_task(self._look())
        await send({"type": "lifespan.startup.complete"})
        await receive()
        looking.cancel()
        await asyncio.gather(looking, return_exceptions=True)
        self._thread.shutdown(wait=False, cancel_futures=True)
        await send({"type": "lifespan.shutdown.complete"})

    async def _look(self) -> None:
        """Say that we live, and see who does; while the database is away, those of before do."""
        loop, tidied = asyncio.get_running_loop(), monotonic()
        while True:
            if monotonic() - tidied > _TIDY_EVERY:
                gc.collect()
                tidied = monotonic()
            try:
                self._living = await loop.run_in_executor(self._thread, self._registry.beat)
                self.fleet.look(self._living)
            except SQLAlchemyError as problem:
                self._log.warning("workers not known", problem=type(problem).__name__)
            await asyncio.sleep(_LOOK_EVERY)

    async def leave(self) -> None:
        """Before the end: let nobody wait for a worker who would be sent away with the gateway anyway."""
        self.fleet.close()
        await asyncio.sleep(_FAREWELL)

    def _answer(self, path: str) -> Response | None:
        """What those need who run the service."""
        if path == HEALTH:
            return JSONResponse({"status": "ok", "version": __version__})
        if path == READY:
            if not len(self.fleet):
                raise Refused("not_ready")
            return JSONResponse({"status": "ok", "version": __version__, "workers": len(self.fleet)})
        if path == METRICS:
            return PlainTextResponse(self.metrics.page(), media_type=FOR_PROMETHEUS)
        if path == _TARGETS:
            return JSONResponse(self._targets())
        return None

    def _targets(self) -> list[dict[str, Any]]:
        """Who can be asked for metrics, as Prometheus wants to be told: workers come and go, at any port."""
        return [
            {"targets": [one.address], "labels": {"role": one.role}}
            for one in self._living
            if one.role in _TELL_METRICS
        ]

    async def _refuse(self, refused: Refused, scope: Scope, receive: Receive, send: Send) -> None:
        self.metrics.count_refusal(refused.code)
        asked = HTTPConnection(scope)
        language = choose_language(asked.query_params.get("lang"), asked.headers.get("accept-language"))
        answer = JSONResponse(msgspec.to_builtins(refused.as_wire(language)), refused.status, refused.headers)
        await answer(scope, receive, send)

    # ----------------------------------------------------------------------- live connections

    async def _connect(self, scope: Scope, receive: Receive, send: Send) -> None:
        address = came_from(scope)
        found = _TABLE.match(scope["path"])
        if found is None:
            raise Refused("no_page")
        await receive()  # that somebody wants to connect
        headers = Headers(scope=scope)
        passed = [
            (name, value)
            for name, value in self._with_hop(scope, headers)
            if name not in _OF_A_HANDSHAKE and not name.startswith("sec-websocket-")
        ]
        door = Door(
            code=found[1].upper(),
            host=headers.get("host", "localhost"),
            path=scope["raw_path"].decode("latin-1").partition("?")[0],
            query=scope["query_string"].decode("latin-1"),
            headers=passed,
            origin=headers.get("origin"),
            address=address,
        )
        self._connect_rate.check(address)
        self._pages.take(address)
        try:
            await Relay(self.fleet, door, receive, send).run(scope)
        finally:
            self._pages.give_back(address)

    def _with_hop(self, scope: Scope, headers: Headers) -> list[tuple[str, str]]:
        """The headers for a worker: as they came, and whom we speak for."""
        passed = [(name, value) for name, value in headers.items() if name not in _OWN]
        if "host" not in headers:  # as HTTP/1.0 allows, and those ask who look whether a service is there
            passed.append(("host", "localhost"))
        client = scope["client"][0] if scope.get("client") else ""
        scheme = "https" if scope.get("scheme") in ("https", "wss") else "http"
        return [*passed, (HOP, self._key), (CLIENT, client), (SCHEME, scheme)]

    # -------------------------------------------------------------------------------- requests

    async def _pass_on(self, scope: Scope, receive: Receive, send: Send) -> None:
        address = came_from(scope)
        if scope["path"].startswith("/api/"):
            self._request_rate.check(address)
        target = scope["raw_path"].partition(b"?")[0]
        if scope["query_string"]:
            target += b"?" + scope["query_string"]
        told = Headers(scope=scope)
        headers = [
            (name.encode("latin-1"), value.encode("latin-1")) for name, value in self._with_hop(scope, told)
        ]
        body = await self._read(receive, told)
        if body is None:
            return
        question = Question(scope["method"], target, headers, body)
        found = _TABLE.match(scope["path"])
        code = found[1].upper() if found is not None else None
        ends, pauses = monotonic() + _PATIENCE, Backoff(*_PAUSES)
        while (left := ends - monotonic()) > 0:
            worker = await self.fleet.find(code, address, left)
            if worker is None:
                break
            if await self._ask(worker, question, code, send):
                return
            await asyncio.sleep(pauses.next())
        raise Refused("not_ready")

    async def _read(self, receive: Receive, headers: Headers) -> bytes | None:
        """All of a request: it is small, and may have to be asked again; nothing, if it was broken off."""
        has_body = headers.get("content-length", "0") != "0" or "transfer-encoding" in headers
        body = bytearray()
        while True:
            message = await receive()
            if message["type"] == "http.disconnect":
                return None if has_body else b""
            body += message.get("body", b"")
            if len(body) > self._limits.body:
                raise Refused("too_big")
            if not message.get("more_body", False):
                return bytes(body)

    async def _ask(self, worker: Known, question: Question, code: str | None, send: Send) -> bool:
        """Ask a worker, and pass its answer on; whether that is done with, or somebody else must be asked."""
        begun = False
        try:
            async with Answer(question, worker) as answer:
                if answer.status == 421 and (owner := answer.header(OWNER)) is not None:
                    self.fleet.note_owner(code or "", owner)
                    return False
                begun = True
                await _tell(answer, send)
                return True
        except NotAsked:
            worker.is_doubtful = True
            self.fleet.note_owner(code or "", "")
            return False
        except NoAnswer:
            if begun:
                raise  # half of an answer is out: the connection has to break
            worker.is_doubtful = True
            if question.method not in HARMLESS:
                raise Refused("unclear") from None
            return False


async def _tell(answer: Answer, send: Send) -> None:
    """Pass an answer on as it comes, no faster than it is read."""
    dropped = {name.encode() for name in _OWN} - {b"content-length"}
    headers = [(name, value) for name, value in answer.headers if name not in dropped]
    start: Message = {"type": "http.response.start", "status": answer.status, "headers": headers}
    await send(start)
    async for part in answer.body():
        await send({"type": "http.response.body", "body": part, "more_body": True})
    await send({"type": "http.response.body", "body": b""})
