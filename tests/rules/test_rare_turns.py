"""Effects that find nothing to do: rights that lapse, surplus copies, gifts that are forced.

Random games hardly ever come here, so these positions are set up by hand.
"""

import msgspec

from dicetown import Game, Ruleset
from dicetown.game import events as e
from dicetown.material import load
from dicetown.material import model as m
from dicetown.rules import codes as c


def roll(
    *cities: str,
    dice: str,
    edition: str = "deluxe",
    sets: str = "base+millionaires_row+deluxe_extras",
    house: str = "{}",
) -> Game:
    """A game after the first player's roll; landmarks are those of the base game."""
    marks = ["train_station", "shopping_mall", "amusement_park", "radio_tower"]
    lying = {mark: len(cities) - sum(f"+{mark}" in city.split() for city in cities) for mark in marks}
    market = "" if edition == "neue_stadt" else " ".join(f"{mark}*{n}" for mark, n in lying.items() if n)
    now = f"turn=0 phase=dice dice={len(dice.split())}"
    game = Game.from_position(
        f"{edition} {sets} {house} | {' | '.join(cities)} | market wheat_field {market} | deck | {now}",
        chance="manual",
    )
    game.play(f"dice {dice}")
    return game


def forced(game: Game) -> list[str]:
    return [event.action for event in game.events if isinstance(event, e.Forced)]


def test_a_convention_in_a_city_of_nothing_but_purple_cards_is_not_held() -> None:
    game = roll("3 convention_center stadium +train_station", "3 bakery", dice="5 5")
    assert (game.phase, game.cards(0)) == ("build", {"stadium": 1, "convention_center": 1})
    assert (forced(game), game.state.left) == ([], 0)  # nobody is asked, so nobody has to decline


def test_a_convention_about_a_red_card_does_nothing_and_the_center_leaves() -> None:
    game = roll("3 cafe*2~1 convention_center +train_station", "3 bakery", dice="5 5")
    assert [str(action) for action in game.legal_actions()] == ["decline", "card cafe"]
    assert e.Returned(0, "convention_center") in game.play("card cafe")
    assert (game.coins(0), game.cards(0), game.closed(0)) == (3, {"cafe": 2}, {"cafe": 1})
    assert game.market["convention_center"] == 1


def test_a_convention_can_be_declined_and_the_center_stays() -> None:
    game = roll("3 cafe convention_center +train_station", "3 bakery", dice="5 5")
    game.play("decline")
    assert (game.phase, game.cards(0)) == ("build", {"cafe": 1, "convention_center": 1})


def test_a_second_convention_begins_without_a_host() -> None:
    """R47: each center asks for itself; what the first was about is forgotten."""
    game = roll(
        "3 cafe convention_center*2 +train_station", "3 bakery", dice="5 5", house='{"major_limit":null}'
    )
    game.play("card cafe")
    state = game.state
    assert (state.phase, state.left, state.hosting, state.host) == (c.CARD, 1, 0, c.NOTHING)
    game.play("card cafe")
    assert (game.phase, game.cards(0)) == ("build", {"cafe": 1})


def test_a_business_center_without_a_card_to_give_lapses() -> None:
    game = roll("3 business_center stadium", "3 bakery", dice="6")
    assert (game.phase, game.coins(0), game.state.left) == ("build", 5, 0)


def test_a_business_center_without_a_card_to_take_lapses() -> None:
    game = roll("3 business_center cafe", "3 stadium", "3 tv_station", dice="6")
    assert (game.phase, game.cards(0)) == ("build", {"cafe": 1, "business_center": 1})


def test_a_business_center_offers_only_players_who_have_a_card_to_take() -> None:
    game = roll("3 business_center cafe", "3 stadium", "3 bakery", dice="6")
    assert forced(game) == ["give cafe", "player 2", "take bakery"]
    assert (game.cards(0), game.cards(2)) == ({"bakery": 1, "business_center": 1}, {"cafe": 1})


