"""The gate: how many connections may be open, and how long each may take to say what it wants.

A connection costs its owner nothing, and the service a file and some memory. So whoever opens one must ask
for something within seconds, say all of it within seconds, and take the answer. When there is no room, those
go first who have asked for nothing yet: who only keeps connections open can never keep others out.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from dicetown.server.common.settings import Limits
from dicetown.server.web.origins import household

#: Seconds between two looks at all connections.
LOOKS_EVERY = 0.5
#: What a connection may be at. In the first two nobody would lose anything if it ended.
IDLE, ASKING, SENDING, SERVED, LEAVING = "idle", "header", "body", "served", "leaving"
_UNDECIDED = (IDLE, ASKING)
#: Why connections are ended, for the gauge and for the log.
_WHY = {
    "connections": "There are so many connections that no more are accepted.",
    "connections_of_address": "An address has so many connections that no more of it are accepted.",
    "pushed_out": "Connections that asked for nothing were ended to make room.",
    "late_header": "Connections whose request did not arrive in time were ended.",
    "late_body": "Connections whose request did not arrive whole in time were ended.",
    "late_leaving": "Connections that did not let themselves be closed were ended.",
    "unread": "Connections that did not take what they were sent were ended.",
}

_log = logging.getLogger("dicetown.gate")


@dataclass(eq=False, slots=True)
class _Visit:
    """A connection: whose it is, what it is at, and until when it may be."""

    address: str
    stage: str
    until: float
    unsent: int = 0  # bytes that its owner has not taken, when they were last fewer
    stuck: float = 0.0  # and when that was


class Gate:
    """Who may come in, and for how long."""

    def __init__(
        self,
        limits: Limits,
        room: int,
        is_proxy: Callable[[str], bool] = lambda host: False,
        count: Callable[[str], None] = lambda code: None,
    ) -> None:
        self._limits = limits
        self._room = room
        self._of_address = max(1, min(limits.open_of_address, room // 2))
        self._is_proxy = is_proxy  # many people's connections come from each of them
        self._count = count
        self._visits: dict[asyncio.Transport, _Visit] = {}
        self._undecided: dict[asyncio.Transport, _Visit] = {}  # of those, who has asked for nothing yet
        self._addresses: Counter[str] = Counter()
        self._alarm: asyncio.TimerHandle | None = None

    def __len__(self) -> int:
        return len(self._visits)

    # ---------------------------------------------------------------------- coming, going

    def let_in(self, transport: asyncio.Transport) -> bool:
        """Whether a connection may stay; where there is no room, one that has asked for nothing goes."""
        host = (transport.get_extra_info("peername") or ("",))[0]
        address = household(host) if host else ""
        if self._addresses[address] >= self._of_address and not self._is_proxy(host):
            if not self._make_room(address):
                self._refuse("connections_of_address")
                return False
        elif len(self._visits) >= self._room and not self._make_room():
            self._refuse("connections")
            return False
        self._visits[transport] = _Visit(address, "", 0.0)
        self._addresses[address] += 1
        self.note(transport, IDLE)
        if self._alarm is None:
            self._look_again_later()
        return True

    def _make_room(self, address: str | None = None) -> bool:
        for transport, visit in self._undecided.items():
            if address is None or visit.address == address:
                self._end(transport, "pushed_out")
                return True
        return False

    def leave(self, transport: asyncio.Transport) -> None:
        """A connection has ended."""
        visit = self._visits.pop(transport, None)
        self._undecided.pop(transport, None)
        if visit is None:
            return
        self._addresses[visit.address] -= 1
        if not self._addresses[visit.address]:
            del self._addresses[visit.address]

    def _end(self, transport: asyncio.Transport, why: str) -> None:
        self.leave(transport)
        self._refuse(why)
        transport.abort()  # a polite end would wait for somebody who does not answer

    def _refuse(self, why: str) -> None:
        self._count(why)
        _log.warning(_WHY[why])

    # -------------------------------------------------------------------------- being there

    def note(self, transport: asyncio.Transport, stage: str) -> None:
        """What a connection is at now; time runs from when it came to that, not from its last byte."""
        visit = self._visits.get(transport)
        if visit is None or visit.stage == stage:
            return
        visit.stage = stage
        visit.until = asyncio.get_running_loop().time() + self._seconds(stage)
        self._undecided.pop(transport, None)
        if stage in _UNDECIDED:
            self._undecided[transport] = visit

    def _seconds(self, stage: str) -> float:
        limits = self._limits
        return {
            IDLE: limits.idle_seconds,
            ASKING: limits.header_seconds,
            SENDING: limits.body_seconds,
            LEAVING: limits.farewell_seconds,
        }.get(stage, float("inf"))

    def _look_again_later(self) -> None:
        self._alarm = asyncio.get_running_loop().call_later(LOOKS_EVERY, self._look_around)

    def _look_around(self) -> None:
        """End whoever takes too long."""
        self._alarm = None
        now = asyncio.get_running_loop().time()
        for transport, visit in list(self._visits.items()):
            if visit.stage == IDLE and visit.until <= now:
                transport.close()  # browsers connect in advance, too: that is no offence
            if transport.is_closing():
                self.note(transport, LEAVING)
            if visit.until <= now:
                self._end(transport, f"late_{visit.stage}")
            elif self._is_stuck(transport, visit, now):
                self._end(transport, "unread")
        if self._visits:
            self._look_again_later()

    def _is_stuck(self, transport: asyncio.Transport, visit: _Visit, now: float) -> bool:
        """Whether for long nothing was taken of what waits to be sent."""
        unsent = transport.get_write_buffer_size()
        if not unsent or unsent < visit.unsent or not visit.unsent:
            visit.unsent, visit.stuck = unsent, now
        return now - visit.stuck > self._limits.unread_seconds
