"""Playing at random: every legal move equally likely, chance as chance is."""

from __future__ import annotations

from random import Random
from typing import Literal, NamedTuple

from dicetown.game import Game
from dicetown.game.events import Event
from dicetown.game.notation import Move
from dicetown.rules.ruleset import Ruleset


class Setup(NamedTuple):
    """A ruleset and how many sit down to it."""

    ruleset: Ruleset
    players: int

    def new_game(self, seed: int, chance: Literal["auto", "manual"] = "auto") -> Game:
        """A game at its beginning."""
        return Game(self.ruleset, self.players, seed=seed, chance=chance)


def random_move(game: Game, rng: Random) -> Move:
    """A legal move of a game that is not over; where chance is due, an outcome by its probability.

    >>> str(random_move(Game(Ruleset("deluxe", sets=["base"])), Random(1)))
    'roll 1'
    """
    if game.waits_for_chance:
        outcomes = game.chance_outcomes()
        return rng.choices([one for one, _ in outcomes], [float(share) for _, share in outcomes])[0]
    return rng.choice(game.legal_actions())


def play_randomly(game: Game, rng: Random, steps: int) -> list[Event]:
    """Play so many random moves, or to the end of the game; returns what happened.

    >>> game = Game(Ruleset("ciudad"), players=2, seed=1)
    >>> events = play_randomly(game, Random(1), steps=10)
    >>> game.events[-len(events):] == events, game.over
    (True, False)
    """
    before = len(game.events)
    for _ in range(steps):
        if game.over:
            break
        game.play(random_move(game, rng))
    return game.events[before:]
