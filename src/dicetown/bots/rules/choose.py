"""What a mind chooses: the one door through which compiled play asks any bot."""

from __future__ import annotations

from dicetown.bots.mind import GREEDY, PLANNER, SCRIPT, Mind
from dicetown.bots.rules.greedy import play_greedily
from dicetown.bots.rules.planner import play_plan
from dicetown.bots.rules.script import play_script
from dicetown.bots.rules.uniform import play_anything
from dicetown.rules.kernel import kernel
from dicetown.rules.layout import Choices, State, Tables
from dicetown.rules.rng import Rng, below

#: Slips are counted in so many choices.
OUT_OF = 1000


@kernel(apart=True)
def choose_as(mind: Mind, t: Tables, s: State, choices: Choices, rng: Rng) -> int:
    """The action a bot takes; now and then, if its mind says so, any action."""
    if mind.slips and below(rng, OUT_OF) < mind.slips:
        return play_anything(t, s, choices, rng)
    if mind.way == GREEDY:
        return play_greedily(t, s, choices, rng)
    if mind.way == SCRIPT:
        return play_script(mind, t, s, choices, rng)
    if mind.way == PLANNER:
        return play_plan(mind, t, s, choices, rng)
    return play_anything(t, s, choices, rng)
