"""The greedy bot, asked about positions where a person would not think long."""

from typing import Any

import pytest
from tests.bots.positions import after, choice, position

from dicetown import Game, Ruleset
from dicetown.bots import View
from dicetown.bots.rules.build import choose_build
from dicetown.rules.codes import PASS
from dicetown.rules.layout import copy

BASE = Ruleset("deluxe", sets=["base"])
DELUXE = Ruleset("deluxe")
CIUDAD = Ruleset("ciudad")
GROSSSTADT = Ruleset("grossstadt")
SECOND = Ruleset("neue_stadt")

STATION = ["train_station"]
TOWER = ["train_station", "radio_tower"]
PORT = ["train_station", "harbor"]


# ------------------------------------------------------------------------- rolling


def test_it_rolls_one_die_for_a_city_of_low_numbers() -> None:
    game = position(BASE, [{"cards": {"bakery": 3, "ranch": 2}, "landmarks": STATION}, {}])
    assert choice(game) == "roll 1"


def test_it_rolls_two_dice_for_a_city_of_high_numbers() -> None:
    game = position(BASE, [{"cards": {"ranch": 3, "cheese_factory": 1}, "landmarks": STATION}, {}])
    assert choice(game) == "roll 2"


def test_it_avoids_the_dice_that_lead_into_restaurants() -> None:
    me = {"coins": 20, "cards": {"wheat_field": 2, "apple_orchard": 1}, "landmarks": STATION}
    assert choice(position(BASE, [me, {}])) == "roll 1"
    assert choice(position(BASE, [me, {"cards": {"cafe": 6}}])) == "roll 2"


def test_it_does_not_sit_still_for_fear_of_restaurants() -> None:
    # With one die nothing could ever come in.
    me = {"coins": 1, "cards": {"apple_orchard": 1}, "landmarks": STATION}
    assert choice(position(BASE, [me, {"cards": {"family_restaurant": 6}}])) == "roll 2"


def test_it_rolls_again_when_nothing_came_up() -> None:
    me = {"cards": {"ranch": 3, "cheese_factory": 2}, "landmarks": TOWER}
    assert choice(after(position(BASE, [me, {}]), "roll 2", "dice 1 4")) == "reroll 2"


def test_it_keeps_the_roll_it_hoped_for() -> None:
    me = {"cards": {"ranch": 3, "cheese_factory": 2}, "landmarks": TOWER}
    assert choice(after(position(BASE, [me, {}]), "roll 2", "dice 3 4")) == "keep"


def test_where_dice_may_change_it_rolls_again_with_those_that_suit_it() -> None:
    anew = Ruleset("deluxe", sets=["base"], house={"reroll_may_change_dice": True})
    me = {"cards": {"ranch": 3, "cheese_factory": 2}, "landmarks": TOWER}
    assert choice(after(position(anew, [me, {}]), "roll 1", "dice 1")) == "reroll 2"


@pytest.mark.parametrize(
    ("cards", "dice", "raised"),
    [
        ({"food_warehouse": 1, "cafe": 3}, "dice 5 5", "yes"),  # 12: 6 coins
        ({"apple_orchard": 2, "food_warehouse": 1, "cafe": 1}, "dice 5 5", "no"),  # 10: 6 coins, 12: 2
        ({"tuna_boat": 1}, "dice 6 6", "no"),  # 12 as good as 14
        ({"fruit_and_vegetable_market": 1, "wheat_field": 4}, "dice 6 5", "no"),  # 11: 8 coins
    ],
)
def test_it_raises_the_total_where_that_pays(cards: dict[str, int], dice: str, raised: str) -> None:
    game = after(position(CIUDAD, [{"cards": cards, "landmarks": PORT}, {}]), "roll 2", dice)
    assert choice(game) == f"add_two {raised}"


# ------------------------------------------------------------------- other players


def test_the_tv_station_takes_from_the_richest() -> None:
    me = {"cards": {"tv_station": 1}}
    game = position(BASE, [me, {"coins": 3}, {"coins": 5}, {"coins": 0}])
    assert choice(after(game, "roll 1", "dice 6")) == "player 2"


def test_of_those_who_can_pay_in_full_it_takes_from_who_is_ahead() -> None:
    me = {"cards": {"tv_station": 1}}
    game = position(BASE, [me, {"coins": 9}, {"coins": 6, "landmarks": STATION}, {"coins": 8}])
    assert choice(after(game, "roll 1", "dice 6")) == "player 2"


def test_the_business_center_gives_the_least_and_takes_the_best() -> None:
    me = {"cards": {"business_center": 1, "wheat_field": 1, "convenience_store": 2}}
    rich = {"cards": {"mine": 1, "ranch": 1, "convenience_store": 3}, "landmarks": STATION}
    poor = {"cards": {"wheat_field": 2}}
    game = after(position(BASE, [me, poor, rich]), "roll 1", "dice 6")
    for wanted in ("give wheat_field", "player 2", "take convenience_store"):
        assert choice(game) == wanted
        game.play(wanted)


