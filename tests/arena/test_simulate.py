"""Simulations: the same whoever counts, and bad requests refused in a sentence."""

import json

import pytest

from dicetown import Ruleset, RulesetError
from dicetown.arena import simulate, wilson
from dicetown.errors import BotError

BASE = Ruleset("deluxe", sets=["base"])
TIMES = ("seconds", "games_per_second", "decisions_per_second", "threads")


def facts(**changes: object) -> dict[str, object]:
    """What a simulation found, times aside."""
    request: dict[str, object] = {
        "ruleset": BASE,
        "players": 3,
        "bots": ["greedy", "random", "greedy"],
        "games": 700,
        "seed": 5,
        "threads": 1,
    }
    found = simulate(**(request | changes)).as_dict()  # type: ignore[arg-type]
    return {key: value for key, value in found.items() if key not in TIMES}


@pytest.mark.parametrize("threads", [2, 3, 8])
def test_the_number_of_threads_changes_nothing(threads: int) -> None:
    assert facts(threads=threads) == facts()


def test_the_same_seed_gives_the_same_games_and_another_gives_others() -> None:
    assert facts() == facts()
    assert facts(seed=6)["decisions"] != facts()["decisions"]
    assert facts(seed=5 + (1 << 32))["decisions"] != facts()["decisions"]


def test_every_game_is_won_or_drawn() -> None:
    short = Ruleset("deluxe", sets=["base"], house={"max_turns": 60})
    played = simulate(short, 4, ["greedy"], 500, seed=1, threads=2)
    assert played.games == 500 == sum(played.wins) + played.draws
    assert 0 < played.draws < 500
    assert played.draw_share == played.draws / 500
    assert played.as_dict()["endless"] == 0
    assert max(played.tally.turns) == 60


def test_a_report_for_machines_holds_what_was_asked_and_found() -> None:
    played = simulate(Ruleset("ciudad"), 2, ["greedy"], 300, seed=9, threads=2)
    report = json.loads(json.dumps(played.as_dict()))
    assert report["edition"] == "ciudad"
    assert report["sets"] == ["base", "harbor"]
    assert report["players"] == 2
    assert report["bots"] == ["greedy", "greedy"]
    assert (report["seed"], report["threads"]) == (9, 2)
    assert (report["games"], report["games_asked"], report["interrupted"]) == (300, 300, False)
    assert sum(report["wins"]) == 300
    assert report["shares"] == [won / 300 for won in report["wins"]]
    for share, (low, high) in zip(report["shares"], report["intervals"], strict=True):
        assert low < share < high
    turns = report["percentiles"]
    assert list(turns) == ["5", "25", "50", "75", "95"]
    ordered = [report["fewest_turns"], *turns.values(), report["most_turns"]]
    assert ordered == sorted(ordered)
    assert report["fewest_turns"] < report["mean_turns"] < report["most_turns"]
    assert report["games_per_second"] > 0
    assert report["decisions_per_second"] > report["games_per_second"]


def test_percentiles_are_turns_within_which_so_many_games_were_over() -> None:
    played = simulate(BASE, 2, ["random"], 200, seed=3, threads=1)
    for percent, turns in played.percentiles.items():
        over = sum(games for number, games in played.tally.turns.items() if number <= turns)
        before = sum(games for number, games in played.tally.turns.items() if number < turns)
        assert before < percent * 2 <= over  # 200 games: two are one percent


def test_progress_is_told_up_to_the_end() -> None:
    heard: list[tuple[int, int]] = []
    simulate(BASE, 2, ["random"], 600, threads=2, progress=lambda done, games: heard.append((done, games)))
    assert heard[-1] == (600, 600)
    assert [done for done, _ in heard] == sorted(done for done, _ in heard)


def test_ctrl_c_stops_soon_and_keeps_what_is_done() -> None:
    def interrupt(done: int, games: int) -> None:
        raise KeyboardInterrupt

    played = simulate(BASE, 4, ["random"], 2_000_000, threads=2, progress=interrupt)
    assert played.interrupted
    assert 0 < played.games < 2_000_000
    assert sum(played.wins) + played.draws == played.games == sum(played.tally.turns.values())
    assert played.as_dict()["games_asked"] == 2_000_000


def test_a_position_that_nobody_can_win_is_given_up() -> None:
    """Two landmarks, each there once, of which one needs both: as soon as each player has one."""
    house = {"landmarks": ["park", "temple"], "landmarks_to_win": 2}
    played = simulate(Ruleset("neue_stadt", house=house), 2, ["greedy"], 20, seed=1, threads=1)
    assert played.tally.endless > 0
    assert played.draws == played.tally.endless


@pytest.mark.parametrize(
    ("hits", "tries", "low", "high"),
    [
        (0, 10, 0.0, 0.2775),
        (1, 10, 0.0179, 0.4042),
        (5, 10, 0.2366, 0.7634),
        (10, 10, 0.7225, 1.0),
        (250, 1000, 0.2242, 0.2778),
    ],
)
def test_wilson_intervals_are_those_of_the_textbooks(hits: int, tries: int, low: float, high: float) -> None:
    assert wilson(hits, tries) == pytest.approx((low, high), abs=5e-5)


def test_an_unknown_bot_is_refused() -> None:
    with pytest.raises(BotError, match='no bot "gready"'):
        simulate(BASE, 2, ["gready"], 10)


def test_bots_must_fill_the_seats() -> None:
    with pytest.raises(BotError, match="2 bots are named for 3 players; name one for each seat"):
        simulate(BASE, 3, ["random", "greedy"], 10)


def test_impossible_numbers_are_refused() -> None:
    with pytest.raises(RulesetError, match="accepted are 2 to 4"):
        simulate(BASE, 6, ["random"], 10)
    with pytest.raises(RulesetError, match="The number of games is 0"):
        simulate(BASE, 2, ["random"], 0)
    with pytest.raises(RulesetError, match="The number of threads is -1"):
        simulate(BASE, 2, ["random"], 10, threads=-1)
