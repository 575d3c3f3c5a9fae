"""The records the rules work on: a game's state, a ruleset's tables, and their helpers.

Each is a NumPy structured record, so that ``state.coins[seat]`` reads the same interpreted,
compiled and on a GPU, copying a game copies a few hundred bytes, and a batch is an array.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from dicetown.rules.codes import (
    EVENT_FIELDS,
    MAX_AGENDA,
    MAX_CARDS,
    MAX_CHOICES,
    MAX_COUNTED,
    MAX_COUNTERS,
    MAX_LANDMARKS,
    MAX_PLAYERS,
    MAX_ROWS,
    MAX_THINGS,
    MAX_TOTAL,
    N_POWERS,
)
from dicetown.rules.kernel import name_record

#: A game in progress. All of it is public: decks are counts, and no seed is in it.
STATE = np.dtype(
    [
        ("coins", "i4", MAX_PLAYERS),
        ("built", "i4", MAX_PLAYERS),  # landmarks, one bit each; City Hall is not among them
        ("turns", "i4"),  # finished turns
        ("start_left", "i4"),  # builds left in the start rounds
        ("invested", "i4", MAX_PLAYERS),  # coins on the Tech Startup, out of play (R27)
        ("done", "i4"),  # agenda entries already resolved, one bit each
        ("owned", "i1", (MAX_PLAYERS, MAX_CARDS)),  # all copies, closed ones too
        ("closed", "i1", (MAX_PLAYERS, MAX_CARDS)),
        ("market", "i1", MAX_THINGS),  # face up
        ("deck", "i1", MAX_THINGS),  # still to be drawn
        ("row_types", "i1", MAX_ROWS),  # different things face up in each row: counted, not recounted
        ("row_deck", "i2", MAX_ROWS),  # things left to be drawn for each row, likewise
        ("due", "i1", MAX_AGENDA),  # the roller's open copies when the total became final (R7)
        ("phase", "i1"),
        ("turn", "i1"),  # whose turn: the roller
        ("dice", "i1"),  # dice rolled: one or two
        ("die", "i1"),
        ("other_die", "i1"),
        ("total", "i1"),  # of the dice, raised by the Harbor if so chosen
        ("rerolled", "i1"),
        ("extra_earned", "i1"),  # extra turns earned in this turn
        ("extra_left", "i1"),  # extra turns still to be taken
        ("received", "i1"),  # has the roller received a coin on this roll? (R56)
        ("acting", "i1"),  # the thing whose copies are being resolved one by one
        ("left", "i1"),  # copies of it still to act
        ("hosting", "i1"),  # Convention Centers left, this one included, while one acts; else 0
        ("host", "i1"),  # the Convention Center that acts
        ("given", "i1"),  # the card chosen to be handed over
        ("given_closed", "i1"),
        ("partner", "i1"),  # the player chosen to trade with
        ("built_now", "i1"),  # something was built in this turn
        ("refill", "i1"),  # market rows to be topped up, one bit each
        ("winner", "i1"),
    ],
    align=True,
)

#: A ruleset for a number of players, as the kernels read it.
TABLES = np.dtype(
    [
        ("players", "i4"),
        ("cards", "i4"),
        ("landmarks", "i4"),
        # establishments
        ("cost", "i2", MAX_CARDS),
        ("amount", "i2", MAX_CARDS),
        ("on_build", "i2", MAX_CARDS),
        ("colour", "i1", MAX_CARDS),
        ("icon", "i1", MAX_CARDS),
        ("effect", "i1", MAX_CARDS),
        ("first_roll", "i1", MAX_CARDS),
        ("last_roll", "i1", MAX_CARDS),
        ("per", "i1", MAX_THINGS),
        ("counted", "i1", (MAX_THINGS, MAX_COUNTED + 1)),  # card numbers counted by `per`, then NOTHING
        ("n_counted", "i1", MAX_THINGS),
        ("counted_by", "i1", (MAX_CARDS, MAX_COUNTERS + 1)),  # cards that count own or all such, then NOTHING
        ("needs_built", "i4", MAX_CARDS),  # landmarks the owner needs, as bits
        ("needs_below", "i1", MAX_CARDS),  # the owner must have fewer landmarks
        ("roller_least", "i1", MAX_CARDS),  # the roller must have so many landmarks
        ("conditional", "i1", MAX_CARDS),  # whether it needs anything at all
        ("then_closes", "i1", MAX_CARDS),
        ("swaps_any", "i1", MAX_CARDS),
        ("bonus_own", "i4", MAX_CARDS),  # landmarks that raise the card for their owner
        ("bonus_all", "i4", MAX_CARDS),  # landmarks that raise it for everybody
        ("shared_bonus", "i4"),  # whether there are any such landmarks
        ("limit", "i1", MAX_CARDS),  # copies one player may build
        ("by_cost", "i1", MAX_CARDS),
        ("agenda", "i1", (MAX_TOTAL + 1, MAX_AGENDA)),  # cards a total activates, as they resolve
        ("n_agenda", "i1", MAX_TOTAL + 1),
        # landmarks
        ("landmark_cost", "i2", (MAX_LANDMARKS, 3)),
        ("landmark_least", "i2", MAX_LANDMARKS),  # the lowest price it can ever have
        ("landmark_amount", "i2", MAX_LANDMARKS),
        ("landmark_number", "i2", MAX_LANDMARKS),  # the total it speaks of
        ("landmark_target", "i1", MAX_LANDMARKS),  # the landmark it speaks of
        ("landmark_alone", "i1", MAX_LANDMARKS),  # only while its builder alone has none
        ("power", "i1", MAX_LANDMARKS),
        ("reach", "i1", MAX_LANDMARKS),
        ("power_own", "i4", N_POWERS),  # landmarks that give their owner the power
        ("power_all", "i4", N_POWERS),  # landmarks that give it to everybody
        # set-up
        ("start_coins", "i4"),
        ("start_city", "i1", MAX_CARDS),
        ("supply", "i1", MAX_THINGS),
        ("row_of", "i1", MAX_THINGS),  # the market row a thing belongs to; -1: lies open
        ("row_target", "i1", MAX_ROWS),
        ("rows", "i4"),
        # house rules
        ("shared_landmarks", "i4"),
        ("free_dice", "i4"),
        ("startup", "i4"),  # the card that takes investments, or NOTHING
        ("landmarks_act", "i4"),  # some landmark acts after a roll's income (Machi Koro 2)
        ("landmarks_to_win", "i4"),
        ("n_mortal", "i4"),
        ("mortal", "i1", MAX_CARDS),  # purple cards whose stacks are discarded when dead (R44)
        ("reroll_may_change_dice", "i4"),
        ("extra_turn_fixed_at_roll", "i4"),
        ("choose_order", "i4"),
        ("business_center_optional", "i4"),
        ("renovation_by_bank", "i4"),
        ("closed_reopens_unmet", "i4"),
        ("winery_closes_without_vineyard", "i4"),
        ("airport_before_invest", "i4"),
        ("tax_threshold", "i4"),
        ("help", "i4"),
        ("start_rounds", "i4"),
        ("max_extra_turns", "i4"),
        ("max_turns", "i4"),
    ],
    align=True,
)

#: What happened, for whoever listens. With a capacity of 0 nothing is written.
LOG = np.dtype([("capacity", "i4"), ("count", "i4"), ("rows", "i4", (512, 1 + EVENT_FIELDS))], align=True)

#: The legal actions of the player to decide.
CHOICES = np.dtype([("count", "i4"), ("action", "i2", MAX_CHOICES)], align=True)

#: The possible outcomes of chance, with integer weights.
OUTCOMES = np.dtype(
    [("count", "i4"), ("outcome", "i2", MAX_CHOICES), ("weight", "i2", MAX_CHOICES)], align=True
)

# What kernels call their records. To the type checker a record can be anything: its fields are made here.
State: TypeAlias = Any
Tables: TypeAlias = Any
Log: TypeAlias = Any
Choices: TypeAlias = Any
Outcomes: TypeAlias = Any
States: TypeAlias = Any  # an array of states

name_record("State", STATE)
name_record("Tables", TABLES)
name_record("Log", LOG)
name_record("Choices", CHOICES)
name_record("Outcomes", OUTCOMES)


class Record:
    """A record as interpreted kernels see it: attribute access, plain Python numbers.

    NumPy's own ``recarray`` reads the same but spends most of its time looking fields up.
    The subclass for a layout is made by :func:`record_class`.
    """

    __slots__ = ("array",)
    array: NDArray[Any]  # of one element, which compiled kernels take as `array[0]`
    layout: np.dtype[Any]

    def __getattr__(self, name: str) -> Any:  # for the type checker: fields are made per layout
        raise AttributeError(name)

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        """A copy whose fields are its own array's; one by one they would be copied apart from it."""
        return copy(self)


