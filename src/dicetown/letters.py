"""Letters that can be seen: what may stand in a name or a sentence that came from outside."""

from __future__ import annotations

import unicodedata

#: They are not seen themselves, but make one emoji of several, and part letters within a Persian word.
JOINERS = "\N{ZERO WIDTH NON-JOINER}\N{ZERO WIDTH JOINER}"

#: Kinds of letters and digits that are written from right to left.
_LEFTWARD = frozenset({"R", "AL", "AN"})


def seen(text: str, instead: str) -> str:
    r"""The text with something else for each character that cannot be seen.

    A joiner stays where it has something to join: one by itself, between two characters that can be seen.

    >>> seen("Ana\x07", "?"), seen("\u200dAna", "?")
    ('Ana?', '?Ana')
    >>> seen("👩\u200d🚀", "?") == "👩\u200d🚀"
    True
    """
    if text.isprintable():
        return text
    around = f" {text} "
    return "".join(
        letter if letter.isprintable() or _joins(before, letter, after) else instead
        for before, letter, after in zip(around, text, around[2:], strict=False)
    )


def _joins(before: str, letter: str, after: str) -> bool:
    return letter in JOINERS and all(one.isprintable() and not one.isspace() for one in (before, after))


def can_be_written(text: str) -> bool:
    r"""Whether a file can hold the text: bytes that a command was given and that are no UTF-8 are no letters.

    >>> can_be_written("Jörg"), can_be_written("J\udcf6rg")
    (True, False)
    """
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def alike(name: str) -> str:
    r"""What is the same for names that cannot be told apart: capitals do not count, nor do joiners.

    >>> alike("Ana") == alike("a\u200dNA")
    True
    """
    return "".join(letter for letter in name.casefold() if letter not in JOINERS)


def isolated(name: str) -> str:
    r"""A name as it stands in a sentence on a page: one that runs leftwards turns nothing around beside it.

    Any other stays as it is.

    >>> isolated("Ana"), isolated("דנה") == "\u2068דנה\u2069"
    ('Ana', True)
    """
    if not any(unicodedata.bidirectional(letter) in _LEFTWARD for letter in name):
        return name
    return f"\N{FIRST STRONG ISOLATE}{name}\N{POP DIRECTIONAL ISOLATE}"
