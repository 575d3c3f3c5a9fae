"""The screen: everything that can be chosen is on it, in 80 columns and 24 lines, with and without colour."""

import io

import pytest
from rich.console import Console
from tests.terminal.tables import Script, table_after, table_at

from dicetown import Game, Ruleset
from dicetown.languages import LANGUAGES
from dicetown.rules import codes as c
from dicetown.terminal.screen import draw
from dicetown.terminal.seats import SeatedGame, choose_for
from dicetown.terminal.views import ScreenView
from dicetown.text.paint import crop_words, flow, in_columns
from dicetown.text.result import result_rows
from dicetown.words import Speaker

EDITIONS = [("ciudad", 5), ("deluxe", 5), ("grossstadt", 4), ("neue_stadt", 5)]


def lines_of(table: SeatedGame, width: int = 80, height: int = 24, message: str = "") -> list[str]:
    return [line.plain for line in draw(table, width, height, message)]


def check_fits(table: SeatedGame, width: int = 80, height: int = 24, message: str = "") -> None:
    lines = draw(table, width, height, message)
    assert len(lines) == height - 1
    assert all(line.cell_len <= width for line in lines)
    on_screen = " " + " ".join(line.plain for line in lines)
    for number, choice in enumerate(table.choices(), start=1):
        assert f" {number} " in on_screen, (number, choice)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("edition", "players"), EDITIONS)
@pytest.mark.parametrize("turns", [0, 15, 60, 120])
def test_every_choice_is_on_a_small_screen(edition: str, players: int, language: str, turns: int) -> None:
    check_fits(table_after(turns, edition, players, language))
    check_fits(table_after(turns, edition, players, language, phase=c.BUILD))


@pytest.mark.parametrize(
    "phase", [c.REROLL, c.ADD_TWO, c.PLAYER, c.GIVE, c.TAKE, c.CARD, c.LANDMARK, c.INVEST]
)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_question_fits_a_small_screen(phase: int, language: str) -> None:
    table = table_at(phase, "deluxe", 5, language)
    check_fits(table)
    assert table.question().split()[-1] in " ".join(lines_of(table)).split()


def test_all_cards_in_the_market_and_a_rich_player_with_thirty_cards_fit() -> None:
    table = table_after(90, "deluxe", 5, house={"market": "stacks"}, phase=c.BUILD)
    game = table.game
    game.state.market[: len(game.ruleset.cards)] = 2
    game.state.built[game.turn] = 0
    game.state.owned[game.turn, : len(game.ruleset.cards) - 5] = 1
    game.state.coins[game.turn] = 99
    table = SeatedGame(type(game).from_state(game.ruleset, 5, game.state), table.seats, table.speaker)
    assert len(table.game.cards(table.game.turn)) >= 30
    assert len(table.choices()) > 35
    check_fits(table)
    check_fits(table, message="A message needs a line, too.")


@pytest.mark.parametrize(("width", "height"), [(80, 24), (100, 30), (132, 43), (200, 60), (80, 50)])
def test_larger_screens_are_filled_exactly(width: int, height: int) -> None:
    check_fits(table_after(40, "deluxe", 4, phase=c.BUILD), width, height)


def test_names_of_all_cards_show_where_there_is_room() -> None:
    lines = lines_of(table_after(4, "deluxe", 2, sets=("base",)), 120, 40)
    assert sum("Wheat Field" in line for line in lines) >= 3  # two cities and the market


def test_the_market_tells_price_copies_and_what_can_be_built() -> None:
    table = table_after(0, "deluxe", 2, sets=("base",), phase=c.BUILD)
    bakery = next(line for line in lines_of(table) if "Bakery" in line and "×6" in line)
    assert " 4 ■2–3   Bakery" in bakery
    stadium = next(line for line in lines_of(table) if "Stadium" in line)
    assert "   ✦6     Stadium" in stadium  # no number: it cannot be paid
    assert "6● ×4" in stadium


def test_closed_cards_are_marked() -> None:
    table = table_after(0, "deluxe", 2)
    game = table.game
    game.state.owned[0, game.notation.numbers["bakery"]] = 3
    game.state.closed[0, game.notation.numbers["bakery"]] = 2
    assert "■2–3·Bakery×3✕2" in lines_of(table)[1]


