"""Which states can be while somebody must choose: as play brings them about, and with one thing changed."""

from collections.abc import Callable
from typing import Any

import pytest

from dicetown import Game, Ruleset
from dicetown.rules import codes as c
from dicetown.rules.sanity import find_flaw

ALL = "base+harbor+millionaires_row+deluxe_extras"
MARKS = ("harbor", "train_station", "shopping_mall", "amusement_park", "radio_tower", "airport")
Change = Callable[[Game, Any], object]


def played(cities: str, moves: str) -> Game:
    """A game of the Deluxe box after some moves."""
    seats = cities.split("|")
    lying = {mark: len(seats) - sum(f"+{mark}" in seat.split() for seat in seats) for mark in MARKS}
    market = " ".join(f"{mark}*{copies}" for mark, copies in lying.items() if copies)
    position = f"deluxe {ALL} {{}} | {cities} | market {market} | deck | turn=0 phase=roll"
    game = Game.from_position(position, chance="manual")
    for move in filter(None, moves.split(", ")):
        game.play(move)
    return game


def card(game: Game, name: str) -> int:
    return [one.id for one in game.ruleset.cards].index(name)


def bit(game: Game, name: str) -> int:
    return [one.id for one in game.ruleset.landmarks].index(name)


def fields(**values: int) -> Change:
    """Change some fields."""

    def change(game: Game, s: Any) -> None:
        for name, value in values.items():
            setattr(s, name, value)

    return change


def given(name: str, closed: int = 0) -> Change:
    """Another card is said to be given."""
    return lambda game, s: fields(given=card(game, name), given_closed=closed)(game, s)


def without(seat: int, *names: str) -> Change:
    """Some cards are gone from a city."""

    def change(game: Game, s: Any) -> None:
        for name in names:
            s.owned[seat, card(game, name)] = s.closed[seat, card(game, name)] = 0

    return change


def turned_back(game: Game, s: Any) -> None:
    """The player on turn has no landmark, and all are in the market."""
    for landmark in range(game.tables.landmarks):
        s.market[c.MAX_CARDS + landmark] += s.built[0] >> landmark & 1
    s.built[0] = 0


def acting(name: str) -> Change:
    return lambda game, s: setattr(s, "acting", card(game, name))


def same(game: Game, s: Any) -> None:
    """Nothing is changed."""


TRADE = "3 bakery ranch~1 business_center | 3 cafe diamine | 3 stadium forest"
MOVING = "3 moving_company bakery +train_station | 3 cafe | 3 cafe"
PULLING = "3 demolition_company +train_station +airport | 3 cafe"
BOATS = "3 tuna_boat ranch +train_station +harbor | 3 cafe"
TOWER = "3 ranch +train_station +radio_tower | 3 cafe"
STARTUP = "3 tech_startup ranch | 3 cafe"
CLOSING = "3 renovation_company ranch +train_station | 3 cafe"
SHORE = "3 ranch +train_station +harbor | 3 cafe"
OFFICE = "30 tax_office renovation_company +train_station | 13 cafe"

