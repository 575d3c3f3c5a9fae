"""``dicetown serve --role thinker``: a process that only thinks, for services that ask it."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import structlog

from dicetown import __version__
from dicetown.server.common.settings import Limits

if TYPE_CHECKING:
    from dicetown.server.store.membership import Membership

#: Where a thinker listens, unless it is told otherwise: only this machine reaches it.
LISTEN = "127.0.0.1:8100"
_log: Any = structlog.get_logger("dicetown")


@dataclass(frozen=True)
class Thinker:
    """What a thinker is told about itself."""

    secret: str
    bots: Mapping[str, str]
    limits: Limits
    at_once: int
    prepare: bool
    place: str | None = None  # a PostgreSQL whose workers find it by themselves
    known_as: str | None = None  # where they reach it, if not where it listens


def think(listen: str, job: Thinker) -> None:
    """Think for services that know the secret, until a signal ends it."""
    from dicetown.server.web.run import open_socket
    from dicetown.server.workers.talk import key_of, read_address
    from dicetown.server.workers.thinker_service import ThinkerService, think_until_told
    from dicetown.server.workers.thinkers import Thinkers

    began = time.monotonic()
    with open_socket(*read_address(listen), "--listen") as found:
        host, port = found.getsockname()[:2]
        at = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
        membership = _join(job, at)

        async def run() -> None:
            thinkers = Thinkers(job.bots, job.limits, job.at_once)
            if job.prepare:
                thinkers.prepare()
            async with _saying_that_we_live(membership):
                await think_until_told(
                    found, ThinkerService(thinkers, key_of(job.secret), job.bots), thinkers
                )

        _log.info("start", version=__version__, role="thinker", address=at)
        print(f"Dicetown thinks at {at} — Ctrl-C ends it.", flush=True)
        try:
            asyncio.run(run())
        finally:
            if membership is not None:
                membership.close()
    _log.info("end", ran=round(time.monotonic() - began, 1))


def _join(job: Thinker, at: str) -> Membership | None:
    """Be one of the processes that share a database, so that its workers know of us; if there is one."""
    if job.place is None or not job.place.startswith("postgresql"):
        return None
    from dicetown.server.store.membership import Membership

    membership = Membership(job.place, "thinker", job.known_as or at)
    membership.end = lambda: os.kill(os.getpid(), signal.SIGTERM)  # as who runs it would end it
    return membership


@asynccontextmanager
async def _saying_that_we_live(membership: Membership | None) -> AsyncIterator[None]:
    """Be heard of by the workers meanwhile."""
    if membership is None:
        yield
        return
    saying = asyncio.create_task(_say_so(membership))
    try:
        yield
    finally:
        saying.cancel()


async def _say_so(membership: Membership) -> None:
    from sqlalchemy.exc import SQLAlchemyError

    from dicetown.server.store.registry import BEAT_EVERY

    while True:
        try:
            await asyncio.to_thread(membership.registry.beat)
        except SQLAlchemyError as problem:  # the workers go on asking us, until they miss us
            _log.warning("not said that we live", problem=type(problem).__name__)
        await asyncio.sleep(BEAT_EVERY)