def test_the_odds_show_chance_and_gain_for_each_total() -> None:
    lines = lines_of(table_after(0, "deluxe", 2, sets=("base",)))
    at = next(number for number, line in enumerate(lines) if line.startswith("Total"))
    assert lines[at].split() == ["Total", "1", "2", "3", "4", "5", "6"]
    assert lines[at + 1].split() == ["1", "die", *["17%"] * 6]
    assert lines[at + 2].split() == ["Ana", "+1", "+1", "+1", "·", "·", "·"]


def test_two_dice_have_a_row_of_their_own() -> None:
    table = table_after(9, "neue_stadt", 2)
    lines = lines_of(table)
    row = next(line for line in lines if line.startswith("2 dice")).split()
    assert row[2:] == ["–", "3%", "6%", "8%", "11%", "14%", "17%", "14%", "11%", "8%", "6%", "3%"]


def test_a_message_stands_above_the_question() -> None:
    table = table_after(0, "deluxe", 2)
    lines = lines_of(table, message="The Stadium costs 6, you have 4.")
    at = lines.index(next(line for line in lines if line.startswith("The Stadium costs")))
    assert lines[at + 1].startswith("Ana: Roll the die.")


@pytest.mark.parametrize(("width", "height"), [(60, 20), (40, 10), (20, 5)])
def test_on_too_small_a_screen_the_question_is_still_there(width: int, height: int) -> None:
    table = table_after(10, "deluxe", 3)
    lines = lines_of(table, width, height)
    assert len(lines) == height - 1
    assert any("Roll" in line for line in lines)


# ------------------------------------------------------------------------- the view


def screen(no_color: bool) -> tuple[ScreenView, io.StringIO]:
    out = io.StringIO()
    console = Console(
        file=out, force_terminal=True, width=80, height=24, color_system=None if no_color else "standard"
    )
    return ScreenView(console, Script(["", "", ""])), out


def test_without_colour_there_are_no_codes_but_those_that_clear_the_screen() -> None:
    view, out = screen(no_color=True)
    view.ask(table_after(30))
    assert out.getvalue().startswith("\x1b[H\x1b[2J") or out.getvalue().startswith("\x1b[2J\x1b[H")
    assert "\x1b[" not in out.getvalue()[len("\x1b[2J\x1b[H") :]


def test_with_colour_the_words_are_the_same() -> None:
    from rich.text import Text

    plain, coloured = screen(no_color=True), screen(no_color=False)
    for view, _ in (plain, coloured):
        view.ask(table_after(30))
    assert "\x1b[1m" in coloured[1].getvalue()
    stripped = [Text.from_ansi(line).plain for line in coloured[1].getvalue().splitlines()]
    assert stripped[3:] == plain[1].getvalue().splitlines()[3:]


def test_a_screen_is_never_longer_than_the_terminal() -> None:
    view, out = screen(no_color=True)
    view.ask(table_after(60, players=5))
    assert out.getvalue().count("\n") == 23


def test_long_pages_are_shown_one_screen_at_a_time() -> None:
    from dicetown.terminal.pages import log_page

    table = table_after(30)
    view, _ = screen(no_color=True)
    view.page(table, log_page(table)[:50])
    assert isinstance(view.ask_line, Script)
    assert [prompt[:13] for prompt in view.ask_line.prompts] == [
        "Enter for mor",
        "Enter for mor",
        "Enter to go b",
    ]


# ---------------------------------------------------------------------- laying out


def test_text_flows_into_lines_and_columns() -> None:
    from rich.text import Text

    words = [Text(word) for word in ("one", "two", "three", "four")]
    assert [line.plain for line in flow(words, 11, indent=2, between=" ")] == [
        "  one two",
        "  three",
        "  four",
    ]
    assert [line.plain for line in in_columns(words, 2, 11, gap=1)] == ["one   three", "two   four"]
    assert crop_words("Fruit and Vegetable Market", 10) == "Fruit and…"


def test_a_game_that_nobody_won_says_so() -> None:
    game = Game(Ruleset("ciudad", house={"max_turns": 2}), players=2, seed=1)
    while not game.over:
        game.play(choose_for("random", game))
    titles = [result_rows(Speaker(game.ruleset, game.names, one), game)[0].plain for one in LANGUAGES]
    assert titles[0] == "Nobody has won after 2 turns."
    assert len(set(titles)) == len(LANGUAGES)
