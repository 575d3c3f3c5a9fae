"""One die or two, counted in little tables whose answers are known."""

from pathlib import Path

import pytest
from tests.lab.by_hand import NUMBERS, base_sample, write_sample

from dicetown.lab.record.folder import Recorded
from dicetown.lab.studies.dice import HABITS, LEAST, dice_of, study

CHEESE, RANCH = NUMBERS["cheese_factory"], NUMBERS["ranch"]
GAMES = 120


@pytest.fixture
def recorded(tmp_path: Path) -> Recorded:
    """Seat 0 always rolls two dice, from turn 4 on, buys two cheese factories, and wins two of three games.

    Seat 1 rolls two dice once in four.
    """
    games, players, purchases = [], [], []
    for game in range(GAMES):
        winner = int(game % 3 == 0)
        games.append({"winner": winner, "turns": 20})
        for seat, (two, begun) in enumerate(((4, 4), (1, 8))):
            players.append(
                {
                    "game": game,
                    "seat": seat,
                    "won": seat == winner,
                    "could_choose": 4,
                    "two_dice": two,
                    "first_two_dice": begun,
                }
            )
        bought = [(0, CHEESE), (0, CHEESE), (0, RANCH), (1, RANCH)]
        purchases += [{"game": game, "seat": seat, "thing": thing} for seat, thing in bought]
    return write_sample(tmp_path / "results", base_sample(2, GAMES), games, players, purchases)


def test_choices_are_counted_over_all_players(recorded: Recorded) -> None:
    dice = dice_of(recorded)
    assert dice.choices == 4
    assert dice.two is not None
    assert dice.two.value == pytest.approx(5 / 8)
    assert dice.first is not None
    assert dice.first.value == pytest.approx(6)


def test_the_curve_rises_when_players_begin(recorded: Recorded) -> None:
    begun = [share.value for share in dice_of(recorded).begun]
    assert begun[:9] == [0, 0, 0, 0.5, 0.5, 0.5, 0.5, 1, 1]


def test_high_cards_are_those_that_one_die_cannot_hit(recorded: Recorded) -> None:
    by_city = {high: two.value for high, _, two in dice_of(recorded).by_city}
    assert by_city == pytest.approx({0: 0.25, 2: 1.0})


def test_habits_are_held_against_the_same_seat(recorded: Recorded) -> None:
    by_habit = {HABITS[group]: ahead.value for group, _, ahead in dice_of(recorded).by_habit}
    # Each seat has one habit only, so it does as well as its seat.
    assert by_habit == pytest.approx({"always": 0, "less": 0})


def test_habits_are_quarters_between_never_and_always(tmp_path: Path) -> None:
    habits = [
        (0, "never"),
        (1, "seldom"),
        (2, "less"),
        (4, "more"),
        (6, "mostly"),
        (7, "mostly"),
        (8, "always"),
    ]
    games = [{"winner": 0} for _ in range(len(habits) * LEAST)]
    players = [
        {"game": game, "seat": seat, "could_choose": 8, "two_dice": habits[game % len(habits)][0]}
        for game in range(len(games))
        for seat in range(2)
    ]
    recorded = write_sample(tmp_path / "results", base_sample(2, len(games)), games, players)
    found = [HABITS[group] for group, _, _ in dice_of(recorded).by_habit]
    assert found == list(dict.fromkeys(name for _, name in habits))


def test_without_any_choice_there_is_nothing_to_compare(tmp_path: Path) -> None:
    games = [{"winner": 0}] * 3
    players = [{"game": game, "seat": seat} for game in range(3) for seat in range(2)]
    recorded = write_sample(tmp_path / "results", base_sample(2, 3), games, players)
    section = study([recorded], "en")
    assert "nobody ever had the choice" in section.answer
    assert section.charts == ()


def test_groups_stand_in_order_even_if_the_first_sample_lacks_some(
    recorded: Recorded, tmp_path: Path
) -> None:
    games = [{"winner": 0} for _ in range(LEAST)]
    players = [
        {"game": game, "seat": seat, "could_choose": 2, "two_dice": seat}
        for game in range(LEAST)
        for seat in range(2)
    ]
    other = write_sample(tmp_path / "other", base_sample(2, LEAST, "planner"), games, players)
    habits = study([recorded, other], "en").table("habits")
    assert list(dict.fromkeys(habits.cells("habit"))) == ["never", "¼ to ½", "½ to ¾", "always"]
