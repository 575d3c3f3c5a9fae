"""Reviews of finished games: made once, when somebody asks for one, and kept.

First a glance at a game gives something to see within seconds; then it is thought about, which takes half
a minute, one game after the other. Only what was thought about is kept.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from functools import partial
from typing import Any, Literal

import msgspec
from sqlalchemy.exc import SQLAlchemyError

from dicetown.server import wire
from dicetown.server.common.backoff import Backoff
from dicetown.server.common.clock import Alarm, pause
from dicetown.server.common.fair_line import Asker
from dicetown.server.journal.played_game import PlayedGame
from dicetown.server.store.writer import Unclear
from dicetown.server.table.resources import Resources
from dicetown.server.table.table import Table
from dicetown.server.view.results import review_of
from dicetown.server.wire.refusals import Refused
from dicetown.server.workers.processes import HowFar, TooMuchToDo, WorkFailed
from dicetown.server.workers.thinkers import NoChances

#: Seconds after which nobody waits for a review any longer: a page that does asks every few.
_FORGOTTEN = 60.0
#: Seconds between looks at how far reviews are.
_LOOK = 0.5
#: How often a review is tried to be kept: for about a minute.
_ATTEMPTS = 10


class Reviews:
    """Who looks back on games; a review that nobody waits for any longer is given up, begun or not."""

    def __init__(self, resources: Resources, tables: Mapping[str, Table]) -> None:
        self._resources = resources
        self._tables = tables  # those in memory, by their codes
        self._waiting: dict[str, asyncio.Task[None]] = {}  # by the code of the table
        self._alarms: dict[str, Alarm] = {}  # by which they are given up, unless somebody asks again
        self._under_way: dict[str, HowFar] = {}  # those that are begun, in this order
        self._made: set[str] = set()  # those that only have to be kept
        self._failed: dict[str, str] = {}  # why, as a refusal
        self._moves: dict[str, int] = {}  # how long the games are
        self._first: dict[str, dict[str, Any]] = {}  # first pictures of those that are not ready
        self._told: dict[str, wire.ReviewTold] = {}  # what the pages know
        self._watch: asyncio.Task[None] | None = None

    async def of(self, table: Table, play: PlayedGame, language: str, asker: Asker) -> wire.Review:
        """The review of a game, or how far it is."""
        code = table.code
        making = self._waiting.get(code)
        kept = await self._kept(table, play, language)
        if kept is None and making is not None and making.done():  # it was kept while we looked
            kept = await self._kept(table, play, language)
        if kept is not None:
            return kept
        if code in self._failed:
            raise Refused(self._failed.pop(code))  # who asks once more tries once more
        if code not in self._waiting:
            record = play.record(table.state.summary).to_json()
            task = asyncio.create_task(self._make(code, record, asker))
            self._waiting[code] = task
            self._moves[code] = play.moves
            task.add_done_callback(lambda task: self._end(code, task))
        self._still_waited_for(code)
        if self._watch is None or self._watch.done():
            self._watch = asyncio.create_task(self._tell_how_far())
        far = self._how_far(code)
        review = wire.Review(ready=False, done=0, total=0)
        if code in self._first:
            review = await asyncio.to_thread(review_of, play.game, self._first[code], language)
        return msgspec.structs.replace(review, ahead=far.ahead, done=far.done, total=far.total)

    # ------------------------------------------------------------------ how far they are

    def _how_far(self, code: str) -> wire.ReviewTold:
        moves, first = self._moves[code], code in self._first
        if code not in self._under_way:
            ahead = list(self._waiting).index(code)
            return wire.ReviewTold(state="waiting", first=first, ahead=ahead, total=moves)
        done, total = self._under_way[code]()
        return wire.ReviewTold(state="under_way", first=first, done=min(done, total), total=total or moves)

    async def _tell_how_far(self) -> None:
        """Look at all reviews again and again, and tell the pages at their tables what has changed."""
        while self._waiting:
            for code in self._waiting:
                self._tell(code, self._how_far(code))
            await pause(self._resources.clock, _LOOK)

    def _tell(self, code: str, told: wire.ReviewTold) -> None:
        table = self._tables.get(code)
        if table is not None and self._told.get(code) != told:
            self._told[code] = told
            table.tell_all(told)

    # ---------------------------------------------------------------------- making them

    async def _kept(self, table: Table, play: PlayedGame, language: str) -> wire.Review | None:
        """The review that was made before; if nobody can read it any more, there is none."""
        seen = await self._resources.store.review(table.code)
        if seen is None:
            return None
        try:
            return await asyncio.to_thread(review_of, play.game, seen, language)
        except (LookupError, TypeError, ValueError) as problem:
            reason = f"{type(problem).__name__}: {problem}"
            self._resources.log.error("unreadable review", table=table.code, problem=reason)
            return None

    async def _make(self, code: str, record: str, asker: Asker) -> None:
        await self._glance(code, record, asker)
        try:
            seen = await self._resources.thinkers.review(record, asker, partial(self._begin, code))
            self._made.add(code)
            await self._keep(code, seen)
        except TooMuchToDo:
            self._failed[code] = "too_much_to_think"
        except WorkFailed as failure:
            self._resources.log.warning("no review", table=code, problem=str(failure))
            self._failed[code] = "no_chances" if isinstance(failure, NoChances) else "no_thinker"

    async def _glance(self, code: str, record: str, asker: Asker) -> None:
        """Have a first picture to show; where there is none, people wait for the exact one."""
        try:
            self._first[code] = await self._resources.thinkers.first_review(record, asker)
        except WorkFailed as failure:
            self._resources.log.warning("no first picture of a game", table=code, problem=str(failure))
        else:
            self._tell(code, self._how_far(code))

    async def _keep(self, code: str, seen: dict[str, Any]) -> None:
        """Keep a review; it took its time to make, so that is tried more than once."""
        backoff = Backoff()
        for _ in range(_ATTEMPTS - 1):
            try:
                return await self._resources.store.keep_review(code, seen)
            except (SQLAlchemyError, Unclear):
                await pause(self._resources.clock, backoff.next())
        await self._resources.store.keep_review(code, seen)

    def _begin(self, code: str, how_far: HowFar) -> None:
        self._under_way[code] = how_far

    def _still_waited_for(self, code: str) -> None:
        """Somebody has asked just now, or is at the table."""
        self._call_off(code)
        self._alarms[code] = self._resources.clock.ring(_FORGOTTEN, partial(self._look_who_waits, code))

    def _look_who_waits(self, code: str) -> None:
        """A page at the table is told how far its review is, and need not ask. What is made is kept."""
        table = self._tables.get(code)
        if code in self._made or (table is not None and table.listeners):
            self._still_waited_for(code)
        else:
            self._give_up(code)

    def _give_up(self, code: str) -> None:
        self._waiting[code].cancel()

    def forget(self, code: str) -> None:
        """There is no such game any more."""
        if code in self._waiting:
            self._give_up(code)

    def _call_off(self, code: str) -> None:
        if (alarm := self._alarms.pop(code, None)) is not None:
            alarm.cancel()

    def _end(self, code: str, task: asyncio.Task[None]) -> None:
        if not task.cancelled() and (problem := task.exception()) is not None:
            self._resources.log.error("no review", table=code, exc_info=problem)
            self._failed[code] = "no_thinker"
        self._call_off(code)
        self._waiting.pop(code, None)
        self._under_way.pop(code, None)
        self._made.discard(code)
        moves = self._moves.pop(code)
        self._first.pop(code, None)
        if not task.cancelled():
            state: Literal["ready", "failed"] = "failed" if code in self._failed else "ready"
            self._tell(code, wire.ReviewTold(state=state, total=moves))
        self._told.pop(code, None)

    def close(self) -> None:
        """Nobody waits any more."""
        for task in self._waiting.values():
            task.cancel()
        if self._watch is not None:
            self._watch.cancel()
