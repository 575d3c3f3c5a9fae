"""Rulings about how a game begins, which no scenario can show: a scenario begins in the middle."""

from typing import Any

import pytest

from dicetown import Game, IllegalAction, Ruleset, RulesetError
from dicetown.game.events import DiceRolled, Paid
from dicetown.rules import codes as c
from dicetown.scenario import read_scenarios, run_scenario


def supply(ruleset: Ruleset, players: int) -> dict[str, int]:
    """How many copies of each card are there to be built, starting cities aside."""
    return {card.id: ruleset.copies(card, players) for card in ruleset.cards}


def total_of_row(game: Game, row: int) -> int:
    """All cards of a market row, dealt or not."""
    counts: Any = game.state.market + game.state.deck
    return int(sum(counts[thing] for thing in range(c.MAX_CARDS) if game.tables.row_of[thing] == row))


# --------------------------------------------------------------------------- supply


@pytest.mark.parametrize(
    ("edition", "sets", "players", "stadiums"),
    [
        ("ciudad", ["base"], 2, 5),
        ("ciudad", ["base", "harbor"], 3, 5),
        ("ciudad", ["base", "harbor"], 5, 5),
        ("deluxe", ["base"], 2, 4),
        ("deluxe", ["base"], 4, 4),
        ("deluxe", ["base", "harbor"], 2, 2),
        ("deluxe", ["base", "harbor"], 5, 5),
        ("deluxe", ["base", "millionaires_row"], 3, 3),
        ("deluxe", ["base", "deluxe_extras"], 2, 4),
        ("grossstadt", ["base"], 2, 4),
        ("grossstadt", ["base", "harbor"], 3, 4),
        ("neue_stadt", None, 2, 3),
        ("neue_stadt", None, 5, 3),
    ],
)
def test_r45_number_of_purple_copies(
    edition: str, sets: list[str] | None, players: int, stadiums: int
) -> None:
    assert supply(Ruleset(edition, sets=sets), players)["stadium"] == stadiums


def test_r45_five_players_of_deluxe_in_open_stacks_have_five_of_each_purple() -> None:
    ruleset = Ruleset("deluxe", sets=["base", "harbor"], house={"market": "stacks"})
    assert supply(ruleset, 5)["stadium"] == 5
    assert supply(ruleset, 4)["stadium"] == 4


def test_r45_the_harbor_deck_of_the_spanish_box_holds_145_cards() -> None:
    assert sum(supply(Ruleset("ciudad"), 4).values()) == 145


@pytest.mark.parametrize(
    ("sets", "low", "high", "purple"),
    [
        (["base", "harbor"], 54, 66, 20),
        (["base", "millionaires_row"], 66, 66, 24),
        (["base", "harbor", "millionaires_row"], 84, 96, 32),
    ],
)
def test_r45_the_three_decks_of_the_german_box(sets: list[str], low: int, high: int, purple: int) -> None:
    game = Game(Ruleset("grossstadt", sets=sets), players=3, seed=1)
    assert [total_of_row(game, row) for row in range(3)] == [low, high, purple]


def test_r45_the_decks_of_the_new_town() -> None:
    game = Game(Ruleset("neue_stadt"), players=3, seed=1)
    assert [total_of_row(game, row) for row in range(2)] == [46, 40]
    assert len(game.landmark_market) == 5
    assert len(game.ruleset.landmarks) == 20


def test_r45_starting_cards_are_extra_beside_the_supply() -> None:
    game = Game(Ruleset("ciudad", sets=["base"]), players=5, seed=1)
    assert game.market["wheat_field"] == game.market["bakery"] == 6
    assert all(game.cards(seat) == {"wheat_field": 1, "bakery": 1} for seat in range(5))


# --------------------------------------------------------------------------- market


@pytest.mark.parametrize("edition", ["ciudad", "deluxe", "grossstadt"])
def test_r49_the_base_game_has_open_stacks_and_no_deck(edition: str) -> None:
    game = Game(Ruleset(edition, sets=["base"]), players=3, seed=1)
    assert len(game.market) == 15
    assert game.deck == {}
    assert not game.waits_for_chance


def test_r43_ten_different_cards_lie_out_in_a_line() -> None:
    for seed in range(5):
        game = Game(Ruleset("deluxe"), players=4, seed=seed)
        assert len(game.market) == 10


