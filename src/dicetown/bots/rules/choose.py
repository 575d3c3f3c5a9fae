"""What a mind chooses: the one door through which compiled play asks any bot."""

from __future__ import annotations

from dicetown.bots.mind import GREEDY, PLANNER, SCRIPT, Mind, Minds
from dicetown.bots.rules.greedy import play_greedily
from dicetown.bots.rules.planner import play_plan
from dicetown.bots.rules.script import play_script
from dicetown.bots.rules.uniform import play_anything
from dicetown.rules.chance import draw_outcome
from dicetown.rules.codes import LAST_DECISION
from dicetown.rules.kernel import kernel
from dicetown.rules.layout import Choices, State, Tables
from dicetown.rules.rng import Rng, below

#: Slips are counted in so many choices.
OUT_OF = 1000


@kernel
def next_move(minds: Minds, t: Tables, s: State, choices: Choices, rng: Rng) -> int:
    """What chance brings, or the bot whose turn it is does; for :func:`dicetown.rules.step.play_move`."""
    if s.phase > LAST_DECISION:
        return draw_outcome(t, s, rng)
    return choose_as(minds[int(s.turn)], t, s, choices, rng)


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
