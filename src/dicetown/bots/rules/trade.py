"""Dealing with cities: whom to take from, what to give and take, what to close or tear down."""

from __future__ import annotations

from dicetown.bots.rules.landmarks import landmark_worth
from dicetown.bots.rules.odds import habits_of_all, may_roll_two_dice, mixed
from dicetown.bots.rules.worth import (
    PARTS,
    city_worth,
    copy_brings,
    copy_worth,
    is_ready,
    partners_worth,
)
from dicetown.rules.city import bonus, landmarks_of, open_copies, price
from dicetown.rules.codes import (
    ALL_COINS,
    CHOOSE_CARD,
    CHOOSE_PLAYER,
    COLLECT_ONE,
    CONVENTION,
    DECLINE,
    DEMOLISH,
    DEMOLISH_IT,
    FEE,
    GIVE_CLOSED,
    GIVE_OPEN,
    PURPLE,
    PUT_COIN,
    PUT_NONE,
    RED,
    RESOLVE_FIRST,
    SWAP,
    TAKE_CLOSED,
    TAKE_OPEN,
    TAX,
)
from dicetown.rules.kernel import kernel
from dicetown.rules.layout import Choices, State, Tables

#: A convention for less is not worth its hall.
LEAST_CONVENTION = 4
#: Coins on a Tech Startup beyond which purses rarely reach.
ENOUGH_INVESTED = 8
#: Rounds a landmark would have served on when it is torn down.
ROUNDS_OF_USE = 6
#: An opponent's landmark weighs as much as so many coins when comparing who is ahead.
COINS_PER_LANDMARK = 10
UNLIKELY = -(1 << 40)


@kernel
def standing(s: State, seat: int) -> int:
    """How far ahead a player is."""
    return landmarks_of(s, seat) * COINS_PER_LANDMARK + int(s.coins[seat])


@kernel(apart=True)
def worth_to(t: Tables, s: State, seat: int, card: int, copies: int, habits: int) -> int:
    """Parts a round that one more copy brings a city with `copies` of it, alone and through others."""
    one, two, others = copy_worth(t, s, seat, card, copies, habits)
    more_by_one, more_by_two = partners_worth(t, s, seat, card)
    return mixed(habits, seat, one + more_by_one, two + more_by_two) + others


# --------------------------------------------------------------- giving and taking


@kernel(apart=True)
def choose_gift(t: Tables, s: State, choices: Choices) -> int:
    """Give what is missed least, a closed copy rather; decline a trade that brings nothing better."""
    seat = int(s.turn)
    habits = habits_of_all(t, s)
    best = DECLINE
    least = -UNLIKELY
    optional = False
    for k in range(int(choices.count)):
        action = int(choices.action[k])
        if action == DECLINE:
            optional = True
        else:
            closed = action >= GIVE_CLOSED
            card = action - GIVE_CLOSED if closed else action - GIVE_OPEN
            parts = worth_to(t, s, seat, card, open_copies(s, seat, card) - 1, habits)
            if closed:
                parts = parts * 3 // 4
            if parts < least:
                least = parts
                best = action
    if not optional:
        return best
    for owner in range(int(t.players)):
        if owner != seat and best_of_city(t, s, owner, habits)[1] > least:
            return best
    return DECLINE


@kernel(apart=True)
def best_of_city(t: Tables, s: State, owner: int, habits: int) -> tuple[int, int]:
    """The action that takes the card most worth taking from a city, and its worth, in parts a round.

    What it brings oneself counts in full, what its owner loses as the loss of one of several.
    """
    seat = int(s.turn)
    majors = int(t.swaps_any[int(s.acting)])
    best = TAKE_OPEN
    most = UNLIKELY
    for card in range(int(t.cards)):
        if s.owned[owner, card] > 0 and (majors or t.colour[card] != PURPLE):
            theirs = open_copies(s, owner, card)
            parts = worth_to(t, s, seat, card, open_copies(s, seat, card), habits)
            parts += worth_to(t, s, owner, card, theirs - 1, habits) // int(t.players)
            if theirs == 0:
                parts = parts * 3 // 4
            if parts > most:
                most = parts
                best = TAKE_OPEN + card if theirs > 0 else TAKE_CLOSED + card
    return best, most


@kernel
def choose_taken(t: Tables, s: State) -> int:
    """Take the partner's card that is worth most."""
    return best_of_city(t, s, int(s.partner), habits_of_all(t, s))[0]


# ------------------------------------------------------------------------- players


