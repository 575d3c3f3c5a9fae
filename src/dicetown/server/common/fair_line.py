"""Who waits for something scarce: everybody in turn, first by where they come from, then among those there.

Identities are free, addresses are not. Whoever asks with a hundred names from one address waits for a hundred
turns of that address, and somebody else's one question is next but one.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, NamedTuple, TypeVar

_Thing = TypeVar("_Thing")
_Kept = TypeVar("_Kept")


class Asker(NamedTuple):
    """On whose behalf something is asked: a guest or a table, and the address that stands behind it."""

    address: str
    name: str


@dataclass(frozen=True)
class Capacity:
    """How many things may wait at once."""

    of_one: int
    of_address: int
    in_all: int


class FairLine(Generic[_Thing]):
    """Things that wait; the next is always that of who was not served for longest.

    >>> line = FairLine(Capacity(of_one=2, of_address=3, in_all=10))
    >>> for number in range(2):
    ...     line.join(Asker("far", "loud"), f"loud {number}")
    >>> line.join(Asker("near", "calm"), "calm 0")
    >>> [line.next() for _ in range(4)]
    ['loud 0', 'calm 0', 'loud 1', None]
    """

    def __init__(self, room: Capacity) -> None:
        self._room = room
        self._addresses: dict[str, dict[str, deque[_Thing]]] = {}  # who is served next stands first
        self._size = 0

    def __len__(self) -> int:
        return self._size

    def has_room(self, asker: Asker) -> bool:
        """Whether one more thing of an asker may wait."""
        here = self._addresses.get(asker.address, {})
        return (
            self._size < self._room.in_all
            and sum(map(len, here.values())) < self._room.of_address
            and len(here.get(asker.name, ())) < self._room.of_one
        )

    def join(self, asker: Asker, thing: _Thing) -> None:
        """Let something wait."""
        here = self._addresses.setdefault(asker.address, {})
        here.setdefault(asker.name, deque()).append(thing)
        self._size += 1

    def next(self) -> _Thing | None:
        """What comes next; it waits no longer."""
        if not self._addresses:
            return None
        address, here = _first(self._addresses)
        name, things = _first(here)
        thing = things.popleft()
        _to_the_end(here, name, things)
        _to_the_end(self._addresses, address, here)
        self._size -= 1
        return thing

    def take_all(self) -> Iterator[_Thing]:
        """Everything, each when its turn has come."""
        while (thing := self.next()) is not None:
            yield thing

    def leave(self, asker: Asker, thing: _Thing) -> None:
        """Nobody wants this any more; nothing happens if it does not wait."""
        here = self._addresses.get(asker.address, {})
        things = here.get(asker.name)
        if things is None or thing not in things:
            return
        things.remove(thing)
        self._size -= 1
        if not things:
            del here[asker.name]
        if not here:
            del self._addresses[asker.address]


class RankedLines(Generic[_Thing]):
    """Fair lines, one for each rank: while something waits in one of them, nothing of a later one is next.

    >>> lines = RankedLines([Capacity(1, 1, 1), Capacity(2, 2, 2)])
    >>> ana = Asker("near", "ana")
    >>> lines.join(1, ana, "can wait")
    >>> lines.join(0, ana, "urgent")
    >>> lines.next(), lines.next(), lines.next()
    ('urgent', 'can wait', None)
    """

    def __init__(self, rooms: Sequence[Capacity]) -> None:
        self._lines: list[FairLine[_Thing]] = [FairLine(room) for room in rooms]

    def __len__(self) -> int:
        return sum(map(len, self._lines))

    def waiting(self, rank: int) -> int:
        """How many things of a rank wait."""
        return len(self._lines[rank])

    def has_room(self, rank: int, asker: Asker) -> bool:
        """Whether one more thing of an asker may wait among those of its rank."""
        return self._lines[rank].has_room(asker)

    def join(self, rank: int, asker: Asker, thing: _Thing) -> None:
        """Let something wait."""
        self._lines[rank].join(asker, thing)

    def next(self) -> _Thing | None:
        """What comes next; it waits no longer."""
        return next((line.next() for line in self._lines if len(line)), None)

    def leave(self, rank: int, asker: Asker, thing: _Thing) -> None:
        """Nobody wants this any more; nothing happens if it does not wait."""
        self._lines[rank].leave(asker, thing)


def _first(line: dict[str, _Kept]) -> tuple[str, _Kept]:
    name = next(iter(line))
    return name, line[name]


def _to_the_end(line: dict[str, _Kept], name: str, kept: _Kept) -> None:
    """Who was served goes to the end, or away if nothing of theirs waits."""
    del line[name]
    if kept:
        line[name] = kept
