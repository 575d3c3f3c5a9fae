"""The engine in step with a second implementation of the rules: the same questions, the same board."""

from collections import Counter
from fractions import Fraction
from random import Random
from typing import Any

import pytest
from hypothesis import given, note
from tests.properties.effort import examples
from tests.properties.reference import Play, Question, Town, board_of

from dicetown import Game, Ruleset
from dicetown.material import load
from dicetown.rules import codes as c
from dicetown.testing import Setup, random_move, seeds, setups

ASKED = {
    c.ROLL: "roll", c.REROLL: "reroll", c.ADD_TWO: "add_two", c.ORDER: "order", c.PLAYER: "player",
    c.GIVE: "give", c.TAKE: "take", c.CARD: "card", c.LANDMARK: "landmark", c.BUILD: "build",
    c.INVEST: "invest", c.DICE: "dice", c.TUNA: "tuna", c.DRAW: "draw", c.OVER: "over",
}  # fmt: skip


def board(game: Game) -> dict[str, Any]:
    seats = range(game.players)
    return {
        "coins": [game.coins(seat) for seat in seats],
        "invested": [game.invested(seat) for seat in seats],
        "cards": [game.cards(seat) for seat in seats],
        "closed": [game.closed(seat) for seat in seats],
        "landmarks": [set(game.landmarks(seat)) for seat in seats],
        "market": game.market,
        "landmark_market": set(game.landmark_market),
        "deck": game.deck,
        "winner": game.winner,
        "turns": game.turns,
    }


def next_question(play: Play, answer: str | None) -> Question:
    """The next question with a choice; a single answer is given by itself, but for rolling."""
    while True:
        try:
            question = next(play) if answer is None else play.send(answer)
        except StopIteration:
            return Question("over", {})
        if len(question.answers) > 1 or question.what in ("roll", "dice", "tuna", "draw"):
            return question
        answer = next(iter(question.answers))


def play_in_step(setup: Setup, seed: int, steps: int) -> Counter[str]:
    """Play a random game and its double; returns how often each thing was asked."""
    game, rng = setup.new_game(seed, chance="manual"), Random(seed)
    town = Town(setup.ruleset, setup.players)
    play, seen = town.play(), Counter[str]()
    question = next_question(play, None)
    for _ in range(steps):
        where = f"after {[move.text for move in game.moves[-6:]]} at {game.position()}"
        assert ASKED[game.state.phase] == question.what, where
        assert board(game) == board_of(town), where
        total = sum(question.answers.values())
        shares = {text: Fraction(weight, total) for text, weight in question.answers.items()}
        if game.waits_for_chance:
            assert {str(outcome): share for outcome, share in game.chance_outcomes()} == shares, where
        else:
            assert {str(action) for action in game.legal_actions()} == set(shares), where
        seen[question.what] += 1
        if game.over:
            break
        assert town.seat == game.turn, where
        move = random_move(game, rng)
        game.play(move)
        question = next_question(play, move.text)
    return seen


@pytest.mark.slow
@examples(150)
@given(setups(), seeds())
def test_any_game_goes_as_the_rulebook_says(setup: Setup, seed: int) -> None:
    note(f"{setup}, seed {seed}")
    play_in_step(setup, seed, steps=250)


#: Rich towns have landmarks early and meet everything that later turns bring.
RICH: list[dict[str, Any]] = [
    {"start_coins": 45, "max_turns": 60},
    {"start_coins": 45, "max_turns": 60, "landmarks_to_win": 4},
    {"start_coins": 80, "max_turns": 60, "major_limit": None, "major_copies": 8, "start_rounds": 2},
    {
        "start_coins": 60, "max_turns": 60, "choose_order": False, "business_center_optional": True,
        "extra_turn_fixed_at_roll": False, "max_extra_turns": 2, "reroll_may_change_dice": True,
        "renovation_payer": "bank", "airport_before_invest": False, "city_hall": False,
        "winery_closes_without_vineyard": False,
    },
    {
        "start_coins": 60, "max_turns": 60, "market": "rows552", "discard_dead_majors": True,
        "major_copies": 6, "closed_reopens_unmet": True, "max_extra_turns": 0, "tax_threshold": 5,
    },
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("house", RICH, ids=["rich", "longer", "many_purple", "other_ways", "dead_majors"])
@pytest.mark.parametrize("edition", load().editions)
def test_rich_games_of_every_edition_go_as_the_rulebook_says(edition: str, house: dict[str, Any]) -> None:
    ruleset = Ruleset(edition, house=house)
    for seed in range(8):
        players = 2 + seed % (ruleset.max_players - 1)
        play_in_step(Setup(ruleset, players), seed, steps=400)


#: Towns of few cards, in which special ones meet again and again.
FEW = {
    "closing and moving": (
        "renovation_company loan_office demolition_company moving_company winery vineyard tax_office "
        "convention_center corn_field convenience_store"
    ),
    "conditions": (
        "renovation_company tuna_boat mackerel_boat sushi_bar members_only_club french_restaurant "
        "general_store tech_startup park publisher"
    ),
    "purple": "stadium tv_station business_center tax_office publisher park cafe family_restaurant mine",
}


@pytest.mark.slow
@pytest.mark.parametrize("cards", FEW.values(), ids=FEW)
@pytest.mark.parametrize("edition", ["deluxe", "grossstadt"])
def test_towns_of_few_special_cards_go_as_the_rulebook_says(edition: str, cards: str) -> None:
    house = {
        "cards": cards.split(),
        "market": "stacks",
        "start_coins": 40,
        "max_turns": 80,
        "major_copies": 5,
    }
    for seed in range(12):
        limit = {"major_limit": None, "extra_turn_fixed_at_roll": False} if seed % 3 == 2 else {}
        play_in_step(Setup(Ruleset(edition, house=house | limit), 2 + seed % 3), seed, steps=400)


def test_the_games_in_step_meet_every_question() -> None:
    seen: Counter[str] = Counter()
    for seed in range(60):
        seen += play_in_step(Setup(Ruleset("deluxe", house=RICH[0]), 3), seed, steps=400)
        if set(seen) == set(ASKED.values()):
            break
    assert set(seen) == set(ASKED.values())