def test_r43_five_low_five_high_and_two_purple_lie_out_in_the_german_box() -> None:
    for seed in range(5):
        game = Game(Ruleset("grossstadt"), players=4, seed=seed)
        cards = [card for card in game.ruleset.cards if card.id in game.market]
        assert sum(card.major for card in cards) == 2
        assert sum(not card.major and card.rolls[-1] <= 6 for card in cards) == 5
        assert sum(not card.major and card.rolls[-1] > 6 for card in cards) == 5


def test_r43_five_low_five_high_and_five_landmarks_lie_out_in_the_new_town() -> None:
    for seed in range(5):
        game = Game(Ruleset("neue_stadt"), players=4, seed=seed)
        cards = [card for card in game.ruleset.cards if card.id in game.market]
        assert sum(card.rolls[-1] <= 6 for card in cards) == 5
        assert sum(card.rolls[-1] > 6 for card in cards) == 5
        assert len(game.landmark_market) == 5


def test_r43_as_many_rows_as_a_market_can_have_are_dealt() -> None:
    """The German market with the landmarks of the new town: four rows, none beyond them."""
    game = Game(Ruleset("neue_stadt", house={"market": "rows552"}), players=3, seed=1)
    assert game.state.row_types.tolist() == [5, 5, 2, 5]
    assert game.state.refill == 0


# ----------------------------------------------------------------------- start rounds


def dealt_new_town(players: int = 3) -> Game:
    """A new game of Machi Koro 2 whose rows are known."""
    game = Game(Ruleset("neue_stadt"), players=players, chance="manual")
    rows = [
        "wheat_field vineyard bakery cafe forest",
        "corn_field mine stadium winery apple_orchard",
        "temple forge park museum airport",
    ]
    for thing in " ".join(rows).split():
        game.play(f"draw {thing}")
    return game


def test_r52_three_rounds_of_building_without_dice_before_the_game() -> None:
    game = dealt_new_town()
    for turn in range(9):
        assert (game.phase, game.to_move) == ("build", turn % 3)
        game.play("pass")
    assert (game.phase, game.to_move, game.turns) == ("roll", 0, 0)
    assert [game.coins(seat) for seat in range(3)] == [5, 5, 5]


def test_r52_one_establishment_each_round_for_its_price_and_the_row_is_refilled() -> None:
    game = dealt_new_town()
    game.play("build wheat_field")
    assert game.waits_for_chance
    game.play("draw vineyard")  # joins its stack, so another is drawn
    game.play("draw sushi_bar")
    assert (game.to_move, game.coins(0), game.cards(0)) == (1, 4, {"wheat_field": 1})
    assert game.market["vineyard"] == 2


def test_r52_no_landmarks_in_the_start_rounds() -> None:
    game = Game.from_position(dealt_new_town().position().replace("| 5 |", "| 50 |", 1), chance="manual")
    assert game.coins(0) == 50
    assert [str(action) for action in game.legal_actions() if "temple" in str(action)] == []
    with pytest.raises(IllegalAction, match="build temple"):
        game.play("build temple")


def test_r52_no_help_in_the_start_rounds() -> None:
    game = Game(Ruleset("neue_stadt", house={"start_coins": 0}), players=2, seed=3)
    assert game.phase == "roll"  # nothing can be built with nothing: all six builds were passed
    assert [game.coins(seat) for seat in range(2)] == [0, 0]


def test_r52_passing_binds_only_that_round() -> None:
    game = dealt_new_town(players=2)
    game.play("pass")
    game.play("pass")
    assert game.to_move == 0
    game.play("build mine")
    assert game.cards(0) == {"mine": 1}


def test_r52_the_first_game_may_have_start_rounds_too() -> None:
    """R52 as a house rule: a Loan Office pays its 5; there is no Airport, investment or help."""
    house = {"start_rounds": 1, "start_coins": 0, "market": "stacks"}
    game = Game(Ruleset("deluxe", house=house), players=2, seed=1)
    assert game.phase == "build"
    game.play("build loan_office")
    assert (game.coins(0), game.to_move, game.phase) == (5, 1, "build")
    game.play("pass")
    assert (game.coins(1), game.to_move, game.phase, game.turns) == (0, 0, "roll", 0)


def test_start_rounds_offer_no_investment() -> None:
    """R52 and R24: a startup built in a start round waits for the first turn."""
    house = {"start_rounds": 2, "start_coins": 5, "market": "stacks"}
    game = Game(Ruleset("deluxe", house=house), players=2, seed=1)
    game.play("build tech_startup")
    assert (game.to_move, game.phase, game.coins(0)) == (1, "build", 4)


# ---------------------------------------------------------------- editions and sets


