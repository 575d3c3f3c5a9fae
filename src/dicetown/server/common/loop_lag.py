"""How late the event loop is: everybody waits for whatever keeps it from its next turn."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

_EVERY = 0.1  # seconds


class LoopLag:
    """Wants to be called again and again, and tells by how much it was called too late."""

    def __init__(self, tell: Callable[[float], None], every: float = _EVERY) -> None:
        self._tell = tell
        self._every = every
        self._next: asyncio.TimerHandle | None = None

    def begin(self) -> None:
        """Watch the loop that runs now."""
        loop = asyncio.get_running_loop()
        self._next = loop.call_at(loop.time() + self._every, self._look, loop, loop.time() + self._every)

    def _look(self, loop: asyncio.AbstractEventLoop, due: float) -> None:
        now = loop.time()
        self._tell(max(0.0, now - due))
        self._next = loop.call_at(now + self._every, self._look, loop, now + self._every)

    def close(self) -> None:
        """Watch no longer."""
        if self._next is not None:
            self._next.cancel()
            self._next = None
