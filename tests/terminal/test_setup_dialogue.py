"""The dialogue before a game."""

from pathlib import Path

import pytest
from tests.terminal.tables import Script, Sitting

from dicetown.terminal.setup_dialogue import NotPlaying, Plan, SetupDialogue


def dialogue(lines: list[str], language: str = "en") -> tuple[SetupDialogue, list[str]]:
    said: list[str] = []
    plan = Plan(language, "deluxe", ("base",), "Ana,greedy,greedy")
    return SetupDialogue(plan, Script(lines), said.append), said


@pytest.mark.parametrize(("language", "edition"), [("en", "deluxe"), ("es", "ciudad"), ("de", "grossstadt")])
def test_enter_alone_starts_a_first_game_in_ones_language(language: str, edition: str) -> None:
    said: list[str] = []
    plan = SetupDialogue(Plan.first_game(language), Script([""]), said.append).run()
    game, seats = plan.begin(seed=1)
    assert (game.ruleset.edition.id, game.ruleset.set_ids) == (edition, ("base",))
    assert [seat.bot for seat in seats] == [None, "greedy", "greedy"]


def test_everything_can_be_chosen() -> None:
    setup, said = dialogue(["1", "3", "2", "1,3", "3", "Ana,Ben,random", "4", "start_coins=9", "5", "3", ""])
    plan = setup.run()
    assert plan == Plan(
        "de", "grossstadt", ("base", "millionaires_row"), "Ana,Ben,random", {"start_coins": 9}
    )
    game, seats = plan.begin(seed=1)
    assert game.coins(0) == 9
    assert [seat.name for seat in seats] == ["Ana", "Ben", "Random"]
    assert any("greedy: Weighs the income" in line for line in said)


def test_editions_are_offered_with_one_sentence_each() -> None:
    setup, said = dialogue(["1", "", ""])
    assert setup.run().edition == "deluxe"
    assert "  1  Ciudad Machi Koro – The Spanish box: the base game with Harbor, for up to five." in said


@pytest.mark.parametrize(
    ("lines", "problem"),
    [
        (["1", "atlantis"], 'There is no edition "atlantis"'),
        (["2", "9"], 'There is no set of deluxe "9"'),
        (["3", "Ana"], "1 players cannot play deluxe"),
        (["3", "Ana,Max:gredy"], 'There is no bot "gredy"'),
        (["4", "coins=5"], 'There is no house rule "coins"'),
        (["4", "start_coins"], '"start_coins" is no house rule'),
        (["5", "fr"], 'There is no language "fr"'),
        (["6", "nowhere.json"], "nowhere.json: the game cannot be read"),
        (["9"], "Type a number from 1 to 6."),
    ],
)
def test_what_cannot_be_is_said_and_nothing_changes(lines: list[str], problem: str) -> None:
    setup, said = dialogue([*lines, ""])
    before = setup.plan
    assert setup.run() == before
    assert any(problem in line for line in said)


def test_a_smaller_box_keeps_as_many_players_as_it_allows() -> None:
    setup, _ = dialogue(["1", "1", "3", "Ana,Ben,Caro,Dan,Eve", "1", "3", ""])
    assert setup.run().players == "Ana,Ben,Caro,Dan"


def test_leaving_is_possible() -> None:
    setup, _ = dialogue(["q"])
    with pytest.raises(NotPlaying):
        setup.run()


def test_an_interrupted_game_is_offered_by_number(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dicetown.terminal.saves.recovery_folder", lambda: tmp_path)
    sitting = Sitting(["", "2"])
    sitting.run()
    kept = sitting.session.keeper.recover(sitting.game, sitting.session.seats)
    setup, said = dialogue(["6", "1"])
    plan = setup.run()
    assert plan.resume == kept
    assert f"  1  {kept.name}" in said
    game, seats = plan.begin(seed=None)
    assert game.position() == sitting.game.position()
    assert seats == sitting.session.seats