def test_both_business_centers_act_even_if_the_first_gives_the_second_away() -> None:
    """R63: how many act is fixed at activation."""
    game = roll("3 business_center*2", "3 cafe*2", "3 bakery", dice="6", edition="neue_stadt", sets="base")
    for move in ("give business_center", "player 1"):
        game.play(move)
    assert game.cards(0) == {"cafe": 1, "business_center": 1}
    assert [str(action) for action in game.legal_actions()] == [
        "decline",
        "give cafe",
        "give business_center",
    ]


def test_the_first_of_all_cards_is_given_taken_and_chosen_as_any_other() -> None:
    """R21: open and closed copies apart; in the base game the Wheat Field is number 0."""
    cities = ("3 business_center wheat_field*2~1", "3 cafe wheat_field*2~1")
    for given, taken in (("wheat_field", "wheat_field closed"), ("wheat_field closed", "wheat_field")):
        game = roll(*cities, dice="6")
        assert game.ruleset.cards[0].id == "wheat_field"
        game.play(f"give {given}")
        game.play(f"take {taken}")
        assert game.phase == "build"
        assert game.closed(0) == ({"wheat_field": 2} if "closed" in taken else {})
        assert game.cards(1) == {"wheat_field": 2, "cafe": 1}
    game = roll("3 renovation_company +train_station", "3 wheat_field*2~1", dice="4 4")
    game.play("card wheat_field")
    assert (game.closed(1), game.coins(0)) == ({"wheat_field": 2}, 4)


def test_a_demolition_company_without_a_landmark_does_nothing() -> None:
    """R41."""
    game = roll("3 demolition_company", "3 bakery", dice="4")
    assert (game.phase, game.coins(0), game.state.left) == ("build", 3, 0)


def test_surplus_demolition_companies_do_nothing_and_pay_nothing() -> None:
    """R41."""
    game = roll("3 demolition_company*3 +train_station", "3 bakery", dice="4")
    assert forced(game) == ["landmark train_station"]
    assert (game.phase, game.coins(0), game.landmarks(0)) == ("build", 11, [])


def test_a_moving_company_among_purple_cards_moves_itself() -> None:
    """R38."""
    game = roll("3 moving_company stadium +train_station", "3 bakery", dice="4 5")
    assert forced(game) == ["give moving_company", "player 1"]
    assert (game.cards(0), game.coins(0)) == ({"stadium": 1}, 7)


def test_moving_companies_that_find_nothing_more_to_give_have_still_been_paid() -> None:
    """R39, R40: the coins come first; each open copy gives once."""
    game = roll("3 moving_company*2 +train_station", "3 bakery", dice="4 5")
    assert (game.cards(0), game.cards(1), game.coins(0)) == ({}, {"bakery": 1, "moving_company": 2}, 11)


def test_a_moving_company_moves_to_somebody_who_has_no_card_at_all() -> None:
    """R38: unlike a trade, it needs nothing in return."""
    game = roll("3 moving_company +train_station", "3", dice="4 5")
    assert (game.cards(0), game.cards(1), game.coins(0)) == ({}, {"moving_company": 1}, 7)


def test_a_renovation_tells_only_of_those_who_have_the_card() -> None:
    """R18."""
    game = roll("3 renovation_company +train_station", "3 bakery", "3 cafe*2~1", dice="4 4")
    told = game.play("card cafe")
    assert [event for event in told if isinstance(event, e.Closed | e.Paid)] == [
        e.Closed(2, "cafe", 1, "renovation_company"),
        e.Paid(2, 0, 1, 1, "renovation_company", 1),
    ]


def test_renovating_what_nobody_has_changes_nothing() -> None:
    """R18."""
    game = roll("3 renovation_company +train_station", "3 bakery", dice="4 4")
    game.play("card mine" if "mine" in game.notation.numbers else "card diamine")
    assert (game.phase, game.coins(0), game.coins(1), game.closed(1)) == ("build", 3, 3, {})


