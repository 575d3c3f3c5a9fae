"""Whole games, played by bots: the loop that runs compiled.

Game `g` under a seed draws its random numbers from (seed, g) alone, so it is the same game in any
order, in any chunk and on any thread.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

from dicetown.bots.mind import Minds
from dicetown.bots.rules.choose import choose_as
from dicetown.rules.chance import draw_outcome, waits_for_chance
from dicetown.rules.codes import OVER
from dicetown.rules.kernel import kernel, name_record
from dicetown.rules.layout import Choices, Log, States, Tables
from dicetown.rules.rng import Rng
from dicetown.rules.rng import start as start_rng
from dicetown.rules.step import befall, settle, take
from dicetown.rules.turn import set_up

#: How a game went. The winner is NOBODY's if it was drawn.
RESULT = np.dtype([("decisions", "i8"), ("turns", "i4"), ("winner", "i1"), ("endless", "i1")], align=True)

Results: TypeAlias = Any  # an array of results
name_record("Result", RESULT)

#: Some house rules can leave a position that nobody can win, such as shared landmarks of which
#: everybody holds one; without `max_turns` such a game would run for ever. After so many turns it is
#: given up. Ordinary games take some hundred turns.
ENDLESS = 100_000


@kernel
def play_games(
    t: Tables,
    states: States,
    log: Log,
    choices: Choices,
    rng: Rng,
    minds: Minds,
    seed_low: int,
    seed_high: int,
    first: int,
    results: Results,
) -> None:
    """Play the games from number `first` on, as many as there is room for results.

    `minds` gives each seat's bot. `states` holds the game being played and a zeroed one to
    begin each from. A decision is a roll or a choice between several actions; everything else the
    engine does itself.
    """
    for k in range(len(results)):
        states[0] = states[1]
        s = states[0]
        start_rng(rng, seed_low, seed_high, first + k)
        set_up(t, s, log)
        settle(t, s, log, choices)
        decisions = 0
        # `decide` and `happen` would do, but settling in one place takes a tenth off compiling.
        while s.phase != OVER and s.turns < ENDLESS:
            if waits_for_chance(s):
                befall(t, s, log, draw_outcome(t, s, rng))
            else:
                take(t, s, log, choose_as(minds[int(s.turn)], t, s, choices, rng))
                decisions += 1
            settle(t, s, log, choices)
        results[k].decisions = decisions
        results[k].turns = s.turns
        results[k].winner = s.winner
        results[k].endless = int(s.phase != OVER)
