"""A position played on by itself, in every way that chance may have it, to where somebody has a choice.

What is forced is done, and where chance is due everything it may bring is weighed with its probability. Of a
long list of cards that may be drawn a few stand for all. A state holds no order of the deck, so there is
nothing to peek at.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from dicetown.bots.view import View
from dicetown.rules.chance import add_outcome, find_outcomes, waits_for_chance
from dicetown.rules.codes import DICE, DRAW, OVER, TWO_DICE_BASE
from dicetown.rules.kernel import compiled, is_made, kernel, name_record
from dicetown.rules.layout import (
    CHOICES,
    LOG,
    OUTCOMES,
    STATE,
    Choices,
    Log,
    Outcomes,
    Shelf,
    State,
    States,
    Tables,
    new,
)
from dicetown.rules.step import decide, happen
from dicetown.sight.spec import Spec
from dicetown.sight.write import Sight, see, shorts

#: What is known of a position that is still to be played on.
TWIG = np.dtype([("weight", "f8"), ("forced", "i8"), ("left", "i8")], align=True)
#: A position in which somebody has a choice, or all is over: what it counts for, and how much.
TIP = np.dtype(
    [("number", "i8"), ("weight", "f8"), ("seat", "i8"), ("over", "i8"), ("winner", "i8")], align=True
)
Twigs: TypeAlias = Any
Tip: TypeAlias = Any
Tips: TypeAlias = Any
name_record("Twig", TWIG)
name_record("Tip", TIP)

#: Of more cards that may be drawn, so many stand for all.
DRAWS = 3
#: What is less likely is no longer told apart: one outcome stands for all.
LEAST = 1 / 150
#: A game that goes on by itself for longer is taken as it stands.
LONGEST = 40
#: Tips of one position, at most: each came from something as likely as LEAST by two dice.
MOST_TIPS = 21 * 150
ROOM = 2 * MOST_TIPS
STACK = 512
NOT_FORCED = -1


@kernel(apart=True)
def unfold(
    t: Tables,
    sight: Sight,
    quiet: Log,
    choices: Choices,
    outcomes: Outcomes,
    stack: States,
    twigs: Twigs,
    number: int,
    sheets: shorts,
    tips: Tips,
    count: int,
) -> int:
    """Play on from the position at the bottom of the stack; returns how many tips there are then."""
    spare = len(stack) - 1
    top = 1
    while top > 0:
        top -= 1
        s = stack[top]
        twig = twigs[top]
        weight = twig.weight
        left = int(twig.left) - 1
        if s.phase == OVER or left < 0 or (twig.forced == NOT_FORCED and not waits_for_chance(s)):
            tip = tips[count]
            tip.number = number
            tip.weight = weight
            look(t, sight, s, tip, sheets, count * int(sight.size))
            count += 1
        elif waits_for_chance(s):
            list_outcomes(t, s, outcomes)
            if weight < LEAST or top + int(outcomes.count) > spare:
                let_few_stand(outcomes, 1)
            elif s.phase == DRAW:
                let_few_stand(outcomes, DRAWS)
            total = 0
            for k in range(int(outcomes.count)):
                total += int(outcomes.weight[k])
            stack[spare] = stack[top]
            for k in range(int(outcomes.count)):
                stack[top] = stack[spare]
                happen(t, stack[top], quiet, choices, int(outcomes.outcome[k]))
                twigs[top].weight = weight * int(outcomes.weight[k]) / total
                twigs[top].left = left
                twigs[top].forced = forced(choices)
                top += 1
        else:
            decide(t, s, quiet, choices, int(twig.forced))
            twig.left = left
            twig.forced = forced(choices)
            top += 1
    return count


@kernel
def forced(choices: Choices) -> int:
    """The only legal action, if there is but one."""
    return int(choices.action[0]) if choices.count == 1 else NOT_FORCED


@kernel(apart=True)
def look(t: Tables, sight: Sight, s: State, tip: Tip, sheets: shorts, at: int) -> None:
    """Write what who is to choose sees, and how the game has ended if it has."""
    seat = int(s.turn) if s.turn >= 0 else 0
    tip.seat = seat
    tip.over = int(s.phase == OVER)
    tip.winner = int(s.winner)
    see(t, sight, s, seat, sheets, at)


@kernel
def list_outcomes(t: Tables, s: State, outcomes: Outcomes) -> None:
    """What chance may bring; of two dice it does not matter which is which."""
    if s.phase == DRAW or (s.phase == DICE and s.dice == 1):
        find_outcomes(t, s, outcomes)
        return
    outcomes.count = 0
    for die in range(1, 7):
        for other in range(die, 7):
            add_outcome(outcomes, die * TWO_DICE_BASE + other, 1 if die == other else 2)


@kernel
def let_few_stand(outcomes: Outcomes, few: int) -> None:
    """Where there are more outcomes, so many stand for all, evenly spread over the weights."""
    count = int(outcomes.count)
    if count <= few:
        return
    total = 0
    for k in range(count):
        total += int(outcomes.weight[k])
    place = -1
    height = 0
    for k in range(few):
        while 2 * few * height <= (2 * k + 1) * total:
            place += 1
            height += int(outcomes.weight[place])
        outcomes.outcome[count + k] = outcomes.outcome[place]
    for k in range(few):
        outcomes.outcome[k] = outcomes.outcome[count + k]
        outcomes.weight[k] = 1
    outcomes.count = few


class Unfolding:
    """Positions of a table unfolded one after the other, and the tips of all of them."""

    def __init__(self, spec: Spec) -> None:
        self._spec = spec
        self._records = [new(layout) for layout in (LOG, CHOICES, OUTCOMES)]
        self._stack, self._twigs = np.empty(STACK, STATE), np.empty(STACK, TWIG)
        self._sheets, self._tips = np.empty((ROOM, spec.size), np.int16), np.empty(ROOM, TIP)
        self._shelves = Shelf(self._stack), Shelf(self._twigs), Shelf(self._tips)
        self._count = 0

    @property
    def is_full(self) -> bool:
        """Whether there may be no room for another position."""
        return self._count + MOST_TIPS > ROOM

    def unfold(self, view: View, action: int | None, number: int) -> None:
        """Play on from a position, after an action if one is given; its tips get a number."""
        quiet, choices, outcomes = self._records
        stack, twigs, tips = self._shelves
        tables, sight = self._spec.tables, self._spec.sight
        stack[0] = view.state
        only = forced(view.choices) if action is None else action
        twigs[0].weight, twigs[0].forced, twigs[0].left = 1.0, only, LONGEST
        sheets = self._sheets.reshape(-1)
        if is_made(unfold):
            self._count = compiled(unfold)(
                *(record.array[0] for record in (tables, sight, quiet, choices, outcomes)),
                self._stack, self._twigs, number, sheets, self._tips, self._count,
            )  # fmt: skip
        else:
            self._count = unfold(
                tables, sight, quiet, choices, outcomes, stack, twigs, number, sheets, tips, self._count
            )

    def take(self) -> tuple[NDArray[np.int16], NDArray[Any]]:
        """What is seen from all tips, and what is known of them; then there is room for others."""
        count, self._count = self._count, 0
        return self._sheets[:count], self._tips[:count]
