"""What is told: how many copies of a card a payment is for, and no more than a log can hold."""

import pytest

from dicetown import Game, Ruleset
from dicetown.game import events as e
from dicetown.rules.codes import BANK, EVENT_INVEST, EVENT_PAY
from dicetown.rules.layout import LOG, STATE, new
from dicetown.rules.ledger import pay, write_down

ALL = "base+harbor+millionaires_row+deluxe_extras"


def paid(city: str, other: str, *moves: str) -> list[e.Paid]:
    """The payments that some moves bring about; the roller has a Train Station."""
    airports = "airport" if "+airport" in city else "airport*2"
    marks = f"harbor*2 train_station shopping_mall*2 amusement_park*2 radio_tower*2 {airports}"
    position = (
        f"deluxe {ALL} {{}} | {city} +train_station | {other} | market {marks} | deck | turn=0 phase=roll"
    )
    game = Game.from_position(position, chance="manual")
    told = [event for move in moves for event in game.play(move)]
    return [event for event in told if isinstance(event, e.Paid)]


@pytest.mark.parametrize(
    ("city", "other", "dice", "expected"),
    [
        (
            "8 park",
            "1 ranch",
            "dice 5 6",
            [e.Paid(0, None, 3, 3, "park", 1), e.Paid(None, 1, 4, 4, "park", 1)],
        ),
        ("8 stadium", "9 cafe", "dice 2 4", [e.Paid(1, 0, 2, 2, "stadium", 1)]),
        ("8 tax_office", "12 cafe", "dice 4 4", [e.Paid(1, 0, 6, 6, "tax_office", 1)]),
        (
            "8 bakery*3",
            "0 cafe*2",
            "dice 1 2",
            [e.Paid(0, 1, 2, 2, "cafe", 2), e.Paid(None, 0, 3, 3, "bakery", 3)],
        ),
        ("0 ranch", "0 cafe", "dice 4 4", [e.Paid(None, 0, 1, 1, "help", 1)]),
    ],
)
def test_a_payment_tells_how_many_copies_it_is_for(
    city: str, other: str, dice: str, expected: list[e.Paid]
) -> None:
    assert paid(city, other, "roll 2", dice) == expected


@pytest.mark.parametrize(
    ("city", "other", "moves", "expected"),
    [
        (
            "8 ranch +airport",
            "3 cafe",
            "roll 1, dice 6, pass",
            [e.Paid(None, 0, 10, 10, "airport", 1)],
        ),
        (
            "8 tv_station",
            "3 cafe",
            "roll 1, dice 6",
            [e.Paid(1, 0, 3, 5, "tv_station", 1)],
        ),
        (
            "8 demolition_company*2 +airport",
            "3 cafe",
            "roll 1, dice 4, landmark airport",
            [e.Paid(None, 0, 8, 8, "demolition_company", 1)] * 2,  # the Train Station goes by itself
        ),
        (
            "8 winery*2~1 vineyard",
            "3 cafe",
            "roll 2, dice 4 5",
            [e.Paid(None, 0, 6, 6, "winery", 1)],
        ),
        (
            "8 loan_office*3~1",
            "3 cafe",
            "roll 1, dice 5",
            [e.Paid(0, None, 4, 4, "loan_office", 2)],
        ),
    ],
)
def test_landmarks_and_choices_pay_for_one_copy_each(
    city: str, other: str, moves: str, expected: list[e.Paid]
) -> None:
    assert paid(city, other, *moves.split(", ")) == expected


def test_what_is_built_is_paid_for_once_and_may_bring_coins_at_once() -> None:
    """R37: a Loan Office."""
    game = Game(Ruleset("deluxe", house={"market": "stacks", "start_coins": 30}), players=2, chance="manual")
    for build, expected in {
        "loan_office": [e.Paid(0, None, 0, 0, "price", 1), e.Paid(None, 0, 5, 5, "loan_office", 1)],
        "train_station": [e.Paid(1, None, 4, 4, "price", 1)],
        "cafe": [e.Paid(0, None, 2, 2, "price", 1)],
    }.items():
        for move in ("roll 1", "dice 6"):
            game.play(move)
        told = [event for event in game.play(f"build {build}") if isinstance(event, e.Paid)]
        assert told == [one for one in expected if one.owed], build


