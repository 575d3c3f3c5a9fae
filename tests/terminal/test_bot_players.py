"""Bots at a table: programs may play, and one that fails is replaced and everybody is told."""

import sys
from pathlib import Path

import pytest
from tests.terminal.tables import Sitting

from dicetown.bots.seats import stand_in
from dicetown.terminal.saves import load_game
from dicetown.terminal.seats import Seat, read_players

ROOT = Path(__file__).parents[2]
BAD = ROOT / "tests" / "bots" / "bad_bot.py"


def program(how: str) -> str:
    return f"pipe:seconds=5:{sys.executable} -I {BAD} {how}"


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en", "Max chose something that is not allowed. From now on the bot {} plays in its place."),
        ("es", "Max ha elegido algo que no está permitido. Desde ahora juega en su lugar el bot {}."),
        ("de", "Max hat etwas gewählt, das nicht erlaubt ist. Von jetzt an spielt dort der Bot {}"),
    ],
)
def test_a_bot_that_fails_is_replaced_and_everybody_is_told(language: str, told: str) -> None:
    sitting = Sitting(["", "1", "", "1"], players=f"Ana,Max:{program('illegal')}", language=language)
    text = sitting.run()
    assert text.count(told.format(stand_in())) == 1
    assert sitting.session.seats[1] == Seat("Max", stand_in())
    assert sitting.game.turns >= 2


@pytest.mark.parametrize(
    ("how", "told"),
    [
        ("garbage", "said something that is no answer"),
        ("dies", "is not running any more"),
        ("no-start", "is not running any more"),
    ],
)
def test_whatever_a_bot_does_the_game_goes_on(how: str, told: str) -> None:
    sitting = Sitting(["", "1"], players=f"Ana,{program(how)}")
    assert f"Bad_bot {told}" not in sitting.text
    assert told in sitting.run()


def test_a_game_among_bots_tells_it_at_the_end() -> None:
    sitting = Sitting(["n"], players=f"greedy,Max:{program('dies')}")
    text = sitting.run()
    assert sitting.game.over
    assert "Max is not running any more." in text


def test_a_program_that_plays_well_stays() -> None:
    sitting = Sitting(["", "1", "", "1"], players=f"Ana,{program('thinks')}")
    assert "in its place" not in sitting.run()
    assert sitting.session.seats[1].bot == program("thinks")


def test_who_was_replaced_stays_replaced_in_a_saved_game(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    Sitting(["", "1", f"s {file}"], players=f"Ana,Max:{program('illegal')}").run()
    _, seats = load_game(file)
    assert seats == [Seat("Ana"), Seat("Max", stand_in())]


def test_options_and_programs_are_understood_in_a_list_of_players() -> None:
    bot = f"pipe:{sys.executable} my_bot.py"
    assert read_players(f"Ana,greedy:slips=50,{bot},Max:{bot},Eva:greedy:slips=9", you="Eve") == [
        Seat("Ana"),
        Seat("Greedy", "greedy:slips=50"),
        Seat("My_bot", bot),
        Seat("Max", bot),
        Seat("Eva", "greedy:slips=9"),
    ]
