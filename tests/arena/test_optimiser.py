"""Tuning the planner: repeatable, never for the worse, and clear about what it needs."""

import sys
from pathlib import Path

import pytest

from dicetown import Ruleset
from dicetown.arena.contests.optimiser import Objective, lineups, tune, weights_at
from dicetown.bots.rules.planner_weights import START, read_weights, start_weights
from dicetown.bots.rules.scripts import scripts_for
from dicetown.cli import main
from dicetown.errors import BotError, RulesetError
from dicetown.material.reading import read_toml

BASE = Ruleset("deluxe", sets=["base"])


@pytest.mark.parametrize("players", [2, 4])
def test_every_script_of_the_game_sits_at_some_table(players: int) -> None:
    greedy, *tables = lineups(BASE, players)
    assert greedy == ["greedy"] * (players - 1)
    assert {name for table in tables for name in table} == set(scripts_for(BASE))
    assert all(len(table) == players - 1 for table in tables)


def test_the_same_seed_finds_the_same_weights_on_any_number_of_threads() -> None:
    first = tune(BASE, 2, generations=3, games=80, seed=4, threads=1)
    assert first == tune(BASE, 2, generations=3, games=80, seed=4, threads=2)
    assert first.weights != tune(BASE, 2, generations=3, games=80, seed=5, threads=2).weights


def test_tuning_never_ends_worse_than_it_began() -> None:
    tuned = tune(BASE, 2, generations=2, games=60, seed=1)
    assert tuned.share >= tuned.before
    if tuned.share == tuned.before:
        assert tuned.weights.keys() == START.keys()


def test_candidates_play_the_same_games() -> None:
    objective = Objective(BASE, 2, games=200, seed=3)
    assert objective.share(start_weights(), 0) == objective.share(start_weights(), 0)
    assert 0 < objective.share(start_weights(), 0) < 1


def test_weights_stay_whole_and_within_bounds() -> None:
    far = weights_at([1e6] * len(START), start_weights())  # type: ignore[arg-type]
    assert far == {name: weight.most for name, weight in START.items()}
    assert weights_at([0.0] * len(START), start_weights()) == start_weights()  # type: ignore[arg-type]


def test_a_number_of_players_that_cannot_play_is_refused() -> None:
    with pytest.raises(RulesetError, match="7 players cannot play"):
        tune(BASE, 7, generations=1, games=10, seed=1)


def test_without_the_library_one_sentence_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cmaes", None)
    with pytest.raises(
        BotError, match=r"^Tuning needs the library cmaes; .* pip install 'dicetown\[tune\]'\.$"
    ):
        tune(BASE, 2, generations=1, games=10, seed=1)


# --------------------------------------------------------------------------- the command


def dicetown(*arguments: str) -> int:
    with pytest.raises(SystemExit) as left:
        main(list(arguments))
    assert isinstance(left.value.code, int)
    return left.value.code


def test_the_command_writes_a_table_beside_the_others(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "my.toml"
    quick = ["--sets", "base", "--generations", "1", "--games", "40", "--seed", "2", "--out", str(out)]
    assert dicetown("tune", *quick, "--players", "2") == 0
    assert dicetown("tune", *quick, "--players", "3") == 0
    found = read_weights(read_toml(out), out.name)
    assert list(found["base"]) == [2, 3]
    command = "dicetown tune --edition deluxe --sets base --players 2 --generations 1 --games 40 --seed 2"
    assert found["base"][2].command == command
    assert "Games won: " in capsys.readouterr().err


def test_the_command_prints_where_it_is_told_no_file(capsys: pytest.CaptureFixture[str]) -> None:
    assert dicetown("tune", "--sets", "base", "--players", "2", "--generations", "1", "--games", "20") == 0
    assert "[base.2]" in capsys.readouterr().out


def test_weights_that_cannot_be_written_are_printed(capsys: pytest.CaptureFixture[str]) -> None:
    full = ["--out", "/dev/full"]
    short = ["--sets", "base", "--players", "2", "--generations", "1", "--games", "20"]
    assert dicetown("tune", *short, *full) == 2
    told = capsys.readouterr()
    assert "[base.2]" in told.out
    assert "/dev/full: the weights cannot be written there (No space left on device)." in told.err


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--players", "9"], "9 players cannot play deluxe"),
        (["--edition", "delux"], 'There is no edition "delux"'),
        (["--out", "nowhere/my.toml"], "nowhere/my.toml: there is no such folder to write the weights to"),
        (["--out", "."], ". is a folder; name a file to write the weights to"),
    ],
    ids=["players", "edition", "no folder", "folder"],
)
def test_what_cannot_be_tuned_is_said_at_once(
    arguments: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert dicetown("tune", *arguments) == 2
    assert sentence in capsys.readouterr().err


def test_help_gives_examples(capsys: pytest.CaptureFixture[str]) -> None:
    assert dicetown("tune", "--help") == 0
    shown = capsys.readouterr().out
    assert "For example: dicetown tune" in shown
    assert "dicetown[tune]" in shown
