"""What establishments do when they are activated, and landmarks when they act.

Each effect is a short list of moves through the ledger. An effect that needs a choice only sets
`acting` and `left` (how many copies still act); :mod:`dicetown.rules.agenda` then asks.
"""

from __future__ import annotations

from dicetown.rules.city import bonus, condition_met, multiplier, open_copies
from dicetown.rules.codes import (
    ALL_COINS,
    BANK,
    BLUE,
    COLLECT_EACH,
    FEE,
    INCOME_EFFECT,
    LOAN,
    MOVE,
    PURPLE,
    SHARE,
    STARTUP,
    TAX,
    TUNA_EFFECT,
)
from dicetown.rules.kernel import kernel
from dicetown.rules.layout import Log, State, Tables
from dicetown.rules.ledger import close, pay, reopen


@kernel
def reopen_closed(t: Tables, s: State, log: Log, owner: int, card: int, closed: int) -> None:
    """R16, R17: closed copies of an activated type reopen instead of acting."""
    if closed > 0 and (t.closed_reopens_unmet or condition_met(t, s, owner, card)):
        reopen(s, log, owner, card, closed)


@kernel
def charge_fee(t: Tables, s: State, log: Log, owner: int, card: int) -> None:
    """Red: the roller pays a restaurant's owner, all copies at once (R12, R14, R15)."""
    copies = open_copies(s, owner, card)
    closed = int(s.closed[owner, card])
    roller = int(s.turn)
    if copies > 0 and condition_met(t, s, owner, card):
        fee = int(t.amount[card])
        # R15: who takes everything takes no more with a Shopping Mall.
        owed = int(s.coins[roller]) if fee == ALL_COINS else (fee + bonus(t, s, owner, card)) * copies
        pay(s, log, roller, owner, owed, card, copies)
    reopen_closed(t, s, log, owner, card, closed)


@kernel
def earn_income(t: Tables, s: State, log: Log, owner: int, card: int) -> None:
    """Blue and green: the bank pays each open copy."""
    copies = open_copies(s, owner, card)
    closed = int(s.closed[owner, card])
    acts = copies > 0 and condition_met(t, s, owner, card)
    earned = 0
    if acts:
        # R14: the Mall raises a Flower Shop per orchard, so it is added before multiplying.
        each = (int(t.amount[card]) + bonus(t, s, owner, card)) * multiplier(t, s, owner, owner, card)
        earned = pay(s, log, BANK, owner, each * copies, card, copies)
    reopen_closed(t, s, log, owner, card, closed)
    # R20: the copies that were open close, even when there was no Vineyard.
    if acts and t.then_closes[card] and (earned > 0 or t.winery_closes_without_vineyard):
        close(s, log, owner, card, copies, card)


@kernel
def collect_from_each(t: Tables, s: State, log: Log, thing: int, amount: int) -> None:
    """Every opponent of the player on turn pays (R13: there is one receiver, so order is no matter)."""
    taker = int(s.turn)
    for seat in range(int(t.players)):
        if seat != taker:
            owed = amount * multiplier(t, s, taker, seat, thing)
            pay(s, log, seat, taker, owed, thing, 1)


@kernel
def collect_tax(t: Tables, s: State, log: Log, thing: int) -> None:
    """R31, R65: who has reached the threshold pays half, rounded down."""
    taker = int(s.turn)
    for seat in range(int(t.players)):
        coins = int(s.coins[seat])
        if seat != taker and coins >= t.tax_threshold:
            pay(s, log, seat, taker, coins // 2, thing, 1)


@kernel
def share_coins(t: Tables, s: State, log: Log, thing: int) -> None:
    """R30: all coins are pooled and split evenly; the bank rounds up. Invested coins stay out."""
    players = int(t.players)
    pool = 0
    for seat in range(players):
        pool += int(s.coins[seat])
    share = (pool + players - 1) // players
    for seat in range(players):
        have = int(s.coins[seat])
        if have > share:
            pay(s, log, seat, BANK, have - share, thing, 1)
        else:
            pay(s, log, BANK, seat, share - have, thing, 1)


@kernel
def set_sail(t: Tables, s: State, log: Log, card: int) -> None:
    """R32: one roll for all boats, and only if some open boat has a harbor."""
    for seat in range(int(t.players)):
        # A Convention Center sends only its owner's boats out (R47).
        if (s.hosting == 0 or seat == s.turn) and open_copies(s, seat, card) > 0:
            if condition_met(t, s, seat, card):
                s.acting = card
                s.left = 1
                return
    land_catch(t, s, log, card, 0)


@kernel
def land_catch(t: Tables, s: State, log: Log, card: int, catch: int) -> None:
    """Each open boat brings the sum of the tuna dice; closed ones reopen."""
    for seat in range(int(t.players)):
        if s.hosting == 0 or seat == s.turn:
            copies = open_copies(s, seat, card)
            closed = int(s.closed[seat, card])
            if copies > 0 and condition_met(t, s, seat, card):
                pay(s, log, BANK, seat, catch * copies, card, copies)
            reopen_closed(t, s, log, seat, card, closed)


@kernel
def activate(t: Tables, s: State, log: Log, card: int, copies: int) -> None:
    """Activate a card type: for all owners its colour allows, or for its host alone (R47).

    `copies` are the roller's open copies when the total became final (R7).
    """
    effect = int(t.effect[card])
    roller = int(s.turn)
    players = int(t.players)
    if effect == FEE:
        if s.hosting == 0:
            # R12: counter-clockwise from the roller, each owner's whole claim before the next.
            for steps in range(1, players):
                owner = roller - steps
                if owner < 0:
                    owner += players
                if s.owned[owner, card] > 0:
                    charge_fee(t, s, log, owner, card)
        return
    if effect == INCOME_EFFECT:
        if t.colour[card] == BLUE and s.hosting == 0:
            for owner in range(players):
                if s.owned[owner, card] > 0:
                    earn_income(t, s, log, owner, card)
        elif s.owned[roller, card] > 0:
            earn_income(t, s, log, roller, card)
        return
    if effect == TUNA_EFFECT:
        set_sail(t, s, log, card)
        return
    if t.colour[card] != PURPLE:
        reopen_closed(t, s, log, roller, card, int(s.closed[roller, card]))
    if copies == 0:
        return
    if effect == LOAN:
        pay(s, log, roller, BANK, int(t.amount[card]) * copies, card, copies)  # R9
    elif effect == COLLECT_EACH:
        for _ in range(copies):
            collect_from_each(t, s, log, card, int(t.amount[card]))
    elif effect == TAX:
        for _ in range(copies):
            collect_tax(t, s, log, card)  # R63: each copy asks anew
    elif effect == STARTUP:
        for _ in range(copies):
            collect_from_each(t, s, log, card, int(s.invested[roller]))  # R27
    elif effect == SHARE:
        share_coins(t, s, log, card)
    else:
        if effect == MOVE:
            pay(s, log, BANK, roller, int(t.amount[card]) * copies, card, copies)  # R39: coins first
        s.acting = card
        s.left = copies
