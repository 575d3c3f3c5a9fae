"""Requests that a gateway passes on: whom it speaks for is believed, and nobody else comes in here."""

from __future__ import annotations

from hmac import compare_digest

import msgspec
from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from dicetown.server.wire.between import CLIENT, HOP, SCHEME, hop_key
from dicetown.server.wire.refusals import Refused
from dicetown.server.wire.texts import choose_language

_SECURE = {"http": "https", "websocket": "wss"}
_PLAIN = {"http": "http", "websocket": "ws"}


class Hop:
    """Lets in what comes from a process that knows the secret; some addresses are open to all."""

    def __init__(self, app: ASGIApp, secret: str, open_to_all: tuple[str, ...]) -> None:
        self._app = app
        self._key = hop_key(secret)
        self._open = open_to_all

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on as if it came from whom the gateway speaks for."""
        if scope["type"] not in _PLAIN or scope["path"] in self._open:
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        if not compare_digest(headers.get(HOP, "").encode("latin-1"), self._key.encode()):
            await self._refuse(scope, receive, send)
            return
        kinds = _SECURE if headers.get(SCHEME) == "https" else _PLAIN
        client = headers.get(CLIENT, "")
        scope = {**scope, "client": (client, 0) if client else None, "scheme": kinds[scope["type"]]}
        await self._app(scope, receive, send)

    async def _refuse(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await send({"type": "websocket.close"})  # before it is accepted: an answer with status 403
            return
        refused = Refused("only_gateways")
        language = choose_language(None, Headers(scope=scope).get("accept-language"))
        await JSONResponse(msgspec.to_builtins(refused.as_wire(language)), refused.status)(
            scope, receive, send
        )
