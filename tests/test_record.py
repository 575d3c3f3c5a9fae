"""Saved games, `dicetown/1`: what the file holds, and what is said of one that cannot be read."""

import errno
import json
import os
from pathlib import Path
from random import Random
from typing import Any

import pytest

from dicetown import Game, NotationError, Ruleset
from dicetown.game.record import FORMAT, GameRecord
from dicetown.testing import play_randomly


def a_game(steps: int = 30) -> Game:
    game = Game(Ruleset("deluxe", sets=["base", "harbor"]), seed=7, names=["Ada", "Bob", "Çelik"])
    play_randomly(game, Random(7), steps)
    return game


def changed(**values: Any) -> str:
    """The text of a saved game with other values."""
    return json.dumps(json.loads(a_game(4).save()) | values)


# ----------------------------------------------------------------------- what it holds


def test_a_saved_game_is_json_of_ruleset_names_and_moves_with_chance_among_them() -> None:
    game = Game(
        Ruleset("deluxe", sets=["base"], house={"start_coins": 5}), names=["Ada", "Bob"], chance="manual"
    )
    for move in ("roll 1", "dice 2", "build cafe"):
        game.play(move)
    assert json.loads(game.save()) == {
        "format": "dicetown/1",
        "ruleset": {"edition": "deluxe", "sets": ["base"], "house": {"start_coins": 5}},
        "players": ["Ada", "Bob"],
        "moves": ["roll 1", "dice 2", "build cafe"],
    }


def test_a_saved_game_has_one_move_per_line_so_that_two_can_be_compared() -> None:
    game = a_game()
    lines = [line.strip().rstrip(",") for line in game.save().splitlines()]
    assert [json.loads(line) for line in lines if line.startswith('"') and ":" not in line] == [
        move.text for move in game.moves
    ]


def test_a_game_nobody_has_moved_in_can_be_saved() -> None:
    game = Game(Ruleset("ciudad", sets=["base"]), seed=1)
    assert Game.load(game.save()).position() == game.position()


def test_names_of_any_script_survive() -> None:
    names = ["Zoë", "张伟", 'Quote " and \\ and \n', "🎲"]
    game = Game(Ruleset("ciudad"), names=names, seed=1)
    assert Game.load(game.save()).names == [name.strip() for name in names]


def test_saving_to_a_file_writes_what_save_returns(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    game = a_game()
    assert game.save(file) == file.read_text(encoding="utf-8") == game.save()
    assert Game.load(file).position() == Game.load(str(file)).position() == game.position()
    assert [path.name for path in tmp_path.iterdir()] == ["game.json"], "no draft is left behind"


def test_saving_again_replaces_the_file(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    a_game(50).save(file)
    a_game(1).save(file)
    assert Game.load(file).save() == a_game(1).save()


def test_a_loaded_game_goes_on_with_the_seed_it_is_given() -> None:
    text = a_game().save()
    one, two = Game.load(text, seed=3), Game.load(text, seed=3)
    for game in (one, two):
        play_randomly(game, Random(1), 40)
    assert one.save() == two.save()


def test_a_loaded_game_can_be_taken_back_decision_by_decision() -> None:
    game = Game(Ruleset("deluxe", sets=["base"]), seed=7)
    start = game.position()
    game.play("roll 1")
    again = Game.load(game.save())
    again.undo()  # the roll with its dice, as in the game that was saved
    assert (again.position(), again.moves, again.waits_for_chance) == (start, [], False)
    assert [str(action) for action in again.legal_actions()] == ["roll 1"]
    assert not again.can_undo


# -------------------------------------------------------------------- what cannot be read


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("{", "this is no saved game"),
        ("{}", 'the format is None; this version reads "dicetown/1"'),
        (changed(format="dicetown/2"), "the format is 'dicetown/2'; this version reads \"dicetown/1\""),
        (changed(format=3), "the format is 3"),
        (changed(moves="roll 1"), "moves"),
        (changed(moves=[1]), "moves"),
        (changed(players=["Ada", 3, "C"]), "players"),
        (changed(players=[]), "it names no players"),
        (changed(players=["Ada"]), "1 players cannot play deluxe"),
        (changed(players=["Ada", "", "C"]), "A player's name is empty"),
        (changed(ruleset={"edition": "deluxe"}), "sets"),
        (changed(ruleset={"edition": "delux", "sets": ["base"]}), 'did you mean "deluxe"'),
        (changed(ruleset={"edition": "deluxe", "sets": ["base"], "colour": 1}), "colour"),
        (changed(ruleset={"edition": "deluxe", "sets": ["habor"]}), 'did you mean "harbor"'),
        (changed(ruleset={"edition": "deluxe", "sets": ["harbor"]}), 'lack "base"'),
        (
            changed(ruleset={"edition": "deluxe", "sets": ["base"], "house": {"start_coins": "x"}}),
            "start_coins",
        ),
        (changed(ruleset={"edition": "deluxe", "sets": ["base"], "house": {"x": 1}}), 'no house rule "x"'),
    ],
)
def test_a_text_that_is_no_saved_game_is_refused_with_a_sentence(text: str, sentence: str) -> None:
    with pytest.raises(NotationError) as refusal:
        Game.load(text)
    assert sentence in str(refusal.value)
    assert str(refusal.value).startswith("the saved game:")
    assert str(refusal.value).rstrip().endswith(".")