@cache
def record_class(layout: np.dtype[Any]) -> Callable[[NDArray[Any]], Any]:
    """A class whose attributes are the fields of a layout.

    >>> state = new(STATE)
    >>> state.coins[2] = 3
    >>> state.phase = 9
    >>> int(state.array[0]["coins"][2]), int(state.array[0]["phase"])
    (3, 9)
    """
    scalars, nested, views = _parts_of(layout)

    def __init__(self: Any, array: NDArray[Any]) -> None:
        self.array = array
        self.whole = whole = memoryview(array.view(np.uint8))  # type: ignore[arg-type]
        for kind, view in views.items():
            setattr(self, view, whole.cast(kind))
        for name in nested:
            setattr(self, name, array[name][0])

    members: dict[str, Any] = {"layout": layout, "__init__": __init__}
    members["__slots__"] = ("whole", *views.values(), *nested)
    members |= {name: _scalar(layout, name, views) for name in scalars}
    return type("LayoutRecord", (Record,), members)


def _parts_of(layout: np.dtype[Any]) -> tuple[list[str], list[str], dict[Any, str]]:
    """The names of a layout's numbers and of its arrays, and what views by kind of number are called.

    Views are the whole record as numbers of each kind that it holds: Python reads those without NumPy's help.
    """
    assert layout.fields is not None
    nested = [name for name, (field, *_) in layout.fields.items() if field.shape]
    scalars = [name for name in layout.fields if name not in nested]
    return scalars, nested, {layout[name].char: f"as_{layout[name].name}" for name in scalars}


