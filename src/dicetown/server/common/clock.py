"""The service's clock: the time of day, how long something takes, and what shall happen later.

Tables are given a clock, so that a test can let a minute pass at once.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Protocol

#: Seconds that a clock may be put right by while it is watched, without having jumped.
_EVEN = 10.0


class Alarm(Protocol):
    """Something that will happen, unless it is called off."""

    def cancel(self) -> None:
        """Call it off."""


class Clock(Protocol):
    """What tells the time and rings."""

    def now(self) -> float:
        """Seconds since 1970, for what people read and for what is kept; anybody may set it, any time."""

    def steady(self) -> float:
        """Seconds since some moment, for how long something takes; it goes on evenly, whatever is set."""

    def ring(self, seconds: float, then: Callable[[], None]) -> Alarm:
        """Call something after so many seconds."""


class LoopClock:
    """The clock of the event loop."""

    def now(self) -> float:
        """Seconds since 1970."""
        return time.time()

    def steady(self) -> float:
        """Seconds since some moment."""
        return time.monotonic()

    def ring(self, seconds: float, then: Callable[[], None]) -> Alarm:
        """Call something after so many seconds."""
        return asyncio.get_running_loop().call_later(max(0.0, seconds), then)


async def pause(clock: Clock, seconds: float) -> None:
    """Wait for so many seconds of a clock."""
    woken = asyncio.Event()
    alarm = clock.ring(seconds, woken.set)
    try:
        await woken.wait()
    finally:
        alarm.cancel()


class Trust:
    """Whether the time of day is to be believed: after it has gone on as evenly as the steady clock for long.

    What cannot be taken back must not be done on one look at a clock that may have been set a moment ago.
    """

    def __init__(self, clock: Clock, after: float) -> None:
        self._clock = clock
        self._after = after
        self._start_anew()

    def _start_anew(self) -> None:
        self._began = self._clock.steady()
        self._apart = self._clock.now() - self._began

    def look(self) -> bool:
        """Look at both clocks; a jump of one of them begins the watch anew."""
        steady = self._clock.steady()
        if abs(self._clock.now() - steady - self._apart) > _EVEN:
            self._start_anew()
            return False
        return steady - self._began >= self._after
