"""A session: what people type, what bots do, taking back, saving, leaving."""

import json
from pathlib import Path

import pytest
from tests.terminal.tables import Script, Sitting

from dicetown import Game
from dicetown.game.record import GameRecord
from dicetown.terminal.saves import Keeper, load_game
from dicetown.terminal.seats import Seat


@pytest.mark.parametrize("language", ["en", "es", "de"])
@pytest.mark.parametrize("edition", ["ciudad", "deluxe", "grossstadt", "neue_stadt"])
def test_every_edition_can_be_played_to_the_end(edition: str, language: str) -> None:
    def take_the_last_choice(prompt: str) -> str:
        """A landmark, if one can be built; no record at the end."""
        return "n" if sitting.game.over else str(len(sitting.game.legal_actions()))

    sitting = Sitting(take_the_last_choice, "Ana,greedy,greedy", edition, None, language)
    text = sitting.run()
    assert sitting.game.winner is not None
    winner = sitting.game.names[sitting.game.winner]
    ends = {"en": "wins after", "es": "gana tras", "de": "gewinnt nach"}
    assert f"{winner} {ends[language]} {sitting.game.turns}" in text


def test_enter_rolls_and_a_number_builds() -> None:
    sitting = Sitting(["", "2", ""])
    text = sitting.run()
    assert sitting.moves[:1] == ["roll 1"]
    assert "build wheat_field" in sitting.moves
    assert "Ana builds the Wheat Field (1 coin)." in text
    assert "Greedy's turn." in text


@pytest.mark.parametrize("typed", ["build cafe", "cafe", "Café", "CAFE", "build café", "caf", "5"])
def test_a_card_is_built_by_number_name_or_notation(typed: str) -> None:
    sitting = Sitting(["", typed])
    assert "Ana builds the Café (2 coins)." in sitting.run()


def test_a_card_is_built_by_its_spanish_name() -> None:
    sitting = Sitting(["", "cafetería"], language="es")
    assert "Ana construye: Cafetería (2 monedas)." in sitting.run()


@pytest.mark.parametrize(
    ("language", "kind"),
    [("en", "landmark from the start"), ("es", "edificio inicial"), ("de", "Großprojekt von Anfang an")],
)
def test_the_city_hall_is_called_what_its_booklet_calls_it(language: str, kind: str) -> None:
    sitting = Sitting(["", "? city_hall"], edition="ciudad", sets=None, language=language)
    assert f"  {kind}\n" in sitting.run()


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        ("stadium", "The Stadium costs 6, you have"),
        ("99", "Type a number from 1 to"),
        ("0", "Type a number from 1 to"),
        ("hullabaloo", 'I don\'t know "hullabaloo".'),
        ("", "Type the number of a choice; h shows the help."),
        ("roll 2", 'I don\'t know "roll 2".'),
        ("build mine closed", 'I don\'t know "build mine closed".'),
        ("? xyz", 'There is no card "xyz" in this game'),
        ("? 1", 'There is no card "1" in this game'),
        ("c Zoe", 'Nobody is called "Zoe"; here play Ana, Greedy.'),
    ],
)
def test_what_cannot_be_done_is_explained_and_changes_nothing(typed: str, answer: str) -> None:
    sitting = Sitting(["", typed])
    before = Sitting([""])
    assert answer in sitting.run()
    before.run()
    assert sitting.moves == before.moves


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("?", "When you roll one of these numbers, the bank pays you 1 coin."),
        ("? stadium", "each opponent pays you 2 coins"),
        ("? Train Station", "You may roll one die or two."),
        ("?5", "When another player rolls this number, they pay you 1 coin."),
        ("h", "Build 4 landmarks (★) before the others do, and you win."),
        ("c", "Greedy (greedy bot)"),
        ("c ana", "Wheat Field"),
        ("city 2", "Greedy (greedy bot)"),
        ("m", "Fruit and Vegetable Market"),
        ("d", "17%"),
        ("l", "Ana's turn."),
    ],
)
def test_there_is_something_to_read(typed: str, shown: str) -> None:
    sitting = Sitting(["", typed])
    assert shown in sitting.run()


def test_undo_goes_back_to_the_last_decision_of_a_person_through_the_bots() -> None:
    sitting = Sitting(["", "2", "u"])
    sitting.run()
    assert sitting.moves[0] == "roll 1"
    assert not any(move.startswith("build") for move in sitting.moves)
    assert sitting.game.phase == "build"
    assert sitting.game.to_move == 0


def test_undo_twice_is_back_before_the_roll_and_a_third_time_there_is_nothing() -> None:
    sitting = Sitting(["", "2", "u", "u", "u"])
    assert "There is nothing to take back." in sitting.run()
    assert sitting.moves == []