#: Where play has come to, what is changed, and what is said then; nothing where it can be.
CASES: dict[str, tuple[str, str, Change, str]] = {
    "an order is chosen": (OFFICE, "roll 2, dice 3 5", same, ""),
    "an order is chosen while copies are left": (OFFICE, "roll 2, dice 3 5", fields(left=1), "still to act"),
    "an order is chosen in a convention": (
        OFFICE, "roll 2, dice 3 5", fields(hosting=1, host=3), "still to act"),
    "a card is given": (TRADE, "roll 1, dice 6", same, ""),
    "nobody who gives has a card": (
        TRADE, "roll 1, dice 6", without(0, "bakery", "ranch"), "has no card to give"),
    "only the others have none": (
        TRADE, "roll 1, dice 6",
        lambda game, s: (without(1, "cafe", "diamine")(game, s), without(2, "forest")(game, s)),
        "nobody has a card to trade"),
    "a player is chosen": (TRADE, "roll 1, dice 6, give bakery", same, ""),
    "the closed copy is given": (TRADE, "roll 1, dice 6, give bakery", given("ranch", 1), ""),
    "an open copy of a closed card": (
        TRADE, "roll 1, dice 6, give bakery", given("ranch"), "not there to give"),
    "a closed copy of an open card": (
        TRADE, "roll 1, dice 6, give bakery", given("bakery", 1), "not there to give"),
    "a card of somebody else": (
        TRADE, "roll 1, dice 6, give bakery", given("diamine"), "not there to give"),
    "a purple card": (
        TRADE, "roll 1, dice 6, give bakery", given("business_center"), "not there to give"),
    "a card is taken": (TRADE, "roll 1, dice 6, give bakery, player 1", same, ""),
    "taken from oneself": (
        TRADE, "roll 1, dice 6, give bakery, player 1", fields(partner=0), "no card to take"),
    "taken from who has only purple ones": (
        TRADE, "roll 1, dice 6, give bakery, player 1",
        lambda game, s: (without(2, "forest")(game, s), fields(partner=2)(game, s)),
        "no card to take"),
    "taken while a gone card is given": (
        TRADE, "roll 1, dice 6, give bakery, player 1", given("forest"), "not there to give"),
    "a card is moved": (MOVING, "roll 2, dice 4 5", same, ""),
    "nothing to move": (
        MOVING, "roll 2, dice 4 5", without(0, "moving_company", "bakery"), "has no card to give"),
    "the moved card goes to somebody": (MOVING, "roll 2, dice 4 5, give bakery", same, ""),
    "others need no card for that": (
        MOVING, "roll 2, dice 4 5, give bakery",
        lambda game, s: (without(1, "cafe")(game, s), without(2, "cafe")(game, s)),
        ""),
    "a landmark is pulled down": (PULLING, "roll 1, dice 4", same, ""),
    "none stands": (PULLING, "roll 1, dice 4", turned_back, "no landmark to demolish"),
    "no copy is left": (PULLING, "roll 1, dice 4", fields(left=0), "no card is left to act"),
    "another card acts": (
        PULLING, "roll 1, dice 4", acting("business_center"), "does not wait for this"),
    "nothing acts": (
        PULLING, "roll 1, dice 4", fields(acting=c.NOTHING), "does not wait for this"),
    "a number that is no card acts": (
        PULLING, "roll 1, dice 4",
        lambda game, s: setattr(s, "acting", game.tables.cards),
        "which is no card"),
    "a landmark acts that has no say": (
        PULLING, "roll 1, dice 4", fields(acting=c.MAX_CARDS), "does not act now"),
    "a type closes": (CLOSING, "roll 2, dice 4 4", same, ""),
    "more is done than acts": (
        CLOSING, "roll 2, dice 4 4",
        lambda game, s: setattr(s, "done", 1 << int(game.tables.n_agenda[8])),
        "do not act on this total"),
    "more is due than acts": (
        CLOSING, "roll 2, dice 4 4",
        lambda game, s: s.due.__setitem__(int(game.tables.n_agenda[8]), 1),
        "do not act on this total"),
    "boats are out": (BOATS, "roll 2, dice 6 6, add_two no", same, ""),
    "boats are out on a raised total": (BOATS, "roll 2, dice 6 6, add_two yes", same, ""),
    "boats out without dice": (
        BOATS, "roll 2, dice 6 6, add_two no", fields(dice=0, die=0, other_die=0), "no dice lie"),
    "boats out on less than the dice show": (
        BOATS, "roll 2, dice 6 6, add_two no", fields(total=11), "the dice show 12"),
    "two may be added to ten": (SHORE, "roll 2, dice 4 6", same, ""),
    "and to twelve": (SHORE, "roll 2, dice 6 6", same, ""),
    "but not to nine": (
        SHORE, "roll 2, dice 4 6", fields(die=3, total=9), "nothing may be added"),
    "nor without a harbor": (SHORE, "roll 2, dice 4 6", turned_back, "nothing may be added"),
    "dice may be rolled again": (TOWER, "roll 2, dice 4 6", same, ""),
    "but not twice": (TOWER, "roll 2, dice 4 6", fields(rerolled=1), "may not reroll"),
    "nor without a tower": (TOWER, "roll 2, dice 4 6", turned_back, "may not reroll"),
    "dice are in the air": (TOWER, "roll 2", same, ""),
    "two without a station": (TOWER, "roll 2", turned_back, "may not roll two dice"),
    "one without a station": (TOWER, "roll 1", turned_back, ""),
    "an extra turn before they lie": (
        TOWER, "roll 2", fields(extra_earned=1), "before the dice are final"),
    "a coin is put aside": (STARTUP, "roll 1, dice 6, pass", same, ""),
    "a coin that is not there": (
        STARTUP, "roll 1, dice 6, pass", lambda game, s: s.coins.fill(0), "cannot invest"),
    "a startup that is not there": (
        STARTUP, "roll 1, dice 6, pass", without(0, "tech_startup"), "cannot invest"),
    "start rounds that are none": (STARTUP, "", fields(start_left=1), "start_left is 1"),
}  # fmt: skip


