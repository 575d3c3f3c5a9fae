"""Every coin and every card moves through here.

One function moves coins, one sets them aside, one moves cards between cities, one closes, one reopens.
Each tells the log, which is what a person sees of the game; with nobody listening that costs one comparison.
"""

from __future__ import annotations

from dicetown.rules.codes import (
    BANK,
    EVENT_CLOSE,
    EVENT_HAND_OVER,
    EVENT_INVEST,
    EVENT_PAY,
    EVENT_REOPEN,
)
from dicetown.rules.kernel import kernel
from dicetown.rules.layout import Log, State


@kernel
def tell(log: Log, kind: int, a: int, b: int, c: int, d: int, e: int, f: int) -> None:
    """Tell an event to whoever listens."""
    if log.capacity > 0:
        write_down(log, kind, a, b, c, d, e, f)


@kernel(apart=True)
def write_down(log: Log, kind: int, a: int, b: int, c: int, d: int, e: int, f: int) -> None:
    """Append an event to the log; a full log takes no more."""
    at = int(log.count)
    if at < log.capacity:
        log.rows[at, 0] = kind
        log.rows[at, 1] = a
        log.rows[at, 2] = b
        log.rows[at, 3] = c
        log.rows[at, 4] = d
        log.rows[at, 5] = e
        log.rows[at, 6] = f
        log.count = at + 1


@kernel
def pay(s: State, log: Log, payer: int, receiver: int, owed: int, cause: int, copies: int) -> int:
    """Move coins, as many as the payer has; the bank has all (R69). Returns what was paid.

    R12: what a purse cannot pay is lost; nobody ever owes anything later.
    """
    paid = owed
    if payer != BANK:
        purse = int(s.coins[payer])
        if paid > purse:
            paid = purse
        s.coins[payer] = purse - paid
    if receiver != BANK:
        s.coins[receiver] = int(s.coins[receiver]) + paid
        # R56: paying nothing is not receiving.
        if paid > 0 and receiver == int(s.turn):
            s.received = 1
    if log.capacity > 0 and owed > 0:
        tell(log, EVENT_PAY, payer, receiver, paid, cause, copies, owed)
    return paid


@kernel
def set_aside(s: State, log: Log, seat: int, coins: int) -> None:
    """Coins leave play and lie on the Tech Startup from now on (R27)."""
    s.coins[seat] = int(s.coins[seat]) - coins
    s.invested[seat] = int(s.invested[seat]) + coins
    tell(log, EVENT_INVEST, seat, int(s.invested[seat]), 0, 0, 0, 0)


@kernel
def hand_over(s: State, log: Log, giver: int, receiver: int, card: int, closed: int, cause: int) -> None:
    """Move one copy from city to city; it stays closed if it was (R21)."""
    s.owned[giver, card] = int(s.owned[giver, card]) - 1
    s.owned[receiver, card] = int(s.owned[receiver, card]) + 1
    if closed:
        s.closed[giver, card] = int(s.closed[giver, card]) - 1
        s.closed[receiver, card] = int(s.closed[receiver, card]) + 1
    tell(log, EVENT_HAND_OVER, giver, receiver, card, closed, cause, 0)


@kernel
def close(s: State, log: Log, owner: int, card: int, copies: int, cause: int) -> None:
    """Close open copies for renovation (R16-R23)."""
    s.closed[owner, card] = int(s.closed[owner, card]) + copies
    tell(log, EVENT_CLOSE, owner, card, copies, cause, 0, 0)


@kernel
def reopen(s: State, log: Log, owner: int, card: int, copies: int) -> None:
    """Closed copies open again, instead of acting."""
    s.closed[owner, card] = int(s.closed[owner, card]) - copies
    tell(log, EVENT_REOPEN, owner, card, copies, 0, 0, 0)
