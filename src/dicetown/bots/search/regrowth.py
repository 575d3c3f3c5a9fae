"""Finding a position again in a tree that has grown towards it.

Between two decisions of a thinker some dice have fallen and others have chosen. If the tree has been there
already, what it saw need not be seen again.
"""

from __future__ import annotations

from typing import Any, TypeAlias

from dicetown.bots.search.tree import Nodes
from dicetown.rules.chance import waits_for_chance
from dicetown.rules.codes import MAX_AGENDA, MAX_PLAYERS, MAX_THINGS, OVER
from dicetown.rules.kernel import kernel
from dicetown.rules.layout import Choices, Log, State, States, Tables
from dicetown.rules.step import befall, settle, take

ints: TypeAlias = Any

NOWHERE = -1
#: Moves between two decisions of one player, at most, that are followed.
FURTHEST = 40
#: Positions visited less often are not worth being found.
SELDOM = 16


@kernel(apart=True)
def find_position(
    t: Tables,
    trail: States,
    quiet: Log,
    choices: Choices,
    nodes: Nodes,
    next_child: ints,
    root: int,
    wanted: State,
) -> int:
    """The node of a position below the root, or NOWHERE; `trail` begins with the root's position.

    Depth first, through all that was visited often enough and does not lie beyond the wanted turn.
    """
    depth = 0
    next_child[0] = nodes[root].child
    while depth >= 0:
        child = int(next_child[depth])
        if child == 0:
            depth -= 1
            continue
        next_child[depth] = nodes[child].sibling
        if nodes[child].visits < SELDOM:
            continue
        trail[depth + 1] = trail[depth]
        s = trail[depth + 1]
        if waits_for_chance(s):
            befall(t, s, quiet, int(nodes[child].move))
        else:
            take(t, s, quiet, int(nodes[child].move))
        settle(t, s, quiet, choices)
        if is_same(t, s, wanted):
            return child
        if depth + 2 < len(trail) and s.phase != OVER and s.turns <= wanted.turns:
            depth += 1
            next_child[depth] = nodes[child].child
    return NOWHERE


@kernel(apart=True)
def is_same(t: Tables, s: State, other: State) -> bool:
    """Whether two positions are the same for all that can follow; which die fell first does not matter."""
    if s.turns != other.turns or s.phase != other.phase or s.turn != other.turn or s.total != other.total:
        return False
    if s.dice != other.dice or s.die + s.other_die != other.die + other.other_die:
        return False
    if (s.die == s.other_die) != (other.die == other.other_die):
        return False
    if s.rerolled != other.rerolled or s.extra_left != other.extra_left or s.done != other.done:
        return False
    if s.extra_earned != other.extra_earned or s.acting != other.acting or s.left != other.left:
        return False
    if s.given != other.given or s.given_closed != other.given_closed or s.partner != other.partner:
        return False
    if s.hosting != other.hosting or s.host != other.host or s.received != other.received:
        return False
    if s.start_left != other.start_left or s.built_now != other.built_now or s.refill != other.refill:
        return False
    for seat in range(MAX_PLAYERS):
        if s.coins[seat] != other.coins[seat] or s.built[seat] != other.built[seat]:
            return False
        if s.invested[seat] != other.invested[seat]:
            return False
        for card in range(int(t.cards)):
            if s.owned[seat, card] != other.owned[seat, card]:
                return False
            if s.closed[seat, card] != other.closed[seat, card]:
                return False
    for thing in range(MAX_THINGS):
        if s.market[thing] != other.market[thing] or s.deck[thing] != other.deck[thing]:
            return False
    for entry in range(MAX_AGENDA):
        if s.due[entry] != other.due[entry]:
            return False
    return True
