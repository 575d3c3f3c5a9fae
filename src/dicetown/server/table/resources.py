"""What all tables share: settings, the clock, the store, who thinks, the log and the metrics."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import structlog

from dicetown.material import load
from dicetown.server.common.clock import Clock, LoopClock
from dicetown.server.common.metrics import Metrics
from dicetown.server.common.settings import Settings
from dicetown.server.store.store import Store
from dicetown.server.workers.thinkers import Thinkers


class Resources:
    """What a table needs that is not its own."""

    def __init__(
        self,
        place: str,
        settings: Settings | None = None,
        clock: Clock | None = None,
        thinkers: Thinkers | None = None,
        shared_at: str | None = None,
    ) -> None:
        """What is needed; other workers of the same database, if there are any, reach us at ``shared_at``."""
        load()  # the boxes are open before many threads at once want something of them
        self.settings = settings or Settings()
        self.clock: Clock = clock or LoopClock()
        self.metrics = Metrics()
        #: What ends the whole service, when another one has its database.
        self.end: Callable[[], None] = lambda: None
        self.log: Any = structlog.get_logger("dicetown")
        self.store = Store(
            place, self.metrics.watch_commit, self.settings.timeouts, self._end, self.metrics, shared_at
        )
        self.thinkers = thinkers or Thinkers(self.settings.bots, self.settings.limits)

    def _end(self) -> None:
        self.end()
