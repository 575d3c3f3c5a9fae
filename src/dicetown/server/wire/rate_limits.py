"""How quickly a client may ask, and how much of something it may have at once."""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

from dicetown.server.wire.refusals import Refused

_MOST_BUCKETS = 10_000


@dataclass(slots=True)
class _Bucket:
    tokens: float
    filled: float


class RateLimit:
    """A limit of so many a second, and so many at once, for each client.

    Each has a bucket of tokens, which fills up again steadily.

    >>> time = iter([0.0, 0.0, 0.0, 0.5])
    >>> limit = RateLimit((2.0, 1), lambda: next(time))
    >>> limit.allows("ana"), limit.allows("ana"), limit.allows("ben"), limit.allows("ana")
    (True, False, True, True)
    """

    def __init__(self, rate: tuple[float, int], clock: Callable[[], float]) -> None:
        self._refill, self._size = rate
        self._clock = clock
        self._buckets: OrderedDict[str, _Bucket] = OrderedDict()

    def allows(self, client: str) -> bool:
        """Whether the client may do it once more; if so, that is counted."""
        now = self._clock()
        bucket = self._buckets.get(client)
        if bucket is None:
            # Whoever was not heard of for longest has a full bucket again, or is one of too many.
            while len(self._buckets) >= _MOST_BUCKETS:
                self._buckets.popitem(last=False)
            bucket = self._buckets[client] = _Bucket(self._size, now)
        else:
            self._buckets.move_to_end(client)
        tokens = bucket.tokens
        if now > bucket.filled:
            tokens = min(self._size, tokens + (now - bucket.filled) * self._refill)
        bucket.filled = now
        may = tokens >= 1
        bucket.tokens = tokens - 1 if may else tokens
        return may

    def check(self, client: str) -> None:
        """Refuse the client if it is too quick."""
        if not self.allows(client):
            raise Refused("too_quick", wait=(1 - self._buckets[client].tokens) / self._refill)


class ConcurrencyLimit:
    """How many of something each client may have at once, and all of them together.

    >>> pages = ConcurrencyLimit(of_one=1, in_all=2)
    >>> pages.take("ana")
    >>> pages.take("ben")
    >>> len(pages)
    2
    >>> pages.give_back("ana")
    >>> len(pages)
    1
    """

    def __init__(self, of_one: int, in_all: int) -> None:
        self._of_one = of_one
        self._in_all = in_all
        self._had: Counter[str] = Counter()
        self._all = 0

    def __len__(self) -> int:
        return self._all

    def take(self, client: str) -> None:
        """Let a client have one more until it is given back, or refuse it."""
        if self._had[client] >= self._of_one:
            raise Refused("too_many_pages")
        if self._all >= self._in_all:
            raise Refused("no_room")
        self._had[client] += 1
        self._all += 1

    def give_back(self, client: str) -> None:
        """A client has one fewer."""
        self._all -= 1
        self._had[client] -= 1
        if not self._had[client]:
            del self._had[client]
