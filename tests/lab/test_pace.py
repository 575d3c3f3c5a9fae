"""Pace, counted in little tables whose answers are known."""

from pathlib import Path

import pytest
from tests.lab.by_hand import base_sample, write_sample

from dicetown.lab.findings.section import Estimate
from dicetown.lab.record.folder import Recorded
from dicetown.lab.studies.pace import pace_of, study

#: Turns, winner, the winner's rank at half-time, turns of the end-game.
GAMES = [(40, 0, 0, 8), (50, 0, 1, 10), (60, 1, 2, 12), (50, 2, 0, 10), (90, -1, -1, -1)]


def write(folder: Path, *bots: str) -> Recorded:
    games = [
        {
            "turns": turns,
            "winner": winner,
            "half_rank_of_winner": rank,
            "endgame": end,
            "decisions": 2 * turns,
        }
        for turns, winner, rank, end in GAMES * 40
    ]
    return write_sample(folder, base_sample(3, len(games), *bots), games)


@pytest.fixture
def recorded(tmp_path: Path) -> Recorded:
    return write(tmp_path / "results")


def test_turns_and_decisions_are_means_over_all_games(recorded: Recorded) -> None:
    pace = pace_of(recorded)
    assert pace.games == 200
    assert pace.turns.value == pytest.approx(58)
    assert pace.decisions.value == pytest.approx(116)
    error = (sum((turns - 58) ** 2 for turns, *_ in GAMES) / 5 / 200) ** 0.5
    assert pace.turns.high - 58 == pytest.approx(1.96 * error, rel=1e-3)
    assert pace.quantiles[2] == 50


def test_seats_share_the_games_that_somebody_won(recorded: Recorded) -> None:
    pace = pace_of(recorded)
    assert (pace.decided, pace.wins) == (160, (80, 40, 40))
    assert [share.value for share in pace.shares] == [0.5, 0.25, 0.25]


def test_a_winner_who_did_not_lead_came_back(recorded: Recorded) -> None:
    pace = pace_of(recorded)
    assert pace.winners_by_rank == (80, 40, 40)
    assert pace.comebacks.value == pytest.approx(0.5)
    assert pace.from_last.value == pytest.approx(0.25)


def test_the_end_game_is_counted_where_there_was_one(recorded: Recorded) -> None:
    endgame = pace_of(recorded).endgame
    assert endgame is not None
    assert endgame.value == pytest.approx(10)


def test_seats_are_compared_only_where_the_same_bot_sits_on_all(recorded: Recorded, tmp_path: Path) -> None:
    seats = study([recorded], "en").table("seats")
    ahead = seats.cells("ahead")[0]
    assert isinstance(ahead, Estimate)
    assert ahead.value == pytest.approx(0.5 - 1 / 3)
    mixed = study([write(tmp_path / "mixed", "greedy", "random", "planner")], "en")
    assert "seats" not in [table.key for table in mixed.tables]
    assert "first seat" not in mixed.answer


def test_the_histogram_holds_all_games(recorded: Recorded) -> None:
    turns = study([recorded], "en").table("turns")
    assert not turns.shown
    assert sum(float(str(share)) for share in turns.cells("share")) == pytest.approx(1.0)


def test_of_several_samples_the_answer_names_the_ends(recorded: Recorded, tmp_path: Path) -> None:
    quick = write_sample(
        tmp_path / "quick", base_sample(2, 100), [{"turns": 20, "winner": 0, "half_rank_of_winner": 0}] * 100
    )
    answer = study([recorded, quick], "en").answer
    assert "20.0 (2 players) to 58.0 (3 players) turns" in answer
