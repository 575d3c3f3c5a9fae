"""Looking after the tables: those that nobody is at are put away, the forsaken closed, the old deleted.

A game against bots that its player has abandoned closes by itself after some days, or to make room when they
want another one. Nothing is lost by it: it stands among the finished ones, and goes on when it is opened.
"""

from __future__ import annotations

from collections.abc import Coroutine
from typing import Any

from dicetown.server.common.background import Background, outcome
from dicetown.server.common.clock import Trust
from dicetown.server.journal.entries import Closed
from dicetown.server.table.lobby import Lobby
from dicetown.server.table.resources import Resources
from dicetown.server.table.table import Table
from dicetown.server.wire.refusals import Elsewhere, Refused

_TIDY_EVERY = 60.0
_LOOK_EVERY = 5.0
_COUNT_EVERY = 3600.0
_DAY = 86_400.0
#: Seconds that the time of day must have gone on evenly, before a table is closed because of it.
_TRUST_AFTER = 3600.0


class Housekeeping:
    """What is done about all tables again and again."""

    def __init__(self, resources: Resources, lobby: Lobby) -> None:
        self._clock = resources.clock
        self._log = resources.log
        self._settings = resources.settings
        self._store = resources.store
        self._lobby = lobby
        self._trust = Trust(resources.clock, _TRUST_AFTER)
        self._has_counted = False  # whether it was told what there was at the start

    def begin(self, background: Background) -> None:
        """Begin to look after the tables."""
        background.begin("tidying", _TIDY_EVERY, self._look_after)
        background.begin("standstills", _LOOK_EVERY, self._look_for_standstills)
        background.begin("counting", _COUNT_EVERY, self._tell_count)

    async def _look_after(self) -> None:
        """Tidy; first of all say what there is.

        No table is opened before somebody comes: nothing happens at one that nobody looks at.
        """
        if not self._has_counted:
            self._log.info("tables found", unfinished=await self._store.count_unfinished())
            self._has_counted = True
        await self.tidy()

    async def _tell_count(self) -> None:
        self._log.info("count", **self._lobby.count())

    async def _look_for_standstills(self) -> None:
        """Look at every table whether what should be under way is."""
        for table in list(self._lobby.tables.values()):
            table.automation.look_after()

    async def tidy(self) -> None:
        """Put away tables that nobody is at, and close those that nobody came to for long."""
        for table in list(self._lobby.tables.values()):
            await self._each(table.code, self._put_away(table))
        self._lobby.forget_mended()
        if self._trust.look():
            await self._close_the_forsaken()
            await self._close_the_abandoned()
            await self._delete_the_old()

    async def _put_away(self, table: Table) -> None:
        idle = self._clock.steady() - table.left_at > self._settings.idle
        if idle and not table.listeners:
            await table.put_away()
            if not table.listeners and not table.lock.locked():
                self._lobby.forget(table)
                await self._store.give_back(table.code)

    async def _close_the_forsaken(self) -> None:
        now, besides = self._clock.now(), self._lobby.unreadable
        alone = await self._store.left_alone(["lobby"], now - self._settings.lobby_closes, besides)
        alone += await self._store.left_alone(
            ["playing", "paused"], now - self._settings.game_closes, besides
        )
        for code in alone:
            await self._each(code, self._close_forsaken(code))

    async def _close_forsaken(self, code: str) -> None:
        table = await self._lobby.find(code)
        async with table.lock:
            summary = table.state.summary
            if not table.listeners and not summary.has_ended:
                await table.write(Closed(forsaken=summary.is_somebodys))

    async def _close_the_abandoned(self) -> None:
        """Close games against bots that their player has not come back to for long."""
        before = self._clock.now() - self._settings.abandoned_days * _DAY
        last = ""
        while summaries := await self._store.left_by_one(before, last):
            last = summaries[-1].code
            for summary in summaries:
                if summary.is_against_bots:
                    closing = self._lobby.close_abandoned(summary.code, for_room=False)
                    await self._each(summary.code, closing)

    async def _delete_the_old(self) -> None:
        """Delete tables that ended long ago, where that is wanted."""
        days = self._settings.keep_days
        if days is None:
            return
        before = self._clock.now() - days * _DAY
        while deleted := await self._store.delete_ended(before, self._lobby.tables):
            self._log.info("old tables deleted", tables=deleted)

    async def _each(self, code: str, work: Coroutine[Any, Any, object]) -> None:
        """Do something about one of many tables: if it fails, the others have their turn all the same."""
        problem = await outcome(work)
        if isinstance(problem, Elsewhere):
            return  # its worker does it
        if isinstance(problem, Refused):
            self._log.warning("table not tidied", table=code, problem=problem.code)
        elif problem is not None:
            self._log.error("table not tidied", table=code, exc_info=problem)
