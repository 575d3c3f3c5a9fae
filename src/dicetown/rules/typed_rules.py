"""House rules as people type them: ``start_coins=5``, ``cards=cafe,bakery``."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from dicetown.errors import RulesetError
from dicetown.rules.ruleset import LISTS, Ruleset

_CONSTANTS: dict[str, bool | None] = {"true": True, "false": False, "yes": True, "no": False}


def read_rule(text: str) -> tuple[str, Any]:
    """One house rule.

    >>> read_rule("start_coins=5"), read_rule("city_hall = true"), read_rule("cards=cafe, bakery")
    (('start_coins', 5), ('city_hall', True), ('cards', ['cafe', 'bakery']))
    """
    name, equals, value = (part.strip() for part in text.partition("="))
    if not equals or not name or not value:
        raise RulesetError(f'"{text}" is no house rule; one reads like start_coins=5 or cards=cafe,bakery.')
    if name in LISTS:
        return name, [one.strip() for one in value.split(",") if one.strip()]
    if value.lower() in _CONSTANTS:
        return name, _CONSTANTS[value.lower()]
    try:
        return name, int(value)
    except ValueError:
        return name, value.lower()


def read_rules(texts: Iterable[str]) -> dict[str, Any]:
    """Several house rules; the last word on each counts."""
    return dict(read_rule(text) for text in texts)


def known_rules(ruleset: Ruleset) -> dict[str, Any]:
    """The house rules that have a value of their own, as they stand."""
    return msgspec.structs.asdict(ruleset.rules)
