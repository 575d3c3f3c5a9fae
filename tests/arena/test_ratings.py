"""Ratings recover strengths that are known."""

import numpy as np
import pytest
from tests.arena.sheets import sheet_of

from dicetown.arena.contests.ratings import chance, fit_elo, rate_openskill
from dicetown.arena.contests.schedule import Schedule
from dicetown.arena.contests.scores import TAKEN_OVER, Failure, Sheet

STRENGTHS = [150.0, 50.0, -200.0]


@pytest.mark.parametrize("players", [2, 3])
def test_elo_comes_out_as_it_went_in(players: int) -> None:
    found = fit_elo(sheet_of(STRENGTHS, players, 12_000, seed=1))
    for elo, known in zip(found, STRENGTHS, strict=True):
        assert elo.elo == pytest.approx(known, abs=15)
        assert elo.low < elo.elo < elo.high
        assert elo.high - elo.low < 40
    assert sum(elo.elo for elo in found) == pytest.approx(0, abs=1e-6)


def test_the_last_bot_in_several_seats_is_rated_by_seat() -> None:
    """One bot of Elo 200 against three of 0."""
    better, rest = fit_elo(sheet_of([200.0, 0.0], 4, 8_000, seed=2))
    assert better.elo - rest.elo == pytest.approx(200, abs=25)


def test_intervals_hold_the_truth_about_nineteen_times_in_twenty() -> None:
    held = 0
    for seed in range(100):
        first, second = fit_elo(sheet_of([30.0, -30.0], 2, 300, seed=seed))
        held += first.low <= 30 <= first.high
        assert second.elo == pytest.approx(-first.elo)
    assert 88 <= held <= 100


def test_luck_that_cancels_between_seats_makes_intervals_narrower() -> None:
    lucky, plain = (sheet_of([0.0, 0.0], 2, 4_000, seed=3, luck=luck) for luck in (0.6, 0.0))
    widths = [fit_elo(sheet)[0].high - fit_elo(sheet)[0].low for sheet in (lucky, plain)]
    assert widths[0] < 0.8 * widths[1]


def test_who_wins_everything_has_a_large_but_finite_elo() -> None:
    sheet = Sheet(Schedule(2, 2), 50)
    sheet.winners[:] = 0
    first, second = fit_elo(sheet)
    assert 200 < first.elo - second.elo < 3_000
    assert all(np.isfinite([first.low, first.high, second.low, second.high]))


def test_without_a_game_all_are_equal() -> None:
    for elo in fit_elo(Sheet(Schedule(3, 2), 10)):
        assert elo.elo == 0
        assert elo.high > 1_000
    assert {skill.mu for skill in rate_openskill(Sheet(Schedule(3, 2), 10))} == {25.0}


def test_draws_are_shared_and_bring_bots_closer() -> None:
    clear = fit_elo(sheet_of([100.0, -100.0], 2, 4_000, seed=4))
    drawn = fit_elo(sheet_of([100.0, -100.0], 2, 4_000, seed=4, draws=0.5))
    assert 0 < drawn[0].elo < clear[0].elo


def test_who_fails_gets_nothing_even_where_nobody_won() -> None:
    sheet = Sheet(Schedule(3, 3), 30)
    sheet.winners[:] = TAKEN_OVER
    sheet.failures = {number: [Failure(0, "late", "It was late.")] for number in range(30)}
    failed, one, other = fit_elo(sheet)
    assert failed.elo < -200
    assert one.elo == pytest.approx(other.elo, abs=1e-6)


def test_openskill_orders_bots_by_strength_and_grows_sure() -> None:
    few, many = (rate_openskill(sheet_of(STRENGTHS, 3, games, seed=5)) for games in (30, 1_500))
    assert many[0].mu > many[1].mu > many[2].mu
    for before, after in zip(few, many, strict=True):
        assert after.sigma < before.sigma < 25 / 3


def test_the_chance_of_a_seat() -> None:
    assert chance(0, 2) == 0.5
    assert chance(0, 5) == 0.2
    assert chance(400, 2) == pytest.approx(10 / 11)
