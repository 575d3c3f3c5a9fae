"""The house rules that a box must settle, and which values each may take.

docs/rules.md lists what they mean. A ``Ruleset`` can set them all, and a few that have no default value of
their own because they follow from the sets chosen (``cards``, ``landmarks``, ``major_copies`` …).
"""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta

from dicetown.material.model import Market, Part

Count: TypeAlias = Annotated[int, Meta(ge=0, le=9999)]
Positive: TypeAlias = Annotated[int, Meta(ge=1, le=9999)]


class House(Part, frozen=True):
    """A complete set of house rules. ``"none"`` is no limit, ``"all"`` every landmark in use."""

    start_coins: Count
    market: Market
    discard_dead_majors: bool
    major_limit: Positive | Literal["none"]
    landmarks_to_win: Positive | Literal["all"]
    reroll_may_change_dice: bool
    extra_turn_fixed_at_roll: bool
    choose_order: bool
    business_center_optional: bool
    renovation_payer: Literal["owners", "bank"]
    closed_reopens_unmet: bool
    winery_closes_without_vineyard: bool
    airport_before_invest: bool
    tax_threshold: Positive
    city_hall: bool
    start_rounds: Count
    max_extra_turns: Count
    max_turns: Count
