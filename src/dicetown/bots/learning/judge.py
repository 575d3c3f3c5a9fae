"""The judge: who will win, told at a glance.

A small network looks at each city in turn: its cards, landmarks and coins, what the others have together, how
far it is to the last landmark, and how long until it rolls. It gives every city a score, and the scores
become chances of victory. It has learned from games of bots against each other (see
:mod:`dicetown.bots.learning.lessons`); a position is judged in about a microsecond, so that a search can look
at hundreds of thousands instead of playing games to their end.
"""

from __future__ import annotations

from math import exp
from typing import Any, TypeAlias

import numpy as np

from dicetown.bots.rules.landmarks import road_ahead
from dicetown.bots.rules.odds import habits_of_all, may_roll_two_dice
from dicetown.bots.rules.worth import PARTS, city_worth
from dicetown.rules.city import landmarks_of
from dicetown.rules.codes import DRAW, INVEST, MAX_CARDS, MAX_PLAYERS, MAX_THINGS, NOBODY, OVER, ROLL
from dicetown.rules.kernel import kernel, name_record
from dicetown.rules.layout import State, Tables

HIDDEN = 32
#: What is left of a hidden value below zero.
LEAK = 0.1

# What else is seen of a city, beside cards and landmarks:
COINS = 0  # in tens
SMALL_COINS = 1  # the first ten of them
MISSING = 2  # coins to the last landmark, in tens
NEAR = 3  # the last ten of them
BUILDS = 4  # landmarks still to be built
INCOME = 5  # coins per round as things stand
BY_ONE = 6  # from own rolls with one die
BY_TWO = 7  # with two dice
BY_OTHERS = 8  # from the others' rolls
ROUNDS = 9  # until the coins are there, in tens
PACE = 10  # the inverse: how much of the road a round covers
RIVALS = 11  # the others: all coins in tens, ...
RIVALS_INCOME = 12  # ... all income, ...
RIVAL_ROUNDS = 13  # ... and of who is nearest to the end: rounds, ...
RIVAL_PACE = 14
RIVAL_NEAR = 15  # ... the last ten coins, ...
RIVAL_BUILDS = 16  # ... and builds
WAITING = 17  # one for each turn until this city's, ...
WAITING_ROLLED = WAITING + MAX_PLAYERS  # ... if the dice of the current turn have fallen already
AT_TABLE = WAITING_ROLLED + MAX_PLAYERS  # one for each number of players
N_SEEN = AT_TABLE + MAX_PLAYERS

#: More rounds than this are not told apart.
FAR_AWAY = 30.0

NET = np.dtype(
    [
        ("own", "f4", (MAX_THINGS, HIDDEN)),  # what a card or landmark means to its owner
        ("others", "f4", (MAX_THINGS, HIDDEN)),  # and to the others
        ("seen", "f4", (N_SEEN, HIDDEN)),
        ("bias", "f4", HIDDEN),
        ("out", "f4", HIDDEN),
        # work space
        ("ours", "f4", (MAX_PLAYERS, HIDDEN)),
        ("theirs", "f4", (MAX_PLAYERS, HIDDEN)),
        ("all", "f4", HIDDEN),
        ("eye", "f4", (MAX_PLAYERS, N_SEEN)),  # what is seen of each city
    ],
    align=True,
)
Net: TypeAlias = Any
floats: TypeAlias = Any
name_record("Net", NET)


@kernel(apart=True)
def judge(t: Tables, s: State, net: Net, chances: floats) -> None:
    """Each player's chance to win, into `chances`."""
    players = int(t.players)
    if s.phase == OVER:
        for seat in range(players):
            chances[seat] = 1.0 / players if s.winner == NOBODY else 0.0
        if s.winner != NOBODY:
            chances[int(s.winner)] = 1.0
        return
    look_around(t, s, net)
    for h in range(HIDDEN):
        net.all[h] = 0.0
    for seat in range(players):
        look_at(t, s, net, seat)
        for h in range(HIDDEN):
            net.all[h] += net.theirs[seat, h]
    most = -1e30
    for seat in range(players):
        score = score_of(net, seat)
        chances[seat] = score
        if score > most:
            most = score
    whole = 0.0
    for seat in range(players):
        chances[seat] = exp(chances[seat] - most)
        whole += chances[seat]
    for seat in range(players):
        chances[seat] /= whole


