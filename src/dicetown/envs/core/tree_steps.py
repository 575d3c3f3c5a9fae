"""From one node of the game tree to the next: the kernels of the OpenSpiel game.

They take arrays of one record each, not records: handing a record to compiled code costs several
microseconds, which is nothing for a batch of games but more than the whole step of a single one.
"""

from __future__ import annotations

from typing import Any, TypeAlias

from dicetown.envs.core.steps import Frames, Menus, is_finished
from dicetown.rules.chance import find_outcomes, waits_for_chance
from dicetown.rules.kernel import kernel, name_record
from dicetown.rules.layout import OUTCOMES, States
from dicetown.rules.step import befall, settle, take
from dicetown.sight.write import flags, mark_legal, meant_by, see, shorts

Chances: TypeAlias = Any
name_record("Chance", OUTCOMES)

# Who moves at a node, beside the seats; OpenSpiel counts them so.
CHANCE = -1
ENDED = -4


@kernel(apart=True)
def come_to_node(frames: Frames, states: States, menus: Menus, mask: flags) -> int:
    """Go on to where somebody has a choice or rolls, chance is due, or nothing follows; who moves there.

    A player's legal actions are marked.
    """
    frame, s, choices = frames[0], states[0], menus[0]
    settle(frame.tables, s, frame.log, choices)
    if is_finished(s, int(frame.give_up)):
        return ENDED
    if waits_for_chance(s):
        return CHANCE
    mark_legal(frame.tables, frame.sight, int(s.turn), choices, mask, 0)
    return int(s.turn)


@kernel(apart=True)
def choose(
    frames: Frames,
    before: States,
    after: States,
    menus: Menus,
    number: int,
    mask: flags,
) -> int:
    """Take the action with this number and come to the next node; the node before stays as it is."""
    after[0] = before[0]
    frame, s = frames[0], after[0]
    take(frame.tables, s, frame.log, meant_by(frame.tables, frame.sight, int(s.turn), number))
    return come_to_node(frames, after, menus, mask)


@kernel(apart=True)
def let_happen(
    frames: Frames,
    before: States,
    after: States,
    menus: Menus,
    outcome: int,
    mask: flags,
) -> int:
    """Chance brings an outcome, by the engine's number; the node before stays as it is."""
    after[0] = before[0]
    frame = frames[0]
    befall(frame.tables, after[0], frame.log, outcome)
    return come_to_node(frames, after, menus, mask)


@kernel(apart=True)
def list_chances(frames: Frames, states: States, chances: Chances) -> None:
    """What chance may bring at a node, with weights."""
    find_outcomes(frames[0].tables, states[0], chances[0])


@kernel(apart=True)
def look(frames: Frames, states: States, seat: int, sheet: shorts) -> None:
    """What a seat sees at a node."""
    see(frames[0].tables, frames[0].sight, states[0], seat, sheet, 0)
