"""Who plays whom: seats rotate, dice are shared, everybody plays equally often."""

from collections import Counter

import pytest

from dicetown.arena.contests.schedule import Entry, Schedule, line_up


def test_the_last_bot_named_fills_the_seats_that_are_left() -> None:
    assert line_up(2, 4) == ((0, 1, 1, 1),)
    assert line_up(3, 5) == ((0, 1, 2, 2, 2),)
    assert line_up(3, 3) == ((0, 1, 2),)


def test_more_bots_than_seats_play_in_all_combinations() -> None:
    assert len(line_up(5, 2)) == 10
    assert line_up(4, 3) == ((0, 1, 2), (0, 1, 3), (0, 2, 3), (1, 2, 3))


@pytest.mark.parametrize(("bots", "players"), [(2, 2), (2, 4), (3, 3), (4, 2), (5, 3)])
def test_in_a_round_everybody_sits_in_every_seat_equally_often(bots: int, players: int) -> None:
    schedule = Schedule(bots, players)
    sat: Counter[tuple[int, int]] = Counter()
    for number in range(schedule.round_length):
        sat.update((bot, seat) for seat, bot in enumerate(schedule.seats(schedule.entry(number))))
    for bot in range(bots):
        assert len({sat[bot, seat] for seat in range(players)}) == 1


def test_all_games_of_a_round_have_the_same_dice() -> None:
    schedule = Schedule(3, 2)
    assert schedule.round_length == 6
    assert [schedule.entry(number).game for number in range(13)] == [0] * 6 + [1] * 6 + [2]


@pytest.mark.parametrize("number", [0, 1, 5, 11, 12, 1000])
def test_a_number_and_an_entry_are_the_same_thing(number: int) -> None:
    schedule = Schedule(4, 3)
    assert schedule.number(schedule.entry(number)) == number


def test_the_games_of_a_table_are_found_among_all() -> None:
    schedule = Schedule(3, 2)
    total = 20
    found = []
    for lineup in range(3):
        for rotation in range(2):
            games = schedule.games_of(lineup, rotation, total)
            numbers = range(total)[schedule.numbers(lineup, rotation, 0, games)]
            assert len(numbers) == games
            assert [schedule.entry(n) for n in numbers] == [
                Entry(lineup, rotation, game) for game in range(games)
            ]
            found += list(numbers)
    assert sorted(found) == list(range(total))
