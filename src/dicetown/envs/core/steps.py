"""Many games at once, each from one choice to the next: the kernels of all environments.

A *step* takes one agent's action and goes on, through dice, draws, forced moves and the moves of bots, to the
next real choice of an agent, or to the end of the game, after which the slot begins its next game at once.
The same functions step a batch on the CPU, in ranges on several threads, and on a GPU, one game per thread.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import numpy as np

from dicetown.bots.mind import Minds
from dicetown.bots.rules.choose import choose_as
from dicetown.rules.chance import draw_outcome, waits_for_chance
from dicetown.rules.choices import find_choices
from dicetown.rules.codes import DICE, NOBODY, OVER
from dicetown.rules.kernel import kernel, name_record, name_tuple
from dicetown.rules.layout import CHOICES, LOG, TABLES, Choices, State, States, Tables
from dicetown.rules.rng import Rng
from dicetown.rules.rng import start as start_rng
from dicetown.rules.step import befall, settle, take
from dicetown.sight.write import SIGHT, flags, mark_legal, meant_by, see, shorts

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


#: What is the same in all slots: what is played and how it is seen, who learns, when a game is given up, and
#: the seed. Nobody listens to the log.
FRAME = np.dtype(
    [
        ("tables", TABLES),
        ("sight", SIGHT),
        ("log", LOG),
        ("learner", "i8"),
        ("give_up", "i8"),
        ("seed_low", "i8"),
        ("seed_high", "i8"),
    ],
    align=True,
)
Frame: TypeAlias = Any
Frames: TypeAlias = Any  # an array of one: compiled code takes it faster than a record
Menus: TypeAlias = Any  # choices, likewise
name_record("Frame", FRAME)
name_record("Menu", CHOICES)


@name_tuple
class Slots(NamedTuple):
    """The games in play, with random numbers and number of each; the last state of all is the opening."""

    states: States
    rngs: Rngs
    numbers: ints


@name_tuple
class Shown(NamedTuple):
    """Where it is written what is seen, what may be done, and by whom: a row of some width for each slot."""

    sheets: shorts
    width: int
    masks: flags
    breadth: int
    seats: flags


@name_tuple
class Outcome(NamedTuple):
    """Where it is written how a step ended; what was seen last, and the dice, only where there is room."""

    ends: flags
    payoffs: singles
    purses: int  # of a game
    finals: shorts
    dice: flags  # the first thrown after the action, as the engine counts them; 0 if none were


@kernel
def learner_of(t: Tables, learner: int, number: int) -> int:
    """The seat that learns in a game."""
    return number % int(t.players) if learner == IN_TURN else learner


@kernel
def is_finished(s: State, give_up: int) -> bool:
    """Whether a game is over, or has gone on for too long."""
    return bool(s.phase == OVER or s.turns >= give_up)


@kernel(apart=True)
def go_on(frame: Frame, minds: Minds, s: State, choices: Choices, rng: Rng, me: int) -> int:
    """Play on until an agent has a real choice, or the game is over; `me` is who learns.

    `minds` are the bots at the table, clockwise from the agent, whose own place there is unused.
    What the first dice showed is told, 0 if none were thrown.
    """
    t, log = frame.tables, frame.log
    first = 0
    settle(t, s, log, choices)
    while not is_finished(s, int(frame.give_up)):
        if waits_for_chance(s):
            outcome = draw_outcome(t, s, rng)
            if first == 0 and s.phase == DICE:
                first = outcome
            befall(t, s, log, outcome)
        elif choices.count == 1:
            take(t, s, log, int(choices.action[0]))
        elif me == EVERYBODY or s.turn == me:
            return first
        else:
            players = int(t.players)
            bot = (int(s.turn) - me + players) % players
            take(t, s, log, choose_as(minds[bot], t, s, choices, rng))
        settle(t, s, log, choices)
    return first


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
def show(frame: Frame, s: State, choices: Choices, slot: int, me: int, shown: Shown) -> None:
    """Write what the agent of a slot sees and may do now, and where it sits."""
    see(frame.tables, frame.sight, s, me, shown.sheets, slot * shown.width)
    mark_legal(frame.tables, frame.sight, me, choices, shown.masks, slot * shown.breadth)
    shown.seats[slot] = me


@kernel
def tell_end(frame: Frame, s: State, slot: int, shown: Shown, outcome: Outcome) -> None:
    """Write how a game ended, who won, and what its agent saw last."""
    outcome.ends[slot] = IS_OVER if s.phase == OVER else GIVEN_UP
    pay_out(frame.tables, s, outcome.payoffs, slot * outcome.purses)
    if len(outcome.finals) > 0:
        see(frame.tables, frame.sight, s, int(shown.seats[slot]), outcome.finals, slot * shown.width)


@kernel(apart=True)
def begin_slot(
    frame: Frame, minds: Minds, s: State, choices: Choices, rng: Rng, slot: int, number: int, shown: Shown
) -> None:
    """Begin game `number` in a slot, whose state is an opening position."""
    start_rng(rng, int(frame.seed_low), int(frame.seed_high), number)
    me = learner_of(frame.tables, int(frame.learner), number)
    go_on(frame, minds, s, choices, rng, me)
    show(frame, s, choices, slot, me if me >= 0 else int(s.turn), shown)


@kernel(apart=True)
def begin_next(frame: Frame, minds: Minds, slots: Slots, choices: Choices, slot: int, shown: Shown) -> None:
    """Begin the game of a slot's number, or the next in which there is something to choose."""
    states, numbers = slots.states, slots.numbers
    for _ in range(RESTARTS):
        states[slot] = states[len(states) - 1]
        s, rng = states[slot], slots.rngs[slot]
        begin_slot(frame, minds, s, choices, rng, slot, int(numbers[slot]), shown)
        if not is_finished(s, int(frame.give_up)):
            return
        numbers[slot] = int(numbers[slot]) + len(states) - 1


