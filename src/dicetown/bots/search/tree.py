"""The search tree: decisions and chance, grown one playout at a time.

A node is a position, known by the moves that lead to it from the root; positions are not stored but played
again, which is cheaper than the memory. Each node keeps, for every player, what the playouts through it
were worth to that player (max^n: everybody is taken to want their own victory). At a decision the player to
choose picks by upper confidence bounds, among few candidates at first and more as the node is visited more
often (progressive widening); candidates come in the order in which the playout policy prefers them. At a
chance node the dice fall with their exact probabilities, and cards are drawn as they lie in the deck.

Below the tree the playout policy plays on for a while, and then the judge says how the game will end.
"""

from __future__ import annotations

from math import log, sqrt
from typing import Any, TypeAlias

import numpy as np

from dicetown.bots.learning.judge import Net, judge
from dicetown.bots.mind import SCRIPT, Minds
from dicetown.bots.rules.choose import choose_as
from dicetown.rules.chance import draw_outcome, waits_for_chance
from dicetown.rules.codes import DRAW, MAX_PLAYERS, OVER, TWO_DICE_BASE
from dicetown.rules.kernel import kernel, name_record
from dicetown.rules.layout import Choices, Log, State, States, Tables
from dicetown.rules.rng import Rng, below, start
from dicetown.rules.step import befall, settle, take

NODE = np.dtype(
    [
        ("visits", "i4"),
        ("child", "i4"),  # the latest of them; 0 is none, as no tree's root is a child
        ("sibling", "i4"),  # the next child of the same parent
        ("move", "i2"),  # the action or outcome that leads here
        ("opened", "i2"),  # how many children there are
        ("worth", "f8", MAX_PLAYERS),  # of the playouts through here, to each player: the sum
        ("squares", "f8"),  # the same squared, for the player at the root: how far playouts scatter
    ],
    align=True,
)
#: How a tree grows.
PLAN = np.dtype(
    [
        ("explore", "f8"),  # weight of uncertainty against worth
        ("widen", "f8"),  # candidates looked at: 1 + widen * visits ** widen_power
        ("widen_power", "f8"),
        ("deepest", "i8"),  # moves from the root that the tree may reach
        ("horizon", "i8"),  # turns that a playout goes on before it is judged; -1: to the end
        ("root", "i8"),  # the node of the position thought about
        ("used", "i8"),  # nodes in use
    ],
    align=True,
)
Nodes: TypeAlias = Any
Plan: TypeAlias = Any
ints: TypeAlias = Any
floats: TypeAlias = Any
name_record("Node", NODE)
name_record("Plan", PLAN)

#: A path through a tree never gets longer.
LONGEST_PATH = 256
#: A turn's wait makes a victory worth this much less: of two sure ones, take the sooner.
HASTE = 1e-5
#: A playout so long is given up: nobody wins.
TOO_LONG = 2_000


@kernel(apart=True)
def grow(
    t: Tables,
    states: States,
    quiet: Log,
    choices: Choices,
    rest: Choices,
    rng: Rng,
    minds: Minds,
    plan: Plan,
    net: Net,
    nodes: Nodes,
    path: ints,
    worth: floats,
    candidate: int,
    seed_low: int,
    seed_high: int,
    first: int,
    playouts: int,
) -> None:
    """Look so many times at what a candidate for the root's decision leads to.

    `states` holds a workplace and the root's position. The n-th look at every candidate draws the same
    random numbers, so that candidates are compared on the same luck.
    """
    root = int(plan.root)
    thinker = int(states[1].turn)
    path[0] = root
    for n in range(playouts):
        states[0] = states[1]
        s = states[0]
        start(rng, seed_low, seed_high, first + n)
        at = find_child(nodes, root, candidate)
        if at == 0:
            at = add_child(plan, nodes, root, candidate)
        path[1] = at
        take(t, s, quiet, candidate)
        settle(t, s, quiet, choices)
        steps = descend(t, s, quiet, choices, rest, rng, minds, plan, nodes, path)
        play_out(t, s, quiet, choices, rng, minds, plan, net, worth)
        haste = 1.0 - HASTE * (int(s.turns) - int(states[1].turns))
        for seat in range(int(t.players)):
            worth[seat] *= haste
        for k in range(steps):
            node = nodes[path[k]]
            node.visits += 1
            node.squares += worth[thinker] * worth[thinker]
            for seat in range(int(t.players)):
                node.worth[seat] += worth[seat]


