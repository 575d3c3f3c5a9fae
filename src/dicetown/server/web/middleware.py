"""Before a request comes in: who asks, whether from our own page, how often, and how much at once."""

from __future__ import annotations

from functools import partial

import msgspec
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from dicetown.server.web.guests import COOKIE, Guests
from dicetown.server.web.origins import came_from, is_own_page
from dicetown.server.web.protocols import LINE
from dicetown.server.web.service import Service
from dicetown.server.wire.refusals import Refused
from dicetown.server.wire.texts import choose_language

API = "/api/"
HARMLESS = ("GET", "HEAD", "OPTIONS")


class Admission:
    """Lets requests to the interface in, or says why not; who has no identity yet is given one."""

    def __init__(self, app: ASGIApp, service: Service, guests: Guests) -> None:
        self._app = app
        self._service = service
        self._guests = guests

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        known = self._guests.read(_cookie(scope))
        guest = known or self._guests.new()
        if not scope["path"].startswith(API):
            await self._app(scope, receive, send if known else self._greet(scope, guest, send))
            return
        scope["guest"] = guest
        send = send if known else self._set_cookie(scope, guest, send)
        if scope["type"] == "websocket":
            await self._connect(scope, receive, send)
            return
        send = _fresh(send)
        try:
            self._check(scope, headers)
        except Refused as refused:
            await self._refuse(refused, scope, receive, send)
            return
        await self._app(scope, self._limited(receive), send)

    async def _connect(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a page have a live connection, or refuse it before it is accepted."""
        address = came_from(scope)
        try:
            self._service.connect_rate.check(address)
            self._service.live_pages.take(address)
        except Refused as refused:
            await self._refuse(refused, scope, receive, send)
            return
        scope["extensions"][LINE].when_gone(partial(self._service.live_pages.give_back, address))
        await self._app(scope, receive, send)

    def _check(self, scope: Scope, headers: Headers) -> None:
        """Refuse what comes too often, is too much, or comes from another site's page."""
        limits = self._service.settings.limits
        self._service.request_rate.check(came_from(scope))
        if scope["method"] not in HARMLESS and not is_own_page(headers, self._service.settings.origins):
            raise Refused("wrong_origin")
        length = headers.get("content-length", "0")
        if not length.isdecimal() or int(length) > limits.body:
            raise Refused("too_big")

    def _limited(self, receive: Receive) -> Receive:
        """Count the bytes of a body whose length was not announced."""
        taken = 0

        async def take() -> Message:
            nonlocal taken
            message = await receive()
            taken += len(message.get("body", b""))
            if taken > self._service.settings.limits.body:
                raise Refused("too_big")
            return message

        return take

    def _greet(self, scope: Scope, guest: str, send: Send) -> Send:
        """Give an identity along with the page: its first requests come all at once, and all as one guest."""
        with_cookie = self._set_cookie(scope, guest, send)

        async def greet(message: Message) -> None:
            is_page = Headers(raw=message.get("headers", [])).get("content-type", "").startswith("text/html")
            await (with_cookie if is_page else send)(message)

        return greet

    def _set_cookie(self, scope: Scope, guest: str, send: Send) -> Send:
        cookie = self._guests.cookie(guest, secure=scope.get("scheme") in ("https", "wss"))

        async def add(message: Message) -> None:
            if message["type"] in ("http.response.start", "websocket.accept"):
                MutableHeaders(raw=message.setdefault("headers", [])).append("Set-Cookie", cookie)
            await send(message)

        return add

    async def _refuse(self, refused: Refused, scope: Scope, receive: Receive, send: Send) -> None:
        self._service.metrics.count_refusal(refused.code)
        connection = HTTPConnection(scope)
        language = choose_language(
            connection.query_params.get("lang"), connection.headers.get("accept-language")
        )
        answer = JSONResponse(msgspec.to_builtins(refused.as_wire(language)), refused.status, refused.headers)
        await answer(scope, receive, send)


def _fresh(send: Send) -> Send:
    """Keep an answer out of all caches: a browser that goes back would show a game as it was."""

    async def add(message: Message) -> None:
        if message["type"] == "http.response.start":
            MutableHeaders(raw=message.setdefault("headers", []))["Cache-Control"] = "no-store"
        await send(message)

    return add


def _cookie(scope: Scope) -> str | None:
    """Our cookie among all that the browser has for this host: those of others may look like anything."""
    return HTTPConnection(scope).cookies.get(COOKIE)
