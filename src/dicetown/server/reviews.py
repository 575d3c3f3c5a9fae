"""Reviews of finished games: made once, when somebody asks for one, and kept."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from dicetown.server import wire
from dicetown.server.afterwards import review_of
from dicetown.server.playing import Play
from dicetown.server.refusals import Refused
from dicetown.server.table import Table
from dicetown.server.workers import WorkFailed

if TYPE_CHECKING:
    from dicetown.server.service import Service

#: How many may wait for the one who reviews.
_MOST_WAITING = 20


class Reviews:
    """Who looks back on games, one after the other."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._waiting: dict[str, asyncio.Task[None]] = {}  # by the code of the table, in order
        self._failed: set[str] = set()
        self._turn = asyncio.Lock()

    async def of(self, table: Table, play: Play, language: str) -> wire.Review:
        """The review of a game, or how far it is."""
        seen = await self._service.store.review(table.code)
        if seen is not None:
            return await asyncio.to_thread(review_of, play.game, seen, language)
        if table.code in self._failed:
            self._failed.discard(table.code)  # who asks once more tries once more
            raise Refused("no_thinker")
        if table.code not in self._waiting:
            if len(self._waiting) >= _MOST_WAITING:
                raise Refused("no_thinker")
            record = play.record(table.standing.head).to_json()
            task = asyncio.create_task(self._make(table.code, record))
            self._waiting[table.code] = task
            task.add_done_callback(lambda _: self._waiting.pop(table.code, None))
        first = next(iter(self._waiting), None) == table.code
        done, total = self._service.thinkers.review_progress if first else (0, 0)
        return wire.Review(ready=False, done=min(done, total), total=total or play.moves)

    async def _make(self, code: str, record: str) -> None:
        try:
            async with self._turn:
                seen = await self._service.thinkers.review(record)
            await self._service.store.keep_review(code, seen)
        except WorkFailed as failure:
            self._service.log.warning("no review", table=code, problem=str(failure))
            self._failed.add(code)

    def close(self) -> None:
        """Nobody waits any more."""
        for task in self._waiting.values():
            task.cancel()
