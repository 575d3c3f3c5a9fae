"""Sharing the tables with other workers: saying that we live, taking up and handing over.

Each table has a worker that it belongs to by right, of those who live; all of them work out the same one.
When a worker has gone, its games that went on are taken up by those whose they are now; when one has come,
the others hand over what is its own, a few tables at a time.
"""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor

from sqlalchemy.exc import SQLAlchemyError

from dicetown.server.common.background import Background, outcome
from dicetown.server.common.rendezvous import first_choice
from dicetown.server.store.registry import BEAT_EVERY, DEAD_AFTER, Registry, Worker
from dicetown.server.table.lobby import Lobby
from dicetown.server.table.resources import Resources
from dicetown.server.wire.refusals import Refused

_SHARE_EVERY = 5.0
#: Tables that are handed over at once, each with a short pause for its pages.
_AT_ONCE = 25
#: Games that went on in the last so many seconds go on by themselves when their worker has gone.
_RECENTLY = 600.0


class Sharing:
    """One worker among others; nothing at all where there is only one."""

    def __init__(self, resources: Resources, lobby: Lobby) -> None:
        self._registry = resources.store.registry
        self._store = resources.store
        self._clock = resources.clock
        self._log = resources.log
        self._farewell = resources.settings.timeouts.farewell
        self._lobby = lobby
        self._thinkers = resources.thinkers
        self._thread = ThreadPoolExecutor(1, "heartbeat")
        self._heard = self._clock.steady()  # when the database last heard of us
        self.others: list[Worker] = []  # that play games, besides us
        self._workers: frozenset[str] = frozenset()  # who can have tables
        self._before: frozenset[str] = frozenset()
        self._has_begun = False
        if self._registry is not None:
            lobby.is_ours = self._is_ours

    def begin(self, background: Background) -> None:
        """Begin to say that we live, and to share."""
        if self._registry is not None:
            background.begin("heartbeat", BEAT_EVERY, self.beat)
            background.begin("sharing", _SHARE_EVERY, self.share)

    def _is_ours(self, code: str) -> bool:
        """Whether a table belongs to us by right; also while we know of nobody at all."""
        assert self._registry is not None
        return first_choice(code, self._workers) in (None, self._registry.id)

    async def beat(self) -> None:
        """Say that we live. It is said by the event loop: who is stuck is as good as dead."""
        assert self._registry is not None
        was_late = self._clock.steady() - self._heard > DEAD_AFTER
        try:
            living = await self._said(self._registry)
            if was_late:
                self._log.warning("silent for long")
                await self.let_go()
        except SQLAlchemyError:
            return  # the database is away, which is told elsewhere
        self._heard = self._clock.steady()
        playing = [one for one in living if one.role == "game"]
        self.others = [one for one in playing if one.id != self._registry.id]
        self._workers = frozenset(one.id for one in playing if not one.leaving)
        self._thinkers.meet([one.address for one in living if one.role == "thinker" and not one.leaving])

    async def _said(self, registry: Registry) -> list[Worker]:
        return await asyncio.get_running_loop().run_in_executor(self._thread, registry.beat)

    async def let_go(self) -> None:
        """Put away the tables that others have taken while we stood still."""
        for code in await self._store.lost():
            if (table := self._lobby.tables.get(code)) is not None:
                self._lobby.forget(table)

    async def share(self) -> None:
        """Take up what is forsaken and ours; once nobody comes or goes, hand over what is not."""
        if self._registry is None or self._registry.is_leaving:
            return
        await self._adopt()
        if self._workers == self._before:
            await self._hand_over()
        self._before = self._workers

    async def _adopt(self) -> None:
        since = self._clock.now() - _RECENTLY
        for code in await self._store.orphans(since, unowned=not self._has_begun):
            if self._is_ours(code):
                problem = await outcome(self._lobby.find(code))
                if problem is not None and not isinstance(problem, Refused):
                    self._log.warning("table not taken up", table=code, problem=str(problem))
        self._has_begun = True

    async def _hand_over(self) -> None:
        others = [table for table in self._lobby.tables.values() if not self._is_ours(table.code)]
        for table in others[:_AT_ONCE]:
            async with table.lock:
                self._lobby.forget(table)
            await self._store.give_back(table.code)
        if others:
            self._log.info("tables handed over", tables=len(others[:_AT_ONCE]))

    async def leave(self) -> None:
        """Take no more tables, let others have ours at once, and send the pages there."""
        if self._registry is None:
            return
        self._registry.is_leaving = True
        # If the database does not take note of it in time, the others find out when we have gone.
        problem = await outcome(asyncio.wait_for(self._said(self._registry), self._farewell))
        if problem is not None:
            self._log.warning("not said that we leave", problem=str(problem))
        self._lobby.close()

    def close(self) -> None:
        """Say nothing more."""
        self._thread.shutdown(wait=False, cancel_futures=True)
