"""Whole games, played by bots: the loops that run compiled.

Game `g` under a seed draws its random numbers from (seed, g) alone, so it is the same game in any
order, in any chunk and on any thread.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

from dicetown.bots.roster import choose_as
from dicetown.rules.chance import draw_outcome, waits_for_chance
from dicetown.rules.codes import NOBODY, OVER
from dicetown.rules.kernel import kernel, name_record
from dicetown.rules.layout import Choices, Log, State, States, Tables
from dicetown.rules.rng import Rng
from dicetown.rules.rng import start as start_rng
from dicetown.rules.step import decide, happen, start

#: How a game went.
RESULT = np.dtype([("decisions", "i8"), ("turns", "i4"), ("winner", "i1"), ("endless", "i1")], align=True)

Ints: TypeAlias = Any
ints = Ints
Results: TypeAlias = Any  # an array of results
name_record("Result", RESULT)

#: Some house rules can leave a position that nobody can win, such as shared landmarks taken by all;
#: without `max_turns` such a game would run for ever. Ordinary games take some hundred turns.
ENDLESS = 100_000


@kernel
def play_out(t: Tables, s: State, log: Log, choices: Choices, rng: Rng, bots: ints) -> int:
    """Play a game from a zeroed state to its end, a bot's number for each seat; returns the decisions.

    A decision is a roll or a choice between several actions; everything else the engine does itself.
    """
    start(t, s, log, choices)
    decisions = 0
    while s.phase != OVER and s.turns < ENDLESS:
        if waits_for_chance(s):
            happen(t, s, log, choices, draw_outcome(t, s, rng))
        else:
            decide(t, s, log, choices, choose_as(int(bots[int(s.turn)]), t, s, choices, rng))
            decisions += 1
    return decisions


@kernel
def play_games(
    t: Tables,
    states: States,
    log: Log,
    choices: Choices,
    rng: Rng,
    bots: ints,
    seed_low: int,
    seed_high: int,
    first: int,
    results: Results,
) -> None:
    """Play the games from number `first` on, as many as there is room for results.

    `states` holds the game being played and a zeroed one to begin each from.
    """
    for k in range(len(results)):
        states[0] = states[1]
        start_rng(rng, seed_low, seed_high, first + k)
        results[k].decisions = play_out(t, states[0], log, choices, rng, bots)
        results[k].turns = states[0].turns
        results[k].endless = int(states[0].phase != OVER)
        results[k].winner = states[0].winner if states[0].phase == OVER else NOBODY
