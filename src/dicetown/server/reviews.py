"""Reviews of finished games: made once, when somebody asks for one, and kept."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from sqlalchemy.exc import SQLAlchemyError

from dicetown.server import wire
from dicetown.server.afterwards import review_of
from dicetown.server.clock import Alarm, pause
from dicetown.server.pauses import Pauses
from dicetown.server.playing import Play
from dicetown.server.refusals import Refused
from dicetown.server.table import Table
from dicetown.server.waiting import Asker
from dicetown.server.workers import TooMuchToDo, WorkFailed
from dicetown.server.writer import Unclear

if TYPE_CHECKING:
    from dicetown.server.service import Service

#: Seconds after which nobody waits for a review any longer: a page that does asks every few.
_FORGOTTEN = 60.0
#: How often a review is tried to be kept: for about a minute.
_ATTEMPTS = 10


class Reviews:
    """Who looks back on games, one after the other; one that nobody waits for any longer is not begun."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._waiting: dict[str, asyncio.Task[None]] = {}  # by the code of the table
        self._alarms: dict[str, Alarm] = {}  # for those that are not begun
        self._under_way = ""
        self._failed: dict[str, str] = {}  # why, as a refusal

    async def of(self, table: Table, play: Play, language: str, asker: Asker) -> wire.Review:
        """The review of a game, or how far it is."""
        kept = await self._kept(table, play, language)
        if kept is not None:
            return kept
        code = table.code
        if code in self._failed:
            raise Refused(self._failed.pop(code))  # who asks once more tries once more
        if code not in self._waiting:
            record = play.record(table.standing.head).to_json()
            task = asyncio.create_task(self._make(code, record, asker))
            self._waiting[code] = task
            task.add_done_callback(lambda task: self._end(code, task))
        if code != self._under_way:
            self._still_waited_for(code)
        done, total = self._service.thinkers.review_progress if code == self._under_way else (0, 0)
        return wire.Review(ready=False, done=min(done, total), total=total or play.moves)

    async def _kept(self, table: Table, play: Play, language: str) -> wire.Review | None:
        """The review that was made before; if nobody can read it any more, there is none."""
        seen = await self._service.store.review(table.code)
        if seen is None:
            return None
        try:
            return await asyncio.to_thread(review_of, play.game, seen, language)
        except (LookupError, TypeError, ValueError) as problem:
            reason = f"{type(problem).__name__}: {problem}"
            self._service.log.error("unreadable review", table=table.code, problem=reason)
            return None

    async def _make(self, code: str, record: str, asker: Asker) -> None:
        try:
            seen = await self._service.thinkers.review(record, asker, lambda: self._begin(code))
            await self._keep(code, seen)
        except TooMuchToDo:
            self._failed[code] = "too_much_to_think"
        except WorkFailed as failure:
            self._service.log.warning("no review", table=code, problem=str(failure))
            self._failed[code] = "no_thinker"

    async def _keep(self, code: str, seen: dict[str, Any]) -> None:
        """Keep a review; it took a minute to make, so that is tried more than once."""
        pauses = Pauses()
        for _ in range(_ATTEMPTS - 1):
            try:
                return await self._service.store.keep_review(code, seen)
            except (SQLAlchemyError, Unclear):
                await pause(self._service.clock, pauses.next())
        await self._service.store.keep_review(code, seen)

    def _begin(self, code: str) -> None:
        self._under_way = code
        self._call_off(code)

    def _still_waited_for(self, code: str) -> None:
        """Somebody has asked just now."""
        self._call_off(code)
        self._alarms[code] = self._service.clock.ring(_FORGOTTEN, lambda: self._give_up(code))

    def _give_up(self, code: str) -> None:
        self._waiting[code].cancel()

    def _call_off(self, code: str) -> None:
        if (alarm := self._alarms.pop(code, None)) is not None:
            alarm.cancel()

    def _end(self, code: str, task: asyncio.Task[None]) -> None:
        if not task.cancelled() and (problem := task.exception()) is not None:
            self._service.log.error("no review", table=code, exc_info=problem)
            self._failed[code] = "no_thinker"
        self._call_off(code)
        self._waiting.pop(code, None)
        if self._under_way == code:
            self._under_way = ""

    def close(self) -> None:
        """Nobody waits any more."""
        for task in self._waiting.values():
            task.cancel()
