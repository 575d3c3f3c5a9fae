"""Under which names the service answers.

Another site can let its own name lead to this machine (DNS rebinding), and then its pages would pass for
ours. So a name must be this machine's own, or one that whoever runs the service has given it. Addresses in
digits are always good, for no site is called that: in a home network nothing has to be set.
"""

from __future__ import annotations

import re
import socket
from collections.abc import Iterable
from ipaddress import ip_address
from urllib.parse import urlsplit

import msgspec
from starlette.datastructures import Headers
from starlette.requests import HTTPConnection
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from dicetown.server.web.service import Service
from dicetown.server.wire.refusals import Refused
from dicetown.server.wire.texts import choose_language

#: What a machine's name may end in at home: nobody can have these as names of sites.
_AT_HOME = ("local", "lan", "home", "home.arpa", "internal", "localdomain")
_NAME = re.compile(r"[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*\.?")
_HOST = re.compile(r"(\[[^\]]*\]|[^:]*)(:\d*)?")


def is_name(text: str) -> bool:
    """Whether something can be the name of a machine.

    >>> is_name("table.example"), is_name("https://table.example"), is_name("table.example:8000")
    (True, False, False)
    """
    return len(text) <= 253 and _NAME.fullmatch(text.lower()) is not None


def name_of(host: str) -> str:
    """The name in a ``Host``, without a port.

    >>> name_of("Table.Example:8000"), name_of("[::1]:8000"), name_of("127.0.0.1")
    ('table.example', '::1', '127.0.0.1')
    """
    found = _HOST.fullmatch(host.strip())
    return found[1].strip("[]").lower().removesuffix(".") if found else host


def own_names() -> set[str]:
    """What this machine is called, here and in the network around it."""
    machine = socket.gethostname().lower().removesuffix(".")
    short = machine.partition(".")[0]
    return {"localhost", machine, short, *(f"{short}.{ending}" for ending in _AT_HOME)}


class KnownHosts:
    """Lets in who calls the service by a name that it has, and tells others how it can be given theirs."""

    def __init__(self, app: ASGIApp, service: Service) -> None:
        self._app = app
        self._service = service
        settings = service.settings
        given: Iterable[str] = (*settings.names, *(urlsplit(origin).netloc for origin in settings.origins))
        self._names = own_names() | {name_of(name) for name in given}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] not in ("http", "websocket") or self._knows(Headers(scope=scope).get("host", "")):
            await self._app(scope, receive, send)
            return
        refused = Refused("wrong_host", what=_shown(Headers(scope=scope)["host"]))
        self._service.metrics.count_refusal(refused.code)
        if scope["type"] == "websocket":
            await send({"type": "websocket.close"})  # before it is accepted: an answer with status 403
        else:
            await _answer(scope, refused)(scope, receive, send)

    def _knows(self, host: str) -> bool:
        name = name_of(host)
        return not name or name in self._names or name.endswith(".localhost") or _is_address(name)


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


def _shown(host: str) -> str:
    """The name as it may be repeated to who has sent it."""
    name = name_of(host)
    return name if is_name(name) else "?"


def _answer(scope: Scope, refused: Refused) -> Response:
    """The refusal: for programs where they ask, else for a person who reads it in a browser."""
    asked = HTTPConnection(scope)
    language = choose_language(asked.query_params.get("lang"), asked.headers.get("accept-language"))
    if scope["path"].startswith("/api/"):
        return JSONResponse(msgspec.to_builtins(refused.as_wire(language)), refused.status)
    return PlainTextResponse(refused.sentence(language), refused.status)
