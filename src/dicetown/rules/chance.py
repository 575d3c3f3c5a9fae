"""Chance, made explicit: which outcomes are possible, how likely they are, and drawing one."""

from __future__ import annotations

from dicetown.rules.codes import DICE, DRAW, MAX_CARDS, TUNA, TWO_DICE_BASE
from dicetown.rules.kernel import kernel
from dicetown.rules.layout import Outcomes, State, Tables
from dicetown.rules.market import row_to_refill
from dicetown.rules.rng import Rng, below


@kernel
def waits_for_chance(s: State) -> bool:
    """Whether dice or a draw come next."""
    return s.phase == DICE or s.phase == TUNA or s.phase == DRAW


@kernel
def find_outcomes(t: Tables, s: State, outcomes: Outcomes) -> None:
    """List what chance may bring, with weights whose ratio is their probability."""
    outcomes.count = 0
    if s.phase == DICE and s.dice == 1:
        for die in range(1, 7):
            add_outcome(outcomes, die, 1)
    elif s.phase == DICE or s.phase == TUNA:
        for die in range(1, 7):
            for other in range(1, 7):
                add_outcome(outcomes, die * TWO_DICE_BASE + other, 1)
    elif s.phase == DRAW:
        row = row_to_refill(t, s)
        for card in range(int(t.cards)):
            if s.deck[card] > 0 and t.row_of[card] == row:
                add_outcome(outcomes, card, int(s.deck[card]))
        for thing in range(MAX_CARDS, MAX_CARDS + int(t.landmarks)):
            if s.deck[thing] > 0 and t.row_of[thing] == row:
                add_outcome(outcomes, thing, int(s.deck[thing]))


@kernel
def can_happen(t: Tables, s: State, outcome: int) -> bool:
    """Whether an outcome is one of those that :func:`find_outcomes` lists."""
    if s.phase == DICE and s.dice == 1:
        return 1 <= outcome <= 6
    if s.phase == DICE or s.phase == TUNA:
        return 1 <= outcome // TWO_DICE_BASE <= 6 and 1 <= outcome % TWO_DICE_BASE <= 6
    if s.phase == DRAW:
        return bool(s.deck[outcome] > 0 and t.row_of[outcome] == row_to_refill(t, s))
    return False


@kernel
def add_outcome(outcomes: Outcomes, outcome: int, weight: int) -> None:
    """One more thing that may happen."""
    at = int(outcomes.count)
    outcomes.outcome[at] = outcome
    outcomes.weight[at] = weight
    outcomes.count = at + 1


@kernel
def draw_outcome(t: Tables, s: State, rng: Rng) -> int:
    """Let chance decide, by random numbers."""
    if s.phase == DRAW:
        return draw_thing(t, s, rng)
    if s.phase == DICE and s.dice == 1:
        return 1 + below(rng, 6)
    faces = below(rng, 36)
    return (1 + faces // 6) * TWO_DICE_BASE + 1 + faces % 6


@kernel
def draw_thing(t: Tables, s: State, rng: Rng) -> int:
    """A card of the deck, each copy equally likely."""
    row = row_to_refill(t, s)
    skip = below(rng, int(s.row_deck[row]))
    thing = 0
    while True:
        if t.row_of[thing] == row:
            skip -= int(s.deck[thing])
            if skip < 0:
                return thing
        thing += 1
