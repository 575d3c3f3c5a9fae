"""How hard a property is tried, relative to others: `HYPOTHESIS_PROFILE=thorough` multiplies it all."""

from hypothesis import settings

#: What the repeatable profile of conftest.py tries.
USUAL = 50


def examples(number: int) -> settings:
    """So many examples in a usual run, proportionally more in a thorough one."""
    return settings(max_examples=number * settings().max_examples // USUAL)
