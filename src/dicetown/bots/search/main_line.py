"""The main line: how a search expects the game to go on.

From the best candidate on, the most visited child of a tree is the move the search looked at most closely:
at a decision what it takes for best, at a roll what fell most often. A tree keeps no positions, so the
moves are played again from where the thinking began.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

from dicetown.bots.view import View
from dicetown.game import Game
from dicetown.game.notation import Move

#: A line is no longer than this, ...
LONGEST = 8
#: ... and ends where fewer playouts went: what they saw is luck.
FEWEST_VISITS = 30


@dataclass(frozen=True)
class Step:
    """A move of the line: a decision or what chance brings, in whose turn, and how often it was looked at."""

    seat: int
    move: Move
    visits: int


def follow(nodes: NDArray[Any], root: int, view: View, action: int) -> list[Step]:
    """The line that begins with a candidate for the decision at a root, which is a position's node."""
    game = Game.from_state(view.ruleset, view.players, view.state, seed=0, chance="manual")
    steps: list[Step] = []
    at = next((child for child in _children(nodes, root) if nodes[child]["move"] == action), 0)
    while at and not game.over and len(steps) < LONGEST and nodes[at]["visits"] >= FEWEST_VISITS:
        move = _move(game, int(nodes[at]["move"]))
        steps.append(Step(game.turn, move, int(nodes[at]["visits"])))
        game.play(move)
        # Of children visited alike the lower number, so that the line is settled.
        at = max(_children(nodes, at), key=lambda one: (nodes[one]["visits"], -nodes[one]["move"]), default=0)
    return steps


def _children(nodes: Any, at: int) -> list[int]:
    found: list[int] = []
    child = int(nodes[at]["child"])
    while child:
        found.append(child)
        child = int(nodes[child]["sibling"])
    return found


def _move(game: Game, number: int) -> Move:
    """The move of a number, which means an outcome where chance is due."""
    if game.waits_for_chance:
        return game.notation.outcome(game.state.phase, number)
    return game.notation.action(number)