@kernel(apart=True)
def choose_opponent(t: Tables, s: State, choices: Choices) -> int:
    """Whom to take coins from, trade with, or burden with a card."""
    effect = int(t.effect[int(s.acting)])
    habits = habits_of_all(t, s)
    best = int(choices.action[0])
    most = UNLIKELY
    for k in range(int(choices.count)):
        action = int(choices.action[k])
        seat = action - CHOOSE_PLAYER
        if effect == COLLECT_ONE:
            # Who can pay most; of those, who is furthest ahead.
            coins = int(s.coins[seat])
            amount = int(t.amount[int(s.acting)])
            score = (amount if coins > amount else coins) * 1024 + standing(s, seat)
        elif effect == SWAP:
            score = best_of_city(t, s, seat, habits)[1]
        else:
            card = int(s.given)
            score = burden(s, seat, worth_to(t, s, seat, card, open_copies(s, seat, card), habits))
        if score > most:
            most = score
            best = action
    return best


@kernel
def burden(s: State, seat: int, helps: int) -> int:
    """How little a gift helps a player; a bad one goes to who is ahead, a good one to who is behind."""
    ahead = standing(s, seat)
    return -helps * 64 + (ahead if helps < 0 else -ahead)


# ------------------------------------------------------------- types and landmarks


@kernel(apart=True)
def acts_for(t: Tables, s: State, owner: int, card: int) -> int:
    """Coins that the open copies of a type bring their owner when they next act."""
    copies = open_copies(s, owner, card)
    if copies == 0 or not is_ready(t, s, owner, card):
        return 0
    if t.colour[card] == RED:
        fee = int(t.amount[card])
        return 10 if fee == ALL_COINS else copies * (fee + bonus(t, s, owner, card))
    return copies * copy_brings(t, s, owner, card, 0)


@kernel(apart=True)
def choose_renovated(t: Tables, s: State, choices: Choices) -> int:
    """Close what pays most now and hurts the others more than oneself."""
    seat = int(s.turn)
    rivals = int(t.players) - 1
    best = int(choices.action[0])
    most = UNLIKELY
    for k in range(int(choices.count)):
        action = int(choices.action[k])
        card = action - CHOOSE_CARD
        score = -rivals * acts_for(t, s, seat, card)
        for other in range(int(t.players)):
            copies = open_copies(s, other, card)
            if other != seat:
                score += acts_for(t, s, other, card)
                if not t.renovation_by_bank and copies > s.coins[other]:
                    copies = int(s.coins[other])
            if other != seat or t.renovation_by_bank:
                score += 2 * rivals * int(t.amount[int(s.acting)]) * copies
        if score > most:
            most = score
            best = action
    return best


@kernel(apart=True)
def choose_convention(t: Tables, s: State, choices: Choices) -> int:
    """Let the type act that brings most, if it brings enough for the hall that is given up."""
    seat = int(s.turn)
    best = DECLINE
    most = LEAST_CONVENTION - 1
    for k in range(int(choices.count)):
        action = int(choices.action[k])
        if action != DECLINE:
            card = action - CHOOSE_CARD
            coins = 0 if int(t.effect[card]) == FEE else acts_for(t, s, seat, card)
            if coins > most:
                most = coins
                best = action
    return best


@kernel(apart=True)
def choose_type(t: Tables, s: State, choices: Choices) -> int:
    """Name a type: to be renovated, or for a convention."""
    if int(t.effect[int(s.acting)]) == CONVENTION:
        return choose_convention(t, s, choices)
    return choose_renovated(t, s, choices)


@kernel(apart=True)
def choose_demolished(t: Tables, s: State, choices: Choices) -> int:
    """Tear down what is cheapest to build again and least missed meanwhile."""
    seat = int(s.turn)
    habits = habits_of_all(t, s)
    one, two, _ = city_worth(t, s, seat, habits)
    best = int(choices.action[0])
    least = -UNLIKELY
    for k in range(int(choices.count)):
        action = int(choices.action[k])
        landmark = action - DEMOLISH_IT
        parts = landmark_worth(t, s, seat, landmark, one, two, habits)
        score = price(t, s, seat, landmark) * PARTS + ROUNDS_OF_USE * parts
        if score < least:
            least = score
            best = action
    return best


# ------------------------------------------------------------------ order, investment


@kernel(apart=True)
def choose_order(t: Tables, s: State, choices: Choices) -> int:
    """Taxes while purses are full; income that stands before a landmark falls, else after (R10, R11)."""
    seat = int(s.turn)
    for k in range(int(choices.count)):
        card = int(choices.action[k]) - RESOLVE_FIRST
        effect = int(t.effect[card])
        if effect == TAX:
            return int(choices.action[k])
        if effect != DEMOLISH and is_ready(t, s, seat, card):
            return int(choices.action[k])
    return int(choices.action[0])


@kernel(apart=True)
def choose_investment(t: Tables, s: State) -> int:
    """A coin on the Tech Startup pays when its number can be rolled, often enough and from full purses."""
    seat = int(s.turn)
    to_go = int(t.landmarks_to_win) - landmarks_of(s, seat)
    if to_go > 1 and may_roll_two_dice(t, s, seat) and s.invested[seat] < ENOUGH_INVESTED:
        return PUT_COIN
    return PUT_NONE
