"""What was refused stays refused: a request that comes once more must not happen after all.

A page that was cut off sends what was not answered again, and so does a gateway whose worker went. So two of
one request may wait for a table. If the first could not be stored, whoever asked is told so and may have
decided otherwise by the time the second has its turn; it gets the same answer.
"""

from __future__ import annotations

from dicetown.server.wire.refusals import LATER, STATUS, Refused

#: Requests that are remembered of one table: more than any page has under way.
KEPT = 64


def is_settled(code: str) -> bool:
    """Whether a refusal is the last word about a request.

    Who is told to come later, or elsewhere, or that nobody knows, may come with the same request and its key.
    Who is told that it was not stored decides anew.

    >>> is_settled("not_stored"), is_settled("illegal"), is_settled("too_quick"), is_settled("unclear")
    (True, True, False, False)
    """
    return code == "not_stored" or not (STATUS[code] in LATER or code == "elsewhere")


class RefusedBefore:
    """Requests that were refused lately, by who asked and their key."""

    __slots__ = ("_codes",)

    def __init__(self) -> None:
        self._codes: dict[tuple[str | None, str], str] | None = None

    def note(self, guest: str | None, key: str, code: str) -> None:
        """Somebody is told that their request was refused; the oldest of many is forgotten."""
        if not is_settled(code):
            return
        if self._codes is None:
            self._codes = {}
        self._codes[guest, key] = code
        if len(self._codes) > KEPT:
            del self._codes[next(iter(self._codes))]

    def check(self, guest: str | None, key: str) -> None:
        """Refuse a request that was refused before, for the same reason."""
        code = self._codes.get((guest, key)) if self._codes is not None else None
        if code is not None:
            raise Refused(code)
