"""Growing pauses between attempts at something that fails."""

from __future__ import annotations

from random import Random


class Backoff:
    """Each about twice as long as the one before, up to the longest; none quite like that of others.

    >>> backoff = Backoff(1.0, 5.0, Random(1))
    >>> [0.5 <= backoff.next() <= 1.0, 1.0 <= backoff.next() <= 2.0, 2.0 <= backoff.next() <= 4.0]
    [True, True, True]
    >>> [2.5 <= backoff.next() <= 5.0 for _ in range(3)]
    [True, True, True]
    """

    def __init__(self, first: float = 0.25, longest: float = 15.0, chance: Random | None = None) -> None:
        self._first = first
        self._longest = longest
        # Many who fail together must not all come back together.
        self._chance = chance or Random()
        self._coming = first

    def next(self) -> float:
        """Seconds to wait before the next attempt."""
        seconds = self._coming * self._chance.uniform(0.5, 1.0)
        self._coming = min(self._longest, self._coming * 2)
        return seconds

    def reset(self) -> None:
        """An attempt has succeeded: the next pause is short again."""
        self._coming = self._first
