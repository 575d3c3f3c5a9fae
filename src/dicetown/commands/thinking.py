"""``dicetown serve --role thinker``: a process that only thinks, for services that ask it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
from typing import Any

import structlog

from dicetown import __version__
from dicetown.server.common.settings import Limits

#: Where a thinker listens, unless it is told otherwise: only this machine reaches it.
LISTEN = "127.0.0.1:8100"


def think(
    listen: str, secret: str, bots: Mapping[str, str], limits: Limits, at_once: int, prepare: bool
) -> None:
    """Think for services that know the secret, until a signal ends it."""
    from dicetown.server.web.run import open_socket
    from dicetown.server.workers.talk import key_of, read_address
    from dicetown.server.workers.thinker_service import ThinkerService, think_until_told
    from dicetown.server.workers.thinkers import Thinkers

    log: Any = structlog.get_logger("dicetown")
    began = time.monotonic()
    with open_socket(*read_address(listen), "--listen") as found:
        host, port = found.getsockname()[:2]
        at = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"

        async def run() -> None:
            thinkers = Thinkers(bots, limits, at_once)
            if prepare:
                thinkers.prepare()
            await think_until_told(found, ThinkerService(thinkers, key_of(secret), bots), thinkers)

        log.info("start", version=__version__, role="thinker", address=at)
        print(f"Dicetown thinks at {at} — Ctrl-C ends it.", flush=True)
        asyncio.run(run())
    log.info("end", ran=round(time.monotonic() - began, 1))
