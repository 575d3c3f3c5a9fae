"""The past of a game, kept small: what happened as numbers, and where it stood at intervals.

A game of two hundred moves would otherwise hold two hundred copies of itself, and hundreds of little objects
for what they caused. All that lies behind a game follows from its moves, so a few states are kept as they
were, and those between are played again when somebody asks for them.
"""

from __future__ import annotations

import threading
import zlib
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, overload

import msgspec
import numpy as np

from dicetown.game.events import Event, event_of
from dicetown.game.notation import Move, Notation, Outcome
from dicetown.rules.codes import EVENT_FIELDS, EVENT_TURN
from dicetown.rules.layout import CHOICES, LOG, STATE, listening_log, new, plain, record_class
from dicetown.rules.step import decide, happen

_WIDTH = 1 + EVENT_FIELDS
#: What the numbers of events are kept as: few are above a hundred, and hardly one above ten thousand.
_WIDTHS = "bhi"
#: Moves between two states that are kept for good, and how many of the latest are kept besides.
_INTERVAL, _LATEST = 64, 1


class Desk(threading.local):
    """Records that are used within one step, so that not every game has its own; one desk for each thread.

    They are plain ones, which the interpreted rules are quickest with: a state is laid on the desk, played
    with there, and taken back.
    """

    def __init__(self) -> None:
        self.state = plain(new(STATE))
        self.log = plain(listening_log())
        self.deaf = plain(new(LOG))
        self.choices = plain(new(CHOICES))
        self._told = self.log.rows.cast("B").cast(self.log.rows.format)  # row after row

    def lay(self, state: Any) -> Any:
        """A copy of a state to play with, until the next one is laid there."""
        self.state.whole[:] = state.whole
        return self.state

    def told(self) -> list[int]:
        """What the log holds, row after row; it is empty afterwards."""
        told: list[int] = self._told[: self.log.count * _WIDTH].tolist()
        self.log.count = 0
        return told

    def legal(self) -> array[int]:
        """The choices that have been found, in a fixed order."""
        return array("h", sorted(self.choices.action[: self.choices.count].tolist()))


desk = Desk()


