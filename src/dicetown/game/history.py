"""Looking back on a game that is in memory: where it stood after each move, and what the move caused."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from dicetown.errors import IllegalAction
from dicetown.game import Game
from dicetown.game.events import Event
from dicetown.rules.layout import copy


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
    told = 0
    for moves, events, state in game.past.moments(game.moves):
        yield Stage(moves, game.events[told:events], copy(state))
        told = events
    yield Stage(len(game.moves), game.events[told:], game.state)


def as_it_stood(game: Game, moves: int) -> Game:
    """A game as it stood after so many moves, with its history up to then; the game itself stays as it is.

    >>> game = Game(seed=1, chance="manual")
    >>> before = game.position()
    >>> events = game.play("draw cafe")
    >>> as_it_stood(game, 0).position() == before, as_it_stood(game, 1).position() == game.position()
    (True, True)
    """
    if moves == len(game.moves):
        events, state = len(game.events), game.state
    elif (found := game.past.events_at(moves)) is not None:
        events, state = found, game.past.state_at(game.moves, moves)
    else:
        raise IllegalAction(f"There is no moment {moves}; the game has {len(game.moves)} moves.")
    then = Game.from_state(game.ruleset, game.players, state, seed=game.seed, chance="manual")
    then.names = list(game.names)
    then.moves, then.events = game.moves[:moves], game.events.first(events)
    return then
