"""A step of a batch on a GPU whose games are of many kinds: what they play is data, not part of the code.

The steps of :mod:`dicetown.envs.gpu.steps`, but the tables, sights and bots are looked up for each game. That
is slower than code made for one table, and compiled once for all of them.
"""

from __future__ import annotations

from typing import Any, TypeAlias

from numba import cuda

from dicetown.bots.mind import Minds
from dicetown.envs.core.steps import (
    EVERYBODY,
    GIVEN_UP,
    GOES_ON,
    IS_OVER,
    RESTARTS,
    ints,
    is_finished,
    learner_of,
    pay_out,
    singles,
)
from dicetown.envs.gpu.steps import is_legal, next_move
from dicetown.playout.gpu.whole_game import KINDS, NONE, ROLLING, carry_out, kind_of
from dicetown.rules.choices import find_choices
from dicetown.rules.codes import LAST_DECISION, MAX_PLAYERS, OVER
from dicetown.rules.kernel import kernel
from dicetown.rules.layout import Choices, Log, Tables
from dicetown.rules.rng import start as start_rng
from dicetown.sight.write import Sight, flags, mark_legal, meant_by, see, shorts

Games: TypeAlias = Any


@kernel
def step_mixed(
    t: Tables,
    sight: Sight,
    minds: Minds,
    learner: int,
    log: Log,
    here: Games,
    choices: Choices,
    openings: Games,
    kind_of_table: int,
    numbers: ints,
    seed_low: int,
    seed_high: int,
    sheets: shorts,
    width: int,
    masks: flags,
    breadth: int,
    seats: flags,
    actions: ints,
    payoffs: singles,
    ends: flags,
    give_up: int,
    beginning: int,
) -> None:
    """Take a step in this thread's slot, or begin its first game; where a game ends, the next one begins."""
    slot = cuda.grid(1)
    place = cuda.threadIdx.x
    playing = 0
    number = 0
    wanted = NONE
    if slot < len(numbers):
        number = int(numbers[slot])
        if beginning:
            playing = 1
            here[place] = openings[kind_of_table]
            start_rng(here[place].rng, seed_low, seed_high, number)
            find_choices(t, here[place].state, choices)
        else:
            ends[slot] = GOES_ON
            if is_legal(masks, breadth, slot, int(actions[slot])):
                playing = 1
                wanted = meant_by(t, sight, int(here[place].state.turn), int(actions[slot]))
    stepped = playing
    s = here[place].state
    rng = here[place].rng
    me = learner_of(t, learner, number)
    kind = ROLLING
    restarts = 0
    while cuda.syncthreads_or(playing) != 0:
        acts = playing
        if acts and kind_of(s) != kind and s.turns < give_up:
            acts = 0
        kind = kind + 1 if kind < KINDS - 1 else ROLLING
        if cuda.syncthreads_or(acts) == 0:
            continue
        move = NONE
        phase = int(s.phase)
        if acts:
            if is_finished(s, give_up):
                if restarts == 0 and beginning == 0:
                    ends[slot] = IS_OVER if phase == OVER else GIVEN_UP
                    pay_out(t, s, payoffs, slot * MAX_PLAYERS)
                number += len(numbers)
                numbers[slot] = number
                restarts += 1
                if restarts > RESTARTS - beginning:
                    playing = 0
                    acts = 0
                else:
                    me = learner_of(t, learner, number)
                    here[place] = openings[kind_of_table]
                    start_rng(rng, seed_low, seed_high, number)
                    phase = int(s.phase)
            elif wanted != NONE:
                move = wanted
                wanted = NONE
            else:
                move = next_move(t, s, choices, rng, minds, me, learner)
                if move == NONE:
                    playing = 0
                    acts = 0
        carry_out(t, s, log, choices, acts, phase, move)
        if acts and s.phase <= LAST_DECISION:
            if choices.count > 1 and (learner == EVERYBODY or s.turn == me):
                playing = 0
    if stepped:
        seat = me if me >= 0 else int(s.turn)
        see(t, sight, s, seat, sheets, slot * width)
        mark_legal(t, sight, seat, choices, masks, slot * breadth)
        seats[slot] = seat


def simulated_kernel(
    step: Any, kinds: Any, groups: Any, log: Any, here: Any, games: Any, choices: Any, openings: Any
) -> Any:
    """A kernel for Numba's CUDA simulator, which knows no memory that is records and words."""

    def kernel_of_block(numbers: Any, *arguments: Any) -> None:
        slot, place = cuda.grid(1), cuda.threadIdx.x
        group = groups[min(slot, len(groups) - 1)]
        if slot < len(numbers):
            here[place] = games[slot]
        step(*kinds[group], log, here, choices[place], openings, group, numbers, *arguments)
        if slot < len(numbers):
            games[slot] = here[place]

    return cuda.jit(kernel_of_block)
