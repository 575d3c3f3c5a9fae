"""What may be chosen: the legal actions of a state that waits for a decision."""

from __future__ import annotations

from dicetown.rules.agenda import has_card_to_move, may_come_before
from dicetown.rules.city import landmarks_with, may_build_landmark, open_copies
from dicetown.rules.codes import (
    ADD,
    ADD_NOT,
    ADD_TWO,
    BUILD,
    BUILD_IT,
    CARD,
    CHOOSE_CARD,
    CHOOSE_PLAYER,
    CONVENTION,
    DECLINE,
    DEMOLISH_IT,
    GIVE,
    GIVE_CLOSED,
    GIVE_OPEN,
    INVEST,
    KEEP,
    LANDMARK,
    MAX_CARDS,
    ORDER,
    PASS,
    PLAYER,
    POWER_TWO_DICE,
    PURPLE,
    PUT_COIN,
    PUT_NONE,
    REROLL,
    RESOLVE_FIRST,
    ROLL,
    ROLL_AGAIN,
    ROLL_DICE,
    SWAP,
    TAKE,
    TAKE_CLOSED,
    TAKE_OPEN,
)
from dicetown.rules.kernel import kernel
from dicetown.rules.layout import Choices, State, Tables


@kernel
def offer(choices: Choices, action: int) -> None:
    """One more legal action."""
    at = int(choices.count)
    choices.action[at] = action
    choices.count = at + 1


@kernel
def find_choices(t: Tables, s: State, choices: Choices) -> None:
    """List the legal actions; none while chance or nobody is to act."""
    choices.count = 0
    phase = int(s.phase)
    if phase == BUILD:
        offer_builds(t, s, choices)
    elif phase == ROLL:
        offer(choices, ROLL_DICE)
        if may_roll_two(t, s):
            offer(choices, ROLL_DICE + 1)
    elif phase == REROLL:
        offer_reroll(t, s, choices)
    elif phase == ADD_TWO:
        offer(choices, ADD)
        offer(choices, ADD_NOT)
    elif phase == ORDER:
        offer_order(t, s, choices)
    elif phase == PLAYER:
        offer_players(t, s, choices)
    elif phase == GIVE:
        offer_gifts(t, s, choices)
    elif phase == TAKE:
        majors = int(t.swaps_any[int(s.acting)])
        offer_copies(t, s, choices, int(s.partner), majors, TAKE_OPEN, TAKE_CLOSED)
    elif phase == CARD:
        offer_types(t, s, choices)
    elif phase == LANDMARK:
        for landmark in range(int(t.landmarks)):
            if (int(s.built[int(s.turn)]) >> landmark) & 1:
                offer(choices, DEMOLISH_IT + landmark)
    elif phase == INVEST:
        offer(choices, PUT_COIN)
        offer(choices, PUT_NONE)


@kernel
def may_roll_two(t: Tables, s: State) -> bool:
    """A Train Station stands, or everybody may (Machi Koro 2)."""
    return t.free_dice != 0 or landmarks_with(t, s, int(s.turn), POWER_TWO_DICE) != 0


@kernel
def offer_builds(t: Tables, s: State, choices: Choices) -> None:
    """Nothing, an establishment, or (not in the start rounds) a landmark."""
    seat = int(s.turn)
    coins = int(s.coins[seat])
    choices.action[0] = PASS
    at = 1
    for k in range(int(t.cards)):
        card = int(t.by_cost[k])
        if t.cost[card] > coins:
            break
        # Written always, counted if legal: no branch, as none here could be predicted.
        choices.action[at] = BUILD_IT + card
        at += int(s.market[card] > 0) & int(s.owned[seat, card] < t.limit[card])
    choices.count = at
    if s.start_left == 0:
        for landmark in range(int(t.landmarks)):
            if t.landmark_least[landmark] <= coins and s.market[MAX_CARDS + landmark] > 0:
                if may_build_landmark(t, s, seat, landmark):
                    offer(choices, BUILD_IT + MAX_CARDS + landmark)


@kernel
def offer_reroll(t: Tables, s: State, choices: Choices) -> None:
    """R1: the same number of dice, unless the house rule lets the player choose anew."""
    offer(choices, KEEP)
    if t.reroll_may_change_dice == 0:
        offer(choices, ROLL_AGAIN + int(s.dice) - 1)
    else:
        offer(choices, ROLL_AGAIN)
        if may_roll_two(t, s):
            offer(choices, ROLL_AGAIN + 1)


@kernel
def offer_order(t: Tables, s: State, choices: Choices) -> None:
    """The effect that is up, and those that may come before it."""
    total = int(s.total)
    k = 0
    while (int(s.done) >> k) & 1:
        k += 1
    offer(choices, RESOLVE_FIRST + int(t.agenda[total, k]))
    for j in range(k + 1, int(t.n_agenda[total])):
        if may_come_before(t, s, j, k):
            offer(choices, RESOLVE_FIRST + int(t.agenda[total, j]))


@kernel
def offer_players(t: Tables, s: State, choices: Choices) -> None:
    """Any opponent; for a trade, one who has a card that may be taken."""
    trade = int(t.effect[int(s.acting)]) == SWAP
    majors = int(t.swaps_any[int(s.acting)])
    for seat in range(int(t.players)):
        if seat != s.turn and (not trade or has_card_to_move(t, s, seat, majors)):
            offer(choices, CHOOSE_PLAYER + seat)


@kernel
def offer_gifts(t: Tables, s: State, choices: Choices) -> None:
    """An own card; a Business Center may be declined where the rules say so (R50)."""
    if s.acting >= MAX_CARDS:
        majors = 1
    else:
        majors = int(t.swaps_any[int(s.acting)])
        if int(t.effect[int(s.acting)]) == SWAP and t.business_center_optional:
            offer(choices, DECLINE)
    offer_copies(t, s, choices, int(s.turn), majors, GIVE_OPEN, GIVE_CLOSED)


@kernel
def offer_copies(
    t: Tables, s: State, choices: Choices, seat: int, majors: int, as_open: int, as_closed: int
) -> None:
    """Each type of a city that may move, open and closed copies apart (R21)."""
    for card in range(int(t.cards)):
        if s.owned[seat, card] > 0 and (majors or t.colour[card] != PURPLE):
            if open_copies(s, seat, card) > 0:
                offer(choices, as_open + card)
            if s.closed[seat, card] > 0:
                offer(choices, as_closed + card)


@kernel
def offer_types(t: Tables, s: State, choices: Choices) -> None:
    """Renovation: any type that is not purple (R18). Convention: an own one, or none (R47)."""
    convention = int(t.effect[int(s.acting)]) == CONVENTION
    if convention:
        offer(choices, DECLINE)
    for card in range(int(t.cards)):
        if t.colour[card] != PURPLE and (not convention or s.owned[int(s.turn), card] > 0):
            offer(choices, CHOOSE_CARD + card)
