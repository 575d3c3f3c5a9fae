"""Which states can be, field by field: the last value that can, and the first that cannot."""

from typing import Any

import pytest

from dicetown import Game, Ruleset
from dicetown.rules import codes as c
from dicetown.rules.sanity import find_flaw

PLAYERS = 3


def a_game(ruleset: Ruleset | None = None) -> Game:
    return Game(ruleset or Ruleset("deluxe"), players=PLAYERS, seed=1)


CARDS, LANDMARKS = len(Ruleset("deluxe").cards), len(Ruleset("deluxe").landmarks)

#: Each field with its least and its largest value.
LIMITS: list[tuple[str, int, int]] = [
    ("turn", 0, PLAYERS - 1),
    ("rerolled", 0, 1),
    ("received", 0, 1),
    ("built_now", 0, 1),
    ("given_closed", 0, 1),
    ("extra_earned", 0, 2),
    ("extra_left", 0, 99),
    ("start_left", 0, 0),
    ("acting", c.NOTHING, c.MAX_CARDS + LANDMARKS - 1),
    ("host", c.NOTHING, CARDS - 1),
    ("given", 0, CARDS - 1),
    ("partner", 0, PLAYERS - 1),
    ("left", 0, c.NO_LIMIT),
    ("hosting", 0, c.NO_LIMIT),
    ("winner", c.NOBODY, PLAYERS - 1),
    ("turns", 0, 1_000_000_000),
    ("refill", 0, 1),
    ("done", 0, (1 << c.MAX_AGENDA) - 1),
]


def flaw_with(**fields: int) -> str:
    """What is said about a game at its beginning with some fields changed."""
    game = a_game()
    for name, value in fields.items():
        setattr(game.state, name, value)
    return find_flaw(game.tables, game.state) or ""


@pytest.mark.parametrize(("field", "least", "most"), LIMITS)
def test_a_field_may_be_from_its_least_to_its_largest_value(field: str, least: int, most: int) -> None:
    said = f"{field} is "
    for value in (least, most):
        assert not flaw_with(**{field: value}).startswith(said)
    assert flaw_with(**{field: least - 1}).startswith(said)
    if most < c.NO_LIMIT or field in ("turns", "done"):
        assert flaw_with(**{field: most + 1}).startswith(said)


def test_a_game_at_its_beginning_has_no_flaw() -> None:
    assert flaw_with() == ""


# -------------------------------------------------------------------------------- dice


def flaw_in_dice(dice: int, die: int, other: int, total: int) -> str:
    """What is said about dice that lie there to be kept or rolled again."""
    game = a_game()
    marks = [mark.id for mark in game.ruleset.landmarks]
    game.state.built[0] = 1 << marks.index("radio_tower") | 1 << marks.index("train_station")
    for mark in ("radio_tower", "train_station"):
        game.state.market[c.MAX_CARDS + marks.index(mark)] -= 1
    fields: dict[str, Any] = {"phase": c.REROLL, "dice": dice, "die": die, "other_die": other, "total": total}
    for name, value in fields.items():
        setattr(game.state, name, value)
    return find_flaw(game.tables, game.state) or ""


@pytest.mark.parametrize(("dice", "die", "other"), [(1, 1, 0), (1, 6, 0), (2, 1, 1), (2, 6, 6)])
def test_dice_that_fell_may_lie(dice: int, die: int, other: int) -> None:
    assert flaw_in_dice(dice, die, other, die + other) == ""


@pytest.mark.parametrize(
    ("dice", "die", "other", "total", "said"),
    [
        (0, 3, 0, 3, "no dice lie"),
        (1, 0, 0, 0, "no dice lie"),
        (1, 3, 1, 4, "no dice lie"),  # one die was rolled, and two lie
        (2, 3, 0, 3, "no dice lie"),
        (2, 0, 3, 3, "no dice lie"),
        (3, 3, 3, 6, "no faces"),
        (1, 7, 0, 7, "no faces"),
        (2, 1, 7, 8, "no faces"),
        (-1, 1, 0, 1, "no faces"),
        (1, 3, 0, 4, "the total is 4, but the dice show 3"),
        (1, 3, 0, 2, "the total is 2, but the dice show 3"),
        (1, 3, 0, -1, "the total is -1"),
        (1, 3, 0, 15, "the total is 15"),
    ],
)
def test_dice_that_nobody_rolled_cannot_lie(dice: int, die: int, other: int, total: int, said: str) -> None:
    assert said in flaw_in_dice(dice, die, other, total)


# ------------------------------------------------------------------------------ a trade


def a_trade() -> Game:
    """Somebody has rolled a six with a Business Center, and is asked what to give."""
    marks = "train_station*2 shopping_mall*2 amusement_park*2 radio_tower*2"
    cities = "3 bakery ranch business_center | 3 cafe"
    position = f"deluxe base {{}} | {cities} | market mine*6 {marks} | deck | turn=0 phase=roll"
    game = Game.from_position(position, chance="manual")
    game.play("roll 1")
    game.play("dice 6")
    assert game.state.phase == c.GIVE
    return game


def test_a_trade_needs_somebody_else_with_a_card_to_trade() -> None:
    game = a_trade()
    assert find_flaw(game.tables, game.state) is None
    cafe = [card.id for card in game.ruleset.cards].index("cafe")
    game.state.owned[1, cafe] = 0
    assert "nobody has a card to trade" in (find_flaw(game.tables, game.state) or "")


