"""What a ruleset's table looks like, whoever plays: worked out once, and kept."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from dicetown.material.model import Establishment
from dicetown.rules import codes as c
from dicetown.rules.ruleset import Ruleset

_COLOURS = ("blue", "green", "red", "purple")
_RULESETS_KEPT = 128


@dataclass(frozen=True, slots=True)
class Layout:
    """The things of a ruleset, in the order in which they are shown, and what never changes about them."""

    cards: tuple[tuple[int, str, int], ...]  # number, id, cost: by roll, then colour
    landmarks: tuple[tuple[int, str, int], ...]  # number, id, printed cost
    standing: list[str]
    shared_landmarks: bool
    fixed_prices: bool  # no landmark's price ever changes
    open_stacks: frozenset[str]  # cards that have a place in the market even when they are sold out
    landmarks_needed: int


@lru_cache(maxsize=_RULESETS_KEPT)
def layout_of(ruleset: Ruleset) -> Layout:
    """How the table of a ruleset looks.

    >>> [card for _, card, _ in layout_of(Ruleset("deluxe", sets=["base"])).cards][:4]
    ['wheat_field', 'ranch', 'bakery', 'cafe']
    """
    cards = sorted(enumerate(ruleset.cards), key=lambda one: _place_of(one[1]))
    marks = ruleset.landmarks
    return Layout(
        cards=tuple((number, card.id, card.cost) for number, card in cards),
        landmarks=tuple((c.MAX_CARDS + bit, mark.id, mark.cost[0]) for bit, mark in enumerate(marks)),
        standing=[ruleset.city_hall.id] if ruleset.city_hall is not None else [],
        shared_landmarks=ruleset.edition.shared_landmarks,
        fixed_prices=ruleset.fixed_prices,
        open_stacks=ruleset.supply_ids if ruleset.rules.market == "stacks" else frozenset(),
        landmarks_needed=ruleset.landmarks_to_win,
    )


def _place_of(card: Establishment) -> tuple[int, int, int]:
    """Where a card stands in a street or market: by its numbers, then by its colour."""
    return card.rolls[0], card.rolls[-1], _COLOURS.index(card.colour)