@kernel(apart=True)
def act_in_slot(
    frame: Frame,
    minds: Minds,
    s: State,
    choices: Choices,
    rng: Rng,
    slot: int,
    number: int,
    action: int,
    shown: Shown,
    outcome: Outcome,
) -> None:
    """Take the agent's action in a slot and go on, to the agent's next choice or to the end."""
    me = learner_of(frame.tables, int(frame.learner), number)
    take(frame.tables, s, frame.log, meant_by(frame.tables, frame.sight, int(s.turn), action))
    first = go_on(frame, minds, s, choices, rng, me)
    if len(outcome.dice) > 0:
        outcome.dice[slot] = first
    if is_finished(s, int(frame.give_up)):
        tell_end(frame, s, slot, shown, outcome)
    else:
        outcome.ends[slot] = GOES_ON
        show(frame, s, choices, slot, me if me >= 0 else int(s.turn), shown)


@kernel(apart=True)
def begin_games(
    frames: Frames,
    minds: Minds,
    menus: Menus,
    states: States,
    rngs: Rngs,
    numbers: ints,
    first: int,
    last: int,
    sheets: shorts,
    masks: flags,
    seats: flags,
) -> None:
    """Begin a game in each of the slots from `first` up to `last`."""
    frame = frames[0]
    slots = Slots(states, rngs, numbers)
    games = len(numbers)
    shown = Shown(sheets, len(sheets) // games, masks, len(masks) // games, seats)
    for slot in range(first, last):
        begin_next(frame, minds, slots, menus[0], slot, shown)


@kernel(apart=True)
def step_games(
    frames: Frames,
    minds: Minds,
    menus: Menus,
    states: States,
    rngs: Rngs,
    numbers: ints,
    first: int,
    last: int,
    sheets: shorts,
    masks: flags,
    seats: flags,
    ends: flags,
    payoffs: singles,
    finals: shorts,
    dice: flags,
    actions: ints,
) -> None:
    """Take a step in each of the slots from `first` up to `last`, or what else is asked of a slot.

    Where a game ends, the next one begins at once.
    """
    frame, choices = frames[0], menus[0]
    slots = Slots(states, rngs, numbers)
    games = len(numbers)
    shown = Shown(sheets, len(sheets) // games, masks, len(masks) // games, seats)
    outcome = Outcome(ends, payoffs, len(payoffs) // games, finals, dice)
    for slot in range(first, last):
        s, action = states[slot], int(actions[slot])
        if action >= 0:
            act_in_slot(
                frame, minds, s, choices, rngs[slot], slot, int(numbers[slot]), action, shown, outcome
            )
        else:
            ends[slot] = GOES_ON
            dice[slot] = 0
        if action == STAY:
            find_choices(frame.tables, s, choices)
            show(frame, s, choices, slot, int(seats[slot]), shown)
        elif action == NEXT_GAME or ends[slot] != GOES_ON:
            numbers[slot] = int(numbers[slot]) + len(states) - 1
            begin_next(frame, minds, slots, choices, slot, shown)
