"""What a table's pages were told lately: for a page that was away for a moment, and bounded in bytes.

Beyond that a page is only told where the table stands by now; so there is no use in keeping much, and there
are thousands of tables.
"""

from __future__ import annotations

from collections.abc import Mapping

#: Bytes of messages that are kept for one table, in all languages together.
KEPT = 7 * 1024


class RecentlyTold:
    """The last entries as they were told, by language."""

    __slots__ = ("_size", "_told")

    def __init__(self) -> None:
        # There are few, and an empty deque takes as much room as all of them.
        self._told: list[tuple[int, Mapping[str, bytes]]] = []
        self._size = 0

    def add(self, number: int, told: Mapping[str, bytes]) -> None:
        """Keep what was told of an entry; the oldest makes room for it."""
        self._told.append((number, told))
        self._size += _size(told)
        while self._size > KEPT:
            self._size -= _size(self._told.pop(0)[1])

    def after(self, number: int, last: int, language: str) -> list[bytes]:
        """What was told after one entry up to the last, if all of it is still here; else nothing."""
        told = [messages.get(language) for this, messages in self._told if this > number]
        whole = [message for message in told if message is not None]
        return whole if len(whole) == last - number else []


def _size(told: Mapping[str, bytes]) -> int:
    return sum(map(len, told.values()))
