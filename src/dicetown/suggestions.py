"""What somebody may have meant who typed a name that is not known."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


def did_you_mean(name: object, known: Iterable[str]) -> str:
    """The end of a sentence about a name that is not known.

    >>> did_you_mean("cafee", ["bakery", "cafe"])
    'did you mean "cafe"? Known: bakery, cafe'
    >>> did_you_mean(7, ["bakery", "cafe"])
    'known: bakery, cafe'
    """
    names = list(known)
    near = get_close_matches(name, names, n=1) if isinstance(name, str) else []
    return (f'did you mean "{near[0]}"? Known: ' if near else "known: ") + ", ".join(names)
