"""Nothing is lost: interruptions, signals, ends of input, and files that must not be replaced."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.patience import PATIENCE
from tests.terminal.tables import Script, Sitting, saved

from dicetown.console import Stopped
from dicetown.errors import NotationError
from dicetown.game.record import GameRecord
from dicetown.terminal.launch import claim, run_safely
from dicetown.terminal.saves import FileExists, Keeper, load_game, recovery_folder

ROOT = Path(__file__).parents[2]


@pytest.fixture
def state_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setattr("dicetown.terminal.saves.recovery_folder", lambda: tmp_path / "games")
    return tmp_path / "games"


@pytest.mark.parametrize(
    ("stop", "status"),
    [(KeyboardInterrupt(), 130), (Stopped(signal.SIGTERM), 143), (Stopped(signal.SIGHUP), 129)],
)
def test_an_interrupted_game_is_kept_and_can_be_taken_up(
    stop: BaseException, status: int, state_folder: Path
) -> None:
    sitting = Sitting(["", "2", "", stop])
    assert run_safely(sitting.session, keep_at_end_of_input=True) == status
    (file,) = saved(state_folder)
    assert f"The game is kept. Go on with:\n  dicetown play --resume {file}\n" in sitting.text
    game, seats = load_game(file)
    assert game.position() == sitting.game.position()
    assert seats == sitting.session.seats


def test_two_interrupted_games_do_not_replace_each_other(state_folder: Path) -> None:
    for seed in (1, 2):
        run_safely(Sitting(["", KeyboardInterrupt()], seed=seed).session, keep_at_end_of_input=True)
    assert len(saved(state_folder)) == 2


def test_a_game_to_be_kept_in_a_file_is_kept_there(tmp_path: Path, state_folder: Path) -> None:
    file = tmp_path / "game.json"
    sitting = Sitting(["", KeyboardInterrupt()], keeper=Keeper(file))
    run_safely(sitting.session, keep_at_end_of_input=True)
    assert GameRecord.read(file).moves[0] == "roll 1"
    assert not state_folder.exists()


def test_a_file_that_came_into_being_meanwhile_is_not_replaced(tmp_path: Path, state_folder: Path) -> None:
    file = tmp_path / "game.json"
    sitting = Sitting(["", KeyboardInterrupt()], keeper=Keeper(file))
    file.write_text("precious", encoding="utf-8")
    run_safely(sitting.session, keep_at_end_of_input=True)
    assert file.read_text(encoding="utf-8") == "precious"
    assert len(saved(state_folder)) == 1


def test_where_nothing_can_be_written_the_game_goes_to_the_temporary_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    blocked = tmp_path / "blocked"
    blocked.write_text("", encoding="utf-8")
    monkeypatch.setattr("dicetown.terminal.saves.recovery_folder", lambda: blocked / "games")
    monkeypatch.setattr("tempfile.gettempdir", lambda: str(tmp_path))
    run_safely(Sitting(["", KeyboardInterrupt()]).session, keep_at_end_of_input=True)
    assert [path.suffix for path in saved(tmp_path)] == ["", ".json"]


def test_a_game_nobody_has_played_is_not_kept(state_folder: Path) -> None:
    run_safely(Sitting([KeyboardInterrupt()]).session, keep_at_end_of_input=True)
    assert not state_folder.exists()


def test_the_end_of_the_input_keeps_the_game_at_a_keyboard(state_folder: Path) -> None:
    assert run_safely(Sitting([""]).session, keep_at_end_of_input=True) == 0
    assert len(saved(state_folder)) == 1


def test_the_end_of_a_pipe_ends_the_game_with_a_word(state_folder: Path) -> None:
    sitting = Sitting([""])
    assert run_safely(sitting.session, keep_at_end_of_input=False) == 0
    assert "The input has ended, and the game with it." in sitting.text
    assert not state_folder.exists()


def test_the_end_of_a_pipe_saves_where_it_was_asked_to(tmp_path: Path, state_folder: Path) -> None:
    run_safely(Sitting([""], keeper=Keeper(tmp_path / "game.json")).session, keep_at_end_of_input=False)
    assert (tmp_path / "game.json").exists()


def test_a_game_is_kept_even_when_the_program_fails(state_folder: Path) -> None:
    with pytest.raises(ZeroDivisionError):
        run_safely(Sitting(["", ZeroDivisionError()]).session, keep_at_end_of_input=True)
    assert len(saved(state_folder)) == 1


def test_signals_are_as_before_after_a_session(state_folder: Path) -> None:
    before = signal.getsignal(signal.SIGTERM)
    run_safely(Sitting([""]).session, keep_at_end_of_input=True)
    assert signal.getsignal(signal.SIGTERM) is before


# ------------------------------------------------------------------- before the game


def test_a_file_that_exists_is_refused_over_a_pipe_and_asked_for_at_a_keyboard(tmp_path: Path) -> None:
    file = tmp_path / "precious.json"
    file.write_text("precious", encoding="utf-8")
    with pytest.raises(FileExists, match=r"precious\.json is there already"):
        claim(Keeper(file), file, None, "en", ask=None)
    assert not claim(Keeper(file), file, None, "en", Script(["n"]))
    assert not claim(Keeper(file), file, None, "en", Script([""]))
    keeper = Keeper(file)
    assert claim(keeper, file, None, "de", Script(["j"]))
    assert keeper.may_write(file)


def test_a_game_may_be_kept_in_the_file_it_came_from(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    file.write_text("{}", encoding="utf-8")
    assert claim(Keeper(file), file, resumed=file, language="en", ask=None)


def test_a_folder_is_no_place_and_neither_is_one_that_does_not_exist(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "nowhere" / "game.json"):
        with pytest.raises(NotationError, match="games cannot be saved there"):
            claim(Keeper(path), path, None, "en", ask=None)


def test_interrupted_games_lie_in_the_users_own_folder() -> None:
    assert recovery_folder().parts[-2:] == ("dicetown", "games")


# -------------------------------------------------------------------------- records


def test_a_record_names_its_bots_and_one_without_bots_does_not_mention_them() -> None:
    with_bots = GameRecord(ruleset={}, players=["Ana", "Bo"], moves=[], bots=[None, "greedy"])
    assert '"bots": [null,"greedy"]' in with_bots.to_json()
    people = GameRecord(ruleset={}, players=["Ana", "Bo"], moves=[], bots=[None, None])
    assert "bots" not in people.to_json()


def record(bots: str) -> str:
    ruleset = '{"edition": "deluxe", "sets": ["base"], "house": {}}'
    players = '["Ana", "Bo"]'
    return (
        f'{{"format": "dicetown/1", "ruleset": {ruleset}, "players": {players}, "bots": {bots}, "moves": []}}'
    )


@pytest.mark.parametrize(
    ("bots", "problem"),
    [
        ('["greedy"]', "names 2 players but 1 bots"),
        ('[null, "gredy"]', 'There is no bot "gredy"'),
        ("[1, 2]", "this is no saved game"),
    ],
)
def test_bots_that_cannot_be_are_refused(bots: str, problem: str, tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    file.write_text(record(bots), encoding="utf-8")
    with pytest.raises(NotationError, match=problem) as refused:
        load_game(file)
    assert str(file) in str(refused.value)


# --------------------------------------------------------------------- real signals


@pytest.mark.parametrize(
    ("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)]
)
def test_a_real_signal_loses_nothing(number: signal.Signals, status: int, tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "XDG_STATE_HOME": str(tmp_path)}
    command = [
        sys.executable,
        "-m",
        "dicetown",
        "play",
        "--players",
        "Ana,greedy",
        "--seed",
        "3",
        "--lang",
        "en",
    ]
    with subprocess.Popen(
        command,
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write("\n1\n")
        process.stdin.flush()
        seen = ""
        while seen.count("Ana: Roll the die.") < 2:
            line = process.stdout.readline()
            assert line, seen
            seen += line
        time.sleep(0.2)  # let it wait for input
        process.send_signal(number)
        out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == status, err
    (file,) = saved(tmp_path)
    assert f"dicetown play --resume {file}" in out
    game, seats = load_game(file)
    assert game.turns == 2
    assert seats[1].bot == "greedy"
