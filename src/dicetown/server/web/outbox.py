"""What waits for pages to read it: bounded in bytes, for each page and for all of them together.

A page that does not read costs its owner nothing. So what waits for it is little, and whoever lets more lie
is disconnected at once; a page that was only slow comes back and is told where its table stands by then.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable


class Outboxes:
    """All outboxes of a service; where they hold too much together, the fullest are given up."""

    def __init__(self, most: int) -> None:
        self.waiting = 0  # bytes
        self._most = most
        self._boxes: set[Outbox] = set()

    def open(self, most: int, give_up: Callable[[], None]) -> Outbox:
        """An outbox for one page; ``give_up`` is called once, when it would hold too much."""
        box = Outbox(self, most, give_up)
        self._boxes.add(box)
        return box

    def close(self, box: Outbox) -> None:
        """The page has gone, and with it whatever waited for it."""
        self._boxes.discard(box)
        box.throw_away()

    def count(self, size: int) -> None:
        """So many bytes more wait for some page, or fewer."""
        self.waiting += size
        while (
            size > 0
            and self.waiting > self._most
            and (fullest := max(self._open, key=_fullness, default=None))
        ):
            fullest.give_up()

    @property
    def _open(self) -> list[Outbox]:
        return [box for box in self._boxes if box.waiting and not box.is_given_up]


def _fullness(box: Outbox) -> int:
    return box.waiting


class Outbox:
    """What waits for one page, in order. A message counts until it has been taken off our hands."""

    def __init__(self, outboxes: Outboxes, most: int, give_up: Callable[[], None]) -> None:
        self.waiting = 0  # bytes
        self.is_given_up = False
        self._outboxes = outboxes
        self._most = most
        self._on_giving_up = give_up
        self._messages: deque[tuple[str, int]] = deque()
        self._under_way = 0  # bytes of the message that is being sent
        self._is_ended = False
        self._news = asyncio.Event()

    def put(self, message: str) -> None:
        """Let a message wait; never waits itself."""
        if self._is_ended:
            return
        size = len(message.encode())
        if self.waiting + size > self._most:
            self.give_up()
            return
        self._messages.append((message, size))
        self._news.set()
        self._count(size)

    def end(self) -> None:
        """Nothing more is to come; what waits is still to be sent."""
        self._is_ended = True
        self._news.set()

    def give_up(self) -> None:
        """Let go of everything: nobody reads it."""
        if self.is_given_up:
            return
        self.is_given_up = True
        self.end()
        self.throw_away()
        self._on_giving_up()

    def throw_away(self) -> None:
        """Forget what waits, and what is under way: who sends it gives it up, too."""
        self._messages.clear()
        self._under_way = 0
        self._count(-self.waiting)

    async def take(self) -> str | None:
        """The next message, when the one before has been sent; None after the last."""
        self._count(-self._under_way)
        self._under_way = 0
        while not self._messages and not self._is_ended:
            self._news.clear()
            await self._news.wait()
        if not self._messages:
            return None
        message, self._under_way = self._messages.popleft()
        return message

    def _count(self, size: int) -> None:
        self.waiting += size
        self._outboxes.count(size)
