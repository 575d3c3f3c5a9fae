"""Perft: counting the tree of all that can happen, to check that the rules still grow the same tree.

A node is a game that waits for a decision, waits for chance, or is over. Its branches are the legal
actions, or the outcomes of chance, each counted once however likely: six or thirty-six ways for dice to
fall, one for each different card that can be drawn. Any change to what is legal or to what a move does
changes these counts somewhere, so tables of them are kept in ``tests/perft`` and must be reproduced.

The walk is a kernel like the rules themselves and keeps its own stack, because kernels do not recurse.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from dicetown.game import Game
from dicetown.rules.chance import find_outcomes, waits_for_chance
from dicetown.rules.choices import find_choices
from dicetown.rules.codes import DRAW, LAST_DECISION, MAX_CHOICES, OVER
from dicetown.rules.kernel import compiled, kernel
from dicetown.rules.layout import (
    CHOICES,
    LOG,
    OUTCOMES,
    STATE,
    Choices,
    Log,
    Outcomes,
    State,
    States,
    Tables,
    new,
    record_class,
)
from dicetown.rules.step import decide, happen

#: One count for each phase a node can be in, and one for the nodes at full depth.
LEAVES = OVER + 1
N_COUNTS = LEAVES + 1

ints: TypeAlias = Any  # an array of integers, for kernels' signatures


@dataclass(frozen=True, slots=True)
class Nodes:
    """The nodes of a tree by what they wait for, its root included; ``leaves`` lie at full depth."""

    decisions: int
    chance: int
    over: int
    leaves: int
    by_phase: tuple[int, ...]

    @property
    def all(self) -> int:
        """How many nodes there are."""
        return self.decisions + self.chance + self.over


def perft(game: Game, depth: int, compile_rules: bool = True) -> Nodes:
    """Count what can happen within so many moves, chance included.

    >>> from dicetown import Ruleset
    >>> game = Game(Ruleset("ciudad", sets=["base"]), players=2)
    >>> nodes = perft(game, depth=3, compile_rules=False)
    >>> nodes.decisions, nodes.chance, nodes.over, nodes.leaves
    (76, 1, 0, 69)
    """
    stack = np.zeros(depth + 1, STATE)
    stack[0] = game.state.array[0]
    moves, left, counts = (np.zeros(n, np.int64) for n in ((depth + 1) * MAX_CHOICES, depth + 1, N_COUNTS))
    records = [new(LOG), new(CHOICES), new(OUTCOMES)]
    if compile_rules:
        walk: Callable[..., None] = compiled(count_nodes)
        arguments = [game.tables.array[0], stack, *(record.array[0] for record in records)]
    else:
        walk, arguments = count_nodes, [game.tables, _Stack(stack), *records]
    walk(*arguments, moves, left, depth, counts)
    return _sum_up(counts.tolist())


def _sum_up(counts: list[int]) -> Nodes:
    phases = counts[:LEAVES]
    return Nodes(
        decisions=sum(phases[: LAST_DECISION + 1]),
        chance=sum(phases[LAST_DECISION + 1 : DRAW + 1]),
        over=phases[OVER],
        leaves=counts[LEAVES],
        by_phase=tuple(phases),
    )


class _Stack:
    """States as interpreted kernels see an array of them: ``stack[k] = s`` copies, as it does compiled."""

    def __init__(self, array: Any) -> None:
        self.array = array
        self.records = [record_class(STATE)(array[k : k + 1]) for k in range(len(array))]

    def __getitem__(self, level: int) -> Any:
        return self.records[level]

    def __setitem__(self, level: int, state: Any) -> None:
        self.array[level] = state.array[0]


@kernel
def count_nodes(
    t: Tables,
    stack: States,
    log: Log,
    choices: Choices,
    outcomes: Outcomes,
    moves: ints,
    left: ints,
    depth: int,
    counts: ints,
) -> None:
    """Walk the tree below `stack[0]` in depth, and add each node to `counts` by its phase.

    Level by level, `moves` holds the moves out of the node on the stack and `left` how many are to be tried.
    """
    find_choices(t, stack[0], choices)
    left[0] = enter(t, stack[0], choices, outcomes, moves, 0, depth, counts)
    level = 0
    while level >= 0:
        if left[level] == 0:
            level -= 1
        else:
            left[level] -= 1
            move = int(moves[level * MAX_CHOICES + left[level]])
            stack[level + 1] = stack[level]
            advance(t, stack[level + 1], log, choices, move)
            level += 1
            left[level] = enter(t, stack[level], choices, outcomes, moves, level, depth, counts)


@kernel
def advance(t: Tables, s: State, log: Log, choices: Choices, move: int) -> None:
    """Make a move out of a node: a decision, or an outcome of chance."""
    if waits_for_chance(s):
        happen(t, s, log, choices, move)
    else:
        decide(t, s, log, choices, move)


@kernel
def enter(
    t: Tables,
    s: State,
    choices: Choices,
    outcomes: Outcomes,
    moves: ints,
    level: int,
    depth: int,
    counts: ints,
) -> int:
    """Count a node and list the moves out of it; returns how many there are, none at full depth."""
    counts[int(s.phase)] += 1
    if level == depth:
        counts[LEAVES] += 1
        return 0
    first = level * MAX_CHOICES
    if waits_for_chance(s):
        find_outcomes(t, s, outcomes)
        for k in range(int(outcomes.count)):
            moves[first + k] = outcomes.outcome[k]
        return int(outcomes.count)
    for k in range(int(choices.count)):
        moves[first + k] = choices.action[k]
    return int(choices.count)