@pytest.mark.parametrize(
    ("landmark", "dice", "expected"),
    [
        ("tech_startup", "6 6", e.Paid(None, 0, 8, 8, "tech_startup", 1)),
        ("charterhouse", "5 6", e.Paid(None, 0, 3, 3, "charterhouse", 1)),
        ("temple", "5 5", e.Paid(1, 0, 2, 2, "temple", 1)),
    ],
)
def test_landmarks_of_the_new_town_tell_that_it_was_they_who_paid(
    landmark: str, dice: str, expected: e.Paid
) -> None:
    position = f"neue_stadt base {{}} | 3 | 4 +{landmark} | market | deck | turn=0 phase=roll"
    game = Game.from_position(position, chance="manual")
    told = [event for move in ("roll 2", f"dice {dice}") for event in game.play(move)]
    assert [event for event in told if isinstance(event, e.Paid)] == [expected]


def turns_told(house: str, city: str, *moves: str) -> list[e.Event]:
    """What some moves tell about turns."""
    marks = "train_station shopping_mall*2 amusement_park radio_tower*2"
    position = (
        f"deluxe base {house} | {city} +train_station +amusement_park | 3 bakery | market mine*6 {marks} "
        "| deck | turn=0 phase=roll"
    )
    game = Game.from_position(position, chance="manual")
    told = [event for move in moves for event in game.play(move)]
    return [event for event in told if isinstance(event, e.ExtraTurnEarned | e.TurnBegan)]


def test_a_turn_tells_whether_it_is_an_extra_one() -> None:
    """R4."""
    earned = [e.ExtraTurnEarned(0, "amusement_park"), e.TurnBegan(0, True)]
    assert turns_told("{}", "2 cafe", "roll 2", "dice 2 2") == earned
    assert turns_told("{}", "2 cafe", "roll 2", "dice 2 3") == [e.TurnBegan(1, False)]


def test_an_extra_turn_that_nobody_may_have_is_not_told() -> None:
    assert turns_told('{"max_extra_turns":0}', "2 cafe", "roll 2", "dice 2 2") == [e.TurnBegan(1, False)]


def test_the_first_turn_of_a_game_is_no_extra_one() -> None:
    game = Game(Ruleset("neue_stadt", house={"start_rounds": 1}), players=2, seed=1)
    for _ in range(3):
        game.play("pass" if game.phase == "build" else "roll 1")
    turns = [event for event in game.events if isinstance(event, e.TurnBegan)]
    assert turns[:3] == [e.TurnBegan(0, False), e.TurnBegan(1, False), e.TurnBegan(0, False)]


def test_a_game_that_ends_with_its_last_turn_tells_so() -> None:
    house = {"max_turns": 1}
    game = Game(Ruleset("deluxe", sets=["base"], house=house), players=2, seed=1)
    game.play("roll 1")
    assert game.play("pass") == [e.Passed(0), e.GameDrawn()]


def test_closed_copies_tell_nothing_but_their_opening() -> None:
    """R16, R20: with all Wineries closed nothing is earned, and nothing closes again."""
    marks = "harbor*2 train_station shopping_mall*2 amusement_park*2 radio_tower*2 airport*2"
    cities = "2 winery*2~2 vineyard wheat_field +train_station | 2 winery ranch"
    position = f"deluxe {ALL} {{}} | {cities} | market {marks} | deck | turn=0 phase=roll"
    game = Game.from_position(position, chance="manual")
    told = [event for move in ("roll 2", "dice 4 5") for event in game.play(move)]
    seen = [event for event in told if isinstance(event, e.Paid | e.Closed | e.Reopened)]
    assert seen == [e.Reopened(0, "winery", 2)]


def test_a_log_for_a_single_event_takes_it() -> None:
    log, state = new(LOG), new(STATE)
    log.capacity = 1
    pay(state, log, BANK, 0, 3, 0, 1)
    assert (log.count, log.rows[0].tolist()) == (1, [EVENT_PAY, BANK, 0, 3, 0, 1, 3])


def test_a_full_log_takes_no_more() -> None:
    log = new(LOG)
    log.capacity = len(log.rows)
    for number in range(len(log.rows) + 1):
        write_down(log, EVENT_INVEST, number, 0, 0, 0, 0, 0)
    assert log.count == len(log.rows)
    assert log.rows[-1, 1] == len(log.rows) - 1
