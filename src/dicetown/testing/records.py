"""Comparing records field by field; the bytes between fields mean nothing and may differ."""

from __future__ import annotations

from typing import Any

import numpy as np


def differing_fields(one: Any, other: Any) -> list[str]:
    """The fields in which two records of a layout differ.

    >>> from dicetown.rules.layout import STATE, copy, new
    >>> state = new(STATE)
    >>> again = copy(state)
    >>> again.coins[1] = 5
    >>> differing_fields(state, again), differing_fields(state, copy(state))
    (['coins'], [])
    """
    if (one.array == other.array).all():
        return []
    names = one.layout.names or ()
    return [name for name in names if not np.array_equal(one.array[name], other.array[name])]
