"""Recorded games still go as they went: a rule that changes shows here first."""

import pytest
from tests.golden.regenerate import FOLDER, games_to_record, page, record

from dicetown import Game

GAMES = games_to_record()


def read(name: str) -> str:
    return (FOLDER / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("name", GAMES)
def test_a_recorded_game_goes_as_it_went(name: str) -> None:
    game = Game.load(read(f"{name}.json"))
    assert page(game).splitlines() == read(f"{name}.txt").splitlines()
    assert game.over
    assert game.winner is not None
    assert game.save() == read(f"{name}.json")
    assert (game.ruleset, game.players) == GAMES[name]


@pytest.mark.parametrize("name", GAMES)
def test_recording_again_gives_the_same_game(name: str) -> None:
    """Also: the seed deals the same cards and throws the same dice as ever."""
    again = record(*GAMES[name])
    assert again.save().splitlines() == read(f"{name}.json").splitlines()


def test_every_edition_and_number_of_players_has_its_game() -> None:
    recorded = {file.stem for file in FOLDER.glob("*.json")}
    assert recorded == {file.stem for file in FOLDER.glob("*.txt")} == set(GAMES)
    by_edition = {name.rpartition("_")[0] for name in GAMES}
    assert by_edition == {"ciudad", "deluxe", "deluxe_base", "grossstadt", "neue_stadt"}