@pytest.mark.parametrize(("cities", "moves", "change", "said"), CASES.values(), ids=CASES.keys())
def test_a_state_that_waits_can_be_or_cannot(cities: str, moves: str, change: Change, said: str) -> None:
    game = played(cities, moves)
    change(game, game.state)
    flaw = find_flaw(game.tables, game.state) or ""
    assert said in flaw
    assert bool(said) == bool(flaw)


# ------------------------------------------------------------------ start rounds and endings


def new_town(**house: Any) -> Game:
    return Game(Ruleset("neue_stadt", house=house), players=2, seed=1)


def test_in_start_rounds_nobody_rolls() -> None:
    """R52."""
    game = new_town()
    assert (game.state.start_left, find_flaw(game.tables, game.state)) == (6, None)
    game.state.phase = c.ROLL
    assert find_flaw(game.tables, game.state) == "only building is possible in the start rounds"


def test_start_rounds_are_not_longer_than_the_rules_say() -> None:
    game = new_town()
    game.state.start_left = 7
    assert find_flaw(game.tables, game.state) == "start_left is 7, which must be 0 to 6"


def test_while_the_market_is_dealt_it_is_nobodys_turn() -> None:
    game = Game(Ruleset("neue_stadt"), players=2, chance="manual")
    state = game.state
    assert (state.turn, state.phase, find_flaw(game.tables, state)) == (c.NOBODY, c.DRAW, None)
    state.turn = 2
    assert find_flaw(game.tables, state) == "turn is 2, which must be -1 to 1"


def test_a_launch_pad_ends_the_game_and_two_other_landmarks_do_not() -> None:
    """R55."""
    game = new_town(start_rounds=0, market="stacks")
    state = game.state
    for marks, winner in ((["temple", "forge"], c.NOBODY), (["launch_pad"], 0)):
        state.built[0] = sum(1 << bit(game, mark) for mark in marks)
        state.market[c.MAX_CARDS : c.MAX_CARDS + game.tables.landmarks] = 1
        for mark in marks:
            state.market[c.MAX_CARDS + bit(game, mark)] = 0
        state.phase, state.winner = c.ROLL, c.NOBODY
        said = find_flaw(game.tables, state)
        assert said == (None if winner == c.NOBODY else "player 0 has won already")
    state.phase, state.winner = c.OVER, 0
    assert find_flaw(game.tables, state) is None
    state.winner = 1
    assert "nobody has won" in (find_flaw(game.tables, state) or "")


def test_a_game_is_drawn_when_its_last_turn_is_over_and_not_before() -> None:
    game = Game(Ruleset("deluxe", sets=["base"], house={"max_turns": 3}), players=2, seed=1)
    state = game.state
    state.turns = 2
    assert find_flaw(game.tables, state) is None
    state.phase = c.OVER
    assert "no limit has been reached" in (find_flaw(game.tables, state) or "")
    state.turns = 3
    assert find_flaw(game.tables, state) is None
    state.winner = 1
    assert "nobody has won" in (find_flaw(game.tables, state) or "")
    state.phase, state.winner = c.ROLL, c.NOBODY
    assert find_flaw(game.tables, state) == "the last turn has been played"
