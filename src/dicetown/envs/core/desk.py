"""A single game's records on one desk, so that they are handed to compiled code in one piece.

Handing a record over takes longer than a step itself, because Numba looks at what it is handed, and a game
has six of them. An array that holds them all is looked at once.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

from dicetown.bots.mind import Minds
from dicetown.envs.core.steps import FRAME, Outcome, Shown, act_in_slot, begin_slot, singles
from dicetown.rules.kernel import kernel, name_record
from dicetown.rules.layout import CHOICES, STATE
from dicetown.rules.rng import RNG
from dicetown.sight.write import flags, see, shorts

DESK = np.dtype([("frame", FRAME), ("choices", CHOICES), ("state", STATE), ("rng", RNG)], align=True)
Desks: TypeAlias = Any  # an array of one: compiled code takes it faster than a record
name_record("Desk", DESK)


@kernel(apart=True)
def begin_at_desk(desks: Desks, minds: Minds, number: int, sheet: shorts, mask: flags, seat: flags) -> None:
    """Begin game `number` of the seed in the frame; the state on the desk is an opening position."""
    desk = desks[0]
    shown = Shown(sheet, len(sheet), mask, len(mask), seat)
    begin_slot(desk.frame, minds, desk.state, desk.choices, desk.rng, 0, number, shown)


@kernel(apart=True)
def act_at_desk(
    desks: Desks,
    minds: Minds,
    number: int,
    action: int,
    sheet: shorts,
    mask: flags,
    seat: flags,
    end: flags,
    payoffs: singles,
) -> None:
    """Take the agent's action and go on to its next choice, or to the end."""
    desk = desks[0]
    shown = Shown(sheet, len(sheet), mask, len(mask), seat)
    outcome = Outcome(end, payoffs, len(payoffs), sheet[:0], end[:0])  # what was seen last stays where it is
    act_in_slot(desk.frame, minds, desk.state, desk.choices, desk.rng, 0, number, action, shown, outcome)


@kernel(apart=True)
def see_at_desk(desks: Desks, seat: int, sheet: shorts) -> None:
    """Write what is seen from a seat."""
    desk = desks[0]
    see(desk.frame.tables, desk.frame.sight, desk.state, seat, sheet, 0)
