"""What somebody may have meant who typed a name: without accents, only its beginning, or not quite right."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from difflib import get_close_matches

#: Letters from which a beginning is taken for the name.
SHORTEST_PREFIX = 3


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


def match_name(typed: str, known: Iterable[tuple[str, tuple[str, ...]]]) -> str | None:
    """The only one of several things that is called so, or begins so.

    >>> known = [("cafe", ("cafe", "Cafetería")), ("cheese", ("cheese", "Quesería"))]
    >>> match_name("CAFETERIA", known), match_name("ques", known), match_name("c", known)
    ('cafe', 'cheese', None)
    """
    wanted = plain(typed)
    names = [(thing, plain(name)) for thing, several in known for name in several]
    found = {thing for thing, name in names if name == wanted}
    if not found and len(wanted) >= SHORTEST_PREFIX:
        found = {thing for thing, name in names if name.startswith(wanted)}
    return found.pop() if len(found) == 1 else None


def plain(words: str) -> str:
    """Words without case, accents and underscores, for comparing.

    >>> plain("Café_Größe")
    'cafe grosse'
    """
    apart = unicodedata.normalize("NFD", words.casefold().replace("_", " "))
    return " ".join("".join(letter for letter in apart if not unicodedata.combining(letter)).split())
