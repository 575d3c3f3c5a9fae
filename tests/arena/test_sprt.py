"""The sequential test decides right, and seldom wrong."""

import pytest
from tests.arena.sheets import sheet_of

from dicetown.arena.contests.scores import Sheet
from dicetown.arena.contests.sprt import BOUND, LEAST_ROUNDS, Hypotheses, judge
from dicetown.errors import ArenaError

TEST = Hypotheses(0, 60)


def test_who_is_clearly_stronger_is_found_so_soon() -> None:
    verdict = judge(sheet_of([150.0, 0.0], 2, 4_000, seed=1), TEST)
    assert verdict.accepted == "H1"
    assert verdict.llr >= BOUND
    assert verdict.games < 600


def test_who_is_not_stronger_is_found_too() -> None:
    verdict = judge(sheet_of([-50.0, 0.0], 2, 4_000, seed=1), TEST)
    assert verdict.accepted == "H0"
    assert verdict.llr <= -BOUND


@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize(("elo", "right"), [(0.0, "H0"), (60.0, "H1")])
def test_at_its_hypotheses_the_test_errs_seldom(players: int, elo: float, right: str) -> None:
    verdicts = [judge(sheet_of([elo, 0.0], players, 2_400, seed), TEST).accepted for seed in range(40)]
    wrong = sum(verdict not in (right, None) for verdict in verdicts)
    assert wrong <= 5  # two are expected
    assert verdicts.count(right) >= 28


def test_luck_that_cancels_speeds_the_test_up() -> None:
    """Where dice often decide for a seat, and all sit in it in turn, rounds differ less."""
    games = {
        luck: sum(judge(sheet_of([0.0, 0.0], 2, 4_000, seed, luck=luck), TEST).games for seed in range(8))
        for luck in (0.0, 0.6)
    }
    assert games[0.6] < games[0.0]


def test_a_gap_in_the_games_is_waited_for() -> None:
    sheet = sheet_of([150.0, 0.0], 2, 1_000, seed=1)
    decided = judge(sheet, TEST).games
    gap = Sheet(sheet.schedule, 1_000)
    gap.winners[:] = sheet.winners
    gap.winners[10] = -3
    assert judge(gap, TEST).games == 10
    gap.winners[10] = sheet.winners[10]
    assert judge(gap, TEST).games == decided


def test_nothing_is_decided_by_a_handful_of_games() -> None:
    sheet = sheet_of([2_000.0, 0.0], 2, 2 * LEAST_ROUNDS - 2, seed=1)
    assert judge(sheet, TEST).accepted is None
    assert judge(Sheet(sheet.schedule, 10), TEST).llr == 0


def test_rounds_without_the_first_bot_say_nothing_about_it() -> None:
    """Three bots at tables of two: a third of the games is between the others."""
    assert judge(sheet_of([120.0, 0.0, 0.0], 2, 6_000, seed=1), TEST).accepted == "H1"


@pytest.mark.parametrize("text", ["", "5", "20,0", "0,0", "a,b", "0,20,40", "0,inf", "nan,5"])
def test_what_is_no_pair_of_hypotheses_is_refused(text: str) -> None:
    with pytest.raises(ArenaError, match="--sprt 0,20 tests 0 against 20"):
        Hypotheses.read(text)
