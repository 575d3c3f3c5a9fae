"""Welcomes: whoever wants to be told everything waits for their turn, while the games of others go on.

A welcome takes some milliseconds in which nothing else happens. So there are only so many a second, however
many want one: sixty pages that come back at once, or a stranger's hundred that ask again and again.
"""

from __future__ import annotations

import asyncio

from dicetown.server.common.fair_line import Asker, Capacity, FairLine
from dicetown.server.wire.refusals import Refused


class Welcomes:
    """Where pages wait to be welcomed, everybody in turn."""

    def __init__(self, a_second: float, room: Capacity) -> None:
        self._pause = 1 / a_second
        self._line: FairLine[asyncio.Future[None]] = FairLine(room)
        self._resting: asyncio.TimerHandle | None = None

    @property
    def waiting(self) -> int:
        """How many wait."""
        return len(self._line)

    async def turn(self, asker: Asker) -> None:
        """Wait for one's turn; refused where too many wait already."""
        if self._resting is None:
            self._rest()
            return
        if not self._line.has_room(asker):
            raise Refused("too_quick", wait=1 + len(self._line) * self._pause)
        waiting = asyncio.get_running_loop().create_future()
        self._line.join(asker, waiting)
        try:
            await waiting
        finally:
            self._line.leave(asker, waiting)  # who is gone makes room for others

    def _rest(self) -> None:
        self._resting = asyncio.get_running_loop().call_later(self._pause, self._call_next)

    def _call_next(self) -> None:
        self._resting = None
        while (waiting := self._line.next()) is not None:
            if not waiting.done():
                waiting.set_result(None)
                self._rest()
                return
