"""Snapshots: where a table stood after some of its entries, so that only those after them need be folded.

The journal is the truth, and a snapshot only saves time. It is read by the very version that has made it; to
any other it is nothing, and the journal is folded from its beginning.
"""

from __future__ import annotations

import hashlib
import sys
import zlib
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

import msgspec

from dicetown.errors import DicetownError
from dicetown.server.journal.applied import AppliedEntries, StoredEntries
from dicetown.server.journal.entries import Entry
from dicetown.server.journal.fold import MISFITS, TableState
from dicetown.server.journal.played_game import PlayedGame, StoredPlay
from dicetown.server.journal.summary import Summary

#: What a fold depends on, and so whether a snapshot is of this version.
_FOLDED_BY = ("rules", "material", "game", "server/journal")


class Misfit(DicetownError):
    """A snapshot that does not fit its journal, or cannot be read."""


class _StoredTable(msgspec.Struct, array_like=True, frozen=True):
    """A table as its snapshot has it."""

    summary: Summary
    moment: int
    entries: StoredEntries
    play: StoredPlay | None


_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(_StoredTable)


@cache
def version() -> str:
    """The version of snapshots: it changes with whatever a fold depends on."""
    found = hashlib.sha256(sys.byteorder.encode())
    for folder in _FOLDED_BY:
        for file in _files_in(files("dicetown").joinpath(folder)):
            found.update(file.read_bytes())
    return found.hexdigest()[:32]


def _files_in(folder: Traversable) -> list[Traversable]:
    found = sorted(folder.iterdir(), key=lambda one: one.name)
    return [one for one in found if one.name.endswith((".py", ".toml"))]


def write_snapshot(state: TableState) -> bytes:
    """Where a table stands; it can be made smaller by :func:`pack`, by who has the time."""
    play = None if state.play is None else state.play.stored()
    return _encoder.encode(_StoredTable(state.summary, state.moment, state.entries.stored(), play))


def pack(written: bytes) -> bytes:
    """A snapshot as it is stored."""
    return zlib.compress(written, 1)


def go_on_from(packed: bytes, code: str, rest: Sequence[Entry]) -> TableState:
    """Where a table stands by a snapshot and its journal, from the last entry that the snapshot knows of.

    Raises :class:`Misfit` if the two do not belong together, and
    :class:`~dicetown.server.journal.entries.Unreadable` if what comes after the snapshot makes no sense.
    """
    try:
        state = _restore(_decoder.decode(zlib.decompress(packed)))
        known = state.entries[-1]
    except (zlib.error, msgspec.DecodeError, *MISFITS) as problem:
        raise Misfit(f"{type(problem).__name__}: {problem}") from None
    if state.summary.code != code:
        raise Misfit("It is of another table.")
    if not rest or (rest[0].number, rest[0].at, rest[0].body) != (known.number, known.at, known.body):
        raise Misfit(f"Entry {known.number} is another one in the journal.")
    state.go_on(rest[1:])
    return state


def _restore(stored: _StoredTable) -> TableState:
    state = TableState.__new__(TableState)
    state.summary, state.moment = stored.summary, stored.moment
    state.play = None if stored.play is None else PlayedGame.restored(stored.summary, stored.play)
    happened = None if state.play is None else state.play.game.events
    state.entries = AppliedEntries.restored(stored.summary.secret.encode(), stored.entries, happened)
    return state
