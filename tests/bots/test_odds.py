"""The chances of the dice, against counting them."""

import pytest
from tests.bots.positions import position

from dicetown import Ruleset
from dicetown.bots.rules.odds import (
    habit,
    habits_of_all,
    ways_of_one,
    ways_of_others,
    ways_with_harbor,
    ways_with_one,
    ways_with_two,
    with_habit,
)

FACES = range(1, 7)


@pytest.mark.parametrize("first", range(1, 15))
@pytest.mark.parametrize("width", range(3))
def test_ways_are_what_counting_gives(first: int, width: int) -> None:
    last = min(14, first + width)
    numbers = range(first, last + 1)
    assert ways_with_one(first, last) == 6 * sum(die in numbers for die in FACES)
    assert ways_with_two(first, last) == sum(die + other in numbers for die in FACES for other in FACES)


def test_a_harbor_reaches_for_numbers_beyond_the_dice() -> None:
    game = position(Ruleset("ciudad"), [{"landmarks": ["harbor"]}, {}])
    for first, last in ((12, 14), (12, 13)):
        assert ways_with_harbor(game.tables, game.state, 0, first, last) == 6  # 10, 11 and 12
        assert ways_with_harbor(game.tables, game.state, 1, first, last) == 1
    assert ways_with_harbor(game.tables, game.state, 0, 7, 7) == 6


def test_habits_are_kept_seat_by_seat() -> None:
    habits = 0
    for seat, quarters in enumerate([4, 1, 0, 3, 4]):
        habits = with_habit(habits, seat, quarters)
    assert [habit(habits, seat) for seat in range(5)] == [4, 1, 0, 3, 4]
    changed = with_habit(habits, 3, 0)
    assert [habit(changed, seat) for seat in range(5)] == [4, 1, 0, 0, 4]


def test_others_rolls_add_up_to_those_of_each() -> None:
    tables = position(Ruleset("ciudad"), [{}, {}, {}]).tables
    habits = with_habit(with_habit(with_habit(0, 0, 4), 1, 1), 2, 3)
    each = [ways_of_one(habits, seat, 6, 5) for seat in range(3)]
    assert ways_of_others(tables, habits, 0, 6, 5) == each[1] + each[2]


def test_who_may_and_wants_to_rolls_two_dice() -> None:
    station = ["train_station"]
    game = position(
        Ruleset("ciudad"),
        [
            {"cards": {"mine": 1}},
            {"cards": {"bakery": 2}, "landmarks": station},
            {"cards": {"bakery": 2, "mine": 1}, "landmarks": station},
        ],
    )
    habits = habits_of_all(game.tables, game.state)
    assert [habit(habits, seat) for seat in range(3)] == [4, 4, 1]
