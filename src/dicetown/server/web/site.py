"""The pages: the built client, the headers that protect it, and every address of it served by one file."""

from __future__ import annotations

from collections.abc import MutableMapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.responses import FileResponse, PlainTextResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

#: What a page may load and do: everything from here, nothing from elsewhere, no inline scripts.
CONTENT_POLICY = "; ".join(
    [
        "default-src 'self'",
        "style-src 'self'",
        "style-src-attr 'unsafe-inline'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    ]
)
HEADERS = {
    "Content-Security-Policy": CONTENT_POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",  # a table's link is its key: no other site is told it
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}
NOT_BUILT = "The page has not been built yet. Build it with: make page"
_FOREVER = "public, max-age=31536000, immutable"
_HASHED = "assets/"  # where the client's build puts files whose names change with their contents


def client_folder() -> Path:
    """Where the built client lies."""
    return Path(str(files("dicetown.server"))) / "static"


def is_built() -> bool:
    """Whether there is a client to serve."""
    return (client_folder() / "index.html").is_file()


class Pages(StaticFiles):
    """The client's files; any other address is a place inside the client, which finds its own way."""

    def __init__(self) -> None:
        super().__init__(directory=client_folder(), check_dir=False)
        self.config_checked = True  # a folder that is not there yet is said to whoever asks for the page

    async def get_response(self, path: str, scope: MutableMapping[str, Any]) -> Response:
        """A file, or the page."""
        if path in (".", "index.html"):
            return self._page()
        try:
            response = await super().get_response(path, scope)
        except HTTPException as problem:
            if problem.status_code != 404 or "." in path.rpartition("/")[2]:  # a file that is not there
                raise
            return self._page()
        if path.startswith(_HASHED):
            response.headers["Cache-Control"] = _FOREVER
        return response

    def _page(self) -> Response:
        if not is_built():
            return PlainTextResponse(NOT_BUILT, 503)
        return FileResponse(client_folder() / "index.html", headers={"Cache-Control": "private, no-cache"})


class Site:
    """Sends requests for what is the service's own to it, and all others to the pages."""

    def __init__(self, app: ASGIApp, own: Sequence[str]) -> None:
        self._app = app
        self._own = tuple(own)
        self._pages = Pages()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on."""
        if scope["type"] != "http" or scope["path"].startswith(self._own):
            await self._app(scope, receive, send)
            return
        try:
            await self._pages(scope, receive, send)
        except HTTPException as problem:
            answer = PlainTextResponse(problem.detail, problem.status_code, problem.headers)
            await answer(scope, receive, send)


class SafeHeaders:
    """Gives every answer the headers that keep browsers careful."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on."""

        async def add(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers[name] = value
            await send(message)

        await self._app(scope, receive, add if scope["type"] == "http" else send)
