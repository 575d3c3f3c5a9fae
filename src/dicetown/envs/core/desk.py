"""A single game's records on one desk, so that they are handed to compiled code in one piece.

Handing a record over takes longer than a step itself, because Numba looks at what it is handed, and a game
has six of them. An array that holds them all is looked at once.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from dicetown.bots.mind import Minds
from dicetown.envs.core.steps import act_in_slot, begin_slot, singles
from dicetown.rules.kernel import kernel, name_record
from dicetown.rules.layout import CHOICES, LOG, STATE, TABLES
from dicetown.rules.rng import RNG
from dicetown.sight.spec import Spec
from dicetown.sight.write import SIGHT, flags, see, shorts

DESK = np.dtype(
    [
        ("tables", TABLES),
        ("sight", SIGHT),
        ("log", LOG),
        ("choices", CHOICES),
        ("state", STATE),
        ("rng", RNG),
    ],
    align=True,
)
Desks: TypeAlias = Any  # an array of one: compiled code takes it faster than a record
name_record("Desk", DESK)


def set_up_desk(spec: Spec) -> NDArray[Any]:
    """A desk for games of a ruleset."""
    desk = np.zeros(1, DESK)
    desk["tables"], desk["sight"] = spec.tables.array, spec.sight.array
    return desk


@kernel(apart=True)
def begin_at_desk(
    desks: Desks,
    minds: Minds,
    number: int,
    seed_low: int,
    seed_high: int,
    learner: int,
    give_up: int,
    sheet: shorts,
    mask: flags,
    seat: flags,
) -> None:
    """Begin game `number` of a seed; the state on the desk is an opening position."""
    desk = desks[0]
    begin_slot(
        desk.tables, desk.sight, minds, desk.log, desk.choices, desk.state, desk.rng, 0, number, seed_low,
        seed_high, learner, give_up, sheet, mask, seat,
    )  # fmt: skip


@kernel(apart=True)
def act_at_desk(
    desks: Desks,
    minds: Minds,
    number: int,
    action: int,
    learner: int,
    give_up: int,
    sheet: shorts,
    mask: flags,
    seat: flags,
    payoffs: singles,
    end: flags,
) -> None:
    """Take the agent's action and go on to its next choice, or to the end."""
    desk = desks[0]
    act_in_slot(
        desk.tables, desk.sight, minds, desk.log, desk.choices, desk.state, desk.rng, 0, number, action,
        learner, give_up, sheet, mask, seat, payoffs, end,
    )  # fmt: skip


@kernel(apart=True)
def see_at_desk(desks: Desks, seat: int, sheet: shorts) -> None:
    """Write what is seen from a seat."""
    desk = desks[0]
    see(desk.tables, desk.sight, desk.state, seat, sheet, 0)