def test_an_optional_trade_is_declined_when_nothing_is_better() -> None:
    me = {"cards": {"business_center": 1, "mine": 2, "winery": 2, "vineyard": 3}}
    game = position(SECOND, [me, {"cards": {"flower_shop": 1}}])
    assert choice(after(game, "roll 1", "dice 6")) == "decline"


def test_an_optional_trade_is_made_when_something_is_better() -> None:
    me = {"cards": {"business_center": 1, "flower_shop": 1}}
    game = position(SECOND, [me, {"cards": {"convenience_store": 3}}])
    after(game, "roll 1", "dice 6")
    assert choice(game) == "give flower_shop"


def test_the_moving_company_gets_rid_of_a_loan_and_burdens_the_leader() -> None:
    me = {"cards": {"moving_company": 1, "loan_office": 1, "ranch": 2}, "landmarks": STATION}
    leader = {"cards": {"ranch": 1}, "landmarks": ["train_station", "harbor"]}
    game = after(position(DELUXE, [me, {"cards": {"ranch": 1}}, leader]), "roll 2", "dice 5 5")
    for wanted in ("give loan_office", "player 2"):
        assert choice(game) == wanted
        game.play(wanted)


def test_a_gift_that_helps_goes_where_it_helps_least() -> None:
    me = {"cards": {"moving_company": 1, "ranch": 1, "diamine": 3}, "landmarks": STATION}
    dairy = {"cards": {"cheese_factory": 2}, "landmarks": STATION}
    game = after(position(DELUXE, [me, dairy, {"cards": {"bakery": 1}}]), "roll 2", "dice 5 5")
    game.play("give ranch")
    assert choice(game) == "player 2"


# ------------------------------------------------------------- types and landmarks


def test_it_tears_down_the_cheapest_landmark() -> None:
    me = {"cards": {"demolition_company": 1}, "landmarks": ["shopping_mall", "harbor", "airport"]}
    game = after(position(DELUXE, [me, {}]), "roll 1", "dice 4")
    assert choice(game) == "landmark harbor"


@pytest.mark.parametrize("ruleset", [DELUXE, GROSSSTADT], ids=["owners pay", "the bank pays"])
def test_renovation_hits_the_others_and_spares_itself(ruleset: Ruleset) -> None:
    me = {"cards": {"renovation_company": 1, "ranch": 3}, "landmarks": STATION}
    other = {"coins": 9, "cards": {"convenience_store": 4, "ranch": 1}}
    game = after(position(ruleset, [me, other, {"cards": {"wheat_field": 1}}]), "roll 2", "dice 4 4")
    assert choice(game) == "card convenience_store"


def test_a_convention_is_held_for_what_brings_most() -> None:
    cards = {"convention_center": 1, "bakery": 2, "cheese_factory": 1, "ranch": 4}
    game = after(position(DELUXE, [{"cards": cards, "landmarks": STATION}, {}]), "roll 2", "dice 4 6")
    assert choice(game) == "card cheese_factory"


def test_no_convention_is_held_for_a_coin() -> None:
    cards = {"convention_center": 1, "bakery": 1}
    game = after(position(DELUXE, [{"cards": cards, "landmarks": STATION}, {}]), "roll 2", "dice 4 6")
    assert choice(game) == "decline"


@pytest.mark.parametrize(
    ("landmarks", "cards", "first"),
    [
        # The Mall's extra coin is collected while the Mall stands.
        (["shopping_mall"], {"convenience_store": 2}, "convenience_store"),
        # With two landmarks Corn Fields pay nothing; with one they do.
        (["train_station", "harbor"], {"corn_field": 2}, "demolition_company"),
    ],
)
def test_it_orders_demolition_and_income_to_its_profit(
    landmarks: list[str], cards: dict[str, int], first: str
) -> None:
    me = {"cards": {"demolition_company": 1, **cards}, "landmarks": landmarks}
    assert choice(after(position(DELUXE, [me, {}]), "roll 1", "dice 4")) == f"first {first}"


def test_it_taxes_before_it_renovates() -> None:
    me = {"cards": {"tax_office": 1, "renovation_company": 1}, "landmarks": STATION}
    game = after(position(DELUXE, [me, {"coins": 10, "cards": {"ranch": 3}}]), "roll 2", "dice 4 4")
    assert choice(game) == "first tax_office"


@pytest.mark.parametrize(("landmarks", "invests"), [(STATION, "yes"), ([], "no")])
def test_it_invests_where_the_number_can_be_rolled(landmarks: list[str], invests: str) -> None:
    me = {"coins": 4, "cards": {"tech_startup": 1}, "landmarks": landmarks}
    game = after(position(DELUXE, [me, {"coins": 9}]), "roll 1", "dice 1", "pass")
    assert choice(game) == f"invest {invests}"


# ------------------------------------------------------------------------ building


def test_it_builds_the_landmark_that_wins() -> None:
    me = {"coins": 50, "cards": {"ranch": 1}, "landmarks": ["train_station", "shopping_mall", "radio_tower"]}
    game = after(position(BASE, [me, {}]), "roll 1", "dice 6", "keep")
    assert choice(game) == "build amusement_park"


