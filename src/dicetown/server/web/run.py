"""Running the service: a socket, a server, and an orderly end."""

from __future__ import annotations

import errno
import gc
import signal
import socket
import sys
import threading
import time
import webbrowser
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType

import uvicorn
from fastapi import FastAPI
from starlette.types import ASGIApp
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from dicetown.errors import DicetownError
from dicetown.server.common.logs import throttle_logs
from dicetown.server.common.metrics import Metrics
from dicetown.server.common.settings import Settings
from dicetown.server.web.gate import Gate
from dicetown.server.web.protocols import GatedConfig
from dicetown.server.web.service import Service

if sys.platform != "win32":
    import resource

#: Seconds that connections are given to end, when the service does.
FAREWELL = 3
#: Seconds between pings to a page, and until one without an answer means that nobody is there.
PING = 10.0
_BACKLOG = 2048
#: Connections that are accepted before others are looked after again. asyncio would try to accept as many as
#: may wait, and where files run out complain about each of them, every second.
_AT_ONCE = 64
#: Files that the service needs besides connections: its database, its workers, the page.
_OWN_FILES = 256
_MANY_FILES, _FEW_FILES = 65_536, 1_024
#: Seconds that a thread may go on while others wait. The event loop shall not wait long for who writes; but
#: to change places takes a tenth of a millisecond, and who writes asks for it twenty times for each commit.
_TURN = 0.0015
#: New objects until garbage is looked for among them; of that, until among older ones; then among all. The
#: longer it is put off, the more of what is new has gone by itself: with 2,000 it took ten times as long.
_LOOK_FOR_GARBAGE = (20_000, 4, 12)
#: Who is on this machine may speak for others, as a proxy does.
_THIS_MACHINE = ("127.0.0.1", "::1")
_OPEN_AFTER = 0.3  # seconds until the page is there


class ServeError(DicetownError):
    """An address at which nothing can be served."""


def open_socket(host: str, port: int, option: str = "--port") -> socket.socket:
    """A socket at an address, which an option of the command names; port 0 takes a free one."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        # With its protocol named, or asyncio would not know it as TCP and let small messages wait for others
        # to be acknowledged, which takes 40 ms.
        found = socket.socket(family, kind, protocol)
    except OSError as problem:
        raise ServeError(f'There is no address "{host}" here ({problem.strerror}).') from None
    try:
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        found.bind(address)
        found.listen(_BACKLOG)  # who comes before the service is ready waits, instead of being sent away
    except OSError as problem:
        found.close()
        raise ServeError(_why_not(problem, host, port, option)) from None
    return found


def _why_not(problem: OSError, host: str, port: int, option: str) -> str:
    if problem.errno == errno.EADDRINUSE:
        return (
            f"Port {port} is taken by another program; choose one with {option}, or {_any(option)} for any."
        )
    if problem.errno == errno.EACCES:
        return f"Port {port} is not allowed to you; choose one above 1023."
    return f"{host}:{port} cannot be used ({problem.strerror})."


def _any(option: str) -> str:
    return f"{option} 0" if option == "--port" else f"{option} HOST:0"


def address_of(found: socket.socket) -> str:
    """Where a browser finds the service."""
    host, port = found.getsockname()[:2]
    shown = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, f"[{host}]" if ":" in host else host)
    return f"http://{shown}:{port}/"


class Server(uvicorn.Server):
    """Ends on the usual signals, and says so with its exit status instead of dying of the signal again."""

    #: Why it was asked to end, and when, by the steady clock.
    why, asked_at = "", 0.0

    def __init__(self, config: uvicorn.Config, leave: Callable[[], Awaitable[None]]) -> None:
        super().__init__(config)
        self._leave = leave

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End: first others are told, so that whoever is sent away finds somebody to go to."""
        await self._leave()
        await super().shutdown(sockets)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to serve; as many may wait at the door as before."""
        await super().startup(sockets)
        for one in sockets or ():
            one.listen(_BACKLOG)

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Let signals end the service."""

        def stop(number: int, frame: FrameType | None) -> None:
            self._note_why(signal.Signals(number).name)
            self.handle_exit(number, frame)

        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def end(self) -> None:
        """End the service, as a signal would; from any thread."""
        self._note_why("another service has the database")
        self.should_exit = True

    def end_with_supervisor(self) -> None:
        """End the service, because whoever started it has; from any thread."""
        self._note_why("the supervisor has ended")
        self.should_exit = True

    def _note_why(self, why: str) -> None:
        if not self.why:
            self.why, self.asked_at = why, time.monotonic()


def be_quick() -> None:
    """Let the event loop have its turn soon after another thread, and not wait for garbage to be found.

    To look at all objects of two hundred tables takes a fifth of a second; usually that would happen every
    minute, and everybody would wait for it. New objects are looked at as often as ever.
    """
    sys.setswitchinterval(_TURN)
    gc.freeze()
    gc.set_threshold(*_LOOK_FOR_GARBAGE)


def allow_files() -> int:
    """Let the process have as many files open as it may; how many that is."""
    if sys.platform == "win32":
        return _FEW_FILES
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _MANY_FILES if hard == resource.RLIM_INFINITY else min(hard, _MANY_FILES)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        soft = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return _MANY_FILES if soft == resource.RLIM_INFINITY else soft


def make_server(app: FastAPI, behind_gateway: bool = False) -> Server:
    """What serves the application, to as many as there are files for."""
    service: Service = app.state.service
    server, gate = gated_server(app, service.settings, service.metrics, service.sharing.leave, behind_gateway)
    service.metrics.follow("open_connections", "Connections open, pages and requests.", gate.__len__)
    return server


def gated_server(
    app: ASGIApp,
    settings: Settings,
    metrics: Metrics,
    leave: Callable[[], Awaitable[None]],
    behind_gateway: bool = False,
) -> tuple[Server, Gate]:
    """What serves an application, and who lets people in; before the end it says so with ``leave``."""
    limits = settings.limits
    config = GatedConfig(
        app,
        log_config=None,
        access_log=False,
        server_header=False,
        lifespan="on",
        forwarded_allow_ips=[*_THIS_MACHINE, *settings.proxies],
        h11_max_incomplete_event_size=limits.header,
        timeout_keep_alive=limits.idle_seconds,
        ws_max_size=limits.message,
        ws_ping_interval=PING,
        ws_ping_timeout=PING,
        # A scene is a few kilobytes; to compress it for every page anew would take longer than to send it.
        ws_per_message_deflate=False,
        backlog=_AT_ONCE,
        timeout_graceful_shutdown=FAREWELL,
    )
    room = max(1, min(limits.open_in_all, allow_files() - _OWN_FILES))
    proxies = ProxyHeadersMiddleware(app, config.forwarded_allow_ips).trusted_hosts  # type: ignore[arg-type]
    config.gate = Gate(limits, room, lambda host: behind_gateway or host in proxies, metrics.count_refusal)
    throttle_logs()
    return Server(config, leave), config.gate


def open_soon(found: socket.socket) -> None:
    """Open the page in the browser."""
    opened = threading.Timer(_OPEN_AFTER, webbrowser.open, [address_of(found)])
    opened.daemon = True
    opened.start()


def serve(server: uvicorn.Server, found: socket.socket, open_page: bool) -> None:
    """Serve until somebody ends it."""
    if open_page:
        open_soon(found)
    server.run(sockets=[found])
