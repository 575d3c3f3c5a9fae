"""What a game asks of the player to decide, and what a choice means for it: facts, without words."""

from __future__ import annotations

from dicetown.game.game import Game
from dicetown.game.notation import Action
from dicetown.game.past import desk
from dicetown.rules import codes as c
from dicetown.rules.choices import find_choices
from dicetown.rules.city import landmarks_with, power
from dicetown.rules.step import take

#: The kinds of questions, by what the state waits for.
QUESTIONS = {
    c.ROLL: "roll", c.REROLL: "reroll", c.ADD_TWO: "add_two", c.ORDER: "order", c.PLAYER: "player",
    c.GIVE: "give", c.TAKE: "take", c.CARD: "card", c.LANDMARK: "landmark", c.BUILD: "build",
    c.INVEST: "invest",
}  # fmt: skip
#: Questions that the card being resolved asks.
_OF_A_CARD = frozenset({c.PLAYER, c.GIVE, c.TAKE, c.CARD, c.LANDMARK})
#: Those of them whose answer may be one step of several; a type that is named or taken settles its copy.
_IN_STEPS = frozenset({c.PLAYER, c.GIVE})
#: The power of the landmark that asks whether to roll again or to add to the total.
_POWER_ASKING = {c.REROLL: c.POWER_REROLL, c.ADD_TWO: c.POWER_ADD}


def question_of(game: Game) -> str | None:
    """The kind of question, finer than :attr:`Game.phase`; None while chance is due or all is over.

    >>> question_of(Game(seed=1))
    'roll'
    """
    return QUESTIONS.get(game.state.phase)


def asking_thing(game: Game) -> str | None:
    """The card or landmark that asks, if one does."""
    t, s = game.plain_tables, game.state
    phase = s.phase
    if phase in _OF_A_CARD:
        return game.notation.thing(s.acting)
    if phase == c.INVEST:
        return game.notation.thing(t.startup)
    if phase in _POWER_ASKING:
        landmarks = landmarks_with(t, s, game.turn, _POWER_ASKING[phase])
        return game.notation.thing(c.MAX_CARDS + (landmarks & -landmarks).bit_length() - 1)
    return None


def seat_about(game: Game, action: Action) -> int | None:
    """The player a choice is about: who is chosen, or whose card is taken."""
    if c.CHOOSE_PLAYER <= action.number < c.CHOOSE_PLAYER + c.MAX_PLAYERS:
        return action.number - c.CHOOSE_PLAYER
    return int(game.state.partner) if game.state.phase == c.TAKE else None


def gains_of(game: Game, action: Action) -> list[int] | None:
    """What everybody would gain or lose where a choice settles what the dice that lie amount to."""
    if action.number not in (c.KEEP, c.ADD, c.ADD_NOT):
        return None
    s = game.state
    more = power(game.plain_tables, s, game.turn, c.POWER_ADD) if action.number == c.ADD else 0
    return list(game.preview(s.total + more, (s.die, s.other_die)[: s.dice]).gains)


def asks_on(game: Game, action: Action) -> bool:
    """Whether, after this choice, the same copy of the same card asks for more: then nothing is final yet."""
    s, tables = game.state, game.plain_tables
    if s.phase not in _IN_STEPS:
        return False
    trial, choices = game.taking(action), desk.choices
    # Nothing but this copy is looked at: the rest of the turn may be long, and is asked for every choice.
    while trial.phase in _OF_A_CARD and (trial.acting, trial.left) == (s.acting, s.left):
        find_choices(tables, trial, choices)
        if choices.count != 1:
            return True
        take(tables, trial, desk.deaf, choices.action[0])
    return False
