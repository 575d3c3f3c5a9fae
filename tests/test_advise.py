"""Asking a bot: ``advise`` and ``dicetown advise``."""

import json
from pathlib import Path

import pytest
from tests.running import Run

from dicetown import Action, DicetownError, Game, Outcome, Ruleset
from dicetown.bots.search.think import ready
from dicetown.review import advise

BASE = Ruleset("deluxe", sets=["base"])
QUICK = "search:playouts=400:threads=1"


@pytest.fixture(scope="module")
def compiled() -> None:
    ready()


@pytest.fixture
def game() -> Game:
    """Ana has rolled and may build."""
    game = Game(BASE, names=["Ana", "Ben"], seed=3)
    game.play("roll 1")
    return game


@pytest.fixture
def saved(game: Game, tmp_path: Path) -> Path:
    file = tmp_path / "game.json"
    game.save(file)
    return file


# ------------------------------------------------------------------------ the library


@pytest.mark.usefixtures("compiled")
def test_advice_has_every_legal_action_with_everybodys_chance(game: Game) -> None:
    before = game.position()
    advice = advise(game, QUICK)
    assert game.position() == before
    assert {option.action for option in advice.options} == set(game.legal_actions())
    assert advice.best == advice.options[0].action
    assert (advice.seat, advice.names, advice.bot) == (0, ["Ana", "Ben"], "search")
    for option in advice.options:
        assert sum(option.chances) == pytest.approx(1.0, abs=0.01)
        assert 0 <= option.low <= option.chances[0] <= option.high <= 1
    assert advice.options[0].visits >= max(option.visits for option in advice.options)
    rest = [option.chances[0] for option in advice.options[1:]]
    assert rest == sorted(rest, reverse=True)
    assert repr(advice).startswith(f"<Advice for Ana: {advice.best} ")


@pytest.mark.usefixtures("compiled")
def test_the_same_playouts_and_seed_give_the_same_advice(game: Game) -> None:
    first, again, other = advise(game, QUICK), advise(game, QUICK), advise(game, QUICK, seed=1)
    assert first.options == again.options
    assert first.main_line == again.main_line
    assert first.options != other.options


@pytest.mark.usefixtures("compiled")
def test_the_main_line_begins_with_the_best_action_and_can_be_played(game: Game) -> None:
    advice = advise(game, QUICK)
    assert advice.main_line[0].move == advice.best
    assert 2 <= len(advice.main_line) <= 8
    again = Game.from_position(advice.position, chance="manual")
    for step in advice.main_line:
        assert again.turn == step.seat
        assert isinstance(step.move, Outcome if again.waits_for_chance else Action)
        again.play(step.move)


@pytest.mark.usefixtures("compiled")
def test_a_single_legal_action_has_its_chances_too() -> None:
    advice = advise(Game(BASE, players=2, seed=3), QUICK)
    assert [option.action.text for option in advice.options] == ["roll 1"]
    assert 0.2 < advice.options[0].chances[0] < 0.8


def test_there_is_no_advice_where_nobody_decides(game: Game) -> None:
    waiting = Game(BASE, players=2, seed=3, chance="manual")
    waiting.play("roll 1")
    with pytest.raises(DicetownError, match="waits for dice or a draw"):
        advise(waiting)
    short = Game(Ruleset("deluxe", sets=["base"], house={"max_turns": 1}), players=2, seed=3)
    while not short.over:
        short.play(short.legal_actions()[0])
    with pytest.raises(DicetownError, match="The game is over"):
        advise(short)
    with pytest.raises(DicetownError, match='"greedy" knows no chances'):
        advise(game, "greedy")


# -------------------------------------------------------------------- the command line


@pytest.mark.usefixtures("compiled")
@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", ["Ana: What do you build?", "Action", "Playouts", "Build the Ranch (1 coin)", "go on:"]),
        ("es", ["Acción", "Simulaciones", "Construir: Granja (1 moneda)", " %", "siga así:"]),
        ("de", ["Aktion", "Simulationen", "(1 Münze)", " %", "weiter:"]),
    ],
)
def test_the_table_speaks_the_readers_language(
    dicetown: Run, saved: Path, language: str, words: list[str]
) -> None:
    status, out, _ = dicetown("advise", saved, "--playouts", 2000, "--lang", language)
    assert status == 0
    for word in [*words, "Ana", "Ben", "±"]:
        assert word in out


@pytest.mark.usefixtures("compiled")
def test_json_is_the_whole_advice(dicetown: Run, saved: Path, game: Game) -> None:
    status, out, err = dicetown("advise", saved, "--playouts", 400, "--bot", "search:threads=1", "--json")
    assert (status, err) == (0, "")
    told = json.loads(out)
    expected = advise(game, QUICK).as_dict()
    assert told.pop("seconds") >= 0
    assert told == {key: value for key, value in expected.items() if key != "seconds"}
    assert set(told["options"][0]) == {"action", "chances", "low", "high", "error", "visits"}


@pytest.mark.usefixtures("compiled")
def test_a_position_is_as_good_as_a_game_and_so_is_stdin(dicetown: Run, saved: Path, game: Game) -> None:
    command = ["--playouts", 100, "--bot", "search", "--json"]
    answers = [
        dicetown("advise", game.position(), *command),
        dicetown("advise", "-", *command, lines=game.position() + "\n"),
        dicetown("advise", "-", *command, lines=saved.read_text(encoding="utf-8")),
    ]
    told = [json.loads(out) for _, out, _ in answers]
    assert [one["position"] for one in told] == [game.position()] * 3
    assert [one["players"] for one in told] == [["Player 1", "Player 2"]] * 2 + [["Ana", "Ben"]]
    assert all(one["options"] == told[0]["options"] for one in told)


@pytest.mark.usefixtures("compiled")
def test_the_position_before_a_move_and_a_single_action(dicetown: Run, saved: Path) -> None:
    status, out, _ = dicetown("advise", saved, "--move", 1, "--playouts", 50)
    assert status == 0
    assert "There is only one legal action: Roll one die." in out
    assert dicetown("advise", saved, "--move", 3, "--playouts", 50)[0] == 0  # the move to come


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        (["nowhere.json"], ["nowhere.json", "cannot be read"]),
        (["deluxe base {} | nonsense"], ["position"]),
        (["{saved}", "--move", "2"], ['Move 2 is chance ("dice ', "move 1"]),
        (["{saved}", "--move", "4"], ["There is no move 4; the game has 2."]),
        (["{saved}", "--move", "0"], ["--move"]),
        (["{position}", "--move", "1"], ["a position has none"]),
        (["{saved}", "--lang", "fr"], ['no language "fr"']),
        (["{saved}", "--bot", "serch"], ['no bot "serch"', 'did you mean "search"']),
        (["{saved}", "--bot", "greedy"], ['"greedy" knows no chances']),
        (["{saved}", "--seconds", "0"], ["--seconds"]),
        (["-"], ["Nothing stands on stdin; give a saved game, or a position's text."]),
        ([""], ["Nothing stands there; give a saved game, or a position's text."]),
    ],
)
def test_a_mistake_is_one_sentence(
    dicetown: Run, saved: Path, game: Game, arguments: list[str], parts: list[str]
) -> None:
    filled = [one.replace("{saved}", str(saved)).replace("{position}", game.position()) for one in arguments]
    status, out, err = dicetown("advise", *filled)
    assert (status, out, err.count("\n")) == (2, "", 1)
    for part in ["dicetown: ", *parts]:
        assert part in err
