"""The greedy bot: expected income over the next round against price, and landmarks in time.

It looks one step ahead and keeps no memory: each choice follows from the state alone. Rolls are
compared in :mod:`~dicetown.bots.rules.roll`, builds in :mod:`~dicetown.bots.rules.build`, and what concerns
other cities in :mod:`~dicetown.bots.rules.trade`; all rest on :mod:`~dicetown.bots.rules.worth`.
"""

from __future__ import annotations

from dicetown.bots.rules.build import choose_build
from dicetown.bots.rules.roll import choose_dice, choose_raise, choose_reroll
from dicetown.bots.rules.trade import (
    choose_demolished,
    choose_gift,
    choose_investment,
    choose_opponent,
    choose_order,
    choose_taken,
    choose_type,
)
from dicetown.rules.codes import (
    ADD_TWO,
    BUILD,
    CARD,
    GIVE,
    INVEST,
    LANDMARK,
    ORDER,
    PLAYER,
    REROLL,
    ROLL,
    TAKE,
)
from dicetown.rules.kernel import kernel
from dicetown.rules.layout import Choices, State, Tables
from dicetown.rules.rng import Rng


@kernel(apart=True)
def play_greedily(t: Tables, s: State, choices: Choices, rng: Rng) -> int:
    """The action that looks best one step ahead; chance has no part in it."""
    if choices.count == 1:
        return int(choices.action[0])
    phase = int(s.phase)
    if phase == BUILD:
        return choose_build(t, s, choices)
    if phase == ROLL:
        return choose_dice(t, s)
    if phase == REROLL:
        return choose_reroll(t, s, choices)
    if phase == ADD_TWO:
        return choose_raise(t, s)
    if phase == INVEST:
        return choose_investment(t, s)
    if phase == PLAYER:
        return choose_opponent(t, s, choices)
    if phase == GIVE:
        return choose_gift(t, s, choices)
    if phase == TAKE:
        return choose_taken(t, s)
    if phase == CARD:
        return choose_type(t, s, choices)
    if phase == LANDMARK:
        return choose_demolished(t, s, choices)
    if phase == ORDER:
        return choose_order(t, s, choices)
    return int(choices.action[0])
