"""Dealing with the others' cities and one's own: whom to take from, what to give, take, close or tear down."""

from __future__ import annotations

from dicetown.bots.building import landmark_worth
from dicetown.bots.odds import habits_of_all, may_roll_two_dice
from dicetown.bots.worth import (
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
NOT_YET = -1


@kernel
def standing(s: State, seat: int) -> int:
    """How far ahead a player is."""
    return landmarks_of(s, seat) * COINS_PER_LANDMARK + int(s.coins[seat])


@kernel(apart=True)
def counters_in(t: Tables, s: State, seat: int) -> int:
    """The cards of a city that count cards, one bit each."""
    mask = 0
    for card in range(int(t.cards)):
        if t.n_counted[card] > 0 and s.owned[seat, card] > 0 and t.colour[card] != PURPLE:
            mask |= 1 << card
    return mask


@kernel(apart=True)
def worth_to(t: Tables, s: State, seat: int, card: int, copies: int, habits: int) -> int:
    """Parts a round that one more copy brings a city with `copies` of it, through its counters, too."""
    parts = copy_worth(t, s, seat, card, copies, habits)
    counters = counters_in(t, s, seat)
    if counters:
        parts += partners_worth(t, s, seat, card, counters, habits)
    return parts


@kernel(apart=True)
def worth_of_last(t: Tables, s: State, seat: int, card: int, habits: int) -> int:
    """Parts a round that a city would lose with one copy."""
    return worth_to(t, s, seat, card, open_copies(s, seat, card) - 1, habits)


# ------------------------------------------------------------------------- giving


@kernel(apart=True)
def least_card(t: Tables, s: State, choices: Choices, habits: int) -> tuple[int, int]:
    """The gift that is missed least, and what it is worth; a closed copy is missed less."""
    seat = int(s.turn)
    best = NOT_YET
    least = -UNLIKELY
    for k in range(int(choices.count)):
        action = int(choices.action[k])
        if action != DECLINE:
            closed = action >= GIVE_CLOSED
            card = action - GIVE_CLOSED if closed else action - GIVE_OPEN
            parts = worth_of_last(t, s, seat, card, habits)
            if closed:
                parts = parts * 3 // 4
            if parts < least:
                least = parts
                best = action
    return best, least





@kernel(apart=True)
def choose_gift(t: Tables, s: State, choices: Choices) -> int:
    """Give what is missed least; decline a trade that brings nothing better."""
    habits = habits_of_all(t, s)
    gift, least = least_card(t, s, choices, habits)
    if int(choices.action[0]) == DECLINE:
        seat, card = best_to_take(t, s, habits)
        if card < 0 or worth_to(t, s, int(s.turn), card, open_copies(s, int(s.turn), card), habits) <= least:
            return DECLINE
    return gift


@kernel(apart=True)
def gain_from_taking(t: Tables, s: State, owner: int, card: int, closed: bool, habits: int) -> int:
    """What it is worth to have a card and its owner not: mine counts full, their loss as one of several's."""
    seat = int(s.turn)
    gain = worth_to(t, s, seat, card, open_copies(s, seat, card), habits)
    loss = worth_of_last(t, s, owner, card, habits) // int(t.players)
    parts = gain + loss
    return parts * 3 // 4 if closed else parts


@kernel(apart=True)
def best_of_city(t: Tables, s: State, owner: int, majors: int, habits: int) -> tuple[int, int]:
    """The card of a city most worth taking, and its worth."""
    best = NOT_YET
    most = UNLIKELY
    for card in range(int(t.cards)):
        if s.owned[owner, card] > 0 and (majors or t.colour[card] != PURPLE):
            closed = open_copies(s, owner, card) == 0
            parts = gain_from_taking(t, s, owner, card, closed, habits)
            if parts > most:
                most = parts
                best = card
    return best, most


@kernel(apart=True)
def best_to_take(t: Tables, s: State, habits: int) -> tuple[int, int]:
    """The owner and the card most worth taking in a trade."""
    majors = int(t.swaps_any[int(s.acting)])
    best_owner = NOT_YET
    best_card = NOT_YET
    most = UNLIKELY
    for owner in range(int(t.players)):
        if owner != s.turn:
            card, parts = best_of_city(t, s, owner, majors, habits)
            if parts > most:
                most = parts
                best_card = card
                best_owner = owner
    return best_owner, best_card


@kernel(apart=True)
def choose_taken(t: Tables, s: State, choices: Choices) -> int:
    """Take the partner's card that is worth most."""
    habits = habits_of_all(t, s)
    best = int(choices.action[0])
    most = UNLIKELY
    for k in range(int(choices.count)):
        action = int(choices.action[k])
        closed = action >= TAKE_CLOSED
        card = action - TAKE_CLOSED if closed else action - TAKE_OPEN
        parts = gain_from_taking(t, s, int(s.partner), card, closed, habits)
        if parts > most:
            most = parts
            best = action
    return best


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
            score = coins_first(t, s, seat)
        elif effect == SWAP:
            _, score = best_of_city(t, s, seat, int(t.swaps_any[int(s.acting)]), habits)
        else:
            score = burden(t, s, seat, habits)
        if score > most:
            most = score
            best = action
    return best


@kernel(apart=True)
def coins_first(t: Tables, s: State, seat: int) -> int:
    """Who can pay most; of those, who is furthest ahead."""
    amount = int(t.amount[int(s.acting)])
    coins = int(s.coins[seat])
    if coins > amount:
        coins = amount
    return coins * 1024 + standing(s, seat)


@kernel(apart=True)
def burden(t: Tables, s: State, seat: int, habits: int) -> int:
    """How little a gift helps a player; a bad one goes to who is ahead, a good one to who is behind."""
    card = int(s.given)
    helps = worth_to(t, s, seat, card, open_copies(s, seat, card), habits)
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
    one, two, _, _ = city_worth(t, s, seat, habits)
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
