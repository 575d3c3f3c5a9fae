"""Games with made-up chances: a review of them needs no bot."""

from random import Random

from dicetown import Game, Ruleset
from dicetown.bots import View
from dicetown.review.advice import Option
from dicetown.review.replay import Replayed, replay
from dicetown.review.review import Review, judge_moments


def chances(rng: Random, players: int) -> tuple[float, ...]:
    parts = [rng.random() for _ in range(players)]
    return tuple(part / sum(parts) for part in parts)


def options(view: View, rng: Random, error: float) -> list[Option]:
    found = []
    for action in view.legal_actions:
        worth = chances(rng, view.players)
        mine = worth[view.seat]
        found.append(Option(action, worth, mine - 2 * error, mine + 2 * error, error, 100))
    return sorted(found, key=lambda one: -one.chances[view.seat])


def made_up_review(source: str, seed: int = 0, error: float = 0.05) -> Review:
    replayed: Replayed = replay(source)
    rng = Random(seed)
    return judge_moments(replayed, [options(view, rng, error) for view in replayed.views], "made up")


def random_game(ruleset: Ruleset, names: list[str], seed: int, decisions: int | None = None) -> Game:
    """A game of players who do anything, to its end or for some decisions."""
    game, rng = Game(ruleset, names=names, seed=seed), Random(seed)
    while not game.over and (decisions is None or decisions > 0):
        game.play(rng.choice(game.legal_actions()))
        decisions = None if decisions is None else decisions - 1
    return game