def test_a_move_that_cannot_be_played_is_named_with_its_number() -> None:
    record = json.loads(Game(Ruleset("deluxe", sets=["base"]), seed=1).save())
    record["moves"] = ["roll 1", "dice 2", "build stadium"]
    with pytest.raises(
        NotationError, match=r'move 3 cannot be played: "build stadium" is not possible now; legal: pass'
    ):
        Game.load(json.dumps(record))
    record["moves"] = ["roll 1", "dice seven"]
    with pytest.raises(
        NotationError, match=r'move 2 cannot be played: "dice seven" is no move.*Legal now: dice 1'
    ):
        Game.load(json.dumps(record))


def test_moves_after_the_end_of_a_game_are_refused() -> None:
    game = Game(Ruleset("deluxe", sets=["base"], house={"max_turns": 1}), seed=1, chance="manual")
    for move in ("roll 1", "dice 2", "pass"):
        game.play(move)
    record = json.loads(game.save())
    record["moves"].append("roll 1")
    with pytest.raises(NotationError, match=r"move 4 cannot be played.*the game is over"):
        Game.load(json.dumps(record))


def test_a_file_that_is_not_there_or_is_no_text_is_named(tmp_path: Path) -> None:
    with pytest.raises(NotationError, match=r"missing\.json: the game cannot be read \(No such file"):
        Game.load(tmp_path / "missing.json")
    with pytest.raises(NotationError, match="the game cannot be read"):
        Game.load(tmp_path)
    (tmp_path / "photo.json").write_bytes(b"\x89PNG\xff\xfe")
    with pytest.raises(NotationError, match=r"photo\.json: this is no saved game"):
        Game.load(tmp_path / "photo.json")


def test_a_file_that_another_program_has_marked_as_utf8_is_read(tmp_path: Path) -> None:
    (tmp_path / "game.json").write_text(a_game().save(), encoding="utf-8-sig")
    assert Game.load(tmp_path / "game.json").save() == a_game().save()


def test_who_names_no_file_is_told_so() -> None:
    with pytest.raises(NotationError, match=r"^No saved game is named; give its file or its text\.$"):
        Game.load("")


def test_a_game_is_saved_through_a_link_and_for_whom_it_was(tmp_path: Path) -> None:
    (tmp_path / "kept").mkdir()
    file, link = tmp_path / "kept" / "game.json", tmp_path / "game.json"
    a_game(50).save(file)
    file.chmod(0o640)
    link.symlink_to(file)
    a_game(1).save(link)
    assert link.is_symlink()
    assert Game.load(file).save() == a_game(1).save()
    assert file.stat().st_mode & 0o777 == 0o640


def test_a_new_game_is_for_whom_the_umask_says_and_its_name_may_be_long(tmp_path: Path) -> None:
    file = tmp_path / ("g" * 250 + ".json")
    before = os.umask(0o027)
    try:
        a_game(1).save(file)
    finally:
        os.umask(before)
    assert file.stat().st_mode & 0o777 == 0o640


def test_what_is_no_regular_file_is_not_replaced_by_one(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(NotationError, match=r"pipe: the game cannot be saved there \(Not a regular file\)"):
        a_game(1).save(tmp_path / "pipe")
    with pytest.raises(NotationError, match="cannot be saved there; name a file"):
        a_game(1).save(tmp_path / "a\0b")
    assert [path.name for path in tmp_path.iterdir()] == ["pipe"]
    assert (tmp_path / "pipe").is_fifo()


def test_a_disk_without_room_leaves_the_former_game_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_room(number: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    a_game(1).save(tmp_path / "game.json")
    monkeypatch.setattr(os, "fsync", no_room)
    with pytest.raises(NotationError, match="No space left on device"):
        a_game(50).save(tmp_path / "game.json")
    assert Game.load(tmp_path / "game.json").save() == a_game(1).save()
    assert [path.name for path in tmp_path.iterdir()] == ["game.json"]


def test_a_game_that_cannot_be_written_there_says_so_and_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(NotationError, match="cannot be saved there"):
        a_game().save(tmp_path / "no" / "such" / "folder.json")
    folder = tmp_path / "folder"
    folder.mkdir()
    with pytest.raises(NotationError, match="cannot be saved there"):
        a_game().save(folder)
    assert [path.name for path in tmp_path.iterdir()] == ["folder"], "no draft is left behind"


def test_a_record_reads_back_what_it_wrote() -> None:
    record = GameRecord.read(a_game().save())
    assert GameRecord.read(record.to_json()) == record
    assert json.loads(record.to_json())["format"] == FORMAT
