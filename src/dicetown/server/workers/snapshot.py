"""A position on its way to a worker process: what is played, and the engine's state as bytes.

A position's text (:mod:`dicetown.game.position`) says the same to people, but takes far longer to read.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import msgspec
import numpy as np

from dicetown.bots.view import View
from dicetown.game import Game
from dicetown.rules.layout import STATE, record_class
from dicetown.rules.ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A position of a game in which somebody decides.

    >>> game = Game(seed=1)
    >>> Snapshot.of(game).game().position() == game.position()
    True
    """

    rules: bytes
    names: tuple[str, ...]
    state: bytes

    def __post_init__(self) -> None:
        if len(self.state) != STATE.itemsize:  # it came from elsewhere
            raise ValueError(f"A state has {STATE.itemsize} bytes, not {len(self.state)}.")

    @classmethod
    def of(cls, game: Game) -> Snapshot:
        """The position of a game."""
        return cls(msgspec.json.encode(game.ruleset.as_dict()), tuple(game.names), game.state.array.tobytes())

    def view(self) -> View:
        """The position as bots see it."""
        state = record_class(STATE)(np.frombuffer(self.state, STATE).copy())
        return View(_ruleset(self.rules), len(self.names), state)

    def game(self) -> Game:
        """A game that goes on from the position."""
        view = self.view()
        game = Game.from_state(view.ruleset, view.players, view.state, seed=0, chance="manual")
        game.names = list(self.names)
        return game


@lru_cache(maxsize=256)
def _ruleset(rules: bytes) -> Ruleset:
    return Ruleset(**msgspec.json.decode(rules))
