"""The command line: what it prints, and that a mistake is one sentence, status 2 and nothing overwritten."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.running import Ran

from dicetown import Game, Ruleset, __version__

ROOT = Path(__file__).parents[1]


@pytest.fixture
def game_file(tmp_path: Path) -> Path:
    """A saved game of two turns."""
    game = Game(Ruleset("deluxe", sets=["base"]), names=["Ana", "Ben"], seed=3)
    for move in ("roll 1", "build ranch", "roll 1", "pass"):
        game.play(move)
    file = tmp_path / "game.json"
    game.save(file)
    return file


# ------------------------------------------------------------------------- mistakes


def check_refused(ran: Ran, *parts: str) -> None:
    assert ran.status == 2
    assert ran.out == ""
    assert ran.err.startswith("dicetown: ")
    assert ran.err.count("\n") == 1
    for part in parts:
        assert part in ran.err


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        ("play --edition delux", ['no edition "delux"', 'did you mean "deluxe"', "ciudad"]),
        ("play --edition ciudad --sets base,harbour", ['"harbour"', 'did you mean "harbor"']),
        ("play --sets harbor", ['lack "base"']),
        ("play --players Ana,Ben,Caro,Dan,Eve,Fay", ["6 players cannot play deluxe", "2 to 5"]),
        ("play --players Ana", ["1 players cannot play deluxe", "2 to 5"]),
        ("play --players Ana,Max:gredy", ['no bot "gredy"', 'did you mean "greedy"']),
        ("play --players Ana,,Ben", ["name is empty"]),
        ("play --house start_cions=5", ['no house rule "start_cions"', 'did you mean "start_coins"']),
        ("play --house start_coins", ['"start_coins" is no house rule', "start_coins=5"]),
        ("play --house start_coins=many", ["start_coins", "whole number"]),
        ("play --house market=heap", ["market", "heap", "stacks"]),
        ("play --house cards=cafe,bakry", ['no card "bakry" (house rule cards)', 'did you mean "bakery"']),
        ("play --house landmarks=city_hall", ['no landmark "city_hall"']),
        ("play --house landmarks_to_win=9", ["landmarks_to_win is 9", "nobody could win"]),
        ("play --lang fr --players 2", ['no language "fr"', "en, es, de"]),
        ("play --speed warp --players 2", ['no speed "warp"', "slow, normal, instant"]),
        ("play --resume nowhere.json", ["nowhere.json", "cannot be read"]),
        ("play --resume nowhere.json --edition deluxe", ["give --resume alone"]),
        ("play --players 2 --save-to no/where.json", ["where.json", "the folder no does not exist"]),
        ("replay nowhere.json", ["nowhere.json", "cannot be read"]),
        ("scenario nowhere.yaml", ["nowhere.yaml"]),
        ("cards caffe --edition neue_stadt", ['no card "caffe" in neue_stadt', "cafe"]),
        ("cards --edition nowhere", ['no edition "nowhere"']),
        ("simulate --edition delux", ['no edition "delux"']),
        ("simulate --bots greedy,gredy", ['no bot "gredy"']),
        ("simulate --bots greedy,random --players 3", ["2 bots are named for 3 players"]),
        ("simulate --players 7", ["7 players cannot play deluxe"]),
        ("simulate --games 0", ["--games"]),
        ("simulate --house max_truns=5", ['did you mean "max_turns"']),
        ("bots --lang xx", ['no language "xx"']),
        ("plya", ["No such command 'plya'", "dicetown --help"]),
        ("play --seed x", ["--seed", "dicetown play --help"]),
        ("play --colour", ["--colour", "dicetown play --help"]),
        ("replay", ["dicetown replay --help"]),
    ],
)
def test_a_mistake_is_one_sentence_and_status_2(dicetown, arguments: str, parts: list[str]) -> None:
    check_refused(dicetown(*arguments.split()), *parts)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("{", ["this is no saved game"]),
        ("not JSON", ["this is no saved game"]),
        ('{"format": "dicetown/2"}', ["dicetown/2", 'this version reads "dicetown/1"']),
        ('{"format": "dicetown/1"}', ["this is no saved game", "ruleset"]),
    ],
)
@pytest.mark.parametrize("command", ["play --resume", "replay"])
def test_a_broken_save_is_named_and_left_alone(
    dicetown, tmp_path: Path, command: str, text: str, parts: list[str]
) -> None:
    file = tmp_path / "broken.json"
    file.write_text(text, encoding="utf-8")
    check_refused(dicetown(*command.split(), file), str(file), *parts)
    assert file.read_text(encoding="utf-8") == text


@pytest.mark.parametrize(
    ("old", "new", "parts"),
    [
        ("build ranch", "build airport", ["move 3 cannot be played", "build airport"]),
        ("build ranch", "build castle", ["move 3 cannot be played", "build castle"]),
        ("build ranch", "build stadium", ["move 3 cannot be played", '"build stadium" is not possible now']),
        ("deluxe", "atlantis", ['no edition "atlantis"']),
        ('["Ana","Ben"]', '["Ana"]', ["1 players cannot play deluxe"]),
    ],
)
def test_a_save_that_cannot_be_played_is_refused(
    dicetown, game_file: Path, old: str, new: str, parts: list[str]
) -> None:
    text = game_file.read_text(encoding="utf-8")
    assert old in text
    game_file.write_text(text.replace(old, new), encoding="utf-8")
    check_refused(dicetown("play", "--resume", game_file), str(game_file), *parts)
    assert game_file.read_text(encoding="utf-8") == text.replace(old, new)


def test_a_file_that_is_not_text_is_refused(dicetown, tmp_path: Path) -> None:
    file = tmp_path / "picture.png"
    file.write_bytes(b"\x89PNG\r\n\x1a\n\x00")
    check_refused(dicetown("play", "--resume", file), "picture.png")


def test_a_file_to_save_to_is_not_overwritten_over_a_pipe(dicetown, game_file: Path) -> None:
    before = game_file.read_text(encoding="utf-8")
    check_refused(dicetown("play", "--players", "2", "--save-to", game_file), "is there already")
    assert game_file.read_text(encoding="utf-8") == before


# ------------------------------------------------------------------------- playing


@pytest.mark.parametrize("edition", ["ciudad", "deluxe", "grossstadt", "neue_stadt"])
def test_a_whole_game_over_a_pipe(dicetown, tmp_path: Path, edition: str) -> None:
    file = tmp_path / "record.json"
    options = ["--edition", edition, "--players", "Ana,greedy", "--seed", "5", "--save-to", file]
    ran = dicetown("play", *options, lines="1\n" * 3000)
    assert ran.status == 0
    assert "wins the game!" in ran.out
    assert f"Saved to {file}." in ran.out
    assert "\x1b" not in ran.out
    assert Game.load(file).over


def test_a_game_can_be_scripted_in_notation_and_gone_on_with(dicetown, tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    start = ["play", "--sets", "base", "--players", "Ana,Ben", "--seed", "3", "--save-to", file]
    first = dicetown(*start, lines="roll 1\nbuild bakery\nroll 1\npass\n")
    assert first.status == 0
    assert f"dicetown play --resume {file}" in first.out
    assert [move for move in json.loads(file.read_text())["moves"] if "dice" not in move] == [
        "roll 1",
        "build bakery",
        "roll 1",
        "pass",
    ]
    second = dicetown("play", "--resume", file, "--save-to", file, lines="roll 1\npass\n")
    assert second.status == 0
    assert Game.load(file).turns == 3


def test_the_same_seed_is_the_same_game(dicetown) -> None:
    options = ["play", "--players", "Ana,random,greedy", "--seed", "11"]
    games = {dicetown(*options, lines="1\n" * 40).out for _ in range(2)}
    assert len(games) == 1


@pytest.mark.parametrize(("language", "words"), [("es", "Turno de Ana."), ("de", "Ana ist am Zug.")])
def test_the_language_is_the_systems_or_the_one_named(
    dicetown, monkeypatch: pytest.MonkeyPatch, language: str, words: str
) -> None:
    assert words in dicetown("play", "--players", "Ana,greedy", "--lang", language).out
    monkeypatch.setenv("LANG", f"{language}.UTF-8")
    assert words in dicetown("play", "--players", "Ana,greedy").out


def test_house_rules_arrive(dicetown) -> None:
    options = ["--house", "start_coins=50", "--house", "cards=cafe,bakery", "--house", "market=stacks"]
    ran = dicetown("play", "--players", "Ana,Ben", *options, lines="roll 1\n")
    assert "Ana: 50 coins" in ran.out
    assert "Build the Café (2 coins)" in ran.out
    assert "Ranch" not in ran.out


# ------------------------------------------------------------------- reading and looking


def test_a_replay_tells_the_game(dicetown, game_file: Path) -> None:
    ran = dicetown("replay", game_file)
    assert ran.status == 0
    assert "1. Ana's turn.\n" in ran.out
    assert "  Ana builds the Ranch (1 coin).\n" in ran.out
    assert "2. Ben's turn.\n" in ran.out


def test_a_replay_can_begin_later_and_speak_german(dicetown, game_file: Path) -> None:
    ran = dicetown("replay", game_file, "--from", "2", "--lang", "de")
    assert ran.out.startswith("2. Ben ist am Zug.\n")
    check_refused(dicetown("replay", game_file, "--from", "9"), "there is no turn 9; the game has 3")


def test_a_replay_ends_with_the_result(dicetown, tmp_path: Path) -> None:
    file = tmp_path / "record.json"
    dicetown("play", "--players", "greedy,greedy", "--seed", "1", "--sets", "base", "--save-to", file)
    out = dicetown("replay", file).out
    assert "wins after" in out
    assert "Landmarks" in out


def test_a_game_is_told_again_where_one_of_its_bots_is_not_known(dicetown, game_file: Path) -> None:
    told = dicetown("replay", game_file)
    kept = json.loads(game_file.read_text(encoding="utf-8"))
    game_file.write_text(json.dumps({**kept, "bots": [None, "nope"]}), encoding="utf-8")
    assert dicetown("replay", game_file) == told


def test_the_position_of_a_save_can_be_read_back(dicetown, game_file: Path) -> None:
    text = dicetown("replay", game_file, "--position").out.strip()
    assert Game.from_position(text).position() == Game.load(game_file).position() == text


def test_cards_are_listed_with_what_they_do(dicetown) -> None:
    everything = dicetown("cards", "--edition", "deluxe").out
    assert (
        "▼ 3  Café  red, cup  2●\n  When another player rolls this number, they pay you 1 coin.\n"
        in everything
    )
    assert everything.count("\n") == 2 * (39 + 6 + 1)
    one = dicetown("cards", "café", "--lang", "es").out
    assert one == "▼ 3  Cafetería  rojo, taza  2●\n  Cuando un rival saca este número, te paga 1 moneda.\n"


def test_bots_are_listed(dicetown) -> None:
    assert "greedy" in dicetown("bots").out
    assert set(json.loads(dicetown("bots", "--json").out)) >= {"greedy", "random"}


def test_scenarios_are_checked(dicetown, tmp_path: Path) -> None:
    file = tmp_path / "one.yaml"
    text = "name: A bakery pays\nedition: ciudad\nsets: [base]\nseats: [{coins: 0}, {coins: 0}]\n"
    file.write_text(text + "play: [roll: [2]]\nexpect: {coins: [1, 0]}\n", encoding="utf-8")
    ran = dicetown("scenario", file)
    assert (ran.status, ran.out) == (0, "1 passed, 0 failed\n")
    file.write_text(text + "play: [roll: [2]]\nexpect: {coins: [2, 0]}\n", encoding="utf-8")
    ran = dicetown("scenario", file)
    assert ran.status == 1
    assert ran.out.endswith("0 passed, 1 failed\n")
    file.write_text("name: [", encoding="utf-8")
    check_refused(dicetown("scenario", file), str(file))


# --------------------------------------------------------------------------- figures


@pytest.mark.slow
def test_a_simulation_prints_json_and_nothing_else(dicetown) -> None:
    options = [
        "simulate",
        "--sets",
        "base",
        "--bots",
        "greedy,random",
        "--games",
        "500",
        "--seed",
        "4",
        "--json",
    ]
    one, two = (json.loads(dicetown(*options, "--threads", threads).out) for threads in (1, 2))
    assert one["games"] == sum(one["wins"]) == 500
    assert one["games_per_second"] > 0
    assert one["decisions_per_second"] > 0
    assert one["mean_turns"] > 10
    changing = {"threads", "seconds", "games_per_second", "decisions_per_second"}
    assert {key: one[key] for key in one.keys() - changing} == {
        key: two[key] for key in two.keys() - changing
    }


@pytest.mark.slow
def test_a_simulation_prints_a_table_for_people(dicetown) -> None:
    ran = dicetown("simulate", "--sets", "base", "--bots", "greedy,random", "--games", "200")
    assert ran.status == 0
    assert "95 % interval" in ran.out
    assert "on average" in ran.out
    assert "games/s" in ran.out
    drawn = dicetown("simulate", "--bots", "random", "--games", "50", "--house", "max_turns=5").out
    assert "drawn" in drawn
    assert "100.0%" in drawn


@pytest.mark.slow
def test_the_benchmark_measures_both_ways_to_run(dicetown) -> None:
    figures = json.loads(dicetown("bench", "--seconds", "0.05", "--json").out)
    assert {one["mode"] for one in figures["measurements"]} == {"interpreted", "compiled"}
    assert "compile_seconds" in figures
    table = dicetown("bench", "--seconds", "0.05").out
    assert "decisions/s" in table
    assert "compiled" in table


# ------------------------------------------------------------------------------ help


@pytest.mark.parametrize(
    "command", ["", "play", "scenario", "replay", "cards", "bots", "simulate", "bench", "arena", "ladder"]
)
def test_every_command_has_help_with_an_example(dicetown, command: str) -> None:
    ran = dicetown(*command.split(), "--help")
    assert ran.status == 0
    assert "Usage: dicetown" in ran.out
    assert (
        "dicetown " in ran.out.split("Options")[0].partition("Usage")[2].partition("\n")[2]
        or command == "bots"
    )


def test_the_version(dicetown) -> None:
    assert dicetown("--version").out == f"dicetown {__version__}\n"


# ------------------------------------------------------------------------- a real process


def run_process(*arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src"), **variables}
    command = [sys.executable, "-m", "dicetown", *arguments]
    return subprocess.run(
        command, env=environment, capture_output=True, text=True, input="\n1\n", check=False
    )


#: What takes long to import, and is of no use to who plays in a terminal.
HEAVY = {"alembic", "duckdb", "fastapi", "jax", "numba", "polars", "pyarrow", "ray", "sqlalchemy", "uvicorn"}


def test_playing_starts_at_once_and_without_numba() -> None:
    """Counted in modules, which are the same on a busy machine."""
    code = "import sys; from dicetown.cli import main\ntry: main(['play'])\nexcept SystemExit: pass\n"
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    ran = subprocess.run(
        [sys.executable, "-c", code + "print(); print(*sys.modules)"],
        env=environment,
        capture_output=True,
        text=True,
        input="\n1\n",
        check=True,
    )
    imported = ran.stdout.splitlines()[-1].split()
    assert "dicetown.terminal" in imported
    assert HEAVY.isdisjoint(imported)
    assert len(imported) < 700  # 536 when this was written


def test_asking_for_help_imports_no_command() -> None:
    code = "import sys; from dicetown.cli import main\ntry: main(['--help'])\nexcept SystemExit: pass\n"
    shown = "print([name for name in sys.modules if name.startswith('dicetown.commands.')])"
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    ran = subprocess.run(
        [sys.executable, "-c", code + shown], env=environment, capture_output=True, text=True, check=True
    )
    assert "Let bots play each other" in ran.stdout
    assert ran.stdout.splitlines()[-1] == "[]"


def test_a_terminal_that_cannot_show_a_letter_shows_another() -> None:
    ran = run_process("play", "--players", "Ana,greedy", PYTHONIOENCODING="ascii")
    assert ran.returncode == 0, ran.stderr
    assert "????" in ran.stdout  # the skyline


def test_a_reader_who_has_seen_enough_breaks_nothing() -> None:
    command = f"{sys.executable} -m dicetown cards | head -n 1"
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    ran = subprocess.run(command, shell=True, env=environment, capture_output=True, text=True, check=False)
    assert ran.stdout.count("\n") == 1
    assert ran.stderr == ""
