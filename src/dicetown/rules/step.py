"""One step of a game: a decision is taken or chance happens, and the engine works on to the next wait.

This is the whole interface of the rules to the rest of Dicetown: :func:`start`, :func:`decide`,
:func:`happen`, and what may be chosen after each.
"""

from __future__ import annotations

from dicetown.rules.agenda import (
    catch_tuna,
    choose_player,
    copy_has_acted,
    demolish,
    give_card,
    hold_convention,
    let_landmarks_act,
    renovate,
    resolve,
    resolve_first,
    take_card,
)
from dicetown.rules.choices import find_choices
from dicetown.rules.codes import (
    ACTIVATION,
    ADD,
    ADD_NOT,
    AFTERMATH,
    BUILD_IT,
    CHOOSE_CARD,
    CHOOSE_PLAYER,
    CLOSING,
    CONSTRUCTION,
    CONVENTION,
    DECLINE,
    DEMOLISH_IT,
    DRAW,
    EVENT_FORCED,
    EVENT_TUNA,
    GIVE_CLOSED,
    GIVE_OPEN,
    INCOME,
    KEEP,
    LAST_DECISION,
    MAX_CARDS,
    PASS,
    PUT_COIN,
    PUT_NONE,
    REFILL,
    RESOLVE_FIRST,
    ROLL,
    ROLL_AGAIN,
    ROLL_DICE,
    TAKE_CLOSED,
    TAKE_OPEN,
    TUNA,
    TWO_DICE_BASE,
)
from dicetown.rules.kernel import kernel
from dicetown.rules.layout import Choices, Log, State, Tables
from dicetown.rules.ledger import tell
from dicetown.rules.market import draw, refill
from dicetown.rules.turn import (
    add_to_total,
    begin_construction,
    build_card,
    build_landmark,
    build_nothing,
    close_turn,
    dice_fall,
    invest,
    keep_dice,
    set_up,
    throw,
)


@kernel
def start(t: Tables, s: State, log: Log, choices: Choices) -> None:
    """Begin a game in a zeroed state."""
    set_up(t, s, log)
    settle(t, s, log, choices)


@kernel
def decide(t: Tables, s: State, log: Log, choices: Choices, action: int) -> None:
    """Take a legal decision; afterwards `choices` holds the next ones."""
    take(t, s, log, action)
    settle(t, s, log, choices)


@kernel
def happen(t: Tables, s: State, log: Log, choices: Choices, outcome: int) -> None:
    """Chance has brought an outcome; afterwards `choices` holds the next decisions."""
    befall(t, s, log, outcome)
    settle(t, s, log, choices)


@kernel(apart=True)
def settle(t: Tables, s: State, log: Log, choices: Choices) -> None:
    """Work on until somebody has a real choice, must roll, chance is due, or the game is over.

    A single legal action is taken at once; only rolling is left to the player, who wants to see it.
    """
    while True:
        work_on(t, s, log)
        if s.phase > LAST_DECISION:
            choices.count = 0
            return
        find_choices(t, s, choices)
        if choices.count != 1 or s.phase == ROLL:
            return
        tell(log, EVENT_FORCED, int(s.turn), int(choices.action[0]), 0, 0, 0, 0)
        take(t, s, log, int(choices.action[0]))


@kernel
def work_on(t: Tables, s: State, log: Log) -> None:
    """The engine's own steps between two waits."""
    while INCOME <= s.phase <= CLOSING:
        if s.phase <= ACTIVATION:
            resolve(t, s, log)
        elif s.phase == AFTERMATH:
            let_landmarks_act(t, s, log)
        elif s.phase == CONSTRUCTION:
            begin_construction(t, s, log)
        elif s.phase == REFILL:
            refill(t, s)
        else:
            close_turn(t, s, log)


@kernel
def befall(t: Tables, s: State, log: Log, outcome: int) -> None:
    """What chance brought takes effect."""
    if s.phase == DRAW:
        draw(t, s, log, outcome)
        return
    die = outcome // TWO_DICE_BASE
    other = outcome % TWO_DICE_BASE
    if s.phase == TUNA:
        tell(log, EVENT_TUNA, int(s.turn), die, other, 0, 0, 0)
        catch_tuna(t, s, log, die + other)
    elif die == 0:
        dice_fall(t, s, log, other, 0)
    else:
        dice_fall(t, s, log, die, other)


@kernel
def take(t: Tables, s: State, log: Log, action: int) -> None:
    """A decision takes effect."""
    if action >= BUILD_IT + MAX_CARDS:
        build_landmark(t, s, log, action - BUILD_IT - MAX_CARDS)
    elif action >= BUILD_IT:
        build_card(t, s, log, action - BUILD_IT)
    elif action == PASS:
        build_nothing(s, log)
    elif action < KEEP:
        throw(s, action - ROLL_DICE + 1)
    elif action == KEEP:
        keep_dice(t, s, log)
    elif action < ADD:
        s.rerolled = 1
        throw(s, action - ROLL_AGAIN + 1)
    elif action <= ADD_NOT:
        add_to_total(t, s, log, int(action == ADD))
    elif action == DECLINE:
        copy_has_acted(s)
    elif action <= PUT_NONE:
        invest(t, s, log, int(action == PUT_COIN))
    elif action < RESOLVE_FIRST:
        choose_player(t, s, log, action - CHOOSE_PLAYER)
    elif action < GIVE_OPEN:
        resolve_first(t, s, action - RESOLVE_FIRST)
    elif action < GIVE_CLOSED:
        give_card(t, s, log, action - GIVE_OPEN, 0)
    elif action < TAKE_OPEN:
        give_card(t, s, log, action - GIVE_CLOSED, 1)
    elif action < TAKE_CLOSED:
        take_card(s, log, action - TAKE_OPEN, 0)
    elif action < CHOOSE_CARD:
        take_card(s, log, action - TAKE_CLOSED, 1)
    elif action < DEMOLISH_IT:
        choose_type(t, s, log, action - CHOOSE_CARD)
    else:
        demolish(t, s, log, action - DEMOLISH_IT)


@kernel
def choose_type(t: Tables, s: State, log: Log, card: int) -> None:
    """A card type is named: for renovation, or for a convention."""
    if int(t.effect[int(s.acting)]) == CONVENTION:
        hold_convention(s, card)
    else:
        renovate(t, s, log, card)