def test_a_poor_city_buys_income_first() -> None:
    me = {"coins": 4, "cards": {"wheat_field": 1, "bakery": 1}}
    game = after(position(BASE, [me, {"cards": {"wheat_field": 1, "bakery": 1}}]), "roll 1", "dice 6")
    assert choice(game) == "build convenience_store"


def test_a_rich_city_builds_landmarks() -> None:
    me = {"coins": 30, "cards": {"convenience_store": 5, "bakery": 5}, "landmarks": STATION}
    game = after(position(BASE, [me, {}]), "roll 1", "dice 6")
    assert choice(game) in {"build radio_tower", "build shopping_mall", "build amusement_park"}


def test_it_saves_rather_than_buy_what_no_longer_pays() -> None:
    me = {
        "coins": 21,
        "cards": {"convenience_store": 5, "bakery": 5},
        "landmarks": ["train_station", "shopping_mall", "amusement_park"],
    }
    game = after(
        position(BASE, [me, {}], market={"wheat_field": 6, "cafe": 6, "mine": 6}), "roll 1", "dice 6"
    )
    assert choice(game) == "pass"


def test_cards_that_count_are_bought_for_a_city_that_has_what_they_count() -> None:
    market = {"cheese_factory": 2, "furniture_factory": 2}
    dairy = {"coins": 6, "cards": {"ranch": 5}, "landmarks": STATION}
    game = after(position(BASE, [dairy, {}], market), "roll 1", "dice 6")
    assert choice(game) == "build cheese_factory"


def test_cards_that_are_counted_are_bought_for_a_city_that_counts_them() -> None:
    market = {"ranch": 2, "wheat_field": 2}
    me = {"coins": 1, "cards": {"cheese_factory": 3, "ranch": 1}, "landmarks": STATION}
    game = after(position(BASE, [me, {}], market), "roll 1", "dice 6")
    assert choice(game) == "build ranch"


def test_an_airport_is_worth_waiting_for() -> None:
    everything = ["train_station", "harbor", "shopping_mall", "amusement_park", "airport"]
    me = {"coins": 10, "cards": {"bakery": 3}, "landmarks": everything}
    game = after(position(CIUDAD, [me, {}]), "roll 1", "dice 6")
    assert choice(game) == "pass"  # 20 coins, and two rounds later the Radio Tower


def second_game(me: dict[str, Any], landmarks: list[str], coins: int = 0) -> str:
    """What the greedy bot builds in Machi Koro 2 when nothing but these landmarks lies out."""
    other = {"coins": coins, "landmarks": ["temple"]}
    game = position(SECOND, [me, other], market={})
    for mark in SECOND.landmarks:
        game.state.market[game.notation.numbers[mark.id]] = mark.id in landmarks
    return choice(after(game, "roll 1", "dice 6"))


def test_the_launch_pad_wins_at_once() -> None:
    me = {"coins": 45, "cards": {"bakery": 2}}
    assert second_game(me, ["park", "launch_pad"]) == "build launch_pad"


def test_the_third_landmark_wins() -> None:
    me = {"coins": 22, "cards": {"bakery": 2}, "landmarks": ["airport", "forge"]}
    assert second_game(me, ["museum", "launch_pad"]) == "build museum"


def test_a_landmark_that_pays_at_once_is_preferred() -> None:
    me = {"coins": 12, "cards": {"bakery": 2}}
    assert second_game(me, ["charterhouse", "exhibit_hall"], coins=30) == "build exhibit_hall"


def test_in_start_rounds_it_builds() -> None:
    game = Game(SECOND, players=3, seed=5)
    assert game.phase == "build"
    assert choice(game).startswith("build ")


def test_without_help_for_the_poor_the_last_coins_go_where_the_bank_pays() -> None:
    """Else a table of restaurants and stadiums could end up without a coin, for ever."""
    hard = Ruleset("neue_stadt", house={"city_hall": False})
    market = {"sushi_bar": 3, "stadium": 3, "forest": 3}
    game = position(hard, [{"coins": 5}, {"coins": 5}], market)
    assert choice(after(game, "roll 1", "dice 6")) == "build forest"


def test_it_chooses_among_what_is_left_as_if_the_rest_were_not_offered() -> None:
    """A search tree asks what else it likes, with what it has tried already taken off the list."""
    game = position(BASE, [{"coins": 12, "cards": {"wheat_field": 1, "bakery": 1}}, {}])
    view = View.of(after(game, "roll 1", "dice 6"))
    everything = view.choices.action[: view.choices.count].tolist()
    best = choose_build(view.tables, view.state, view.choices)
    assert everything[0] == PASS
    for place in range(len(everything)):
        left = copy(view.choices)
        left.count = len(everything) - place
        left.action[: left.count] = everything[place:]
        chosen = choose_build(view.tables, view.state, left)
        assert chosen == best if best in everything[place:] else chosen in [PASS, *everything[place:]]
