"""A bot's mind: what compiled play must know of a bot to let it choose.

Bots that follow rules differ by data, not by code: which way of choosing they use, how often they
slip, what they want to buy. All of it is one record, so that any bot can sit in any seat of a
compiled game, of a search tree's playouts, and of a game on a GPU.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

from dicetown.rules.codes import MAX_PLAYERS
from dicetown.rules.kernel import name_record
from dicetown.rules.layout import new

MAX_WANTS = 32
MAX_WEIGHTS = 24

# Ways of choosing.
RANDOM = 0
GREEDY = 1
SCRIPT = 2
PLANNER = 3

MIND = np.dtype(
    [
        ("way", "i4"),
        ("slips", "i4"),  # choices in a thousand that are made at random instead
        ("dice", "i4"),  # a script's: one or two; 0 for what suits the city
        ("enough", "i4"),  # a script's: with so many cards, only landmarks are wanted; 0 for no such end
        ("wants", "i4"),  # how many things a script wants
        ("thing", "i1", MAX_WANTS),  # in order of priority
        ("copies", "i1", MAX_WANTS),
        ("weights", "i4", (MAX_PLAYERS + 1, MAX_WEIGHTS)),  # a planner's, by number of players
    ],
    align=True,
)

Mind: TypeAlias = Any
Minds: TypeAlias = Any  # one for each seat
name_record("Mind", MIND)


def make_mind(way: int) -> Any:
    """A mind that chooses in a way and never slips."""
    mind = new(MIND)
    mind.way = way
    return mind
