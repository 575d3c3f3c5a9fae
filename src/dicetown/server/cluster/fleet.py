"""The workers as a gateway knows them: who lives, who should be asked, and who turned out to have a table."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from dicetown.server.common.rendezvous import first_choice
from dicetown.server.store.registry import Worker

_REMEMBERED = 100_000  # tables
_PAUSE = 0.05  # seconds until somebody is looked for again
#: Looks without a worker until it counts as gone: when the database comes back, nobody has been heard of yet.
_MISSED = 2


@dataclass(eq=False)
class Known:
    """A worker, and what to do when it has gone."""

    id: str
    address: str
    takes_more: bool = True
    missed: int = 0
    is_doubtful: bool = False  # it could not be reached, since the last look
    watchers: set[Callable[[], None]] = field(default_factory=set)

    @contextmanager
    def watched(self, gone: Callable[[], None]) -> Iterator[None]:
        """Have something called if the worker goes in the meantime."""
        self.watchers.add(gone)
        try:
            yield
        finally:
            self.watchers.discard(gone)


class Fleet:
    """All workers that play games."""

    def __init__(self) -> None:
        self._known: dict[str, Known] = {}  # by their addresses
        self._owners: OrderedDict[str, str] = OrderedDict()  # addresses, by the table's code
        self._is_closed = False

    def __len__(self) -> int:
        return len(self._ready())

    def look(self, living: Iterable[Worker]) -> None:
        """Learn who lives; who has not been seen for two looks has gone, and whoever relies on it is told."""
        seen = {worker.address: worker for worker in living if worker.role == "game"}
        for worker in seen.values():
            known = self._known.get(worker.address)
            if known is None or known.id != worker.id:  # a new one, perhaps in place of one that died
                if known is not None:
                    self._lose(known)
                known = self._known[worker.address] = Known(worker.id, worker.address)
            known.takes_more, known.missed, known.is_doubtful = not worker.leaving, 0, False
        for known in [one for one in self._known.values() if one.address not in seen]:
            known.missed += 1
            if known.missed >= _MISSED:
                self._lose(known)

    def _lose(self, known: Known) -> None:
        del self._known[known.address]
        for tell in list(known.watchers):
            tell()

    def _ready(self) -> list[Known]:
        """Who can be asked: those who take tables; who could not be reached only if there is nobody else."""
        taking = [one for one in self._known.values() if one.takes_more]
        return [one for one in taking if not one.is_doubtful] or taking

    def note_owner(self, code: str, address: str) -> None:
        """A table was found somewhere, or nobody knows where it is."""
        self._owners.pop(code, None)
        if address:
            self._owners[code] = address
            while len(self._owners) > _REMEMBERED:
                self._owners.popitem(last=False)

    def choose(self, code: str | None, guest_at: str) -> Known | None:
        """Who is asked about a table; about anything else all of an address ask the same one.

        So what may be done in a while is counted for an address in one place.
        """
        ready = {one.id: one for one in self._ready()}
        owner = self._known.get(self._owners.get(code, "")) if code is not None else None
        if owner is not None and owner.id in ready:
            return owner
        chosen = first_choice(code if code is not None else guest_at, ready)
        return ready[chosen] if chosen is not None else None

    async def find(self, code: str | None, guest_at: str, seconds: float) -> Known | None:
        """The same, after waiting for somebody; nobody, if none comes in time or nobody is looked for."""
        ends = asyncio.get_running_loop().time() + seconds
        while not self._is_closed and (found := self.choose(code, guest_at)) is None:
            if asyncio.get_running_loop().time() > ends:
                return None
            await asyncio.sleep(_PAUSE)
        return None if self._is_closed else found

    def close(self) -> None:
        """Look for nobody any longer: the gateway ends, and its pages find the next one."""
        self._is_closed = True
