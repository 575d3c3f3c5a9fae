"""``dicetown review``: the real thing, with few playouts."""

import json
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from tests.review.made_up import random_game
from tests.running import Run

from dicetown import Game, Ruleset
from dicetown.bots import View
from dicetown.bots.search.think import ready
from dicetown.review.advice import make_thinker
from dicetown.review.chances import compare

BASE = Ruleset("deluxe", sets=["base"])


@pytest.fixture(scope="module")
def compiled() -> None:
    ready()


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    """A game that is not over."""
    file = tmp_path / "game.json"
    random_game(BASE, ["Ana", "Ben"], seed=6, decisions=16).save(file)
    return file


@pytest.mark.usefixtures("compiled")
def test_the_same_seed_and_playouts_give_the_same_review(dicetown: Run, saved: Path) -> None:
    command = ("review", saved, "--playouts", 60, "--json")
    first, again = dicetown(*command), dicetown(*command)
    assert first == again
    other = dicetown(*command, "--seed", 1)
    assert json.loads(other[1])["moments"] != json.loads(first[1])["moments"]


@pytest.mark.usefixtures("compiled")
def test_two_actions_are_compared_on_equal_terms() -> None:
    game = Game(BASE, names=["Ana", "Ben"], seed=3)
    game.play("roll 1")
    view, thinker = View.of(game), make_thinker("search:playouts=600:threads=1")
    done, *others = game.legal_actions()
    for other in others:
        options = compare(thinker, view, [done, other], seed=1)
        assert {option.action for option in options} == {done, other}
        assert [option.visits for option in options] == [300, 300]


@pytest.mark.usefixtures("compiled")
def test_the_decisions_of_one_player_can_be_shown_alone(dicetown: Run, saved: Path) -> None:
    told = json.loads(dicetown("review", saved, "--playouts", 30, "--json", "--player", "Ben")[1])
    assert told["moments"]
    assert {(moment["kind"], moment["seat"]) for moment in told["moments"]} == {("choice", 1)}
    assert [player["name"] for player in told["players"]] == ["Ana", "Ben"]


@pytest.mark.usefixtures("compiled")
def test_json_tells_everything_and_nothing_else_is_printed(dicetown: Run, saved: Path) -> None:
    status, out, err = dicetown("review", saved, "--playouts", 60, "--json")
    assert (status, err) == (0, "")
    told = json.loads(out)
    assert set(told) == {
        *(
            "players",
            "winner",
            "over",
            "turns",
            "bot",
            "exact",
            "turning_points",
            "moments",
            "ahead_without_luck",
        )
    }
    assert (told["winner"], told["over"], told["bot"]) == (None, False, "search:rounds=1:playouts=60")
    assert [player["name"] for player in told["players"]] == ["Ana", "Ben"]
    for player in told["players"]:
        change = player["luck"] + player["choice"] + player["others"]
        assert player["start"] + change == pytest.approx(player["finish"], abs=1e-9)
    common = {"move", "turn", "seat", "before", "after", "change", "kind"}
    moves = Game.load(saved).moves
    for moment in told["moments"]:
        if moment["kind"] == "luck":
            assert set(moment) == common | {"moves"}
            assert moves[moment["move"] - 1].text == moment["moves"][0]
        else:
            more = {"action", "chances", "best", "alternative", "loss", "error", "mistake"}
            assert set(moment) == common | more
            assert moves[moment["move"] - 1].text == moment["action"] != moment["alternative"]["action"]
    assert set(told["turning_points"]) <= {moment["move"] for moment in told["moments"]}


@pytest.mark.usefixtures("compiled")
@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", ["Choice or luck", "Best alternative", "Turning points", "Without luck", "Luck aside", "%"]),
        ("es", ["Decisión o suerte", "Mejor alternativa", "Momentos decisivos", "Sin suerte", " %"]),
        (
            "de",
            ["Entscheidung oder Glück", "Beste Alternative", "Wendepunkte", "Ohne Glück", " %"],
        ),
    ],
)
def test_it_speaks_the_readers_language(dicetown: Run, saved: Path, language: str, words: list[str]) -> None:
    status, out, _ = dicetown("review", saved, "--playouts", 30, "--lang", language)
    assert status == 0
    for word in [*words, "Ana", "Ben"]:
        assert word in out
    assert set(out) & set("▁▂▃▄▅▆▇█")
    brief = dicetown("review", saved, "--playouts", 30, "--lang", language, "--brief")[1]
    assert words[0] not in brief
    assert words[2] in brief


@pytest.mark.usefixtures("compiled")
def test_the_picture_lands_where_asked_and_the_curve_is_not_printed_then(
    dicetown: Run, saved: Path, tmp_path: Path
) -> None:
    picture = tmp_path / "game.svg"
    status, out, err = dicetown("review", saved, "--playouts", 30, "--picture", picture)
    assert status == 0
    assert f"The picture is in {picture}." in err
    assert "▃" not in out
    assert ET.parse(picture).getroot().tag.endswith("svg")


@pytest.mark.slow
@pytest.mark.usefixtures("compiled")
def test_a_whole_game_can_be_reviewed(dicetown: Run, tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    game = random_game(BASE, ["Ana", "Ben"], seed=6)
    game.save(file)
    told = json.loads(dicetown("review", file, "--bot", "search", "--playouts", 100, "--json")[1])
    assert told["winner"] == game.winner
    assert told["players"][game.winner or 0]["finish"] == 1.0


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        (["nowhere.json"], ["nowhere.json", "cannot be read"]),
        (["{saved}", "--lang", "fr"], ['no language "fr"']),
        (["{saved}", "--player", "Caro"], ['called "Caro"', "Ana, Ben"]),
        (["{saved}", "--bot", "serch"], ['no bot "serch"', 'did you mean "search"']),
        (["{saved}", "--bot", "greedy"], ['"greedy" knows no chances', "search"]),
        (["{saved}", "--playouts", "0"], ["--playouts"]),
        (["{saved}", "--bot", "search:depth=3"], ['no option "depth"']),
        (["{saved}", "--picture", "{saved}"], ["game.json", "ends in .svg"]),
        (["{saved}", "--picture", "no/where.svg"], ["where.svg", "no such folder"]),
    ],
)
def test_a_mistake_is_one_sentence(
    dicetown: Run, saved: Path, arguments: list[str], parts: list[str]
) -> None:
    before = saved.read_text(encoding="utf-8")
    status, out, err = dicetown("review", *(one.format(saved=saved) for one in arguments))
    assert (status, out, err.count("\n")) == (2, "", 1)
    for part in ["dicetown: ", *parts]:
        assert part in err
    assert saved.read_text(encoding="utf-8") == before
