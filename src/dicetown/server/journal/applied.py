"""What has happened at a table, kept small: entries as bytes, what they caused as places in the game's log.

Thousands of tables are in memory at once, and of most of them only the last that happened is ever looked at.
So an entry is read from its bytes when somebody wants to see it, and of requests only digests are kept.
"""

from __future__ import annotations

import zlib
from array import array
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import blake2b
from typing import TypeAlias, overload

import msgspec

from dicetown.game.events import Event
from dicetown.game.past import EventLog
from dicetown.server.journal.entries import Body, Entry, Said

_NO_GAME = -1
_DIGEST = 8  # bytes: nobody meets two requests with the same in the life of a table
_NO_REQUEST = bytes(_DIGEST)
#: Events as numbers: how wide they are, and their bytes.
Rows: TypeAlias = tuple[str, bytes]
_BLOCK = 32  # entries that are packed together, once they are older than the latest
_PACKED_LATELY = 64  # blocks that are kept open, of all tables together
_encode = msgspec.msgpack.Encoder().encode
_decoder: msgspec.msgpack.Decoder[Body] = msgspec.msgpack.Decoder(Body)
_decode_block = msgspec.msgpack.Decoder(list[bytes]).decode


@dataclass(slots=True)
class AppliedEntry:
    """An entry that has happened: with what it caused in the game, and the moment after it."""

    number: int
    at: float
    body: Body
    events: list[Event] = field(default_factory=list)
    moves: int | None = None
    undone: bool = False  # what it did has been taken back


class _Bodies:
    """What entries say: the latest as they are, and what is older in blocks of a quarter of the bytes."""

    __slots__ = ("blocks", "latest")

    def __init__(self, blocks: Sequence[bytes] = (), latest: Sequence[bytes] = ()) -> None:
        self.blocks, self.latest = [*blocks], [*latest]

    def __len__(self) -> int:
        return _BLOCK * len(self.blocks) + len(self.latest)

    def add(self, body: Body) -> None:
        self.latest.append(_encode(body))
        if len(self.latest) == _BLOCK:
            self.blocks.append(zlib.compress(_encode(self.latest)))
            self.latest = []

    def read(self, place: int) -> Body:
        block, within = divmod(place, _BLOCK)
        bodies = _unpacked(self.blocks[block]) if block < len(self.blocks) else self.latest
        return _decoder.decode(bodies[within])


@lru_cache(maxsize=_PACKED_LATELY)
def _unpacked(block: bytes) -> list[bytes]:
    """Who reads one entry of a block mostly reads the others, too."""
    return _decode_block(zlib.decompress(block))


class StoredEntries(msgspec.Struct, array_like=True, frozen=True):
    """Entries that have happened, as a snapshot has them: numbers as bytes, one after the other."""

    blocks: list[bytes]
    latest: list[bytes]
    times: bytes
    moves: bytes
    events: bytes
    requests: bytes
    said: bytes
    said_by_watchers: int
    undone: dict[int, Rows]


