"""What is told: how many copies of a card a payment is for, and no more than a log can hold."""

import pytest

from dicetown import Game
from dicetown import events as e
from dicetown.rules.codes import EVENT_INVEST
from dicetown.rules.layout import LOG, new
from dicetown.rules.ledger import write_down

ALL = "base+harbor+millionaires_row+deluxe_extras"


def paid(city: str, other: str, *moves: str) -> list[e.Paid]:
    """The payments that some moves bring about; the roller has a Train Station."""
    marks = "harbor*2 train_station shopping_mall*2 amusement_park*2 radio_tower*2 airport*2"
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


def test_a_full_log_takes_no_more() -> None:
    log = new(LOG)
    log.capacity = len(log.rows)
    for number in range(len(log.rows) + 1):
        write_down(log, EVENT_INVEST, number, 0, 0, 0, 0, 0)
    assert log.count == len(log.rows)
    assert log.rows[-1, 1] == len(log.rows) - 1
