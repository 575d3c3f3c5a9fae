"""Many games at once, each from one choice to the next: the kernels of all environments.

A *step* takes one agent's action and goes on, through dice, draws, forced moves and the moves of bots, to the
next real choice of an agent, or to the end of the game, after which the slot begins its next game at once.
The same functions step a batch on the CPU, in ranges on several threads, and on a GPU, one game per thread.
"""

from __future__ import annotations

from typing import Any, TypeAlias

from dicetown.bots.mind import Minds
from dicetown.bots.rules.choose import choose_as
from dicetown.rules.chance import draw_outcome, waits_for_chance
from dicetown.rules.choices import find_choices
from dicetown.rules.codes import NOBODY, OVER
from dicetown.rules.kernel import kernel
from dicetown.rules.layout import Choices, Log, State, States, Tables
from dicetown.rules.rng import Rng
from dicetown.rules.rng import start as start_rng
from dicetown.rules.step import befall, settle, take
from dicetown.sight.write import Sight, flags, mark_legal, meant_by, see, shorts

Rngs: TypeAlias = Any  # random numbers for each slot
ints: TypeAlias = Any
singles: TypeAlias = Any

# Who learns: a seat, or
EVERYBODY = -1  # all seats: every choice is a step
IN_TURN = -2  # the seat moves on from game to game

# How a step ended.
GOES_ON = 0
IS_OVER = 1
GIVEN_UP = 2  # nobody had won after so many turns

# What can be asked of a slot instead of an action.
STAY = -1  # nothing happens; what is seen is only written again
NEXT_GAME = -2  # the game under way is left, and the next one begins

#: House rules can end a game before its agent has anything to choose. Then the next one begins; so often
#: at most.
RESTARTS = 100


@kernel
def learner_of(t: Tables, learner: int, number: int) -> int:
    """The seat that learns in a game."""
    return number % int(t.players) if learner == IN_TURN else learner


@kernel
def is_finished(s: State, give_up: int) -> bool:
    """Whether a game is over, or has gone on for too long."""
    return bool(s.phase == OVER or s.turns >= give_up)


@kernel(apart=True)
def go_on(
    t: Tables, s: State, log: Log, choices: Choices, rng: Rng, minds: Minds, learner: int, give_up: int
) -> None:
    """Play on until an agent has a real choice, or the game is over.

    `minds` are the bots at the table, clockwise from the agent, whose own place there is unused.
    """
    settle(t, s, log, choices)
    while not is_finished(s, give_up):
        if waits_for_chance(s):
            befall(t, s, log, draw_outcome(t, s, rng))
        elif choices.count == 1:
            take(t, s, log, int(choices.action[0]))
        elif learner == EVERYBODY or s.turn == learner:
            return
        else:
            players = int(t.players)
            bot = (int(s.turn) - learner + players) % players
            take(t, s, log, choose_as(minds[bot], t, s, choices, rng))
        settle(t, s, log, choices)


@kernel
def pay_out(t: Tables, s: State, payoffs: singles, at: int) -> None:
    """One for the winner, in all nothing: the others share the loss."""
    players = int(t.players)
    for seat in range(players):
        payoffs[at + seat] = 0.0
    if s.phase == OVER and s.winner != NOBODY:
        for seat in range(players):
            payoffs[at + seat] = -1.0 / (players - 1)
        payoffs[at + int(s.winner)] = 1.0


@kernel
def show(
    t: Tables,
    sight: Sight,
    s: State,
    choices: Choices,
    slot: int,
    me: int,
    sheets: shorts,
    masks: flags,
    seats: flags,
) -> None:
    """Write what the agent of a slot sees and may do now, and where it sits."""
    see(t, sight, s, me, sheets, slot * int(sight.size))
    mark_legal(t, sight, me, choices, masks, slot * int(sight.actions))
    seats[slot] = me


@kernel(apart=True)
def begin_slot(
    t: Tables,
    sight: Sight,
    minds: Minds,
    log: Log,
    choices: Choices,
    s: State,
    rng: Rng,
    slot: int,
    number: int,
    seed_low: int,
    seed_high: int,
    learner: int,
    give_up: int,
    sheets: shorts,
    masks: flags,
    seats: flags,
) -> None:
    """Begin game `number` in a slot, whose state is an opening position."""
    start_rng(rng, seed_low, seed_high, number)
    me = learner_of(t, learner, number)
    go_on(t, s, log, choices, rng, minds, me, give_up)
    show(t, sight, s, choices, slot, me if me >= 0 else int(s.turn), sheets, masks, seats)


