"""Sentences about a step that cannot be played: what has to be decided instead."""

from __future__ import annotations

from dicetown.game import Game
from dicetown.rules import codes as c
from dicetown.scenario.model import Step

_MOST_NAMED = 30
_WANTS = {
    c.ROLL: "the dice have to be rolled",
    c.REROLL: "the reroll has to be decided",
    c.ADD_TWO: "the Harbor has to be decided",
    c.TUNA: "the tuna dice have to be rolled",
    c.ORDER: "the order has to be decided",
    c.PLAYER: "a player has to be chosen",
    c.GIVE: "a card has to be given",
    c.TAKE: "a card has to be taken",
    c.CARD: "a card type has to be chosen",
    c.LANDMARK: "a landmark has to be chosen",
    c.BUILD: "something has to be built or passed",
    c.DRAW: "a card has to be drawn for the market",
    c.INVEST: "the investment has to be decided",
}


def refusal_of_step(number: int, step: Step, game: Game) -> str:
    """Why a step cannot be played now."""
    if game.over:
        return f"step {number}: {step.text}, but the game is over."
    options = _possible_steps(game)
    if any(option.partition(":")[0] == step.word for option in options):
        return f"step {number}: {step.text} is not possible; possible: {_named(options)}."
    due = f"{_WANTS[game.state.phase]} first by seat {game.turn}"
    return f"step {number}: {step.text}, but {due}; possible: {_named(options)}."


def refusal_of_draw(number: int, thing: str, possible: list[str]) -> str:
    """Why a card cannot be drawn now."""
    if not possible:
        return f"step {number}: {thing} cannot be drawn; no draw is due."
    return f"step {number}: {thing} cannot be drawn now; possible: {_named(possible)}."


def _possible_steps(game: Game) -> list[str]:
    """What a scenario may write next, as it is written."""
    if game.state.phase == c.TUNA:
        return ["tuna: [a, b]"]
    if game.state.phase == c.DRAW:
        return [f"draw: [{str(outcome).removeprefix('draw ')}]" for outcome, _ in game.chance_outcomes()]
    return [_as_step(str(action), game) for action in game.legal_actions()]


def _as_step(notation: str, game: Game) -> str:
    """A decision in notation as a step.

    >>> _as_step("build cafe", Game(seed=1)), _as_step("roll 2", Game(seed=1)), _as_step("pass", Game(seed=1))
    ('build: cafe', 'roll: [a, b]', 'pass')
    """
    word, *rest = notation.split()
    if not rest:
        return word
    if word in ("roll", "reroll"):
        return f"{word}: {'[a]' if rest == ['1'] else '[a, b]'}"
    if word in ("add_two", "invest"):
        return f"{word}: {'true' if rest == ['yes'] else 'false'}"
    if word == "take":
        closed = ", closed: true" if rest[1:] else ""
        return f"take: {{player: {game.state.partner}, card: {rest[0]}{closed}}}"
    return f"{word}: {{{rest[0]}: closed}}" if rest[1:] else f"{word}: {rest[0]}"


def _named(options: list[str]) -> str:
    more = [f"and {len(options) - _MOST_NAMED} more"] if len(options) > _MOST_NAMED else []
    return ", ".join([*options[:_MOST_NAMED], *more])
