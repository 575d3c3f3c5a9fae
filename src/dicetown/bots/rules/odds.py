"""Dice, exactly: how many of 36 equally likely rolls show one of a card's numbers."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dicetown.rules.city import landmarks_with
from dicetown.rules.codes import MAX_PLAYERS, MAX_TOTAL, POWER_ADD, POWER_TWO_DICE
from dicetown.rules.kernel import kernel
from dicetown.rules.layout import State, Tables

ROLLS = 36  # one die counts sixfold, so that both kinds of roll are out of as many
MOST_WITH_ONE = 6
MOST_WITH_TWO = 12
_NUMBERS = range(MAX_TOTAL + 1)


def _count_ways(totals: list[int]) -> NDArray[np.int64]:
    """For each pair of a first and a last number, how many of 36 rolls lie between them."""
    ways = [
        [sum(first <= total <= last for total in totals) * ROLLS // len(totals) for last in _NUMBERS]
        for first in _NUMBERS
    ]
    return np.array(ways, np.int64)


# Looked up rather than reckoned: bots ask a hundred times per decision.
_WITH_ONE = _count_ways([die for die in range(1, 7)])
_WITH_TWO = _count_ways([die + other for die in range(1, 7) for other in range(1, 7)])


@kernel
def ways_with_one(first: int, last: int) -> int:
    """Of 36 rolls of one die, how many show `first` to `last`."""
    return int(_WITH_ONE[first, last])


@kernel
def ways_with_two(first: int, last: int) -> int:
    """Of the 36 rolls of two dice, how many show `first` to `last`.

    >>> ways_with_two(7, 7), ways_with_two(9, 10), ways_with_two(2, 12), ways_with_two(13, 14)
    (6, 7, 36, 0)
    """
    return int(_WITH_TWO[first, last])


@kernel
def ways_with_harbor(t: Tables, s: State, seat: int, first: int, last: int) -> int:
    """Rolls of two dice that show the numbers, where the roller's Harbor may reach for them (R3).

    Only numbers that are out of reach or nearly so are reached for; else the Harbor is left aside.
    """
    if first < MOST_WITH_TWO or landmarks_with(t, s, seat, POWER_ADD) == 0:
        return ways_with_two(first, last)
    step = MAX_TOTAL - MOST_WITH_TWO
    return ways_with_two(first - step, MOST_WITH_TWO)


@kernel
def may_roll_two_dice(t: Tables, s: State, seat: int) -> bool:
    """Whether a player may roll two dice: a Train Station stands, or everybody may."""
    return t.free_dice != 0 or landmarks_with(t, s, seat, POWER_TWO_DICE) != 0


# Habits: how many quarters of each player's rolls are reckoned with one die. They are packed into one
# integer, four bits a seat, and above them the sum of all: kernels pass integers about, not lists.
QUARTERS = 4
_QUARTER = 2  # shifting by so many bits divides by four, and is quicker
HIGH_HABIT = 1  # who has high cards and may choose, mostly rolls two
_SUM_AT = 4 * MAX_PLAYERS
_SEAT_MASK = 15


@kernel
def habit(habits: int, seat: int) -> int:
    """Quarters of a player's rolls that are reckoned with one die."""
    return (habits >> (4 * seat)) & _SEAT_MASK


@kernel
def with_habit(habits: int, seat: int, quarters: int) -> int:
    """The habits, but for one player's."""
    change = quarters - habit(habits, seat)
    return habits + (change << (4 * seat)) + (change << _SUM_AT)


@kernel
def mixed(habits: int, seat: int, one: int, two: int) -> int:
    """What a player's rolls bring, that would bring `one` with one die and `two` with two."""
    return ways_of_one(habits, seat, one, two) >> _QUARTER


@kernel
def ways_of_one(habits: int, seat: int, one: int, two: int) -> int:
    """Quarters of 36 rolls by which a player shows numbers, who does so in `one` or `two` ways."""
    quarters = habit(habits, seat)
    return quarters * one + (QUARTERS - quarters) * two


@kernel
def ways_of_others(t: Tables, habits: int, seat: int, one: int, two: int) -> int:
    """Quarters of 36 rolls by which all other players together show numbers."""
    quarters = (habits >> _SUM_AT) - habit(habits, seat)
    return quarters * one + (QUARTERS * (int(t.players) - 1) - quarters) * two


@kernel(apart=True)
def habits_of_all(t: Tables, s: State) -> int:
    """What dice the players are expected to roll, from what they may and what their cities want."""
    habits = 0
    for seat in range(int(t.players)):
        quarters = QUARTERS
        if may_roll_two_dice(t, s, seat):
            quarters = habit_of_city(t, s, seat)
        habits = with_habit(habits, seat, quarters)
    return habits


@kernel(apart=True)
def habit_of_city(t: Tables, s: State, seat: int) -> int:
    """Quarters of rolls with one die that suit a city: few once it has a card of a high number."""
    for card in range(int(t.cards) - 1, -1, -1):  # sorted by number
        if t.first_roll[card] <= MOST_WITH_ONE:
            break
        if s.owned[seat, card] > 0:
            return HIGH_HABIT
    return QUARTERS
