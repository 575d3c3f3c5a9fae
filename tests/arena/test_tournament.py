"""Tournaments: rotated seats, equal dice, faults on record, the same on any number of threads."""

import json
import re
import sys
import threading
import time
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from tests.arena.failing import Steady

from dicetown import Ruleset, RulesetError
from dicetown.arena import BotTable
from dicetown.arena.contests import match
from dicetown.arena.contests.contestants import enter
from dicetown.arena.contests.sprt import Hypotheses
from dicetown.arena.contests.standings import Standings
from dicetown.arena.contests.tournament import Tournament, play_tournament
from dicetown.bots import BOTS, BotMaker, View
from dicetown.errors import ArenaError, BotError
from dicetown.game.notation import Action

BASE = Ruleset("deluxe", sets=["base"])
BAD = Path(__file__).parents[1] / "bots" / "bad_bot.py"
TIMES = ("seconds", "seconds_per_choice")


def tournament(bots: list[str], games: int, players: int = 2, **more: Any) -> Tournament:
    ruleset = more.pop("ruleset", BASE)
    return Tournament(ruleset, players, enter(bots, more.pop("seconds", None)), games, **more)


def report(bots: list[str], games: int, players: int = 2, threads: int = 2, **more: Any) -> dict[str, Any]:
    """The figures for machines, times aside."""
    found: dict[str, Any] = json.loads(
        json.dumps(
            Standings(play_tournament(tournament(bots, games, players, **more), None, threads)).as_dict()
        )
    )
    for line in (found, *found["results"]):
        for timed in TIMES:
            line.pop(timed, None)
    return found


def bad(how: str) -> str:
    return f"pipe:{sys.executable} -I {BAD} {how}"


# ------------------------------------------------------------------------- in bulk


def test_the_winners_are_those_of_the_tables() -> None:
    """Game for game, rotation by rotation, with the same dice."""
    sheet = play_tournament(tournament(["greedy", "cheese"], 40, seed=3)).sheet
    there = BotTable(BASE, ["greedy", "cheese"], seed=3).play(0, 20)["winner"]
    back = BotTable(BASE, ["cheese", "greedy"], seed=3).play(0, 20)["winner"]
    assert sheet.winners[0::2].tolist() == there.tolist()
    assert sheet.winners[1::2].tolist() == (1 - back).tolist()


def test_bots_that_are_the_same_win_from_opposite_seats_with_the_same_dice() -> None:
    """Common random numbers: two equal bots split every pair of games."""
    winners = play_tournament(tournament(["greedy", "greedy"], 200)).sheet.winners.reshape(-1, 2)
    assert (winners[:, 0] != winners[:, 1]).all()


def test_a_report_has_what_was_promised() -> None:
    found = report(["greedy", "cheese", "random"], 601, seed=4)
    assert (found["edition"], found["sets"], found["house"]) == ("deluxe", ["base"], {})
    assert (found["players"], found["seed"], found["games"], found["interrupted"]) == (2, 4, 601, False)
    assert found["lineups"] == [["greedy", "cheese"], ["greedy", "random"], ["cheese", "random"]]
    assert [line["bot"] for line in found["results"]] == ["greedy", "cheese", "random"]
    assert sum(line["games"] for line in found["results"]) == 2 * 601
    assert sum(line["wins"] for line in found["results"]) + found["draws"] == 601
    for line in found["results"]:
        assert line["share"] == line["wins"] / line["games"]
        assert line["low"] <= line["share"] <= line["high"]
        assert line["elo_low"] < line["elo"] < line["elo_high"]
        assert line["expected"] == 0.5
        assert line["openskill"]["sigma"] > 0
        assert (line["losses_by_fault"], line["faults"]) == (0, {})
    elos = [line["elo"] for line in found["results"]]
    assert elos == sorted(elos, reverse=True)
    pairs = {(pair["bot"], pair["against"]): pair for pair in found["cross_table"]}
    assert len(pairs) == 6
    assert pairs["greedy", "random"]["share"] > 0.9
    assert pairs["greedy", "cheese"]["share"] + pairs["cheese", "greedy"]["share"] == pytest.approx(1)
    assert sum(pair["games"] for pair in pairs.values()) == 2 * 601
    assert found["sprt"] is None