@kernel(apart=True)
def look_at(t: Tables, s: State, net: Net, seat: int) -> None:
    """What a city's cards and landmarks mean to it, and to the others."""
    for h in range(HIDDEN):
        net.ours[seat, h] = 0.0
        net.theirs[seat, h] = 0.0
    for card in range(int(t.cards)):
        copies = np.float32(s.owned[seat, card])
        if copies:
            for h in range(HIDDEN):
                net.ours[seat, h] += copies * net.own[card, h]
                net.theirs[seat, h] += copies * net.others[card, h]
    built = int(s.built[seat])
    thing = MAX_CARDS
    while built:
        if built & 1:
            for h in range(HIDDEN):
                net.ours[seat, h] += net.own[thing, h]
                net.theirs[seat, h] += net.others[thing, h]
        built >>= 1
        thing += 1


@kernel(apart=True)
def look_around(t: Tables, s: State, net: Net) -> None:
    """What is seen of each city beside its cards: coins, income, the way to go, and whose turn it is."""
    players = int(t.players)
    habits = habits_of_all(t, s)
    for seat in range(players):
        look_closely(t, s, net, seat, habits)
    roller = int(s.turn)
    rolled = WAITING
    if s.phase == DRAW:
        roller = (roller + 1) % players
    elif s.phase != ROLL and s.phase <= INVEST:
        rolled = WAITING_ROLLED
    for seat in range(players):
        for k in range(RIVALS, N_SEEN):
            net.eye[seat, k] = 0.0
        net.eye[seat, RIVAL_ROUNDS] = 0.1 * FAR_AWAY
        for other in range(players):
            if other != seat:
                net.eye[seat, RIVALS] += net.eye[other, COINS]
                net.eye[seat, RIVALS_INCOME] += net.eye[other, INCOME]
                if net.eye[other, ROUNDS] <= net.eye[seat, RIVAL_ROUNDS]:
                    net.eye[seat, RIVAL_ROUNDS] = net.eye[other, ROUNDS]
                    net.eye[seat, RIVAL_PACE] = net.eye[other, PACE]
                    net.eye[seat, RIVAL_NEAR] = net.eye[other, NEAR]
                    net.eye[seat, RIVAL_BUILDS] = net.eye[other, BUILDS]
        net.eye[seat, rolled + (seat - roller) % players] = 1.0
        net.eye[seat, AT_TABLE + players - 1] = 1.0


@kernel(apart=True)
def look_closely(t: Tables, s: State, net: Net, seat: int, habits: int) -> None:
    """What is seen of one city by itself."""
    coins = int(s.coins[seat])
    own = landmarks_of(s, seat)
    toll, builds, _ = road_ahead(t, s, seat, own)
    missing = toll - coins
    if missing < 0:
        missing = 0
    one, two, others = city_worth(t, s, seat, habits)
    best = one
    if may_roll_two_dice(t, s, seat) and two > one:
        best = two
    income = (best + others) / PARTS
    rounds = missing / (income + 0.25)
    if rounds < 0.0 or rounds > FAR_AWAY:
        rounds = FAR_AWAY
    if rounds < builds - 1:
        rounds = float(builds - 1)
    net.eye[seat, COINS] = coins * 0.1
    net.eye[seat, SMALL_COINS] = (coins if coins < 10 else 10) * 0.1
    net.eye[seat, MISSING] = missing * 0.1
    net.eye[seat, NEAR] = (missing if missing < 10 else 10) * 0.1
    net.eye[seat, BUILDS] = builds
    net.eye[seat, INCOME] = income
    net.eye[seat, BY_ONE] = one / PARTS
    net.eye[seat, BY_TWO] = two / PARTS
    net.eye[seat, BY_OTHERS] = others / PARTS
    net.eye[seat, ROUNDS] = rounds * 0.1
    net.eye[seat, PACE] = 1.0 / (1.0 + rounds)


@kernel(apart=True)
def score_of(net: Net, seat: int) -> float:
    """How good a player's prospects look."""
    for h in range(HIDDEN):
        net.ours[seat, h] += net.bias[h] + net.all[h] - net.theirs[seat, h]
    for k in range(N_SEEN):
        seen = net.eye[seat, k]
        if seen != 0:
            for h in range(HIDDEN):
                net.ours[seat, h] += seen * net.seen[k, h]
    score = 0.0
    for h in range(HIDDEN):
        x = net.ours[seat, h]
        score += (x if x > 0 else np.float32(LEAK) * x) * net.out[h]
    return float(score)