class AppliedEntries(Sequence[AppliedEntry]):
    """All entries of a table, the oldest first; their numbers count from 1."""

    __slots__ = (
        "_bodies", "_events", "_moves", "_requests", "_salt", "_times", "_undone",
        "happened", "said", "said_by_watchers",
    )  # fmt: skip

    def __init__(self, salt: bytes) -> None:
        self._salt = salt[: blake2b.MAX_KEY_SIZE]
        self._bodies = _Bodies()
        self._times = array("d")
        self._moves = array("i")  # how many there were after each entry
        self._events = array("i")  # likewise
        self._requests = bytearray()  # a digest for each entry, zeroes for who was not asked for
        self._undone: dict[int, Rows] = {}  # what those had caused whose choice was taken back
        self.happened: EventLog | None = None  # the game's, once it has begun
        self.said = array("i")  # the numbers of those that are chat
        self.said_by_watchers = 0

    def __len__(self) -> int:
        return len(self._bodies)

    @overload
    def __getitem__(self, place: int) -> AppliedEntry: ...
    @overload
    def __getitem__(self, place: slice) -> list[AppliedEntry]: ...
    def __getitem__(self, place: int | slice) -> AppliedEntry | list[AppliedEntry]:
        if isinstance(place, slice):
            return [self._read(one) for one in range(*place.indices(len(self)))]
        if not -len(self) <= place < len(self):
            raise IndexError(place)
        return self._read(place % len(self))

    def _read(self, place: int) -> AppliedEntry:
        number, moves = place + 1, self._moves[place]
        entry = AppliedEntry(number, self._times[place], self._bodies.read(place))
        entry.undone = number in self._undone
        entry.moves = None if moves == _NO_GAME else moves
        if self.happened is not None:
            if entry.undone:
                entry.events = self.happened.of_rows(self._undone[number])
            else:
                entry.events = self.happened[self._events[place - 1] if place else 0 : self._events[place]]
        return entry

    def add(self, entry: Entry, moves: int | None) -> None:
        """Keep an entry that has just happened."""
        self._bodies.add(entry.body)
        self._times.append(entry.at)
        self._moves.append(_NO_GAME if moves is None else moves)
        self._events.append(0 if self.happened is None else len(self.happened))
        self._requests += self._digest(entry.guest, entry.key)
        if isinstance(entry.body, Said):
            self.said.append(entry.number)
            self.said_by_watchers += entry.body.seat is None

    def mark_undone(self, number: int) -> None:
        """What an entry did is about to be taken back: keep aside what it had caused."""
        assert self.happened is not None
        self._undone[number] = self.happened.rows(self._events[number - 2], self._events[number - 1])

    def as_caused(self, entry: Entry, events: list[Event]) -> AppliedEntry:
        """The last entry, with what it has caused."""
        moves = self._moves[-1]
        return AppliedEntry(entry.number, entry.at, entry.body, events, None if moves == _NO_GAME else moves)

    # ------------------------------------------------------------------------- finding

    def until(self, before: int | None) -> int:
        """How many entries there are before a number, of all if there is none."""
        return len(self) if before is None else min(max(before - 1, 0), len(self))

    def said_until(self, before: int | None) -> int:
        """How many of them are chat."""
        return len(self.said) if before is None else bisect_left(self.said, before)

    def number_of(self, guest: str | None, key: str) -> int | None:
        """The entry that a request led to, if it has come before."""
        if guest is None:
            return None
        digest, at = self._digest(guest, key), -1
        while (at := self._requests.find(digest, at + 1)) >= 0:
            if at % _DIGEST == 0:
                return at // _DIGEST + 1
        return None

    def _digest(self, guest: str | None, key: str | None) -> bytes:
        if guest is None or key is None:
            return _NO_REQUEST
        return blake2b(f"{guest}\n{key}".encode(), digest_size=_DIGEST, key=self._salt).digest()

    # ------------------------------------------------------------------------- keeping

    def stored(self) -> StoredEntries:
        """All of it, for a snapshot."""
        return StoredEntries(
            list(self._bodies.blocks),
            list(self._bodies.latest),
            self._times.tobytes(),
            self._moves.tobytes(),
            self._events.tobytes(),
            bytes(self._requests),
            self.said.tobytes(),
            self.said_by_watchers,
            dict(self._undone),
        )

    @classmethod
    def restored(cls, salt: bytes, stored: StoredEntries, happened: EventLog | None) -> AppliedEntries:
        """The entries of a snapshot; a ``ValueError`` if its parts do not fit together."""
        entries = cls(salt)
        entries._bodies = _Bodies(stored.blocks, stored.latest)
        entries._times.frombytes(stored.times)
        entries._moves.frombytes(stored.moves)
        entries._events.frombytes(stored.events)
        entries._requests += stored.requests
        entries._undone = dict(stored.undone)
        entries.happened = happened
        entries.said.frombytes(stored.said)
        entries.said_by_watchers = stored.said_by_watchers
        lengths = {len(entries._times), len(entries._moves), len(entries._events)}
        if lengths != {len(entries)} or len(entries._requests) != _DIGEST * len(entries):
            raise ValueError("The entries of a snapshot do not fit together.")
        return entries