def test_the_last_bot_fills_the_table() -> None:
    found = report(["greedy", "random"], 100, players=4)
    greedy, rest = found["results"]
    assert (greedy["expected"], rest["expected"]) == (0.25, 0.75)
    assert greedy["games"] == rest["games"] == 100
    assert greedy["wins"] > 60


@pytest.mark.parametrize("threads", [1, 3])
def test_the_number_of_threads_changes_nothing(threads: int) -> None:
    bots = ["greedy", "cheese", "ranch", "random"]
    assert report(bots, 3_000, 3, threads) == report(bots, 3_000, 3)


def test_drawn_games_are_nobodys() -> None:
    short = Ruleset("deluxe", sets=["base"], house={"max_turns": 40})
    found = report(["greedy", "cheese"], 400, ruleset=short)
    assert 0 < found["draws"] < 400
    assert sum(line["wins"] for line in found["results"]) + found["draws"] == 400


def test_a_test_stops_play_as_soon_as_it_has_decided() -> None:
    found = report(["greedy", "random"], 100_000, hypotheses=Hypotheses(0, 50))
    assert found["sprt"]["verdict"] == "H1"
    assert found["games"] < 200
    assert not found["interrupted"]
    again = report(["greedy", "random"], 100_000, threads=1, hypotheses=Hypotheses(0, 50))
    assert again == found


def test_a_test_that_is_not_decided_says_so() -> None:
    found = report(["greedy", "greedy"], 60, hypotheses=Hypotheses(-1, 1))
    assert found["sprt"]["verdict"] is None
    assert found["games"] == 60


# ------------------------------------------------------------------- move by move


@pytest.mark.parametrize(
    ("how", "reason"),
    [
        ("illegal", 'It chose "build the_moon"'),
        ("garbage", "which is no line of JSON"),
        ("dies", "It ended with status 3"),
        ("endless-line", "It sent a line of more than"),
        ("no-start", "It ended with status 1"),
        ("hangs", "It did not say choice within 0.20 s."),
    ],
)
def test_a_program_that_fails_loses_with_a_reason_and_play_goes_on(how: str, reason: str) -> None:
    found = report([bad(how), "greedy"], 6, seconds=0.1 if how == "hangs" else 5.0)
    failed, other = found["results"]
    assert (failed["wins"], failed["losses_by_fault"]) == (0, 6)
    assert other["wins"] == 6
    ((said, times),) = failed["faults"].items()
    assert reason in said
    assert times == 6


def test_at_a_larger_table_the_others_play_their_game() -> None:
    found = report([bad("illegal"), "greedy", "cheese"], 12, players=3)
    failed, greedy, cheese = found["results"]
    assert failed["wins"] == 0
    assert failed["losses_by_fault"] == 12
    assert greedy["wins"] + cheese["wins"] + found["draws"] == 12
    assert found["draws"] > 0  # the bot that took over has won some, for nobody
    assert failed["elo"] < min(greedy["elo"], cheese["elo"])


def test_a_program_that_plays_well_has_no_faults() -> None:
    example = Path(__file__).parents[2] / "examples" / "pipe_bot.py"
    found = report([f"pipe:{sys.executable} -I {example}", "random"], 8)
    assert found["results"][0]["losses_by_fault"] == 0
    assert found["results"][0]["wins"] > 4


def test_games_with_programs_are_the_same_on_any_number_of_threads() -> None:
    bots = [bad("thinks"), "random", "greedy:slips=100"]
    assert report(bots, 12, threads=1) == report(bots, 12, threads=3)


# ------------------------------------------------------------- thinking in this process


