"""Openings, counted in little tables whose answers are known."""

from pathlib import Path

import pytest
from tests.lab.by_hand import BASE, NUMBERS, base_sample, write_sample

from dicetown.lab.findings.section import Estimate
from dicetown.lab.record.folder import Recorded
from dicetown.lab.studies.openings import LEAST, Opening, best_of, openings, samples_for, study
from dicetown.lab.studies.study import Wish
from dicetown.rules.codes import MAX_CARDS

RANCH, BAKERY, CAFE, FOREST = (NUMBERS[card] for card in ("ranch", "bakery", "cafe", "forest"))
MALL = NUMBERS["shopping_mall"]
STATION = NUMBERS["train_station"]


@pytest.fixture
def recorded(tmp_path: Path) -> Recorded:
    """200 games of two: seat 0 begins with the Ranch and wins three of four, seat 1 with the Bakery.

    In the last 40 games both begin with the Café, and seat 1 wins half of them.
    """
    games, players = [], []
    for game in range(200):
        late = game >= 160
        winner = game % 2 if late else int(game % 4 == 0)
        games.append({"winner": winner, "turns": 20})
        for seat, opening in enumerate((RANCH, BAKERY)):
            first = CAFE if late else opening
            players.append(
                {
                    "game": game,
                    "seat": seat,
                    "won": seat == winner,
                    "first": first,
                    "second": RANCH,
                    "third": first if not late else FOREST,
                    "first_landmark": (MALL if seat == 0 else STATION) - MAX_CARDS,
                }
            )
    return write_sample(tmp_path / "results", base_sample(2, 200), games, players)


def test_first_purchases_are_counted_with_their_wins(recorded: Recorded) -> None:
    found = {opening.things: opening for opening in openings(recorded, "first")}
    assert {things: one.players for things, one in found.items()} == {
        (RANCH,): 160,
        (BAKERY,): 160,
        (CAFE,): 80,
    }
    assert found[RANCH,].won.value == pytest.approx(0.75)
    assert found[BAKERY,].won.value == pytest.approx(0.25)
    assert found[CAFE,].share == pytest.approx(0.2)


def test_a_player_is_held_against_what_the_same_seat_won(recorded: Recorded) -> None:
    found = {opening.things: opening for opening in openings(recorded, "first")}
    # Seat 0 won 140 of 200 games, seat 1 the other 60.
    assert found[RANCH,].ahead.value == pytest.approx(0.75 - 0.70)
    assert found[BAKERY,].ahead.value == pytest.approx(0.25 - 0.30)
    assert found[CAFE,].ahead.value == pytest.approx(0.5 - (0.70 + 0.30) / 2)


def test_both_players_of_a_game_are_one_observation(recorded: Recorded) -> None:
    """One of two players who begin alike wins, always: nothing is uncertain about their share."""
    cafe = next(one for one in openings(recorded, "first") if one.things == (CAFE,))
    assert cafe.ahead.high - cafe.ahead.low == pytest.approx(0.0, abs=1e-9)


def test_pairs_and_threes_are_counted_in_any_order(recorded: Recorded) -> None:
    pairs = {opening.things: opening.players for opening in openings(recorded, "pair")}
    low, high = sorted((RANCH, BAKERY))
    assert pairs[low, high] == 160
    assert pairs[RANCH, RANCH] == 160
    threes = {opening.things: opening.players for opening in openings(recorded, "three")}
    assert threes[tuple(sorted((RANCH, CAFE, FOREST)))] == 80
    assert threes[tuple(sorted((BAKERY, RANCH, BAKERY)))] == 160


def test_the_first_landmark_is_a_landmark(recorded: Recorded) -> None:
    marks = {opening.things: opening.won.value for opening in openings(recorded, "landmark")}
    assert marks == {(MALL,): pytest.approx(0.7), (STATION,): pytest.approx(0.3)}


def test_rare_openings_stand_together(tmp_path: Path) -> None:
    games = [{"winner": 0} for _ in range(200)]
    players = [
        {"game": game, "seat": seat, "won": seat == 0, "first": RANCH if game < 160 else game % 6 + 3}
        for game in range(200)
        for seat in range(2)
    ]
    found = openings(write_sample(tmp_path / "results", base_sample(2, 200), games, players), "first")
    assert [opening.things for opening in found] == [(RANCH,), ()]
    assert found[1].players == 80


def test_hardly_any_players_are_not_worth_a_figure(tmp_path: Path) -> None:
    games = [{"winner": 0} for _ in range(LEAST // 2 - 1)]
    players = [
        {"game": game, "seat": seat, "won": seat == 0, "first": RANCH}
        for game in range(len(games))
        for seat in range(2)
    ]
    recorded = write_sample(tmp_path / "results", base_sample(2, len(games)), games, players)
    assert openings(recorded, "first") == []
    assert "No first purchase is surely ahead" in study([recorded], "en").answer


def test_the_best_opening_is_surely_ahead_and_not_too_rare() -> None:
    def opening(thing: int, share: float, low: float) -> Opening:
        return Opening((thing,), 100, share, Estimate(0.5, 0.4, 0.6), Estimate(low + 0.05, low, low + 0.1))

    rare, usual, unsure = opening(1, 0.02, 0.2), opening(2, 0.5, 0.01), opening(3, 0.4, -0.01)
    others = Opening((), 100, 0.5, rare.won, Estimate(0.9, 0.8, 1.0))
    assert best_of([rare, usual, unsure, others]) == rare
    assert best_of([rare, usual, unsure, others], least=0.05) == usual
    assert best_of([unsure, others]) is None


def test_bots_that_can_slip_begin_in_other_ways_too() -> None:
    wish = Wish(BASE, (2,), (("greedy",), ("cheese", "planner:slips=5")), 1_000)
    assert [sample.bots for sample in samples_for(wish)] == [
        ("greedy:slips=100", "greedy:slips=100"),
        ("cheese", "planner:slips=5"),
    ]


def test_the_section_names_the_best_opening(recorded: Recorded) -> None:
    section = study([recorded], "de")
    assert "Bauernhof" in section.table("first").cells("opening")
    assert [chart.table for chart in section.charts] == ["first", "landmark"]
    assert "Das beste erste Großprojekt" not in section.answer
