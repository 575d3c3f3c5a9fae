"""The service's clock: the time of day, and what shall happen later.

Tables are given a clock, so that a test can let a minute pass at once.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Protocol


class Alarm(Protocol):
    """Something that will happen, unless it is called off."""

    def cancel(self) -> None:
        """Call it off."""


class Clock(Protocol):
    """What tells the time and rings."""

    def now(self) -> float:
        """Seconds since 1970."""

    def ring(self, seconds: float, then: Callable[[], None]) -> Alarm:
        """Call something after so many seconds."""


class LoopClock:
    """The clock of the event loop."""

    def now(self) -> float:
        """Seconds since 1970."""
        return time.time()

    def ring(self, seconds: float, then: Callable[[], None]) -> Alarm:
        """Call something after so many seconds."""
        return asyncio.get_running_loop().call_later(max(0.0, seconds), then)
