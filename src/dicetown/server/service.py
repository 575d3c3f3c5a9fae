"""What all tables share: the store, who thinks, the clock, the house and its gauges."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import structlog

from dicetown.material import load
from dicetown.server.chores import Chores
from dicetown.server.clock import Clock, LoopClock
from dicetown.server.gauges import Gauges
from dicetown.server.house import House
from dicetown.server.limits import RateLimit
from dicetown.server.lobby import Lobby
from dicetown.server.reviews import Reviews
from dicetown.server.store import Store
from dicetown.server.thinking import Thinkers
from dicetown.server.unsent import Post


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
        self.store = Store(place, self.gauges.watch_commit, surpassed=self._end)
        self.thinkers = thinkers or Thinkers(self.house.bots, self.house.limits)
        self.request_rate = RateLimit(self.house.limits.requests, self.clock.steady)
        self.connect_rate = RateLimit(self.house.limits.connects, self.clock.steady)
        self.message_rate = RateLimit(self.house.limits.messages, self.clock.steady)
        self.welcome_rate = RateLimit(self.house.limits.welcomes, self.clock.steady)
        self.welcome_rate_from = RateLimit(self.house.limits.welcomes_from, self.clock.steady)
        self.chat_rate = RateLimit(self.house.limits.chat, self.clock.steady)
        self.chat_rate_from = RateLimit(self.house.limits.chat_from, self.clock.steady)
        self.chat_rate_of_watchers = RateLimit(self.house.limits.chat_of_watchers, self.clock.steady)
        self.chores = Chores(self.clock, self.gauges, self.log)
        self.post = Post(self.house.limits.unsent_in_all)
        self.gauges.look_at_post(self.post)
        self.lobby = Lobby(self)
        self.reviews = Reviews(self)
        self.gauges.look_at(self.lobby, self.thinkers)

    def _end(self) -> None:
        self.end()

    def close(self) -> None:
        """End everything; what was acknowledged is stored."""
        self.chores.close()
        self.reviews.close()
        self.lobby.close()
        self.thinkers.close()
        self.store.close()
