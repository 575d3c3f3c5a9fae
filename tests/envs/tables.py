"""Tables to try environments at: every edition with every number of players, and house rules that show."""

from collections.abc import Iterator
from random import Random
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from dicetown import Ruleset
from dicetown.envs.core.batch import Table
from dicetown.envs.core.one_game import OneGame
from dicetown.material import load


def every_table() -> list[Any]:
    """A ruleset and a number of players, as parameters of a test."""
    boxes = [(edition, None) for edition in load().editions] + [("deluxe", ["base"])]
    found = []
    for edition, sets in boxes:
        ruleset = Ruleset(edition, sets)
        for players in range(ruleset.min_players, ruleset.max_players + 1):
            name = f"{edition}-{'base-' if sets else ''}{players}"
            found.append(pytest.param(ruleset, players, id=name))
    return found


#: House rules that bring actions, fields or endings that the editions alone do not have.
HOUSES: dict[str, dict[str, Any]] = {
    "an order to choose": {"choose_order": True, "start_coins": 20},
    "stacks": {"market": "stacks", "business_center_optional": True},
    "a line": {"market": "line10", "discard_dead_majors": True},
    "three rows": {"market": "rows555", "max_extra_turns": 3},
    "few turns": {"max_turns": 12},
    "rich and short": {"start_coins": 60, "landmarks_to_win": 2},
}


def any_legal(mask: NDArray[Any], step: int) -> int:
    """A legal action that depends on nothing but the mask and the number of the step."""
    legal = np.flatnonzero(mask)
    return int(legal[(step * 7 + 3) % len(legal)])


def walk(ruleset: Ruleset, players: int, seed: int = 1, choices: int = 120) -> Iterator[OneGame]:
    """Random games among agents, one after the other, before each choice."""
    game, rng, number = OneGame(Table.of(ruleset, players)), Random(seed), 0
    game.begin(seed, number)
    for _ in range(choices):
        if not game.goes_on:
            number += 1
            game.begin(seed, number)
        yield game
        game.take(rng.choice(np.flatnonzero(game.mask).tolist()))