class EventLog(Sequence[Event]):
    """All that has happened in a game, the oldest first; the events are made when they are looked at."""

    __slots__ = ("_counted", "_extra_turns", "_notation", "_rows")

    def __init__(self, notation: Notation, rows: array[int] | None = None) -> None:
        self._notation = notation
        self._rows: array[int] = array(_WIDTHS[0]) if rows is None else rows
        # How far extra turns have been counted, and how many there were.
        self._counted = self._extra_turns = 0

    def __len__(self) -> int:
        return len(self._rows) // _WIDTH

    @overload
    def __getitem__(self, place: int) -> Event: ...
    @overload
    def __getitem__(self, place: slice) -> list[Event]: ...
    def __getitem__(self, place: int | slice) -> Event | list[Event]:
        if isinstance(place, slice):
            first, last, step = place.indices(len(self))
            if step != 1:
                return [self._read(one) for one in range(first, last, step)]
            notation, rows = self._notation, self._rows[first * _WIDTH : last * _WIDTH].tolist()
            return [event_of(rows[at : at + _WIDTH], notation) for at in range(0, len(rows), _WIDTH)]
        if not -len(self) <= place < len(self):
            raise IndexError(place)
        return self._read(place % len(self))

    def _read(self, place: int) -> Event:
        return event_of(self._rows[place * _WIDTH : (place + 1) * _WIDTH], self._notation)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, EventLog):
            return self._rows == other._rows
        return isinstance(other, list) and list(self) == other

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return repr(list(self))

    def hear(self, heard: list[int]) -> None:
        """Take over what a log has told, row after row."""
        try:
            self._rows += array(self._rows.typecode, heard)
        except OverflowError:
            self._rows = array(_WIDTHS[_WIDTHS.index(self._rows.typecode) + 1], self._rows)
            self.hear(heard)

    def count_extra_turns(self) -> int:
        """How many turns have begun that somebody had besides their own."""
        rows = self._rows
        for at in range(self._counted, len(rows), _WIDTH):
            if rows[at] == EVENT_TURN:
                self._extra_turns += rows[at + 2]
        self._counted = len(rows)
        return self._extra_turns

    def latest(self, *kinds: int) -> Iterator[Event]:
        """The events of some kinds, by the rules' codes, the newest first."""
        rows = self._rows
        for at in range(len(rows) - _WIDTH, -1, -_WIDTH):
            if rows[at] in kinds:
                yield self._read(at // _WIDTH)

    def cut(self, length: int) -> None:
        """Forget what came after so many events."""
        del self._rows[length * _WIDTH :]
        self._counted = self._extra_turns = 0

    def first(self, length: int) -> EventLog:
        """A log of its own with the first so many events."""
        return EventLog(self._notation, self._rows[: length * _WIDTH])

    def rows(self, first: int, last: int) -> tuple[str, bytes]:
        """Some of the events as numbers: how wide they are, and their bytes."""
        return self._rows.typecode, self._rows[first * _WIDTH : last * _WIDTH].tobytes()

    def of_rows(self, rows: tuple[str, bytes]) -> list[Event]:
        """The events that :meth:`rows` gave."""
        return EventLog.read(self._notation, rows)[:]

    @classmethod
    def read(cls, notation: Notation, rows: tuple[str, bytes]) -> EventLog:
        """The log that :meth:`rows` gave."""
        read: array[int] = array(rows[0])
        read.frombytes(rows[1])
        return cls(notation, read)


@dataclass(frozen=True, slots=True)
class Moment:
    """Where undo goes back to: the state and the random numbers then, and how much had happened."""

    state: Any
    luck: bytes
    moves: int
    events: int


class StoredPast(msgspec.Struct, array_like=True, frozen=True):
    """The past of a game as it can be stored: numbers as bytes, one after the other."""

    kept: list[tuple[int, bytes]]
    luck: list[tuple[int, bytes]]
    moves: bytes
    events: bytes


class Past:
    """All moments of a game that can be gone back to, the oldest first."""

    __slots__ = ("_events", "_kept", "_latest", "_luck", "_moves", "_tables")

    def __init__(self, tables: Any, state: Any) -> None:
        self._tables = tables
        self._kept: list[tuple[int, bytes]] = [(0, _packed(state.array.tobytes()))]  # by number of moves
        self._latest: list[bytes] = []  # the states of the last of them
        self._luck: list[tuple[int, bytes]] = []  # random numbers, by the first moment that has them
        self._moves, self._events = array("i"), array("i")

    def __len__(self) -> int:
        return len(self._moves)

    def add(self, state: Any, luck: bytes, moves: int, events: int) -> None:
        """Remember a moment, before a move is played."""
        now = state.whole.tobytes()
        if moves - self._kept[-1][0] >= _INTERVAL:
            self._kept.append((moves, _packed(now)))
        self._latest.append(now)
        if len(self._latest) > _LATEST:
            del self._latest[:-_LATEST]
        if not self._luck or self._luck[-1][1] != luck:
            self._luck.append((len(self), luck))
        self._moves.append(moves)
        self._events.append(events)

    def pop(self, moves: Sequence[Move]) -> Moment:
        """Go back to the last moment; ``moves`` are all that were played."""
        at = self._moves.pop()
        if not self._latest:
            self._latest = self._played_again(moves, at)
        state = self._latest.pop()
        while self._kept[-1][0] > at:
            self._kept.pop()
        luck = self._luck[-1][1]
        if self._luck[-1][0] == len(self):
            self._luck.pop()
        return Moment(state_of(state), luck, at, self._events.pop())

    def _played_again(self, moves: Sequence[Move], at: int) -> list[bytes]:
        """The states of the moments up to one, as far back as the last that was kept: undo may go on."""
        first = self._kept_before(at)[0]
        wanted = {*self._moves[bisect_left(self._moves, first) :], at}
        return [s.array.tobytes() for k, s in self._play(moves, first, at) if k in wanted]

    def drop(self, unwanted: Sequence[bool]) -> None:
        """Forget that some moments can be gone back to, before random numbers were drawn; the rest stays."""
        self._latest.clear()
        self._luck = self._luck[:1]
        self._events = array("i", _without(self._events, unwanted))
        self._moves = array("i", _without(self._moves, unwanted))

    def stored(self) -> StoredPast:
        """All of it; states that were only at hand are played again later."""
        return StoredPast(list(self._kept), list(self._luck), self._moves.tobytes(), self._events.tobytes())

    @classmethod
    def restored(cls, tables: Any, stored: StoredPast) -> Past:
        """The past that was stored."""
        past = cls.__new__(cls)
        past._tables = tables
        past._kept, past._luck, past._latest = list(stored.kept), list(stored.luck), []
        past._moves, past._events = array("i", stored.moves), array("i", stored.events)
        return past

    # -------------------------------------------------------------------- looking back

    def events_at(self, moves: int) -> int | None:
        """How many events there were after so many moves; None if that is no moment."""
        place = bisect_left(self._moves, moves)
        return self._events[place] if place < len(self) and self._moves[place] == moves else None

    def events_before(self, moves: int) -> int:
        """How many events there were at the last moment before or at a number of moves."""
        return self._events[bisect_right(self._moves, moves) - 1]

    def state_at(self, played: Sequence[Move], moves: int) -> Any:
        """Where the game stood after so many moves, played again from the last state before that is kept."""
        *_, (_, state) = self._play(played, self._kept_before(moves)[0], moves)
        return state

    def moments(self, played: Sequence[Move]) -> Iterator[tuple[int, int, Any]]:
        """Numbers of moves and events, and the state then, of every moment; the state is only to be read."""
        states = self._play(played, 0, self._moves[-1] if self._moves else 0)
        at, state = next(states)
        for moves, events in zip(self._moves, self._events, strict=True):
            while at < moves:
                at, state = next(states)
            yield moves, events, state

    def _kept_before(self, moves: int) -> tuple[int, bytes]:
        return self._kept[bisect_right(self._kept, moves, key=lambda one: one[0]) - 1]

    def _play(self, played: Sequence[Move], first: int, last: int) -> Iterator[tuple[int, Any]]:
        """The state after so many moves, again and again up to a last number; it is one that goes on."""
        state = state_of(zlib.decompress(self._kept_before(first)[1]))
        yield first, state
        for number in range(first, last):
            move = played[number]
            step = happen if isinstance(move, Outcome) else decide
            step(self._tables, desk.lay(state), desk.deaf, desk.choices, move.number)
            state.whole[:] = desk.state.whole
            yield number + 1, state


def _without(numbers: Sequence[int], unwanted: Sequence[bool]) -> list[int]:
    return [one for one, is_out in zip(numbers, unwanted, strict=True) if not is_out]


def _packed(state: bytes) -> bytes:
    """A state in a sixth of its bytes: most of it is zeroes."""
    return zlib.compress(state, 1)


def state_of(state: bytes) -> Any:
    """The state that these bytes are."""
    return record_class(STATE)(np.frombuffer(state, STATE).copy())
