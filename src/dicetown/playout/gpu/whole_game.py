"""Whole games on a GPU: one in each thread, and all threads of a block at the same kind of step.

A GPU is fast where its threads do the same thing at the same time. Games do not: one rolls, the next one
builds. So the kinds of steps take turns, and a game whose next step is of another kind waits until it is
that one's turn, a few steps later. A kind that few games wait for is put off until there are more. A thread
whose game is over begins the next one at once.
"""

from __future__ import annotations

from typing import Any, TypeAlias

from numba import cuda

from dicetown.bots.mind import Minds
from dicetown.bots.rules.choose import choose_as
from dicetown.playout.whole_game import ENDLESS, Results
from dicetown.rules.chance import draw_outcome
from dicetown.rules.choices import find_choices
from dicetown.rules.codes import ADD_TWO, BUILD, DICE, DRAW, INVEST, LAST_DECISION, OVER, REROLL, ROLL, TUNA
from dicetown.rules.kernel import kernel
from dicetown.rules.layout import Choices, Log, State, Tables
from dicetown.rules.rng import start as start_rng
from dicetown.rules.step import befall, take, work_on

Games: TypeAlias = Any  # one for each thread of a block
Counter: TypeAlias = Any  # how many games have been begun

#: Whether all seats are taken by the same bot; the twin is made for one or the other.
ONE_MIND = False

# The kinds of steps, in the order a turn takes them.
ROLLING = 0  # or beginning a game
FALLING = 1
REROLLING = 2
RAISING = 3
DEALING = 4  # with other cities: all that is rare
BUILDING = 5
DRAWING = 6
INVESTING = 7
KINDS = 8

#: A kind's turn is passed over unless one in so many of the games in play waits for it.
ENOUGH = 12

NONE = -1


@kernel
def kind_of(s: State) -> int:
    """The kind of a game's next step."""
    phase = int(s.phase)
    if phase == ROLL or phase == OVER:  # noqa: PLR1714, SIM109 - plain comparisons run fastest
        return ROLLING
    if phase == DICE or phase == TUNA:  # noqa: PLR1714, SIM109
        return FALLING
    if phase == BUILD:
        return BUILDING
    if phase == DRAW:
        return DRAWING
    if phase == REROLL:
        return REROLLING
    if phase == ADD_TWO:
        return RAISING
    return INVESTING if phase == INVEST else DEALING


@kernel
def play_in_step(
    t: Tables,
    log: Log,
    minds: Minds,
    games: Games,
    choices: Choices,
    opening: Games,
    place: int,
    seed_low: int,
    seed_high: int,
    first: int,
    begun: Counter,
    results: Results,
) -> None:
    """Play games from number `first` on, at one's place of a block, until all are begun and over.

    The same games as :func:`dicetown.playout.whole_game.play_games`; `opening` is one that has just begun.
    """
    s = games[place].state
    rng = games[place].rng
    s.phase = OVER
    s.turns = 0
    game = NONE
    decisions = 0
    playing = 1
    kind = ROLLING
    passed_over = 0
    while True:
        in_play = cuda.syncthreads_count(playing)
        if in_play == 0:
            break
        acts = playing
        if kind_of(s) != kind and s.turns < ENDLESS:
            acts = 0
        kind = kind + 1 if kind < KINDS - 1 else ROLLING
        waiting = cuda.syncthreads_count(acts)
        if waiting == 0 or (waiting * ENOUGH < in_play and passed_over < KINDS):
            passed_over += 1
            continue
        passed_over = 0
        phase = int(s.phase)
        action = NONE
        if acts:
            if phase == OVER or s.turns >= ENDLESS:
                if game >= 0:
                    results[game].decisions = decisions
                    results[game].turns = s.turns
                    results[game].winner = s.winner
                    results[game].endless = int(phase != OVER)
                game = cuda.atomic.add(begun, 0, 1)
                if game < len(results):
                    games[place] = opening[0]
                    start_rng(rng, seed_low, seed_high, first + game)
                    decisions = 0
                else:
                    playing = 0
                    acts = 0
            elif phase > LAST_DECISION:
                action = draw_outcome(t, s, rng)
            elif choices.count == 1 and phase != ROLL:
                action = int(choices.action[0])  # forced: no decision
            else:
                action = choose_as(minds[0 if ONE_MIND else int(s.turn)], t, s, choices, rng)
                decisions += 1
        carry_out(t, s, log, choices, acts, phase, action)


@kernel
def carry_out(t: Tables, s: State, log: Log, choices: Choices, acts: int, phase: int, action: int) -> None:
    """Let happen what was drawn or decided, work on, and find the next choices, all threads in step.

    They meet between these parts, so that they run the same instructions, which are fetched once for all.
    """
    cuda.syncthreads()
    if acts and action != NONE:
        if phase > LAST_DECISION:
            befall(t, s, log, action)
        else:
            take(t, s, log, action)
    cuda.syncthreads()
    if acts:
        work_on(t, s, log)
    cuda.syncthreads()
    if acts and s.phase <= LAST_DECISION:
        find_choices(t, s, choices)


def simulated_kernel(play: Any, t: Any, log: Any, minds: Any, games: Any, choices: Any, opening: Any) -> Any:
    """A kernel for Numba's CUDA simulator, which cannot hand records to kernels as a GPU does."""

    def kernel_of_block(seed_low: int, seed_high: int, first: int, begun: Any, results: Any) -> None:
        place = cuda.threadIdx.x
        play(t, log, minds, games, choices[place], opening, place, seed_low, seed_high, first, begun, results)

    return cuda.jit(kernel_of_block)
