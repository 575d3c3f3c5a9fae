"""A step of a batch on a GPU: one game in each thread, and all threads of a block at the same kind of step.

These are the steps of :mod:`dicetown.envs.core.steps`, taken as :mod:`dicetown.playout.gpu.whole_game` plays
games: the kinds of steps take turns, so that threads run the same instructions, which are fetched once for
all. The games lie in the fast memory of their block while they are stepped.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from numba import cuda

from dicetown.bots.mind import Minds
from dicetown.bots.rules.choose import choose_as
from dicetown.envs.core.steps import (
    EVERYBODY,
    GOES_ON,
    RESTARTS,
    Outcome,
    Shown,
    ints,
    is_finished,
    learner_of,
    show,
    tell_end,
)
from dicetown.playout.gpu.whole_game import KINDS, NONE, ROLLING, carry_out, kind_of
from dicetown.rules.chance import draw_outcome
from dicetown.rules.choices import find_choices
from dicetown.rules.codes import DICE, LAST_DECISION
from dicetown.rules.kernel import kernel
from dicetown.rules.layout import Choices, State, Tables
from dicetown.rules.rng import Rng
from dicetown.rules.rng import start as start_rng
from dicetown.sight.write import flags, meant_by


class Played(NamedTuple):
    """What a slot plays and who with. In a kernel made for one table the compiler knows all of it."""

    tables: Any
    sight: Any
    minds: Any
    learner: int
    give_up: int
    seed_low: int
    seed_high: int


class OnDevice(NamedTuple):
    """What a thread works with; the games are its own and its neighbours' in the block."""

    games: Any
    choices: Any
    log: Any
    opening: Any


@kernel
def step_on_device(
    played: Any,
    at_hand: Any,
    numbers: ints,
    actions: ints,
    shown: Shown,
    outcome: Outcome,
    beginning: int,
) -> None:
    """Take a step in this thread's slot, or begin its first game; where a game ends, the next one begins."""
    t = played.tables
    here = at_hand.games
    choices = at_hand.choices
    slot = cuda.grid(1)
    place = cuda.threadIdx.x
    playing = 0
    number = 0
    wanted = NONE
    if slot < len(numbers):
        number = int(numbers[slot])
        if beginning:
            playing = 1
            here[place] = at_hand.opening
            start_rng(here[place].rng, played.seed_low, played.seed_high, number)
            find_choices(t, here[place].state, choices)
        else:
            outcome.ends[slot] = GOES_ON
            outcome.dice[slot] = 0
            if is_legal(shown.masks, shown.breadth, slot, int(actions[slot])):
                playing = 1
                wanted = meant_by(t, played.sight, int(here[place].state.turn), int(actions[slot]))
    stepped = playing
    s = here[place].state
    rng = here[place].rng
    me = learner_of(t, played.learner, number)
    kind = ROLLING
    restarts = 0
    dice = 0
    while cuda.syncthreads_or(playing) != 0:
        acts = playing
        if acts and kind_of(s) != kind and s.turns < played.give_up:
            acts = 0
        kind = kind + 1 if kind < KINDS - 1 else ROLLING
        if cuda.syncthreads_or(acts) == 0:
            continue
        move = NONE
        phase = int(s.phase)
        if acts:
            if is_finished(s, played.give_up):
                if restarts == 0 and beginning == 0:
                    tell_end(played, s, slot, shown, outcome)
                number += len(numbers)
                numbers[slot] = number
                restarts += 1
                if restarts > RESTARTS - beginning:
                    playing = 0
                    acts = 0
                else:
                    me = learner_of(t, played.learner, number)
                    here[place] = at_hand.opening
                    start_rng(rng, played.seed_low, played.seed_high, number)
                    phase = int(s.phase)
            elif wanted != NONE:
                move = wanted
                wanted = NONE
            else:
                move = next_move(t, s, choices, rng, played.minds, me, played.learner)
                if move == NONE:
                    playing = 0
                    acts = 0
                elif phase == DICE and dice == 0 and restarts == 0:
                    dice = move
        carry_out(t, s, at_hand.log, choices, acts, phase, move)
        if acts and s.phase <= LAST_DECISION:
            if choices.count > 1 and (played.learner == EVERYBODY or s.turn == me):
                playing = 0
    if stepped:
        if beginning == 0:
            outcome.dice[slot] = dice
        show(played, s, choices, slot, me if me >= 0 else int(s.turn), shown)


@kernel
def fetch(words: ints, memory: ints, game: int) -> None:
    """Bring the games of a block into its fast memory, neighbouring words by neighbouring threads."""
    threads = cuda.blockDim.x
    first = cuda.blockIdx.x * threads * game
    end = min(threads * game, len(words) - first)
    at = int(cuda.threadIdx.x)
    # Four on their way at a time: each takes long.
    while at + 3 * threads < end:
        one = words[first + at]
        two = words[first + at + threads]
        three = words[first + at + 2 * threads]
        four = words[first + at + 3 * threads]
        memory[at] = one
        memory[at + threads] = two
        memory[at + 2 * threads] = three
        memory[at + 3 * threads] = four
        at += 4 * threads
    while at < end:
        memory[at] = words[first + at]
        at += threads
    cuda.syncthreads()


@kernel
def bring_back(words: ints, memory: ints, game: int) -> None:
    """Write the games of a block back to where all of them lie."""
    cuda.syncthreads()
    threads = cuda.blockDim.x
    first = cuda.blockIdx.x * threads * game
    end = min(threads * game, len(words) - first)
    for at in range(cuda.threadIdx.x, end, threads):
        words[first + at] = memory[at]


@kernel
def is_legal(masks: flags, width: int, slot: int, action: int) -> bool:
    """Whether a slot's mask allows an action; where nobody has looked beforehand, others are not done."""
    return 0 <= action < width and masks[slot * width + action] != 0


@kernel
def next_move(t: Tables, s: State, choices: Choices, rng: Rng, minds: Minds, me: int, learner: int) -> int:
    """What chance, the rules or a bot do next; nothing where an agent is to choose."""
    if s.phase > LAST_DECISION:
        return draw_outcome(t, s, rng)
    if choices.count == 1:
        return int(choices.action[0])
    if learner == EVERYBODY or s.turn == me:
        return NONE
    players = int(t.players)
    return choose_as(minds[(int(s.turn) - me + players) % players], t, s, choices, rng)


@kernel
def look_for_illegal(actions: ints, masks: flags, width: int, found: ints) -> None:
    """Note the first slot whose action is not legal."""
    slot = cuda.grid(1)
    if slot < len(actions) and not is_legal(masks, width, slot, int(actions[slot])):
        cuda.atomic.min(found, 0, slot)


def simulated_kernel(step: Any, kinds: Any, openings: Any, groups: Any, games: Any, at_hand: Any) -> Any:
    """A kernel for Numba's CUDA simulator, which knows no memory that is records and words."""

    def kernel_of_block(seed: Any, numbers: Any, *arguments: Any) -> None:
        slot, place = cuda.grid(1), cuda.threadIdx.x
        group = groups[min(slot, len(groups) - 1)]
        in_block, choices, log = at_hand[place]
        here = OnDevice(in_block, choices, log, openings[group])
        if slot < len(numbers):
            here.games[place] = games[slot]
        step(Played(*kinds[group], *seed), here, numbers, *arguments)
        if slot < len(numbers):
            games[slot] = here.games[place]

    return cuda.jit(kernel_of_block)