def _scalar(layout: np.dtype[Any], name: str, views: dict[Any, str]) -> property:
    """A number of a record: some place in one of its views, which is fetched as a constant."""
    field, offset = layout.fields[name][:2]  # type: ignore[index]
    assert offset % field.itemsize == 0 == layout.itemsize % field.itemsize, name
    made: dict[str, Any] = {}
    place = f"self.{views[field.char]}[{offset // field.itemsize}]"
    exec(f"def read(self): return {place}\ndef write(self, value): {place} = value", made)
    return property(made["read"], made["write"])


@cache
def _plain_class(layout: np.dtype[Any]) -> Callable[[memoryview], Any]:
    """What :func:`plain` gives: like :func:`record_class`, without NumPy."""
    scalars, nested, views = _parts_of(layout)
    assert layout.fields is not None
    arrays: list[Any] = [(name, *layout.fields[name][:2]) for name in nested]

    def __init__(self: Any, whole: memoryview) -> None:
        self.whole = whole
        for kind, view in views.items():
            setattr(self, view, whole.cast(kind))
        for name, field, offset in arrays:
            part = whole[offset : offset + field.itemsize]
            setattr(self, name, part.cast(field.base.char, field.shape))

    def __deepcopy__(self: Any, memo: dict[int, Any]) -> Any:
        return self if self.whole.readonly else type(self)(memoryview(bytearray(self.whole)))

    members: dict[str, Any] = {"layout": layout, "__init__": __init__, "__deepcopy__": __deepcopy__}
    members["__slots__"] = ("whole", *views.values(), *nested)
    members |= {name: _scalar(layout, name, views) for name in scalars}
    return type("PlainRecord", (), members)


def plain(record: Any) -> Any:
    """The same record, as interpreted kernels read it fastest: its arrays know single numbers, and no more.

    >>> state = new(STATE)
    >>> plain(state).owned[1, 2] = 3
    >>> int(state.owned[1, 2]), type(plain(state).owned[1, 2])
    (3, <class 'int'>)
    """
    return _plain_class(record.layout)(record.whole)


def new(layout: np.dtype[Any]) -> Any:
    """A zeroed record for interpreted kernels; ``record.array[0]`` is the same for compiled ones."""
    return record_class(layout)(_of_bytes(bytes(layout.itemsize), layout))


def copy(record: Any) -> Any:
    """An independent copy of a record."""
    return record_class(record.layout)(_of_bytes(record.array.tobytes(), record.layout))


def _of_bytes(content: bytes, layout: np.dtype[Any]) -> NDArray[Any]:
    """An array of one record. NumPy would fill or copy it field after field, and take ten times as long."""
    return np.frombuffer(bytearray(content), layout)


class Shelf:
    """An array of records as interpreted kernels see it: as from an array, what is put there is copied.

    >>> shelf = Shelf(np.zeros(2, STATE))
    >>> shelf[0].turns = 7
    >>> shelf[1] = shelf[0]
    >>> shelf[0].turns = 8
    >>> shelf[1].turns, len(shelf)
    (7, 2)
    """

    def __init__(self, array: NDArray[Any]) -> None:
        self.array = array
        self._records: dict[int, Any] = {}

    def __len__(self) -> int:
        return len(self.array)

    def __getitem__(self, place: int) -> Any:
        if place not in self._records:
            self._records[place] = record_class(self.array.dtype)(self.array[place : place + 1])
        return self._records[place]

    def __setitem__(self, place: int, record: Any) -> None:
        self.array[place] = record.array[0]


def listening_log() -> Any:
    """A log that records."""
    log = new(LOG)
    log.capacity = len(log.rows)
    return log
