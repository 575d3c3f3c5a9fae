"""Results of finished games: each is worked out once, and kept for whoever asks next.

That of a long game takes a fifth of a second. So all of them are worked out in one thread of their own, one
after the other and everybody in turn: to open a table never waits for it, however many look back.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeAlias

from dicetown.server import wire
from dicetown.server.common.fair_line import Asker, Capacity, FairLine
from dicetown.server.journal.played_game import PlayedGame
from dicetown.server.journal.summary import Summary
from dicetown.server.view.announcements import fairness_of
from dicetown.server.view.results import result_of
from dicetown.server.wire.refusals import Refused

#: Results that are kept; a long one takes about 100,000 bytes.
KEPT = 200
#: How many requests may wait: all of a club may want to see how their games ended.
_ROOM = Capacity(of_one=12, of_address=240, in_all=2_000)
#: What makes a result: the table, and how its game ended there. A closed table may open again and go on.
_Ending: TypeAlias = tuple[str, float | None, int, tuple[str, ...]]


class Results:
    """Where those wait who want to see how a game ended."""

    def __init__(self, room: Capacity = _ROOM) -> None:
        self._kept: OrderedDict[_Ending, wire.Result] = OrderedDict()  # who was asked for last stands last
        self._line: FairLine[asyncio.Future[None]] = FairLine(room)
        self._is_busy = False
        self._thread = ThreadPoolExecutor(1, "results")

    async def of(
        self, asker: Asker, summary: Summary, play: PlayedGame, is_gone: Callable[[], Awaitable[bool]]
    ) -> wire.Result | None:
        """The result of a game that has ended; nothing, where nobody is there any more to be told.

        Refused where too many wait already.
        """
        ending = summary.code, summary.ended, play.moves, tuple(play.game.names)
        if ending not in self._kept:
            await self._turn(asker)
            try:
                # Meanwhile somebody else may have asked for the same.
                if ending not in self._kept and not await is_gone():
                    self._keep(ending, await self._work_out(summary, play))
            finally:
                self._call_next()
        if ending in self._kept:
            self._kept.move_to_end(ending)
        return self._kept.get(ending)

    async def _work_out(self, summary: Summary, play: PlayedGame) -> wire.Result:
        # The clock may have been set back.
        seconds = max(0.0, (summary.ended or 0.0) - (summary.started or 0.0))
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._thread, result_of, play.game, seconds, fairness_of(summary))

    def _keep(self, ending: _Ending, result: wire.Result) -> None:
        self._kept[ending] = result
        if len(self._kept) > KEPT:
            self._kept.popitem(last=False)

    # ------------------------------------------------------------------------- taking turns

    async def _turn(self, asker: Asker) -> None:
        if not self._is_busy:
            self._is_busy = True
            return
        if not self._line.has_room(asker):
            raise Refused("too_quick")
        waiting = asyncio.get_running_loop().create_future()
        self._line.join(asker, waiting)
        try:
            await waiting
        except asyncio.CancelledError:
            self._line.leave(asker, waiting)
            if not waiting.cancelled():
                self._call_next()  # the turn had come
            raise

    def _call_next(self) -> None:
        while (waiting := self._line.next()) is not None:
            if not waiting.done():
                waiting.set_result(None)
                return
        self._is_busy = False

    def forget(self, code: str) -> None:
        """There is no such table any more."""
        for ending in [one for one in self._kept if one[0] == code]:
            del self._kept[ending]

    def close(self) -> None:
        """Work nothing out any more."""
        self._thread.shutdown(wait=False, cancel_futures=True)