@pytest.fixture
def thinkers(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Two of Dicetown's own bots that think; how many games each moment had under way is noted."""
    under_way: list[int] = []

    class Thinker(Steady):
        name = "thinker"
        budget = 30.0
        threads = 2

        def choose(self, view: View, rng: Random) -> Action:
            under_way.append(sum(thread.name.startswith("ThreadPool") for thread in threading.enumerate()))
            return view.legal_actions[rng.randrange(len(view.legal_actions))]

    class Dawdler(Steady):
        name = "dawdler"
        budget = 0.01

        def choose(self, view: View, rng: Random) -> Action:
            time.sleep(0.2)
            return view.legal_actions[0]

    for kind in (Thinker, Dawdler):
        monkeypatch.setitem(BOTS, kind.name, BotMaker.of(kind))
    return under_way


def test_bots_that_think_play_as_many_games_at_once_as_there_are_threads_for(thinkers: list[int]) -> None:
    found = report(["thinker", "random"], 12, threads=4)
    assert found["results"][0]["losses_by_fault"] == 0
    assert max(thinkers) == 2  # four threads, two for each
    assert report(["thinker", "random"], 12, threads=1) == found


def test_bots_that_think_have_thought_once_before_the_clock_counts(
    thinkers: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What they compile then costs nobody a game, so there must be something to think about."""
    asked: list[int] = []

    class Compiling(Steady):
        name = "compiling"
        budget = 0.5

        def choose(self, view: View, rng: Random) -> Action:
            asked.append(len(view.legal_actions))
            if len(asked) == 1:
                time.sleep(1.8)
            return view.legal_actions[0]

    monkeypatch.setitem(BOTS, "compiling", BotMaker.of(Compiling))
    short = Ruleset("deluxe", sets=["base"], house={"max_turns": 6})
    found = report(["compiling", "thinker"], 2, ruleset=short)
    assert asked[0] > 1
    assert found["results"][0]["losses_by_fault"] == 0


def test_whoever_thinks_too_long_in_this_process_has_lost_too(
    thinkers: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(match, "GRACE", 0.0)
    failed, other = report(["dawdler", "thinker"], 4)["results"]
    assert (failed["losses_by_fault"], other["wins"]) == (4, 4)
    assert failed["faults"] == {"It did not choose within 0.11 s.": 4}


# ------------------------------------------------------------------------ refusals


def test_what_cannot_be_played_is_refused() -> None:
    with pytest.raises(ArenaError, match="at least two bots"):
        tournament(["greedy"], 10)
    with pytest.raises(ArenaError, match="30 bots make 142,506 tables of 5; name fewer"):
        tournament(["greedy"] * 30, 10, players=5, ruleset=Ruleset("ciudad"))
    with pytest.raises(ArenaError, match="The number of games is 0"):
        tournament(["greedy", "random"], 0)
    with pytest.raises(RulesetError, match="accepted are 2 to 4"):
        tournament(["greedy", "random"], 10, players=7)
    with pytest.raises(BotError, match='no bot "gredy"'):
        tournament(["gredy", "random"], 10)


def test_ctrl_c_stops_soon_and_keeps_what_is_done() -> None:
    def interrupt(done: int, games: int) -> None:
        raise KeyboardInterrupt

    outcome = play_tournament(tournament(["random", "greedy"], 5_000_000), None, 2, interrupt)
    assert outcome.interrupted
    assert 0 < outcome.sheet.count < 5_000_000
    assert Standings(outcome).as_dict()["interrupted"]
    assert np.count_nonzero(outcome.sheet.turns) == outcome.sheet.count


def test_the_example_of_the_page_works(capsys: pytest.CaptureFixture[str]) -> None:
    page = (Path(__file__).parents[2] / "docs" / "arena.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    exec(compile(example, "docs/arena.md", "exec"), {})
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == [
        "greedy",
        "cheese",
        "random",
    ]
