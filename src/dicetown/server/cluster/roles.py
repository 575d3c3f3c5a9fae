"""What one process of a service does: all of it, to look after tables, or to keep the pages' connections."""

from __future__ import annotations

import os
import socket
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace

import structlog

from dicetown import __version__
from dicetown.errors import DicetownError
from dicetown.server.cluster.gateway import Gateway
from dicetown.server.cluster.neighbours import Neighbours
from dicetown.server.common.metrics import Metrics
from dicetown.server.common.settings import Limits, Settings
from dicetown.server.common.traces import Traces
from dicetown.server.store.database_url import shown
from dicetown.server.store.membership import Membership
from dicetown.server.web.app import make_app
from dicetown.server.web.run import Server, address_of, be_quick, gated_server, make_server, serve
from dicetown.server.web.service import Service
from dicetown.server.web.site import NOT_BUILT, is_built
from dicetown.server.workers.thinkers import Thinkers

_ANYWHERE = ("0.0.0.0", "::")
_SURPASSED = "Another Dicetown has the database now, so this one has ended."


@dataclass(frozen=True)
class Part:
    """What a process is told about itself."""

    place: str
    settings: Settings
    secret: str
    found: socket.socket
    thinkers: Callable[[], Thinkers | None]  # who thinks, if not only processes of its own
    traces: Callable[[], Traces | None]  # of what is done, where somebody asks for them
    shown_at: str = ""  # where the other processes reach it, if not where it listens

    @property
    def address(self) -> str:
        """Where the other processes reach it."""
        host, port = self.found.getsockname()[:2]
        known = socket.gethostname() if host in _ANYWHERE else f"[{host}]" if ":" in host else host
        return self.shown_at or f"{known}:{port}"


def run_alone(part: Part, open_page: bool) -> None:
    """Be all of the service."""
    traces = part.traces()
    service = Service(part.place, part.settings, thinkers=part.thinkers())
    server = make_server(make_app(service, part.secret))
    _tell_of_start(part, "Dicetown is")
    if not is_built():
        print(NOT_BUILT, flush=True)
    _serve(service, server, part, traces, open_page)


def run_worker(part: Part, supervised: bool) -> None:
    """Look after tables, for pages that come through a gateway."""
    traces = part.traces()
    settings = replace(part.settings, limits=_behind_gateway(part.settings.limits))
    service = Service(part.place, settings, thinkers=part.thinkers(), shared_at=part.address)
    server = make_server(make_app(service, part.secret, behind_gateway=True), behind_gateway=True)
    service.lobby.ask_others = Neighbours(service.sharing, part.secret).ask
    if supervised:
        _end_with_supervisor(server.end_with_supervisor)
    _tell_of_start(part, "A worker is")
    _serve(service, server, part, traces)


def _serve(
    service: Service, server: Server, part: Part, traces: Traces | None, open_page: bool = False
) -> None:
    """Serve until somebody ends it, or another service has the database."""
    service.end = server.end
    if traces is not None:
        traces.watch(service.metrics)
    _run(server, part, open_page)
    if traces is not None:
        traces.close()
    if service.store.is_surpassed:
        raise DicetownError(_SURPASSED)


def run_gateway(part: Part, supervised: bool) -> None:
    """Keep the pages' connections, and pass on what they ask."""
    membership = Membership(part.place, "gateway", part.address)
    try:
        metrics = Metrics()
        gateway = Gateway(membership.registry, part.settings, metrics, part.secret)
        server, gate = gated_server(gateway, part.settings, metrics, gateway.leave)
        metrics.follow("open_connections", "Connections open, pages and requests.", gate.__len__)
        membership.end = server.end
        if supervised:
            _end_with_supervisor(server.end_with_supervisor)
        _tell_of_start(part, "The gateway is")
        _run(server, part, open_page=False)
    finally:
        membership.close()
    if membership.is_surpassed:
        raise DicetownError(_SURPASSED)


def _behind_gateway(limits: Limits) -> Limits:
    """What a gateway counts for all workers together is not counted by each of them again."""
    as_often = (1e6, 1_000_000)
    return replace(limits, requests=as_often, connects=as_often, pages_of_address=limits.pages_in_all)


def _tell_of_start(part: Part, who: str) -> None:
    address = address_of(part.found)
    log = structlog.get_logger("dicetown")
    log.info("start", version=__version__, address=address, database=shown(part.place))
    print(f"{who} at {address} — Ctrl-C ends it.", flush=True)


def _run(server: Server, part: Part, open_page: bool) -> None:
    began, log = time.monotonic(), structlog.get_logger("dicetown")
    be_quick()
    serve(server, part.found, open_page)
    ended = time.monotonic()
    took = round(ended - (server.asked_at or ended), 2)
    log.info("end", why=server.why or "it did not begin", ran=round(ended - began, 1), took=took)


def _end_with_supervisor(end: Callable[[], None]) -> None:
    """End when whoever has started us has ended, however that was: then our input ends, too."""

    def wait() -> None:
        while os.read(sys.stdin.fileno(), 1):
            pass
        end()

    threading.Thread(target=wait, name="supervisor", daemon=True).start()