def test_the_first_of_all_cards_may_act_as_any_other() -> None:
    """Where hardly anything is in the supply, a Business Center is number 0."""
    house = {"cards": ["business_center"], "start_rounds": 0, "market": "stacks"}
    game = Game(Ruleset("neue_stadt", house=house), players=2, seed=1, chance="manual")
    assert game.ruleset.cards[0].id == "business_center"
    state = game.state
    for seat in range(2):
        state.owned[seat, 0] = 1
        state.market[0] -= 1
    state.phase, state.acting, state.left, state.dice, state.die, state.total = c.GIVE, 0, 1, 1, 6, 6
    assert find_flaw(game.tables, state) is None


def test_a_deck_holds_no_more_than_the_box() -> None:
    game = a_game()
    card = next(card for card in range(game.tables.cards) if game.state.deck[card])
    game.state.deck[card] += 1
    assert "more than the box holds" in (find_flaw(game.tables, game.state) or "")


# ------------------------------------------------------------- landmarks, and the order


def test_landmarks_that_lie_open_have_no_deck() -> None:
    game = a_game(Ruleset("neue_stadt", house={"market": "stacks"}))
    assert find_flaw(game.tables, game.state) is None
    game.state.market[c.MAX_CARDS], game.state.deck[c.MAX_CARDS] = 0, 1
    assert find_flaw(game.tables, game.state) == "open landmarks have no deck"


@pytest.mark.parametrize("places", [("city", "market"), ("city", "deck"), ("market", "deck")])
def test_a_landmark_of_which_there_is_one_lies_in_one_place(places: tuple[str, str]) -> None:
    """Machi Koro 2 has each landmark once, for all players together."""
    game = a_game(Ruleset("neue_stadt"))
    state = game.state
    lying = next(mark for mark in range(game.tables.landmarks) if state.market[c.MAX_CARDS + mark])
    thing = c.MAX_CARDS + lying
    assert find_flaw(game.tables, state) is None
    state.market[thing] = int("market" in places)
    state.deck[thing] = int("deck" in places)
    state.built[0] = int("city" in places) << lying
    assert find_flaw(game.tables, state) == f"landmark {lying} is there more often than the box holds it"


def test_a_landmark_that_lets_somebody_give_a_card_may_act() -> None:
    """R60: the Moving Company of Machi Koro 2, after doubles."""
    house = {
        "landmarks": ["temple", "moving_company", "amusement_park"],
        "start_rounds": 0,
        "market": "stacks",
    }
    game = Game(Ruleset("neue_stadt", house=house), players=2, seed=1, chance="manual")
    bit = [mark.id for mark in game.ruleset.landmarks].index("moving_company")
    state = game.state
    state.built[0] = 1 << bit
    state.market[c.MAX_CARDS + bit] -= 1
    for card in (0, 1):
        state.owned[0, card] = 1
        state.market[card] -= 1
    game.play("roll 2")
    game.play("dice 5 5")
    assert (state.phase, state.acting, state.left) == (c.GIVE, c.MAX_CARDS + bit, 1)
    assert find_flaw(game.tables, state) is None
    state.acting = c.MAX_CARDS + (bit + 1) % 3
    assert "does not act now" in (find_flaw(game.tables, state) or "")


def test_an_order_may_be_chosen_after_other_cards_have_acted() -> None:
    """R11: a Hamburger Stand and a Mackerel Boat come before Tax Office and Renovation Company."""
    sets = "base+harbor+millionaires_row+deluxe_extras"
    marks = "harbor*2 train_station shopping_mall*2 amusement_park*2 radio_tower*2 airport*2"
    city = "9 mackerel_boat tax_office renovation_company +train_station"
    position = f"deluxe {sets} {{}} | {city} | 12 hamburger_stand | market {marks} | deck | turn=0 phase=roll"
    game = Game.from_position(position, chance="manual")
    game.play("roll 2")
    game.play("dice 4 4")
    assert game.state.phase == c.ORDER
    assert game.state.done
    assert find_flaw(game.tables, game.state) is None
    assert Game.from_position(game.position(), chance="manual").position() == game.position()


def test_a_convention_has_a_host() -> None:
    """R47: boats that are out for a Convention Center alone."""
    sets = "base+harbor+millionaires_row+deluxe_extras"
    marks = "harbor train_station shopping_mall*2 amusement_park*2 radio_tower*2 airport*2"
    city = "9 convention_center tuna_boat wheat_field +train_station +harbor"
    position = f"deluxe {sets} {{}} | {city} | 3 bakery | market {marks} | deck | turn=0 phase=roll"
    game = Game.from_position(position, chance="manual")
    for move in ("roll 2", "dice 4 6", "add_two no", "card tuna_boat"):
        game.play(move)
    assert (game.state.phase, game.state.hosting) == (c.TUNA, 1)
    assert find_flaw(game.tables, game.state) is None
    for host in ([card.id for card in game.ruleset.cards].index("wheat_field"), c.NOTHING):
        game.state.host = host
        assert find_flaw(game.tables, game.state) == "the convention has no host"


def test_a_turn_begins_without_dice() -> None:
    """Else equal positions would differ by what was rolled before."""
    marks = "train_station shopping_mall*2 amusement_park*2 radio_tower*2"
    cities = "3 bakery +train_station | 3 bakery"
    position = f"deluxe base {{}} | {cities} | market mine*6 {marks} | deck | turn=0 phase=roll"
    game = Game.from_position(position, chance="manual")
    for move in ("roll 2", "dice 5 6"):  # there is nothing to build
        game.play(move)
    state = game.state
    assert (state.turn, state.phase) == (1, c.ROLL)
    assert (state.dice, state.die, state.other_die, state.total) == (0, 0, 0, 0)
