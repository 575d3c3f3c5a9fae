"""The records that steps are taken with, as few as can be.

Handing a record over takes longer than the step of a single game itself, because Numba looks at what it is
handed; so what belongs together is one record, and all are handed over as arrays, which is quicker.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from dicetown.rules.codes import MAX_PLAYERS
from dicetown.rules.kernel import name_record
from dicetown.rules.layout import CHOICES, LOG, STATE, TABLES
from dicetown.rules.rng import RNG, halves
from dicetown.sight.spec import Spec
from dicetown.sight.write import SIGHT

#: Where one thread steps games of a ruleset and a seed.
DESK = np.dtype(
    [
        ("tables", TABLES),
        ("sight", SIGHT),
        ("log", LOG),
        ("choices", CHOICES),
        ("seed_low", "i8"),
        ("seed_high", "i8"),
        ("learner", "i8"),
        ("give_up", "i8"),  # turns after which a game without a winner is ended
    ],
    align=True,
)
#: A game in progress.
GAME = np.dtype([("state", STATE), ("rng", RNG)], align=True)
#: What an agent is told beside what it sees, and what it wants.
SLOT = np.dtype(
    [
        ("number", "i8"),  # which game is played
        ("action", "i8"),
        ("payoffs", "f4", MAX_PLAYERS),  # of the game that has just ended
        ("seat", "i1"),  # whose choice it is
        ("end", "i1"),  # GOES_ON, IS_OVER or GIVEN_UP
    ],
    align=True,
)
Desks: TypeAlias = Any  # one of them
Games: TypeAlias = Any  # one for each slot, and in a batch an opening to begin from
Slots: TypeAlias = Any
name_record("Desk", DESK)
name_record("Game", GAME)
name_record("Slot", SLOT)


def set_up_desk(spec: Spec, learner: int, give_up: int) -> NDArray[Any]:
    """A desk for games of a ruleset."""
    desk = np.zeros(1, DESK)
    desk["tables"], desk["sight"] = spec.tables.array, spec.sight.array
    desk["learner"], desk["give_up"] = learner, give_up
    return desk


def set_seed(desk: NDArray[Any], seed: int) -> None:
    """Games that begin from now on have their random numbers from this seed."""
    desk["seed_low"], desk["seed_high"] = halves(seed)
