"""What happened, as data: the engine's log turned into typed events.

People see the game through these: the terminal puts them into words, the table animates them, a
scenario that fails prints them. Seats are numbers, things are ids; ``None`` stands for the bank.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

import msgspec

from dicetown.game.notation import Notation
from dicetown.rules import codes as c


def _snake(name: str) -> str:
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name).lstrip("_")


class _Event(msgspec.Struct, frozen=True, tag_field="event", tag=_snake):
    """One thing that happened."""


class TurnBegan(_Event, frozen=True):
    """A turn begins; ``extra``: the same player again."""

    seat: int
    extra: bool


class DiceRolled(_Event, frozen=True):
    """The dice lie."""

    seat: int
    dice: tuple[int, ...]


class TotalRaised(_Event, frozen=True):
    """A Harbor raised the total."""

    seat: int
    total: int
    by: int


class TunaRolled(_Event, frozen=True):
    """The tuna dice lie."""

    seat: int
    dice: tuple[int, ...]


class Paid(_Event, frozen=True):
    """Coins moved; ``owed`` is more than ``coins`` where a purse was too small.

    ``cause`` is the id of the card or landmark, or ``price`` or ``help``.
    """

    payer: int | None
    receiver: int | None
    coins: int
    owed: int
    cause: str
    copies: int


class Built(_Event, frozen=True):
    """Something was built."""

    seat: int
    thing: str
    price: int


class Passed(_Event, frozen=True):
    """Nothing was built."""

    seat: int


class HandedOver(_Event, frozen=True):
    """A card changed hands."""

    giver: int
    receiver: int
    card: str
    closed: bool
    cause: str


class Closed(_Event, frozen=True):
    """Copies closed for renovation."""

    owner: int
    card: str
    copies: int
    cause: str


class Reopened(_Event, frozen=True):
    """Closed copies opened instead of acting."""

    owner: int
    card: str
    copies: int


class Demolished(_Event, frozen=True):
    """A landmark was turned back."""

    seat: int
    landmark: str
    cause: str


class Drawn(_Event, frozen=True):
    """A card was dealt to the market."""

    thing: str
    row: int


class Discarded(_Event, frozen=True):
    """A purple stack that nobody may build from left the market (R44)."""

    card: str
    copies: int


class Returned(_Event, frozen=True):
    """A Convention Center went back to the market."""

    seat: int
    card: str


class Invested(_Event, frozen=True):
    """A coin was put on the Tech Startup; ``coins`` lie there now."""

    seat: int
    coins: int


class ExtraTurnEarned(_Event, frozen=True):
    """Another turn will follow; ``cause`` is the landmark, if it still stands."""

    seat: int
    cause: str | None


class Forced(_Event, frozen=True):
    """There was one legal action, so it happened by itself."""

    seat: int
    action: str


class Won(_Event, frozen=True):
    """The game is won."""

    seat: int


class GameDrawn(_Event, frozen=True):
    """The last turn allowed is over and nobody has won."""


Event: TypeAlias = (
    TurnBegan | DiceRolled | TotalRaised | TunaRolled | Paid | Built | Passed | HandedOver | Closed
    | Reopened | Demolished | Drawn | Discarded | Returned | Invested | ExtraTurnEarned | Forced | Won
    | GameDrawn
)  # fmt: skip


def event_of(row: Sequence[int], notation: Notation) -> Event:
    """The event of a row of the rules' log."""
    kind, *fields = row
    return _READERS[kind](notation, *fields)


def _purse(seat: int) -> int | None:
    return None if seat == c.BANK else seat


def _cause(number: int, notation: Notation) -> str:
    if number == c.CAUSE_PRICE:
        return "price"
    return "help" if number == c.CAUSE_HELP else notation.thing(number)


#: How each kind of log row reads, with the fields that codes.py lists for it.
_READERS: dict[int, Callable[..., Event]] = {
    c.EVENT_TURN: lambda n, seat, extra, *_: TurnBegan(seat, bool(extra)),
    c.EVENT_DICE: lambda n, seat, die, other, *_: DiceRolled(seat, (die, other) if other else (die,)),
    c.EVENT_TOTAL: lambda n, seat, total, by, *_: TotalRaised(seat, total, by),
    c.EVENT_TUNA: lambda n, seat, die, other, *_: TunaRolled(seat, (die, other)),
    c.EVENT_PAY: lambda n, payer, receiver, coins, cause, copies, owed: Paid(
        _purse(payer), _purse(receiver), coins, owed, _cause(cause, n), copies
    ),
    c.EVENT_BUILD: lambda n, seat, thing, price, *_: Built(seat, n.thing(thing), price),
    c.EVENT_PASS: lambda n, seat, *_: Passed(seat),
    c.EVENT_HAND_OVER: lambda n, giver, receiver, card, closed, cause, _: HandedOver(
        giver, receiver, n.thing(card), bool(closed), n.thing(cause)
    ),
    c.EVENT_CLOSE: lambda n, owner, card, copies, cause, *_: Closed(
        owner, n.thing(card), copies, n.thing(cause)
    ),
    c.EVENT_REOPEN: lambda n, owner, card, copies, *_: Reopened(owner, n.thing(card), copies),
    c.EVENT_DEMOLISH: lambda n, seat, landmark, cause, *_: Demolished(
        seat, n.thing(c.MAX_CARDS + landmark), n.thing(cause)
    ),
    c.EVENT_DRAW: lambda n, thing, row, *_: Drawn(n.thing(thing), row),
    c.EVENT_DISCARD: lambda n, card, copies, *_: Discarded(n.thing(card), copies),
    c.EVENT_RETURN: lambda n, seat, card, *_: Returned(seat, n.thing(card)),
    c.EVENT_INVEST: lambda n, seat, coins, *_: Invested(seat, coins),
    c.EVENT_EXTRA_TURN: lambda n, seat, cause, *_: ExtraTurnEarned(
        seat, None if cause == c.NOTHING else n.thing(cause)
    ),
    c.EVENT_FORCED: lambda n, seat, action, *_: Forced(seat, n.action(action).text),
    c.EVENT_WIN: lambda n, seat, *_: Won(seat),
    c.EVENT_DRAWN: lambda n, *_: GameDrawn(),
}
