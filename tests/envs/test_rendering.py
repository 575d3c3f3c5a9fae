"""A table to look at: as text, printed, and as a picture."""

import sys

import numpy as np
import pytest
from tests.envs.tables import every_table, walk

from dicetown import Game, Ruleset
from dicetown.envs.gymnasium_env import DicetownEnv
from dicetown.envs.rendering.canvas import Canvas, plain
from dicetown.envs.rendering.modes import check_mode, render
from dicetown.envs.rendering.picture import HEIGHT, WIDTH
from dicetown.errors import EnvError, MissingExtra
from dicetown.material import load

NAMES = ["Ana", "Ben", "Cleo", "Dan", "Eve"]


@pytest.mark.parametrize(("ruleset", "players"), every_table())
def test_every_table_can_be_shown_at_any_time(ruleset: Ruleset, players: int) -> None:
    for step, one in enumerate(walk(ruleset, players, choices=121)):
        if step % 40 == 0:
            game, names = one.as_game(), NAMES[:players]
            text = render(game, names, "ansi")
            assert isinstance(text, str)
            assert all(name in text for name in names)
            assert f"Turn {game.turns + 1}" in text
            picture = render(game, names, "rgb_array")
            assert isinstance(picture, np.ndarray)
            assert picture.shape == (HEIGHT, WIDTH, 3)
            assert picture.dtype == np.uint8


def test_the_text_says_who_has_what_and_what_is_asked() -> None:
    game = Game(Ruleset("deluxe", ["base"]), players=2, seed=7)
    game.play("roll 1")
    text = render(game, ["Ana", "Ben"], "ansi")
    assert isinstance(text, str)
    lines = text.splitlines()
    assert lines[0].startswith("── Deluxe Edition · Base game · Turn 1")
    assert lines[1].startswith("▶ Ana")
    assert "Wheat Field" in lines[1]
    assert any("Stadium" in line and "6●" in line for line in lines)
    assert lines[-1] == f"Ana rolled {game.state.die}. What do you build? You have {game.coins(0)} coins."


WON = (
    "deluxe base {} | 1 +radio_tower +train_station +shopping_mall +amusement_park | 0 "
    "| market radio_tower train_station shopping_mall amusement_park | deck | turn=0 phase=over winner=0"
)
DRAWN = (
    'deluxe base {"max_turns":1} | 1 | 0 | market train_station*2 radio_tower*2 shopping_mall*2 '
    "amusement_park*2 | deck | turn=0 phase=over turns=1"
)


@pytest.mark.parametrize(("end", "sentence"), [(WON, "Ana has won."), (DRAWN, "Nobody has won.")])
def test_the_end_is_told(end: str, sentence: str) -> None:
    text = render(Game.from_position(end), ["Ana", "Ben"], "ansi")
    assert isinstance(text, str)
    assert text.splitlines()[-1] == sentence


def test_a_picture_shows_the_position_and_nothing_else() -> None:
    game = Game(Ruleset("deluxe", ["base"]), players=2, seed=7)
    before, again = (render(game, ["Ana", "Ben"], "rgb_array") for _ in range(2))
    assert np.array_equal(before, again)  # type: ignore[arg-type]
    game.play("roll 1")
    after = render(game, ["Ana", "Ben"], "rgb_array")
    assert not np.array_equal(before, after)  # type: ignore[arg-type]


def test_the_font_has_every_letter_that_is_wanted() -> None:
    for language in ("en", "es", "de"):
        for game in load().games.values():
            names = [card.name for card in game.establishments.values()]
            names += [mark.name for mark in game.landmarks.values()]
            assert all(plain(name[language]).isascii() for name in names)


@pytest.mark.parametrize("shows", range(1, 7))
def test_a_die_has_as_many_pips_as_it_shows(shows: int) -> None:
    canvas = Canvas(40, 40, "#ffffff")
    canvas.die(4, 4, 32, shows, "#000000")
    inside = canvas.pixels()[10:30, 10:30].sum()
    empty = 20 * 20 * 3 * 255
    assert inside < empty
    pips = [round(4 + 32 * k / 4) for k in (1, 2, 3)]
    dark = sum(bool(canvas.pixels()[y, x].max() < 64) for x in pips for y in pips)
    assert dark == shows


def test_an_environment_for_people_prints_after_every_step(capsys: pytest.CaptureFixture[str]) -> None:
    env = DicetownEnv(sets=["base"], opponents=["random"], render_mode="human")
    env.reset(seed=1)
    assert "agent" in capsys.readouterr().out
    env.step(int(env.action_masks().argmax()))
    assert "Market" in capsys.readouterr().out


def test_an_environment_names_its_bots() -> None:
    env = DicetownEnv(sets=["base"], players=3, opponents=["random", "greedy"], seat=1, render_mode="ansi")
    env.reset(seed=1)
    lines = env.render().splitlines()
    places = [
        next(k for k, line in enumerate(lines) if name in line) for name in ("greedy", "agent", "random")
    ]
    assert places == sorted(places)


def test_who_wants_a_picture_says_so_beforehand() -> None:
    env = DicetownEnv(sets=["base"])
    env.reset(seed=1)
    with pytest.raises(EnvError, match="Say how to render when you make the environment"):
        env.render()
    with pytest.raises(EnvError, match='render_mode="film" is not known'):
        check_mode("film")


def test_whoever_lacks_pillow_is_told_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "PIL", None)
    with pytest.raises(MissingExtra, match=r"A picture of the table needs .* pip install 'dicetown\[envs\]'"):
        check_mode("rgb_array")