def test_the_landmark_that_gives_on_doubles_passes_who_has_nothing_to_give() -> None:
    """R60."""
    game = roll("3 +moving_company", "3 bakery", dice="2 2", edition="neue_stadt", sets="base")
    assert (game.phase, forced(game)) == ("build", [])


def test_the_landmark_that_gives_on_doubles_gives_to_the_previous_player() -> None:
    """R60: counter-clockwise; purple cards, too."""
    game = roll("3 stadium", "3 +moving_company", "3 cafe", dice="2 2", edition="neue_stadt", sets="base")
    assert forced(game) == ["give stadium"]
    assert (game.cards(2), game.state.left) == ({"cafe": 1, "stadium": 1}, 0)


def test_the_previous_player_is_the_one_before_whoever_rolls() -> None:
    """R60."""
    for seat in (1, 2):
        cities = [
            f"3 {'stadium' if one == seat else '+moving_company' if one == 0 else ''}" for one in range(3)
        ]
        position = f"neue_stadt base {{}} | {' | '.join(cities)} | market | deck | turn={seat} phase=roll"
        game = Game.from_position(position, chance="manual")
        game.play("roll 2")
        game.play("dice 2 2")
        assert (game.cards(seat), game.cards(seat - 1)) == ({}, {"stadium": 1})


def test_only_landmarks_that_stand_pay_for_their_total() -> None:
    """R57, in a town where two landmarks pay for twelve."""
    box = load()
    second = box.games["second"]
    pays = m.TotalPay(total=12, amount=3)
    other = msgspec.structs.replace(second.landmarks["farmers_market"], effect=pays)
    town = msgspec.structs.replace(second, landmarks=second.landmarks | {"farmers_market": other})
    material = msgspec.structs.replace(box, games=box.games | {"second": town})
    house = {"start_rounds": 0, "market": "stacks"}
    ruleset = Ruleset("neue_stadt", house=house, material=material)
    marks = [mark.id for mark in ruleset.landmarks]
    for standing, coins in (
        (["tech_startup"], 8),
        (["farmers_market"], 3),
        (["farmers_market", "tech_startup"], 11),
    ):
        game = Game(ruleset, players=2, chance="manual")
        game.state.built[1] = sum(1 << marks.index(mark) for mark in standing)
        game.play("roll 2")
        game.play("dice 6 6")
        assert game.coins(0) == 5 + coins


def test_the_consolation_asks_for_what_this_roll_brought_and_for_nothing_before_it() -> None:
    """R56."""
    position = (
        "neue_stadt base {} | 3 +charterhouse | 3 bakery | market | deck | turn=0 phase=roll received=1"
    )
    game = Game.from_position(position, chance="manual")
    game.play("roll 2")
    game.play("dice 5 6")
    assert game.coins(0) == 6


def test_a_park_demolished_on_its_own_doubles_still_gives_the_turn_or_not_by_house_rule() -> None:
    """R5."""
    for fixed, seat in ((True, 0), (False, 1)):
        city = "3 demolition_company +train_station +amusement_park"
        game = roll(
            city, "3 bakery", dice="2 2", house=f'{{"extra_turn_fixed_at_roll":{str(fixed).lower()}}}'
        )
        game.play("landmark amusement_park")
        assert game.state.extra_earned == int(fixed)
        game.play("pass")
        assert (game.turn, game.turns) == (seat, 1)


def test_a_park_that_still_stands_gives_the_turn_under_either_house_rule() -> None:
    """R5."""
    for fixed in ("true", "false"):
        city, house = "3 ranch +train_station +amusement_park", f'{{"extra_turn_fixed_at_roll":{fixed}}}'
        game = roll(city, "3 bakery", dice="4 4", house=house)
        game.play("pass")
        assert (game.turn, game.turns) == (0, 1)
