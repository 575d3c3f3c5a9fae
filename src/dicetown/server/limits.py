"""How quickly a client may ask: a bucket of tokens for each, which fills up again steadily."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

from dicetown.server.refusals import Refused

_MOST_BUCKETS = 10_000


@dataclass(slots=True)
class _Bucket:
    tokens: float
    filled: float


class RateLimit:
    """A limit of so many a second, and so many at once, for each client.

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
        bucket = self._buckets.pop(client, None)
        if bucket is None:
            bucket = _Bucket(self._size, now)
            # Whoever was not heard of for longest has a full bucket again, or is one of too many.
            while len(self._buckets) >= _MOST_BUCKETS:
                self._buckets.popitem(last=False)
        self._buckets[client] = bucket
        bucket.tokens = min(self._size, bucket.tokens + max(0.0, now - bucket.filled) * self._refill)
        bucket.filled = now
        if bucket.tokens < 1:
            return False
        bucket.tokens -= 1
        return True

    def check(self, client: str) -> None:
        """Refuse the client if it is too quick."""
        if not self.allows(client):
            raise Refused("too_quick")
