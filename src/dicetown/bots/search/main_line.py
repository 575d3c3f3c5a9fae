"""The main line: how the game is most expected to go on.

Champions choose, and chance brings what lies in the middle of all it may bring.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from dicetown.bots.learning.champion_bot import ChampionBot
from dicetown.bots.learning.unfold import let_few_stand, list_outcomes
from dicetown.bots.view import View
from dicetown.game import Game
from dicetown.game.notation import Move
from dicetown.rules.layout import OUTCOMES, new

#: A line is no longer than this.
LONGEST = 8


@dataclass(frozen=True)
class Step:
    """A move of the line: a decision or what chance brings, in whose turn."""

    seat: int
    move: Move


def expect(view: View, action: int) -> list[Step]:
    """The line that begins with an action in a position."""
    game = Game.from_state(view.ruleset, view.players, view.state, seed=0, chance="manual")
    champion = ChampionBot()
    steps: list[Step] = []
    move: Move = game.notation.action(action)
    while True:
        steps.append(Step(game.turn, move))
        game.play(move)
        if game.over or len(steps) == LONGEST:
            return steps
        move = _middle(game) if game.waits_for_chance else champion.choose(View.of(game), Random(0))


def _middle(game: Game) -> Move:
    """The outcome of chance that half of all outcomes do not go beyond."""
    outcomes = new(OUTCOMES)
    list_outcomes(game.tables, game.state, outcomes)
    let_few_stand(outcomes, 1)
    return game.notation.outcome(game.state.phase, int(outcomes.outcome[0]))