@kernel(apart=True)
def descend(
    t: Tables,
    s: State,
    quiet: Log,
    choices: Choices,
    rest: Choices,
    rng: Rng,
    minds: Minds,
    plan: Plan,
    nodes: Nodes,
    path: ints,
) -> int:
    """Follow the tree from the candidate to a new leaf; returns how many nodes lie on the way."""
    steps = 2
    at = int(path[1])
    while steps < plan.deepest and s.phase != OVER and nodes[at].visits > 0:
        if waits_for_chance(s):
            outcome = draw_outcome(t, s, rng)
            if s.phase != DRAW:
                outcome = sorted_dice(outcome)
            child = find_child(nodes, at, outcome)
            if child == 0:
                child = add_child(plan, nodes, at, outcome)
            befall(t, s, quiet, outcome)
        else:
            child = choose_child(t, s, choices, rest, rng, minds, plan, nodes, at)
            if child == 0:
                return steps
            take(t, s, quiet, int(nodes[child].move))
        settle(t, s, quiet, choices)
        if child == 0:
            return steps
        at = child
        path[steps] = at
        steps += 1
    return steps


@kernel
def sorted_dice(outcome: int) -> int:
    """Two dice, the lower first: 4 and 3 are the same roll as 3 and 4.

    >>> sorted_dice(43), sorted_dice(34), sorted_dice(5)
    (34, 34, 5)
    """
    die = outcome // TWO_DICE_BASE
    other = outcome % TWO_DICE_BASE
    if die > other:
        return other * TWO_DICE_BASE + die
    return outcome


@kernel
def find_child(nodes: Nodes, at: int, move: int) -> int:
    """The child a move leads to; 0 if there is none yet."""
    child = int(nodes[at].child)
    while child and nodes[child].move != move:
        child = int(nodes[child].sibling)
    return child


@kernel
def add_child(plan: Plan, nodes: Nodes, at: int, move: int) -> int:
    """A new child for a move; 0 when there is no room left."""
    child = int(plan.used)
    if child >= len(nodes):
        return 0
    plan.used = child + 1
    node = nodes[child]
    node.visits = 0
    node.child = 0
    node.sibling = nodes[at].child
    node.move = move
    node.opened = 0
    node.squares = 0.0
    for seat in range(MAX_PLAYERS):
        node.worth[seat] = 0.0
    nodes[at].child = child
    nodes[at].opened += 1
    return child


@kernel(apart=True)
def choose_child(
    t: Tables,
    s: State,
    choices: Choices,
    rest: Choices,
    rng: Rng,
    minds: Minds,
    plan: Plan,
    nodes: Nodes,
    at: int,
) -> int:
    """The candidate to look at next: a new one if the node has earned it, else the most promising."""
    opened = int(nodes[at].opened)
    visits = int(nodes[at].visits)
    allowed = 1  # who follows a list goes on with it, and nothing else is looked at
    if minds[int(s.turn)].way != SCRIPT:
        allowed += int(plan.widen * visits**plan.widen_power)
    if opened < choices.count and opened < allowed:
        child = add_child(plan, nodes, at, next_candidate(t, s, choices, rest, rng, minds, nodes, at))
        if child:
            return child
    seat = int(s.turn)
    best = 0
    most = -1.0
    spread = log(visits + 1.0)
    child = int(nodes[at].child)
    while child:
        tried = nodes[child].visits
        if tried == 0:
            return child
        hope = nodes[child].worth[seat] / tried + plan.explore * sqrt(spread / tried)
        if hope > most:
            most = hope
            best = child
        child = int(nodes[child].sibling)
    return best


@kernel(apart=True)
def next_candidate(
    t: Tables, s: State, choices: Choices, rest: Choices, rng: Rng, minds: Minds, nodes: Nodes, at: int
) -> int:
    """What the playout policy would choose if the candidates there are already were not allowed."""
    count = 0
    for k in range(int(choices.count)):
        action = int(choices.action[k])
        if find_child(nodes, at, action) == 0:
            rest.action[count] = action
            count += 1
    rest.count = count
    if count == 1:
        return int(rest.action[0])
    liked = choose_as(minds[int(s.turn)], t, s, rest, rng)
    for k in range(count):
        if rest.action[k] == liked:
            return liked
    return int(rest.action[below(rng, count)])


@kernel(apart=True)
def play_out(
    t: Tables,
    s: State,
    quiet: Log,
    choices: Choices,
    rng: Rng,
    minds: Minds,
    plan: Plan,
    net: Net,
    worth: floats,
) -> None:
    """Let the playout policy play on, as far as the plan says, and judge what has come of it."""
    last = int(s.turns) + (int(plan.horizon) if plan.horizon >= 0 else TOO_LONG)
    while s.phase != OVER and s.turns < last:
        if waits_for_chance(s):
            befall(t, s, quiet, draw_outcome(t, s, rng))
        else:
            take(t, s, quiet, choose_as(minds[int(s.turn)], t, s, choices, rng))
        settle(t, s, quiet, choices)
    judge(t, s, net, worth)