@kernel(apart=True)
def begin_next(
    t: Tables,
    sight: Sight,
    minds: Minds,
    log: Log,
    choices: Choices,
    states: States,
    rng: Rng,
    slot: int,
    numbers: ints,
    seed_low: int,
    seed_high: int,
    learner: int,
    give_up: int,
    sheets: shorts,
    masks: flags,
    seats: flags,
) -> None:
    """Begin the game of a slot's number, or the next in which there is something to choose.

    The last state of all is the opening.
    """
    for _ in range(RESTARTS):
        states[slot] = states[len(states) - 1]
        begin_slot(
            t, sight, minds, log, choices, states[slot], rng, slot, int(numbers[slot]), seed_low, seed_high,
            learner, give_up, sheets, masks, seats,
        )  # fmt: skip
        if not is_finished(states[slot], give_up):
            return
        numbers[slot] = int(numbers[slot]) + len(states) - 1


@kernel(apart=True)
def act_in_slot(
    t: Tables,
    sight: Sight,
    minds: Minds,
    log: Log,
    choices: Choices,
    s: State,
    rng: Rng,
    slot: int,
    number: int,
    action: int,
    learner: int,
    give_up: int,
    sheets: shorts,
    masks: flags,
    seats: flags,
    payoffs: singles,
    ends: flags,
) -> int:
    """Take the agent's action in a slot and go on; how the step ended."""
    me = learner_of(t, learner, number)
    actor = int(s.turn)
    take(t, s, log, meant_by(t, sight, actor, action))
    go_on(t, s, log, choices, rng, minds, me, give_up)
    end = GOES_ON
    if s.phase == OVER:
        end = IS_OVER
    elif s.turns >= give_up:
        end = GIVEN_UP
    ends[slot] = end
    if end == GOES_ON:
        show(t, sight, s, choices, slot, me if me >= 0 else int(s.turn), sheets, masks, seats)
    else:
        pay_out(t, s, payoffs, slot * int(t.players))
    return end


@kernel(apart=True)
def look_again(
    t: Tables,
    sight: Sight,
    s: State,
    choices: Choices,
    slot: int,
    sheets: shorts,
    masks: flags,
    seats: flags,
) -> None:
    """Write once more what the agent of a slot sees and may do."""
    find_choices(t, s, choices)
    show(t, sight, s, choices, slot, int(seats[slot]), sheets, masks, seats)


@kernel(apart=True)
def begin_games(
    t: Tables,
    sight: Sight,
    minds: Minds,
    log: Log,
    choices: Choices,
    states: States,
    rngs: Rngs,
    numbers: ints,
    first: int,
    last: int,
    seed_low: int,
    seed_high: int,
    learner: int,
    give_up: int,
    sheets: shorts,
    masks: flags,
    seats: flags,
) -> None:
    """Begin a game in each of the slots from `first` up to `last`."""
    for slot in range(first, last):
        begin_next(
            t, sight, minds, log, choices, states, rngs[slot], slot, numbers, seed_low, seed_high,
            learner, give_up, sheets, masks, seats,
        )  # fmt: skip


@kernel(apart=True)
def step_games(
    t: Tables,
    sight: Sight,
    minds: Minds,
    log: Log,
    choices: Choices,
    states: States,
    rngs: Rngs,
    numbers: ints,
    actions: ints,
    first: int,
    last: int,
    seed_low: int,
    seed_high: int,
    learner: int,
    give_up: int,
    sheets: shorts,
    masks: flags,
    seats: flags,
    payoffs: singles,
    ends: flags,
    finals: shorts,
) -> None:
    """Take a step in each of the slots from `first` up to `last`, or what else is asked of a slot.

    Where a game ends, what its agent saw last goes to `finals`, and the next game begins at once.
    """
    size = int(sight.size)
    for slot in range(first, last):
        if actions[slot] < 0:
            ends[slot] = GOES_ON
            if actions[slot] == NEXT_GAME:
                numbers[slot] = int(numbers[slot]) + len(states) - 1
                begin_next(
                    t, sight, minds, log, choices, states, rngs[slot], slot, numbers, seed_low, seed_high,
                    learner, give_up, sheets, masks, seats,
                )  # fmt: skip
            else:
                look_again(t, sight, states[slot], choices, slot, sheets, masks, seats)
            continue
        end = act_in_slot(
            t, sight, minds, log, choices, states[slot], rngs[slot], slot, int(numbers[slot]),
            int(actions[slot]), learner, give_up, sheets, masks, seats, payoffs, ends,
        )  # fmt: skip
        if end != GOES_ON:
            see(t, sight, states[slot], int(seats[slot]), finals, slot * size)
            numbers[slot] = int(numbers[slot]) + len(states) - 1
            begin_next(
                t, sight, minds, log, choices, states, rngs[slot], slot, numbers, seed_low, seed_high,
                learner, give_up, sheets, masks, seats,
            )  # fmt: skip
