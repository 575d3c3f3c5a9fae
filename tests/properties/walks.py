"""Random games, move by move."""

from collections.abc import Iterator
from random import Random
from typing import Literal

from hypothesis import note

from dicetown import Game
from dicetown.game.events import Event
from dicetown.game.notation import Move
from dicetown.testing import Setup, random_move


def walk(
    setup: Setup, seed: int, steps: int = 150, chance: Literal["auto", "manual"] = "manual"
) -> Iterator[tuple[Game, Move | None, list[Event]]]:
    """A random game at its start and after each of its moves, with that move and what it caused."""
    game = setup.new_game(seed, chance)
    note(f"Game({setup.ruleset!r}, players={setup.players}, seed={seed})")
    rng = Random(seed)
    yield game, None, list(game.events)
    for _ in range(steps):
        if game.over:
            return
        move = random_move(game, rng)
        events = game.play(move)
        yield game, move, events
