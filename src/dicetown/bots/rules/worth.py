"""What cards are worth: coins when they act, and coins per round.

Worth per round is counted in parts of a coin, in integers, so that interpreted and compiled play
never differ by a rounding: 36 rolls, each split into quarters, because who may choose rolls mostly
the dice that suit them, not always.
"""

from __future__ import annotations

import numpy as np

from dicetown.bots.rules.odds import (
    QUARTERS,
    ways_of_one,
    ways_of_others,
    ways_with_harbor,
    ways_with_one,
    ways_with_two,
)
from dicetown.rules.city import bonus, landmarks_of, multiplier, open_copies
from dicetown.rules.codes import (
    ALL_COINS,
    BLUE,
    COLLECT_EACH,
    COLLECT_ONE,
    CONVENTION,
    DEMOLISH,
    FEE,
    INCOME_EFFECT,
    LOAN,
    MOVE,
    RED,
    RENOVATE,
    SHARE,
    STARTUP,
    SWAP,
    TAX,
    TUNA_EFFECT,
)
from dicetown.rules.kernel import kernel
from dicetown.rules.layout import State, Tables
from dicetown.rules.tables import UNBUILDABLE

PARTS = 36 * QUARTERS  # one coin per round
HALF_OF_QUARTERS = QUARTERS // 2
#: By how much purses are taken to fill until a card bought now acts.
LATER = 3

# Effects that bring no fixed sum are taken to be worth, in coins:
TUNA_CATCH = 7  # the mean of two dice
SWAP_GAIN = 3
RENOVATION_GAIN = 2
CONVENTION_GAIN = 4
GIFT_LOSS = 1  # the least card of a city, and a favour to somebody
REBUILD_TROUBLE = 6  # a turn's build


#: Twelfths that a coin is worth which an opponent loses, by the number of players.
_SPITE = np.array([0, 0, 24, 18, 16, 15])


# ------------------------------------------------------------------ when a card acts


@kernel
def is_ready(t: Tables, s: State, owner: int, card: int) -> bool:
    """Whether the owner has what the card asks of its owner."""
    needed = int(t.needs_built[card])
    if needed and (int(s.built[owner]) & needed) != needed:
        return False
    below = int(t.needs_below[card])
    return below > t.landmarks or landmarks_of(s, owner) < below


@kernel
def from_others(t: Tables, s: State, taker: int, thing: int, amount: int, spare: int) -> int:
    """What opponents would pay if each owed an amount (times what the thing counts in their city)."""
    coins = 0
    for seat in range(int(t.players)):
        if seat != taker:
            owed = amount * multiplier(t, s, taker, seat, thing)
            purse = int(s.coins[seat]) + spare
            coins += owed if owed < purse else purse
    return coins


@kernel
def from_richest(t: Tables, s: State, taker: int, amount: int, spare: int) -> int:
    """What the opponent who can pay most would pay."""
    coins = 0
    for seat in range(int(t.players)):
        if seat != taker and int(s.coins[seat]) > coins:
            coins = int(s.coins[seat])
    coins += spare
    return amount if amount < coins else coins


@kernel
def from_taxes(t: Tables, s: State, taker: int, spare: int) -> int:
    """What a tax would bring; one day it will bring something."""
    coins = spare
    for seat in range(int(t.players)):
        if seat != taker and int(s.coins[seat]) >= int(t.tax_threshold):
            coins += int(s.coins[seat]) // 2
    return coins


@kernel
def from_sharing(t: Tables, s: State, seat: int, spare: int) -> int:
    """What pooling all coins would bring a player; nobody can plan for it."""
    if spare:
        return 1
    players = int(t.players)
    pool = 0
    for other in range(players):
        pool += int(s.coins[other])
    return (pool + players - 1) // players - int(s.coins[seat])


@kernel
def from_demolition(t: Tables, s: State, seat: int, card: int) -> int:
    """What is left of the coins once the cheapest landmark is built again; nothing without landmarks."""
    built = int(s.built[seat])
    if built == 0:
        return 0
    landmark = 0  # landmarks are sorted by price
    while not (built >> landmark) & 1:
        landmark += 1
    return int(t.amount[card]) - int(t.landmark_cost[landmark, 0]) - REBUILD_TROUBLE


@kernel
def copy_brings(t: Tables, s: State, owner: int, card: int, spare: int) -> int:
    """Coins one open copy brings when it acts on its owner's roll, its condition aside.

    Opponents are taken to have `spare` coins more than now: 0 when the dice lie already.
    """
    if int(t.effect[card]) == INCOME_EFFECT:
        each = int(t.amount[card]) + bonus(t, s, owner, card)
        return each * multiplier(t, s, owner, owner, card) if t.per[card] else each
    return special_brings(t, s, owner, card, spare)


@kernel(apart=True)
def special_brings(t: Tables, s: State, owner: int, card: int, spare: int) -> int:
    """The same for cards that bring no income from the bank."""
    effect = int(t.effect[card])
    amount = int(t.amount[card])
    if effect == TUNA_EFFECT:
        return TUNA_CATCH
    if effect == LOAN:
        return -amount
    if effect == COLLECT_EACH:
        return from_others(t, s, owner, card, amount, spare)
    if effect == COLLECT_ONE:
        return from_richest(t, s, owner, amount, spare)
    if effect == TAX:
        return from_taxes(t, s, owner, spare)
    if effect == STARTUP:
        return from_others(t, s, owner, card, int(s.invested[owner]) + spare, spare)
    if effect == DEMOLISH:
        return from_demolition(t, s, owner, card)
    if effect == MOVE:
        return amount - GIFT_LOSS
    if effect == SHARE:
        return from_sharing(t, s, owner, spare)
    if effect == RENOVATE:
        return RENOVATION_GAIN
    if effect == CONVENTION:
        return CONVENTION_GAIN
    if effect == SWAP:
        return SWAP_GAIN
    return 0


