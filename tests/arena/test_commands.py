"""``dicetown arena`` and ``dicetown ladder``."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.bots.tether import Tether
from tests.running import Run

from dicetown.arena.contests import ladder
from dicetown.arena.contests.ladder import RUNGS, Rung, best_scripts, climbers, rungs, set_choices
from dicetown.bots import BOTS
from dicetown.playout.table import ready
from dicetown.rules.ruleset import Ruleset

ROOT = Path(__file__).parents[2]
BAD = ROOT / "tests" / "bots" / "bad_bot.py"


@pytest.fixture(scope="module", autouse=True)
def _compile_first() -> None:
    ready()


def test_the_arena_prints_json_and_nothing_else(dicetown: Run, tmp_path: Path) -> None:
    status, out, _ = dicetown(
        "arena", "--bots", "greedy,random", "--games", 40, "--edition", "ciudad", "--json"
    )
    assert status == 0
    found = json.loads(out)
    assert found["edition"] == "ciudad"
    for line in found["results"]:
        assert {"bot", "games", "wins", "share", "low", "high"} <= set(line)
        assert line["games"] == 40
    assert not list(tmp_path.rglob("*.jsonl"))  # a finished run leaves nothing behind


def test_the_arena_prints_tables_for_people(dicetown: Run) -> None:
    status, out, _ = dicetown("arena", "--bots", "greedy,cheese", "--bots", "random", "--players", 2)
    assert status == 0
    assert [line.split()[0] for line in out.splitlines()[3:6]] == ["greedy", "cheese", "random"]
    assert "ahead of …" in out
    assert "1,000 games" in out


def test_the_arena_tells_what_went_wrong_and_what_was_decided(dicetown: Run) -> None:
    bot = f"pipe:{sys.executable} -I {BAD} dies"
    _, out, _ = dicetown("arena", "--bots", bot, "--bots", "greedy", "--games", 4, "--sprt", "0,30")
    assert "lost 4 games: It ended with status 3: ValueError: no idea" in out
    assert "Not decided yet between +0 and +30 Elo" in out
    _, out, _ = dicetown("arena", "--bots", "greedy,random", "--games", 4_000, "--sprt", "0,30")
    assert "greedy is stronger than the rest: +30 Elo rather than +0" in out
    _, out, _ = dicetown("arena", "--bots", "random,greedy", "--games", 4_000, "--sprt", "0,30")
    assert "random is not that much stronger: +0 Elo rather than +30" in out


def test_a_log_that_is_named_is_kept_and_continued(dicetown: Run, tmp_path: Path) -> None:
    log = tmp_path / "games.jsonl"
    command = ["arena", "--bots", "greedy,random", "--json", "--log", log]
    dicetown(*command, "--games", 30)
    status, out, err = dicetown(*command, "--games", 60)
    assert status == 0
    assert "Going on with a run that was begun before" in err
    assert json.loads(out)["games"] == 60
    status, _, err = dicetown(*command, "--games", 60, "--seed", 1)
    assert status == 2
    assert "the log belongs to another run: its seed is 0, not 1" in err


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        ("arena --bots greedy", "at least two bots"),
        ("arena", "Missing option '--bots'"),
        ("arena --bots greedy,gredy", 'no bot "gredy"'),
        ("arena --bots greedy,random --players 9", "9 players cannot play deluxe"),
        ("arena --bots greedy,random --sprt 5", "--sprt 0,20 tests"),
        ("arena --bots greedy --bots pipe:no_such_program", 'no program "no_such_program"'),
        ("arena --bots greedy,random --log /nowhere/at/all", "cannot be written there"),
        ("simulate --device gpu --games 1", 'no device "gpu"; choose one of cpu, cuda'),
        ("train champion classic --device gpu", 'no device "gpu"; known: cuda, cpu'),
        ("simulate --device cuda --engine ray", "name --device cuda or --engine ray, not both"),
        ("ladder --bots greedy", "at least two bots"),
        ("ladder --editions delux", 'no edition "delux"'),
        ("ladder --players two", "is no list of numbers of players"),
        ("ladder --players 9", "is played by 9"),
        ("ladder --out /nowhere/at/all.md", "there is no such folder"),
        ("ladder --out /", "is a folder; name a file to write the ladder to"),
    ],
)
def test_a_mistake_is_one_sentence(dicetown: Run, arguments: str, part: str) -> None:
    status, out, err = dicetown(*arguments.split())
    assert (status, out) == (2, "")
    assert err.count("\n") == 1
    assert part in err


def test_seats_follow_from_the_bots(dicetown: Run) -> None:
    def players(*bots: str) -> int:
        named = ("--bots", ",".join(bots), "--games", "10", "--json", "--sets", "base")
        return int(json.loads(dicetown("arena", *named)[1])["players"])

    assert players("greedy", "random", "cheese") == 3
    assert players("greedy", "random", "cheese", "ranch", "cafe", "bakery") == 4  # the most there are


@pytest.mark.slow
def test_after_ctrl_c_the_same_command_goes_on(tmp_path: Path) -> None:
    bot = f"pipe:{sys.executable} -I {BAD} thinks"
    command = [sys.executable, "-m", "dicetown", "arena", "--bots", bot, "--bots", "random", "--sets", "base"]
    command += ["--games", "60", "--threads", "1", "--json"]
    env = os.environ | {"PYTHONPATH": str(ROOT / "src"), "XDG_STATE_HOME": str(tmp_path)}
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, env=env) as first:
        deadline = time.monotonic() + 120
        while not any(log.read_bytes().count(b"\n") > 2 for log in tmp_path.rglob("*.jsonl")):
            assert time.monotonic() < deadline
            time.sleep(0.02)
        first.send_signal(signal.SIGINT)
        out, _ = first.communicate(timeout=60)
    part = json.loads(out)
    assert first.returncode == 130
    assert part["interrupted"]
    assert 0 < part["games"] < 60
    second = subprocess.run(command, capture_output=True, text=True, env=env, check=True)
    assert "Going on with a run that was begun before" in second.stderr
    whole = subprocess.run([*command, "--fresh"], capture_output=True, text=True, env=env, check=True)
    shares = [[line["wins"] for line in json.loads(ran.stdout)["results"]] for ran in (second, whole)]
    assert shares[0] == shares[1]
    assert not list(tmp_path.rglob("*.jsonl"))


@pytest.mark.slow
def test_who_ends_the_arena_ends_its_programs(tmp_path: Path) -> None:
    env = os.environ | {"PYTHONPATH": str(ROOT / "src"), "XDG_STATE_HOME": str(tmp_path)}
    pipe = subprocess.PIPE
    with Tether() as tether:
        bot = f"pipe:seconds=60:{sys.executable} -I {BAD} hangs {tether.port}"
        command = [sys.executable, "-m", "dicetown", "arena", "--bots", bot, "--bots", "random"]
        with subprocess.Popen([*command, "--games", "4"], stdout=pipe, stderr=pipe, env=env) as arena:
            try:
                _wait_until(lambda: tether.holding() > 0)
            finally:
                arena.terminate()
                arena.communicate(timeout=30)  # half of what the program could go on for
        assert arena.returncode == 130
        _wait_until(lambda: tether.holding() == 0)


def _wait_until(comes_true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 120
    while not comes_true():
        assert time.monotonic() < deadline
        time.sleep(0.02)


# --------------------------------------------------------------------------- ladder


def test_the_ladder_has_every_edition_and_number_of_players() -> None:
    tables = [(rung.title, rung.players) for rung in rungs(["deluxe", "neue_stadt"])]
    assert ("deluxe: base", 4) in tables
    assert ("deluxe: base, harbor", 5) in tables
    assert ("neue_stadt: base", 5) in tables
    assert ("deluxe: base", 5) not in tables
    assert len(tables) == len(set(tables))
    assert set_choices("neue_stadt") == [("base",)]


def test_on_the_ladder_stand_the_levels_that_there_are_and_the_best_script() -> None:
    found = climbers(Rung(Ruleset("deluxe", sets=["base"]), 2))
    assert found[:-1] == [bot for bot in RUNGS if bot in BOTS]
    assert "greedy" in found
    assert found[-1:] == best_scripts(Rung(Ruleset("deluxe", sets=["base"]), 2), 1)


def test_the_ladder_is_a_page_with_the_command_that_made_it(
    dicetown: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ladder, "machine", lambda: "a machine")
    page = tmp_path / "ladder.md"
    command = "ladder --games 60 --seed 0 --bots greedy,cheese,random --editions deluxe --players 2,3"
    status, out, _ = dicetown(*command.split(), "--out", page)
    assert (status, out) == (0, "")
    text = page.read_text(encoding="utf-8")
    assert text.startswith("# The ladder\n")
    assert "## deluxe: base, harbor\n" in text
    assert "| bot | 2 players | 3 players |" in text
    assert text.count("| greedy |") == 3
    assert f"Made by `dicetown {command}` with Dicetown " in text
    assert text.rstrip().endswith("(a machine).")
    assert not list(tmp_path.rglob("*.jsonl"))


def test_with_little_time_the_ladder_shows_what_there_is_and_goes_on_later(dicetown: Run) -> None:
    options = "--games 5000 --bots search:playouts=100:threads=1,greedy --editions deluxe --players 2"
    games = []
    for _ in range(2):
        status, out, _ = dicetown("ladder", *options.split(), "--minutes", "0.01", "--json")
        assert status == 0
        assert json.loads(out)["command"].endswith("--minutes 0.01")
        games.append([table["games"] for table in json.loads(out)["tables"]])
    assert all(0 < first < later < 5000 for first, later in zip(*games, strict=True))


def test_the_ladder_for_machines(dicetown: Run) -> None:
    options = "--games 20 --bots greedy,random --editions neue_stadt --players 2 --json"
    status, out, _ = dicetown("ladder", *options.split())
    assert status == 0
    (table,) = json.loads(out)["tables"]
    assert (table["edition"], table["players"], table["games"]) == ("neue_stadt", 2, 20)