def landmarks(edition: str, sets: list[str]) -> set[str]:
    return {mark.id for mark in Ruleset(edition, sets=sets).landmarks}


BASE = {"train_station", "shopping_mall", "amusement_park", "radio_tower"}


def test_r62_both_german_sets_together_use_all_six_landmarks() -> None:
    ruleset = Ruleset("grossstadt")
    assert landmarks("grossstadt", ["base", "harbor", "millionaires_row"]) == BASE | {"harbor", "airport"}
    assert ruleset.landmarks_to_win == 6


def test_r68_millionaires_row_alone_has_four_landmarks_in_deluxe_and_five_in_the_german_box() -> None:
    deluxe = Ruleset("deluxe", sets=["base", "millionaires_row"])
    german = Ruleset("grossstadt", sets=["base", "millionaires_row"])
    assert {mark.id for mark in deluxe.landmarks} == BASE
    assert {mark.id for mark in german.landmarks} == BASE | {"harbor"}
    assert (deluxe.landmarks_to_win, german.landmarks_to_win) == (4, 5)
    assert (deluxe.city_hall is None, german.city_hall is None) == (True, False)


def test_r68_base_and_extras_in_deluxe_have_open_stacks() -> None:
    assert Ruleset("deluxe", sets=["base", "deluxe_extras"]).rules.market == "stacks"
    assert Ruleset("deluxe", sets=["base", "millionaires_row"]).rules.market == "line10"


def test_five_players_of_deluxe_need_the_harbor() -> None:
    with pytest.raises(RulesetError, match="harbor"):
        Game(Ruleset("deluxe", sets=["base", "millionaires_row"]), players=5)
    assert Game(Ruleset("deluxe", sets=["base", "harbor"]), players=5, seed=1).players == 5


def test_city_hall_is_no_landmark_to_choose() -> None:
    """R33: it never counts, so a house rule cannot name it."""
    with pytest.raises(RulesetError, match="city_hall"):
        Ruleset("ciudad", house={"landmarks": ["train_station", "city_hall"]})


def test_r58_the_wheat_field_of_the_new_town_pays_one_and_the_corn_field_three() -> None:
    cards = Ruleset("neue_stadt").game.establishments
    assert (cards["wheat_field"].effect.amount, cards["corn_field"].effect.amount) == (1, 3)  # type: ignore[union-attr]


def test_r72_the_diamine_has_everything_of_the_mine_but_the_name() -> None:
    cards = Ruleset("deluxe").game.establishments
    mine, diamine = cards["mine"], cards["diamine"]
    for part in ("colour", "icon", "rolls", "cost", "copies", "effect"):
        assert getattr(mine, part) == getattr(diamine, part), part


def test_r72_the_diamine_takes_the_place_of_the_mine() -> None:
    with_extras = supply(Ruleset("deluxe"), 3)
    without = supply(Ruleset("deluxe", sets=["base", "harbor", "millionaires_row"]), 3)
    assert (with_extras.get("mine", 0), with_extras["diamine"]) == (0, 6)
    assert (without["mine"], without.get("diamine", 0)) == (6, 0)


# ---------------------------------------------------------------------------- order


def test_r8_blue_strictly_before_green_in_the_new_town() -> None:
    """R8: seen in the events, because only their order differs."""
    (scenario,) = read_scenarios("""
        name: wheat and vineyard before bread
        edition: neue_stadt
        seats: [{cards: {bakery: 1, wheat_field: 1, vineyard: 1}}, {cards: {bakery: 1, wheat_field: 1}}]
        play: [roll: [2]]
    """)
    events = run_scenario(scenario).events
    assert isinstance(events[0], DiceRolled)
    causes = [event.cause for event in events if isinstance(event, Paid)]
    assert causes[-1] == "bakery"
    assert sorted(causes[:-1]) == ["vineyard", "wheat_field", "wheat_field"]


def test_r12_no_number_activates_two_kinds_of_restaurant() -> None:
    for edition in ("ciudad", "deluxe", "grossstadt", "neue_stadt"):
        cards = Ruleset(edition).cards
        for total in range(1, 15):
            red = [card.id for card in cards if card.colour == "red" and total in card.numbers]
            assert len(red) <= 1, (edition, total, red)


def test_r10_the_general_store_never_shares_a_roll_with_demolition() -> None:
    cards = {card.id: card for card in Ruleset("deluxe").cards}
    assert not set(cards["general_store"].numbers) & set(cards["demolition_company"].numbers)
