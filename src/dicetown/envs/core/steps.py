"""Many games at once, each from one choice to the next: the kernels of all environments.

A *step* takes one agent's action and goes on, through dice, draws, forced moves and the moves of bots, to the
next real choice of an agent, or to the end of the game, after which the slot begins its next game at once.
The same functions step a batch on the CPU, in ranges on several threads, and on a GPU, one game per thread.
"""

from __future__ import annotations

from dicetown.bots.mind import Minds
from dicetown.bots.rules.choose import choose_as
from dicetown.envs.core.desk import Desks, Games, Slots
from dicetown.rules.chance import draw_outcome
from dicetown.rules.choices import find_choices
from dicetown.rules.codes import LAST_DECISION, NOBODY, OVER
from dicetown.rules.kernel import kernel
from dicetown.rules.layout import Choices, Log, State, Tables
from dicetown.rules.rng import Rng
from dicetown.rules.rng import start as start_rng
from dicetown.rules.step import play_move, settle, take
from dicetown.sight.write import Sight, flags, mark_legal, meant_by, see, shorts

# Who learns: a seat, or
EVERYBODY = -1  # all seats: every choice is a step
IN_TURN = -2  # the seat moves on from game to game

NONE = -1  # no move

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


@kernel
def next_move(t: Tables, s: State, choices: Choices, rng: Rng, minds: Minds, me: int, learner: int) -> int:
    """What chance, the rules or a bot do next; NONE where an agent is to choose.

    `minds` are the bots at the table, clockwise from the agent, whose own place there is unused.
    """
    if s.phase > LAST_DECISION:
        return draw_outcome(t, s, rng)
    if choices.count == 1:
        return int(choices.action[0])
    if learner == EVERYBODY or s.turn == me:
        return NONE
    players = int(t.players)
    return choose_as(minds[(int(s.turn) - me + players) % players], t, s, choices, rng)


@kernel(apart=True)
def go_on(
    t: Tables, s: State, log: Log, choices: Choices, rng: Rng, minds: Minds, learner: int, give_up: int
) -> None:
    """Play on until an agent has a real choice, or the game is over."""
    settle(t, s, log, choices)
    while not is_finished(s, give_up):
        move = next_move(t, s, choices, rng, minds, learner, learner)
        if move == NONE:
            return
        play_move(t, s, log, choices, move)


@kernel
def payoff_of(t: Tables, s: State, seat: int) -> float:
    """One for the winner, in all nothing: the others share the loss."""
    if s.phase != OVER or s.winner == NOBODY:
        return 0.0
    return 1.0 if s.winner == seat else -1.0 / (int(t.players) - 1)


@kernel
def show(
    t: Tables, sight: Sight, s: State, choices: Choices, at: int, me: int, sheets: shorts, masks: flags
) -> None:
    """Write what the agent of a slot sees and may do now."""
    see(t, sight, s, me, sheets, at * int(sight.size))
    mark_legal(t, sight, me, choices, masks, at * int(sight.actions))


@kernel(apart=True)
def begin_game(
    desks: Desks, minds: Minds, games: Games, slots: Slots, at: int, sheets: shorts, masks: flags
) -> None:
    """Begin the game of a slot's number, from the opening that stands there."""
    desk, slot, s, rng = desks[0], slots[at], games[at].state, games[at].rng
    start_rng(rng, int(desk.seed_low), int(desk.seed_high), int(slot.number))
    me = learner_of(desk.tables, int(desk.learner), int(slot.number))
    go_on(desk.tables, s, desk.log, desk.choices, rng, minds, me, int(desk.give_up))
    slot.seat = me if me >= 0 else int(s.turn)
    show(desk.tables, desk.sight, s, desk.choices, at, int(slot.seat), sheets, masks)


@kernel(apart=True)
def begin_next(
    desks: Desks, minds: Minds, games: Games, slots: Slots, at: int, sheets: shorts, masks: flags
) -> None:
    """Begin the game of a slot's number, or the next in which there is something to choose."""
    for _ in range(RESTARTS):
        games[at] = games[len(slots)]
        begin_game(desks, minds, games, slots, at, sheets, masks)
        if not is_finished(games[at].state, int(desks[0].give_up)):
            return
        slots[at].number = int(slots[at].number) + len(slots)


@kernel(apart=True)
def act(
    desks: Desks, minds: Minds, games: Games, slots: Slots, at: int, sheets: shorts, masks: flags
) -> None:
    """Take the action that a slot's agent wants, and go on to its next choice, or to the end."""
    desk, slot, s = desks[0], slots[at], games[at].state
    t, give_up = desk.tables, int(desk.give_up)
    take(t, s, desk.log, meant_by(t, desk.sight, int(s.turn), int(slot.action)))
    me = learner_of(t, int(desk.learner), int(slot.number))
    go_on(t, s, desk.log, desk.choices, games[at].rng, minds, me, give_up)
    if is_finished(s, give_up):
        slot.end = IS_OVER if s.phase == OVER else GIVEN_UP
        for seat in range(int(t.players)):
            slot.payoffs[seat] = payoff_of(t, s, seat)
    else:
        slot.end = GOES_ON
        slot.seat = me if me >= 0 else int(s.turn)
        show(t, desk.sight, s, desk.choices, at, int(slot.seat), sheets, masks)


@kernel(apart=True)
def look_again(desks: Desks, games: Games, slots: Slots, at: int, sheets: shorts, masks: flags) -> None:
    """Write once more what the agent of a slot sees and may do."""
    desk, s = desks[0], games[at].state
    find_choices(desk.tables, s, desk.choices)
    show(desk.tables, desk.sight, s, desk.choices, at, int(slots[at].seat), sheets, masks)


@kernel(apart=True)
def see_from(desks: Desks, games: Games, seat: int, sheet: shorts) -> None:
    """Write what is seen of the first game from a seat."""
    see(desks[0].tables, desks[0].sight, games[0].state, seat, sheet, 0)


@kernel(apart=True)
def begin_games(
    desks: Desks,
    minds: Minds,
    games: Games,
    slots: Slots,
    sheets: shorts,
    masks: flags,
    first: int,
    last: int,
) -> None:
    """Begin a game in each of the slots from `first` up to `last`."""
    for at in range(first, last):
        begin_next(desks, minds, games, slots, at, sheets, masks)


@kernel(apart=True)
def step_games(
    desks: Desks,
    minds: Minds,
    games: Games,
    slots: Slots,
    sheets: shorts,
    masks: flags,
    finals: shorts,
    first: int,
    last: int,
) -> None:
    """Take a step in each of the slots from `first` up to `last`, or what else is asked of a slot.

    Where a game ends, what its agent saw last goes to `finals`, and the next game begins at once.
    """
    desk = desks[0]
    for at in range(first, last):
        slot = slots[at]
        if slot.action >= 0:
            act(desks, minds, games, slots, at, sheets, masks)
            if slot.end == GOES_ON:
                continue
            see(desk.tables, desk.sight, games[at].state, int(slot.seat), finals, at * int(desk.sight.size))
        else:
            slot.end = GOES_ON
            if slot.action == STAY:
                look_again(desks, games, slots, at, sheets, masks)
                continue
        slot.number = int(slot.number) + len(slots)
        begin_next(desks, minds, games, slots, at, sheets, masks)
