"""What all tables share: the store, who thinks, the clock, the house and its gauges."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import structlog

from dicetown.material import load
from dicetown.server.common.background import Chores
from dicetown.server.common.clock import Clock, LoopClock
from dicetown.server.common.fair_line import Room
from dicetown.server.common.metrics import Gauges
from dicetown.server.common.settings import House
from dicetown.server.store.store import Store
from dicetown.server.table.lobby import Lobby
from dicetown.server.table.quotas import Makers
from dicetown.server.table.reviews import Reviews
from dicetown.server.web.outbox import Post
from dicetown.server.web.welcomes import Reception
from dicetown.server.wire.rate_limits import RateLimit, Shares
from dicetown.server.workers.thinkers import Thinkers


class Service:
    """The service, without the web around it."""

    def __init__(
        self,
        place: str,
        house: House | None = None,
        clock: Clock | None = None,
        thinkers: Thinkers | None = None,
    ) -> None:
        load()  # the boxes are open before many threads at once want something of them
        self.house = house or House()
        self.clock: Clock = clock or LoopClock()
        self.gauges = Gauges()
        #: What ends the whole service, when another one has its database.
        self.end: Callable[[], None] = lambda: None
        self.log: Any = structlog.get_logger("dicetown")
        self.store = Store(place, self.gauges.watch_commit, self.house.patience, self._end)
        self.thinkers = thinkers or Thinkers(self.house.bots, self.house.limits)
        limits = self.house.limits
        self.request_rate = self._rate(limits.requests)
        self.connect_rate = self._rate(limits.connects)
        self.message_rate = self._rate(limits.messages)
        self.message_rate_from = self._rate(limits.messages_from)
        self.welcome_rate = self._rate(limits.welcomes)
        self.welcome_rate_from = self._rate(limits.welcomes_from)
        self.chat_rate = self._rate(limits.chat)
        self.chat_rate_from = self._rate(limits.chat_from)
        self.chat_rate_of_watchers = self._rate(limits.chat_of_watchers)
        self.live_pages = Shares(limits.pages_of_address, limits.pages_in_all)
        self.reception = Reception(limits.welcomes_in_all, Room(*limits.welcomes_waiting))
        self.makers = Makers(limits, self.store, self.clock)
        self.chores = Chores(self.clock, self.gauges, self.log)
        self.post = Post(self.house.limits.unsent_in_all)
        self.gauges.look_at_post(self.post)
        self.lobby = Lobby(self)
        self.reviews = Reviews(self)
        self.gauges.look_at(self.lobby, self.thinkers, self.reception)

    def _rate(self, rate: tuple[float, int]) -> RateLimit:
        return RateLimit(rate, self.clock.steady)

    def _end(self) -> None:
        self.end()

    def close(self) -> None:
        """End everything; what was acknowledged is stored."""
        self.chores.close()
        self.reviews.close()
        self.lobby.close()
        self.thinkers.close()
        self.store.close()