# -------------------------------------------------------------------------- per round


@kernel
def prospects(t: Tables, s: State, owner: int, card: int) -> int:
    """How far a card's condition can be counted on: 0 never, 1 one day or not for long, 2 surely."""
    needed = int(t.needs_built[card])
    if needed and (int(s.built[owner]) & needed) != needed:
        return 0 if needed & UNBUILDABLE else 1
    below = int(t.needs_below[card])
    if below <= t.landmarks:
        own = landmarks_of(s, owner)
        if own >= below:
            return 0
        if own == below - 1:
            return 1
    # A card that closes after acting acts every other time.
    return 1 if t.then_closes[card] else 2


@kernel
def takes_coins(effect: int) -> bool:
    """Whether an effect's coins come out of opponents' purses."""
    return (
        effect == FEE or effect == COLLECT_EACH or effect == COLLECT_ONE or effect == TAX or effect == STARTUP
    )


@kernel(apart=True)
def fees_per_round(t: Tables, s: State, owner: int, card: int, have: int, more: int, habits: int) -> int:
    """Parts that `more` restaurants take in a round beside those the owner has, as far as purses go."""
    one = ways_with_one(int(t.first_roll[card]), int(t.last_roll[card]))
    two = ways_with_two(int(t.first_roll[card]), int(t.last_roll[card]))
    least = int(t.roller_least[card])
    fee = int(t.amount[card])
    if fee != ALL_COINS:
        fee += bonus(t, s, owner, card)
    parts = 0
    for payer in range(int(t.players)):
        ways = ways_of_one(habits, payer, one, two)
        if payer == owner or ways == 0 or (least and landmarks_of(s, payer) < least):
            continue
        purse = int(s.coins[payer]) + LATER - fee * have
        if purse > 0:
            due = fee * more
            parts += ways * (due if due < purse else purse)
    return parts


@kernel
def half_of(parts: int) -> int:
    """Half, rounded down. Shifted, because that is a tenth of the work of dividing on a GPU."""
    return parts >> 1


@kernel
def with_spite(t: Tables, parts: int) -> int:
    """What is taken is worth more than it brings: most with one opponent, little more with four."""
    return parts * int(_SPITE[int(t.players)]) // 12


@kernel
def copy_worth(t: Tables, s: State, owner: int, card: int, copies: int, habits: int) -> tuple[int, int, int]:
    """Parts that one more copy of a card brings its owner in a round, beside `copies` there are.

    By own rolls if all are made with one die, or with two; and by the others' rolls.
    """
    likely = prospects(t, s, owner, card)
    if likely == 0:
        return 0, 0, 0
    effect = int(t.effect[card])
    if effect == FEE:
        fees = with_spite(t, fees_per_round(t, s, owner, card, copies, 1, habits))
        return 0, 0, half_of(fees * likely)
    brings = copy_brings(t, s, owner, card, LATER) * likely
    first = int(t.first_roll[card])
    last = int(t.last_roll[card])
    by_one = ways_with_one(first, last)
    one = brings * by_one * HALF_OF_QUARTERS
    two = brings * ways_with_harbor(t, s, owner, first, last) * HALF_OF_QUARTERS
    if t.colour[card] == BLUE:
        ways = ways_of_others(t, habits, owner, by_one, ways_with_two(first, last))
        return one, two, half_of(brings * ways)
    if takes_coins(effect):
        return with_spite(t, one), with_spite(t, two), 0
    return one, two, 0


@kernel(apart=True)
def city_worth(t: Tables, s: State, seat: int, habits: int) -> tuple[int, int, int]:
    """Parts a city brings in a round.

    By own rolls if all are made with one die, or with two; and by the others' rolls.
    """
    one = 0
    two = 0
    others = 0
    for card in range(int(t.cards)):
        if s.owned[seat, card] == 0:
            continue
        copies = open_copies(s, seat, card)
        likely = prospects(t, s, seat, card)
        if likely == 0 or copies == 0:
            continue
        if t.colour[card] == RED:
            others += fees_per_round(t, s, seat, card, 0, copies, habits) * likely
            continue
        brings = copy_brings(t, s, seat, card, LATER) * copies * likely
        first = int(t.first_roll[card])
        last = int(t.last_roll[card])
        by_one = ways_with_one(first, last)
        one += by_one * brings
        two += ways_with_harbor(t, s, seat, first, last) * brings
        if t.colour[card] == BLUE:
            others += ways_of_others(t, habits, seat, by_one, ways_with_two(first, last)) * brings
    return one * HALF_OF_QUARTERS, two * HALF_OF_QUARTERS, half_of(others)


@kernel(apart=True)
def partners_worth(t: Tables, s: State, seat: int, card: int) -> tuple[int, int]:
    """Parts that one more copy of a card brings through own cards that count it.

    By own rolls if all are made with one die, or with two.
    """
    one = 0
    two = 0
    k = 0
    while t.counted_by[card, k] >= 0:
        counter = int(t.counted_by[card, k])
        k += 1
        copies = open_copies(s, seat, counter)
        if copies > 0:
            each = int(t.amount[counter]) + bonus(t, s, seat, counter)
            each *= copies * prospects(t, s, seat, counter) * HALF_OF_QUARTERS
            first = int(t.first_roll[counter])
            last = int(t.last_roll[counter])
            one += each * ways_with_one(first, last)
            two += each * ways_with_harbor(t, s, seat, first, last)
    return one, two
