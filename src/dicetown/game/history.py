"""Looking back on a game that is in memory: where it stood after each move, and what the move caused."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from dicetown.errors import IllegalAction
from dicetown.game import Game
from dicetown.game.events import Event


@dataclass(frozen=True, slots=True)
class Stage:
    """A game after a move: how many there were, what the last one caused, and the state, only to be read."""

    moves: int
    events: list[Event]
    state: Any


def stages(game: Game) -> Iterator[Stage]:
    """A game from its beginning, move by move; with automatic chance, decision by decision.

    >>> game = Game(seed=1, chance="manual")
    >>> played = game.play("draw cafe")
    >>> [(stage.moves, stage.events == played) for stage in stages(game)]
    [(0, False), (1, True)]
    """
    ends = [*((state, moves, events) for state, _, moves, events in game.past)]
    ends.append((game.state, len(game.moves), len(game.events)))
    told = 0
    for state, moves, events in ends:
        yield Stage(moves, game.events[told:events], state)
        told = events


def as_it_stood(game: Game, moves: int) -> Game:
    """A game as it stood after so many moves, with its history up to then; the game itself stays as it is.

    >>> game = Game(seed=1, chance="manual")
    >>> before = game.position()
    >>> events = game.play("draw cafe")
    >>> as_it_stood(game, 0).position() == before, as_it_stood(game, 1).position() == game.position()
    (True, True)
    """
    if moves == len(game.moves):
        at, state, events = len(game.past), game.state, len(game.events)
    else:
        at = bisect_left(game.past, moves, key=lambda step: step[2])
        if moves < 0 or at == len(game.past) or game.past[at][2] != moves:
            raise IllegalAction(f"There is no moment {moves}; the game has {len(game.moves)} moves.")
        state, _, _, events = game.past[at]
    then = Game.from_state(game.ruleset, game.players, state, seed=game.seed, chance="manual")
    then.names = list(game.names)
    then.moves, then.events = game.moves[:moves], game.events[:events]
    return then
