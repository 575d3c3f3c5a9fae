"""The service: what all tables share, all tables together, and how much pages may ask of them."""

from __future__ import annotations

from contextlib import suppress

from sqlalchemy.exc import SQLAlchemyError

from dicetown.server.common.background import Background
from dicetown.server.common.clock import Clock
from dicetown.server.common.fair_line import Capacity
from dicetown.server.common.loop_lag import LoopLag
from dicetown.server.common.settings import Settings
from dicetown.server.table.housekeeping import Housekeeping
from dicetown.server.table.lobby import Lobby
from dicetown.server.table.resources import Resources
from dicetown.server.table.reviews import Reviews
from dicetown.server.table.sharing import Sharing
from dicetown.server.view.rehearsal import rehearse
from dicetown.server.web.outbox import Outboxes
from dicetown.server.web.results import Results
from dicetown.server.web.welcomes import Welcomes
from dicetown.server.wire.rate_limits import ConcurrencyLimit, RateLimit
from dicetown.server.workers.thinkers import Thinkers

_NO_TABLE = ""  # a code that none has


class Service(Resources):
    """All of it, but for HTTP."""

    def __init__(
        self,
        place: str,
        settings: Settings | None = None,
        clock: Clock | None = None,
        thinkers: Thinkers | None = None,
        shared_at: str | None = None,
    ) -> None:
        super().__init__(place, settings, clock, thinkers, shared_at)
        limits = self.settings.limits
        self.request_rate = self._rate(limits.requests)
        self.connect_rate = self._rate(limits.connects)
        self.message_rate = self._rate(limits.messages)
        self.message_rate_from = self._rate(limits.messages_from)
        self.welcome_rate = self._rate(limits.welcomes)
        self.welcome_rate_from = self._rate(limits.welcomes_from)
        self.chat_rate = self._rate(limits.chat)
        self.chat_rate_from = self._rate(limits.chat_from)
        self.chat_rate_of_watchers = self._rate(limits.chat_of_watchers)
        self.live_pages = ConcurrencyLimit(limits.pages_of_address, limits.pages_in_all)
        self.welcomes = Welcomes(limits.welcomes_in_all, Capacity(*limits.welcomes_waiting))
        self.outboxes = Outboxes(limits.unsent_in_all)
        self.lobby = Lobby(self)
        self.reviews = Reviews(self, self.lobby.tables)
        self.results = Results()
        self.background = Background(self.clock, self.metrics, self.log)
        self.housekeeping = Housekeeping(self, self.lobby)
        self._loop_lag = LoopLag(self.metrics.watch_lag)
        self.sharing = Sharing(self, self.lobby)
        self._follow()

    def _follow(self) -> None:
        """Let it be measured what there is, and what waits."""
        follow = self.metrics.follow
        follow("tables", "Tables in memory.", lambda: len(self.lobby.tables))
        follow("owned_tables", "Tables that this process has, and nobody else.", self._count_owned)
        follow("database_lost", "1 while the database cannot be reached.", lambda: self.store.is_lost)
        follow("writes_waiting", "What waits for the next commit.", lambda: self.store.waiting)
        follow("connections", "Pages connected.", lambda: self.lobby.count()["pages"])
        follow("unsent_bytes", "What waits for pages to read it.", lambda: self.outboxes.waiting)
        follow("welcomes_waiting", "Pages that wait to be told everything.", lambda: self.welcomes.waiting)
        follow("thinkers_connected", "Thinkers elsewhere that can be asked.", lambda: self.thinkers.connected)
        self.metrics.follow_each(
            "thoughts_waiting", "What waits to be thought about.", lambda: self.thinkers.waiting
        )
        self.metrics.follow_each(
            "pages", "Pages, by how long they have been open.", self.outboxes.ages, "age"
        )

    def _count_owned(self) -> int:
        return 0 if self.store.is_surpassed else len(self.lobby.tables)

    def _rate(self, rate: tuple[float, int]) -> RateLimit:
        return RateLimit(rate, self.clock.steady)

    def open(self) -> None:
        """Begin to look after the tables."""
        self.sharing.begin(self.background)
        self.housekeeping.begin(self.background)
        self._loop_lag.begin()

    async def rehearse(self) -> None:
        """Have at hand what is made once for all tables, so that the first to come need not wait."""
        rehearse()
        with suppress(SQLAlchemyError):  # whoever comes is told that the database is away
            await self.store.snapshot(_NO_TABLE)
            await self.store.journal(_NO_TABLE)

    async def delete(self, code: str, guest: str) -> None:
        """Delete a table for good, as the only one who ever sat there."""
        await self.lobby.delete(code, guest)
        self.reviews.forget(code.upper())
        self.results.forget(code.upper())

    def close(self) -> None:
        """End everything; what was acknowledged is stored."""
        self.background.close()
        self._loop_lag.close()
        self.sharing.close()
        self.reviews.close()
        self.results.close()
        self.lobby.close()
        self.thinkers.close()
        self.store.close()
