"""What a table's pages were told lately: for a page that was away for a moment, and bounded in bytes.

Beyond that a page is only told where the table stands by now; so there is no use in keeping much, and there
are thousands of tables.
"""

from __future__ import annotations

from collections.abc import Mapping

#: Bytes of messages that are kept for one table, in all languages together: about three entries.
KEPT = 5 * 1024
_ASKED, _NOTHING = b',"asked":', b"null}"


class RecentlyTold:
    """The last entries as they were told, by language."""

    __slots__ = ("_size", "_told")

    def __init__(self) -> None:
        # There are few, and an empty deque takes as much room as all of them.
        self._told: list[tuple[int, Mapping[str, bytes]]] = []
        self._size = 0

    def add(self, number: int, told: Mapping[str, bytes]) -> None:
        """Keep what was told of an entry; the oldest makes room for it."""
        if self._told:
            before, messages = self._told[-1]
            kept = {language: without_question(message) for language, message in messages.items()}
            self._size += _size(kept) - _size(messages)
            self._told[-1] = before, kept
        self._told.append((number, told))
        self._size += _size(told)
        while self._size > KEPT:
            self._size -= _size(self._told.pop(0)[1])

    def after(self, number: int, last: int, language: str) -> list[bytes]:
        """What was told after one entry up to the last, if all of it is still here; else nothing."""
        told = [messages.get(language) for this, messages in self._told if this > number]
        whole = [message for message in told if message is not None]
        return whole if len(whole) == last - number else []


def without_question(entry: bytes) -> bytes:
    """An entry without what was asked after it, which is half of it and has been answered.

    Within a text quotation marks are escaped, so nothing that somebody has said looks like the field.

    >>> without_question(b'{"type":"entry","number":7,"asked":{"seat":1}}')
    b'{"type":"entry","number":7,"asked":null}'
    """
    before, found, _ = entry.rpartition(_ASKED)
    return before + found + _NOTHING if found else entry


def _size(told: Mapping[str, bytes]) -> int:
    return sum(map(len, told.values()))
