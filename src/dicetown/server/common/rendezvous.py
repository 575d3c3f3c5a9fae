"""Who of several should have something: everybody who knows them comes to the same answer.

Each is given a number for it by hashing, and the highest wins. When one of them goes, only what was theirs
goes to others, and evenly.
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b


def first_choice(what: str, of: Iterable[str]) -> str | None:
    """Who should have it; nobody, of nobody.

    >>> first_choice("ABCDEFGH", ["ana", "ben", "caro"])
    'caro'
    >>> first_choice("ABCDEFGH", ["ana", "caro"]), first_choice("ABCDEFGH", ["ana", "ben"])
    ('caro', 'ana')
    >>> first_choice("ABCDEFGH", []) is None
    True
    """
    return max(of, key=lambda one: blake2b(f"{one} {what}".encode(), digest_size=8).digest(), default=None)
