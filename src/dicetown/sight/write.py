"""What an agent sees and what it may do, as numbers: the kernels that write observations and masks.

An observation is the whole table, seen from a seat: one's own city first, then the others clockwise, then the
market and what the turn has come to. Nothing is hidden in Machi Koro, so all of it can be shown. An action is
one of the ruleset's own, numbered without gaps; players are named by how far clockwise they sit. Which fields
and actions a ruleset has is worked out once, in :mod:`dicetown.sight.spec`, and written down in a `SIGHT`
record.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

from dicetown.rules.codes import (
    ADD_TWO,
    CHOOSE_PLAYER,
    COLLECT_ONE,
    LANDMARK,
    LAST_DECISION,
    MAX_CARDS,
    MAX_THINGS,
    N_ACTIONS,
    ORDER,
    PLAYER,
    RESOLVE_FIRST,
    ROLL,
    TAKE,
)
from dicetown.rules.kernel import kernel, name_record
from dicetown.rules.layout import Choices, State, Tables

#: How a ruleset is seen. Flags leave out what it does not have.
SIGHT = np.dtype(
    [
        ("size", "i4"),  # numbers in an observation
        ("actions", "i4"),
        ("invested", "i4"),  # coins lie on Tech Startups
        ("closed", "i4"),  # establishments can be closed
        ("landmark_market", "i4"),  # landmarks are taken from the market
        ("deck", "i4"),  # the market is refilled from decks
        ("limited", "i4"),  # the game ends after so many turns
        ("deals", "i4"),  # something is chosen while a roll's income is being settled
        ("actors", "i4"),  # things that ask for such choices
        ("agenda", "i4"),  # the most cards that one total activates
        ("actor", "i1", MAX_THINGS),  # which of the actors a thing is, or -1
        ("action", "i2", N_ACTIONS),  # the engine's number of each action
        ("number", "i2", N_ACTIONS),  # and back; -1 for what the ruleset does not have
    ],
    align=True,
)

Sight: TypeAlias = Any
shorts: TypeAlias = Any
flags: TypeAlias = Any
name_record("Sight", SIGHT)

#: The decisions a player may be asked for, one number each.
PHASES = LAST_DECISION + 1
#: Numbers that say how the turn stands, whatever the ruleset.
TURN_FIELDS = 10
#: A coin more than so many is not told apart.
MOST_COINS = 32_767


@kernel(apart=True)
def see(t: Tables, sight: Sight, s: State, me: int, sheet: shorts, at: int) -> None:
    """Write what a seat sees, from place `at` of the sheet on."""
    n = at
    players = int(t.players)
    for k in range(players):
        seat = me + k
        if seat >= players:
            seat -= players
        n = see_city(t, sight, s, seat, sheet, n)
    n = see_market(t, sight, s, sheet, n)
    n = see_turn(t, sight, s, me, sheet, n)
    if sight.deals:
        see_deal(t, sight, s, me, sheet, n)


@kernel
def see_city(t: Tables, sight: Sight, s: State, seat: int, sheet: shorts, at: int) -> int:
    """A city: coins, establishments, landmarks."""
    n = at
    sheet[n] = within_reason(int(s.coins[seat]))
    n += 1
    if sight.invested:
        sheet[n] = within_reason(int(s.invested[seat]))
        n += 1
    for card in range(int(t.cards)):
        sheet[n + card] = int(s.owned[seat, card])
    n += int(t.cards)
    if sight.closed:
        for card in range(int(t.cards)):
            sheet[n + card] = int(s.closed[seat, card])
        n += int(t.cards)
    built = int(s.built[seat])
    for landmark in range(int(t.landmarks)):
        sheet[n + landmark] = (built >> landmark) & 1
    return n + int(t.landmarks)


@kernel
def within_reason(coins: int) -> int:
    """A number of coins that fits."""
    return coins if coins < MOST_COINS else MOST_COINS


@kernel
def see_market(t: Tables, sight: Sight, s: State, sheet: shorts, at: int) -> int:
    """What lies open, and what is left to be drawn."""
    n = at
    for card in range(int(t.cards)):
        sheet[n + card] = int(s.market[card])
    n += int(t.cards)
    if sight.landmark_market:
        for landmark in range(int(t.landmarks)):
            sheet[n + landmark] = int(s.market[MAX_CARDS + landmark])
        n += int(t.landmarks)
    if sight.deck:
        for card in range(int(t.cards)):
            sheet[n + card] = int(s.deck[card])
        n += int(t.cards)
        if sight.landmark_market:
            for landmark in range(int(t.landmarks)):
                sheet[n + landmark] = int(s.deck[MAX_CARDS + landmark])
            n += int(t.landmarks)
    return n


@kernel
def see_turn(t: Tables, sight: Sight, s: State, me: int, sheet: shorts, at: int) -> int:
    """Whose turn it is, what is to be decided, and the dice."""
    n = at
    players = int(t.players)
    roller = -1  # nobody's turn yet, while the market is being laid out
    if s.turn >= 0:
        roller = int(s.turn) - me
        if roller < 0:
            roller += players
    for k in range(players):
        sheet[n + k] = int(k == roller)
    n += players
    phase = int(s.phase)
    for k in range(PHASES):
        sheet[n + k] = int(k == phase)
    n += PHASES
    thrown = int(ROLL < phase <= LAST_DECISION)  # before, the dice are still those of the turn before
    sheet[n] = int(s.dice) * thrown
    sheet[n + 1] = int(s.die) * thrown
    sheet[n + 2] = int(s.other_die) * thrown
    sheet[n + 3] = int(s.total) * int(ADD_TWO <= phase <= LAST_DECISION)
    sheet[n + 4] = int(s.rerolled) * thrown
    sheet[n + 5] = int(s.extra_earned)
    sheet[n + 6] = int(s.extra_left)
    sheet[n + 7] = int(s.received) * thrown
    sheet[n + 8] = int(s.start_left)
    sheet[n + 9] = int(s.built_now) * thrown
    n += TURN_FIELDS
    if sight.limited:
        sheet[n] = within_reason(int(t.max_turns) - int(s.turns))
        n += 1
    return n


@kernel
def see_deal(t: Tables, sight: Sight, s: State, me: int, sheet: shorts, at: int) -> None:
    """What is being settled: the thing that acts, what has been chosen so far, and what is still to come."""
    n = at
    players = int(t.players)
    cards = int(t.cards)
    end = int(sight.actors) + 3 + cards + players - 1 + int(sight.agenda)
    for k in range(end):
        sheet[n + k] = 0
    phase = int(s.phase)
    if phase < ORDER or phase > LANDMARK:
        return
    if phase > ORDER:
        acting = int(s.acting)
        sheet[n + int(sight.actor[acting])] = 1
        more = n + int(sight.actors)
        sheet[more] = int(s.left)
        sheet[more + 1] = int(s.hosting)
        if phase == TAKE or (phase == PLAYER and int(t.effect[acting]) != COLLECT_ONE):
            sheet[more + 2] = int(s.given_closed)
            sheet[more + 3 + int(s.given)] = 1
        if phase == TAKE and int(s.partner) != me:
            sheet[more + 3 + cards + (int(s.partner) - me + players) % players - 1] = 1
    n += end - int(sight.agenda)
    for k in range(int(t.n_agenda[int(s.total)])):
        if ((int(s.done) >> k) & 1) == 0:
            sheet[n + k] = int(s.due[k])


@kernel
def seen_from(t: Tables, me: int, action: int) -> int:
    """An action with its player counted clockwise from `me`; others are as they are."""
    if CHOOSE_PLAYER <= action < RESOLVE_FIRST:
        players = int(t.players)
        return CHOOSE_PLAYER + (action - CHOOSE_PLAYER - me + players) % players
    return action


@kernel
def meant_by(t: Tables, sight: Sight, me: int, number: int) -> int:
    """The engine's action for an agent's; players counted clockwise from `me` become seats."""
    action = int(sight.action[number])
    if CHOOSE_PLAYER <= action < RESOLVE_FIRST:
        return CHOOSE_PLAYER + (action - CHOOSE_PLAYER + me) % int(t.players)
    return action


@kernel(apart=True)
def mark_legal(t: Tables, sight: Sight, me: int, choices: Choices, mask: flags, at: int) -> None:
    """Write the mask of the legal actions, from place `at` on."""
    for k in range(int(sight.actions)):
        mask[at + k] = 0
    for k in range(int(choices.count)):
        mask[at + int(sight.number[seen_from(t, me, int(choices.action[k]))])] = 1
