"""Games against bots that their player has abandoned: they close by themselves.

Some close because nobody came for long, others to make room when their player wants another table. Nothing is
lost by it: such a game stands among the finished ones, and goes on as soon as its player opens it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from dicetown.server.journal.entries import Closed
from dicetown.server.wire.refusals import Refused

if TYPE_CHECKING:
    from dicetown.server.table.service import Service

#: Is told of the code of a table that was closed.
Told = Callable[[str], None]
_DAY = 86_400.0


class Abandoned:
    """Closes games against bots that nobody is at."""

    def __init__(self, service: Service) -> None:
        self._service = service

    async def close_in_time(self) -> None:
        """Close those that nobody came to for as long as the house waits."""
        service = self._service
        before = service.clock.now() - service.house.abandoned_days * _DAY
        last = ""
        while heads := await service.store.left_by_one(before, last):
            last = heads[-1].code
            for head in heads:
                if head.is_against_bots:
                    await service.lobby.each(head.code, self._close(head.code, for_room=False))

    async def make_room(self, guest: str, told: Told) -> None:
        """Close the oldest of a guest who has as many tables as they may have: as many as it takes."""
        store = self._service.store
        surplus = await store.count_tables(guest) - self._service.house.limits.tables + 1
        if surplus <= 0:
            return
        for head in await store.oldest_of(guest):
            if head.is_against_bots and await self._close(head.code, for_room=True):
                told(head.code)
                surplus -= 1
            if surplus <= 0:
                return

    async def _close(self, code: str, *, for_room: bool) -> bool:
        """Close a game, unless somebody is there or it has ended meanwhile; whether it was closed."""
        try:
            table = await self._service.lobby.find(code)
        except Refused as refused:
            if refused.code in ("no_table", "unreadable"):  # nobody can close it; that is told elsewhere
                return False
            raise
        async with table.lock:
            head = table.standing.head
            if table.listeners or head.has_ended or not head.is_against_bots:
                return False
            await table.write(Closed(forsaken=head.is_somebodys, for_room=for_room))
            return True
