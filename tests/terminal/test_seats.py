"""Who sits at the table."""

import pytest

from dicetown import DicetownError, Game, Ruleset
from dicetown.terminal.seats import Seat, choose_for, read_players, seats_of


@pytest.mark.parametrize(
    ("text", "seats"),
    [
        ("Ana,Ben", [Seat("Ana"), Seat("Ben")]),
        ("Ana, greedy", [Seat("Ana"), Seat("Greedy", "greedy")]),
        ("random,random", [Seat("Random", "random"), Seat("Random 2", "random")]),
        ("Greta:greedy,Ana", [Seat("Greta", "greedy"), Seat("Ana")]),
        ("2", [Seat("Eve"), Seat("Greedy", "greedy")]),
    ],
)
def test_a_list_of_players_names_people_and_bots(text: str, seats: list[Seat]) -> None:
    assert read_players(text, you="Eve") == seats


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("Ana,,Ben", "A player's name is empty"),
        ("Ana,ana", "Two players are called ana"),
        ("Ana,A\u200dna", "Two players are called"),
        ("Ana,Max:gredy", 'There is no bot "gredy"; did you mean "greedy"'),
        (":greedy,Ana", "gives a bot no name"),
        ("Ana\x07,Ben", r'The name "Ana\?" has characters that nobody can see'),
        ("J\udcf6rg,Ben", r'The players "J\?rg,Ben" are not UTF-8'),
        ("0", r"^0 players cannot play; accepted are 2 to 5\.$"),
        ("100", r"^100 players cannot play; accepted are 2 to 5\.$"),
        ("9" * 5000, r"^9+ players cannot play; accepted are 2 to 5\.$"),
    ],
)
def test_a_list_that_cannot_be_is_refused(text: str, problem: str) -> None:
    with pytest.raises(DicetownError, match=problem):
        read_players(text, you="Eve")


def test_a_save_without_bots_is_all_people() -> None:
    assert seats_of(["Ana", "Ben"], []) == [Seat("Ana"), Seat("Ben")]


@pytest.mark.parametrize("bot", ["greedy", "random"])
def test_a_bot_answers_the_same_question_the_same_way(bot: str) -> None:
    game = Game(Ruleset("deluxe"), players=3, seed=5)
    for _ in range(40):
        action = choose_for(bot, game)
        assert action == choose_for(bot, game)
        assert action in game.legal_actions()
        game.play(action)