def test_what_is_taken_back_and_played_again_goes_the_same_way() -> None:
    once, again = Sitting(["", "2", ""]), Sitting(["", "2", "u", "2", "u", "u", "", "2", ""])
    once.run()
    again.run()
    assert once.moves == again.moves


def test_undo_before_any_decision_is_refused_even_if_bots_have_played() -> None:
    sitting = Sitting(["u"], players="greedy,Ana")
    assert "There is nothing to take back." in sitting.run()
    assert sitting.moves


def test_a_saved_game_goes_on_where_it_was(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    sitting = Sitting(["", "2", f"s {file}"])
    assert f"Saved to {file}." in sitting.run()
    game, seats = load_game(file)
    assert seats == [Seat("Ana"), Seat("Greedy", "greedy")]
    assert game.position() == sitting.game.position()


def test_undo_works_in_a_game_that_was_taken_up_again(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    Sitting(["", "2", f"s {file}"]).run()
    sitting = Sitting(["u", "u", "u"], resume=file)
    text = sitting.run()
    assert text.count("Taken back.") == 2
    assert "There is nothing to take back." in text
    assert sitting.game.moves == []


def test_save_asks_for_a_name_and_suggests_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    sitting = Sitting(["", "s", ""])
    assert "Saved to dicetown-deluxe.json." in sitting.run()
    assert GameRecord.read(tmp_path / "dicetown-deluxe.json").bots == [None, "greedy"]
    again = Sitting(["", "s", ""])
    assert "Saved to dicetown-deluxe-2.json." in again.run()


@pytest.mark.parametrize(
    ("answer", "replaced"), [("y", True), ("n", False), ("", False), ("what\nno", False)]
)
def test_nothing_is_replaced_without_asking(answer: str, replaced: bool, tmp_path: Path) -> None:
    file = tmp_path / "precious.json"
    file.write_text("precious", encoding="utf-8")
    text = Sitting(["", f"s {file}", *answer.split("\n")]).run()
    assert ("Saved to" in text) == replaced
    assert ("Not saved." in text) != replaced
    assert (file.read_text(encoding="utf-8") == "precious") != replaced


def test_what_this_session_saved_it_may_save_again(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    text = Sitting(["", f"s {file}", "2", f"s {file}"]).run()
    assert text.count("Saved to") == 2


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    text = Sitting(["", f"s {tmp_path / 'nowhere' / 'game.json'}"]).run()
    assert "nowhere/game.json: the game cannot be saved there" in text


def test_quitting_offers_to_save(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    sitting = Sitting(["", "q", "y", str(file), "never read"])
    text = sitting.run()
    assert isinstance(sitting.session.ask, Script)
    assert sitting.session.ask.prompts[1:3] == ["Your choice (h: help): ", "Save the game first? [Y/n] "]
    assert text.rstrip().endswith("See you!")
    assert json.loads(file.read_text(encoding="utf-8"))["moves"][0] == "roll 1"


def test_quitting_without_saving_is_possible(tmp_path: Path) -> None:
    assert Sitting(["", "q", "n"]).run().rstrip().endswith("See you!")


def test_a_game_that_is_saved_is_not_asked_for_again(tmp_path: Path) -> None:
    text = Sitting(["", f"s {tmp_path / 'game.json'}", "q"]).run()
    assert text.rstrip().endswith("See you!")


def test_who_wants_to_save_and_cannot_does_not_lose_the_game(tmp_path: Path) -> None:
    sitting = Sitting(
        ["", "q", "y", str(tmp_path / "nowhere" / "game.json"), "q", "y", str(tmp_path / "game.json")]
    )
    text = sitting.run()
    assert "cannot be saved there" in text
    assert (tmp_path / "game.json").exists()


def test_a_game_to_be_kept_in_a_file_is_saved_without_questions(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    assert f"Saved to {file}." in Sitting(["", "q"], keeper=Keeper(file)).run()
    assert Game.load(file).turns == 0


def test_the_record_of_a_finished_game_can_be_saved(tmp_path: Path) -> None:
    file = tmp_path / "record.json"
    sitting = Sitting(["y", str(file)], players="greedy,greedy")
    text = sitting.run()
    assert f"Saved to {file}." in text
    game, seats = load_game(file)
    assert game.over
    assert [seat.bot for seat in seats] == ["greedy", "greedy"]


def test_people_can_play_among_themselves() -> None:
    sitting = Sitting(["", "1", "", "1"], players="Ana,Ben")
    text = sitting.run()
    assert "Ben: Roll the die." in text
    assert sitting.game.to_move == 0
