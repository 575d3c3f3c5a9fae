"""What waits for pages to read it: bounded in bytes, for each page and for all of them together.

A page that does not read costs its owner nothing. So what waits for it is little, and whoever lets more lie
is disconnected at once; a page that was only slow comes back and is told where its table stands by then.

Whatever is put into outboxes while the event loop is at something else goes out together afterwards: to each
page in one piece, however many messages that are.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from typing import Protocol

#: Ages of pages that are told apart, and how many seconds old the oldest of them are.
AGES = {"1m": 60.0, "10m": 600.0, "1h": 3600.0, "6h": 21_600.0}
OLDER = "older"


class Line(Protocol):
    """A connection, as an outbox uses it."""

    @property
    def is_free(self) -> bool:
        """Whether all that was written has been taken off our hands."""

    def write(self, messages: Sequence[bytes]) -> None:
        """Send messages, never waiting; if the line is not free then, the outbox is told when it is."""


class Outboxes:
    """All outboxes of a service; where they hold too much together, the fullest are given up."""

    def __init__(self, most: int) -> None:
        self.waiting = 0  # bytes
        self._most = most
        self._boxes: set[Outbox] = set()
        self._due: list[Outbox] = []  # those with something new

    def open(self, line: Line, most: int, give_up: Callable[[], None]) -> Outbox:
        """An outbox for one page; ``give_up`` is called once, when it would hold too much."""
        box = Outbox(self, line, most, give_up)
        self._boxes.add(box)
        return box

    def close(self, box: Outbox) -> None:
        """The page has gone, and with it whatever waited for it."""
        self._boxes.discard(box)
        box.let_go()

    def pass_on_soon(self, box: Outbox) -> None:
        """Something new waits in a box: let it be sent when the event loop has a moment."""
        if not self._due:
            asyncio.get_running_loop().call_soon(self._pass_on)
        self._due.append(box)

    def _pass_on(self) -> None:
        due, self._due = self._due, []
        for box in due:
            box.pass_on()

    def ages(self) -> dict[str, int]:
        """How many pages have been open for how long, up to each age."""
        found = dict.fromkeys([*AGES, OLDER], 0)
        now = time.monotonic()
        for box in self._boxes:
            age = now - box.opened_at
            found[next((name for name, most in AGES.items() if age <= most), OLDER)] += 1
        return found

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


def _nothing() -> None:
    """Nobody has to be told."""


def _fullness(box: Outbox) -> int:
    return box.waiting


class Outbox:
    """What waits for one page, in order. A message counts until it has been taken off our hands."""

    __slots__ = (
        "_farewell", "_is_empty_for_good", "_is_ended", "_line", "_messages", "_most", "_on_giving_up",
        "_outboxes", "_under_way", "is_given_up", "opened_at", "waiting",
    )  # fmt: skip

    def __init__(self, outboxes: Outboxes, line: Line, most: int, give_up: Callable[[], None]) -> None:
        self.waiting = 0  # bytes
        self.opened_at = time.monotonic()
        self.is_given_up = False
        self._outboxes = outboxes
        self._line = line
        self._most = most
        self._on_giving_up = give_up
        self._messages: list[bytes] = []
        self._under_way = 0  # bytes that the line has been given and not sent
        self._is_ended = False
        self._is_empty_for_good = False
        self._farewell: asyncio.Future[None] | None = None  # for who waits for that

    def put(self, message: bytes) -> None:
        """Let a message wait; never waits itself."""
        if self._is_ended:
            return
        size = len(message)
        if self.waiting + size > self._most:
            self.give_up()
            return
        if not self._messages:
            self._outboxes.pass_on_soon(self)
        self._messages.append(message)
        self._count(size)

    def pass_on(self) -> None:
        """Send what waits, as far as the line is free; to be called again when it is."""
        if not self._line.is_free:
            return
        self._note_sent()
        if self._messages:
            messages, self._messages = self._messages, []
            self._line.write(messages)
            self._under_way = self.waiting
            self._note_sent()
        if self._is_ended and not self.waiting:
            self._note_empty()

    def _note_sent(self) -> None:
        """What is under way counts no longer, if it is not."""
        if self._under_way and self._line.is_free:
            self._count(-self._under_way)
            self._under_way = 0

    def end(self) -> None:
        """Nothing more is to come; what waits is still to be sent."""
        self._is_ended = True
        if not self.waiting:
            self._note_empty()

    def _note_empty(self) -> None:
        self._is_empty_for_good = True
        if self._farewell is not None and not self._farewell.done():
            self._farewell.set_result(None)

    async def is_done(self) -> None:
        """Wait until nothing is to come, and nothing waits."""
        if not self._is_empty_for_good:
            self._farewell = asyncio.get_running_loop().create_future()
            await self._farewell

    def give_up(self) -> None:
        """Let go of everything: nobody reads it."""
        if self.is_given_up:
            return
        self.is_given_up = True
        self.throw_away()
        self.end()
        self._on_giving_up()

    def throw_away(self) -> None:
        """Forget what waits, and what is under way: who sends it gives it up, too."""
        self._messages.clear()
        self._under_way = 0
        self._count(-self.waiting)

    def let_go(self) -> None:
        """The page has gone: forget what waits, and whom to tell, who would be kept by that."""
        self.throw_away()
        self._on_giving_up = _nothing

    def _count(self, size: int) -> None:
        self.waiting += size
        self._outboxes.count(size)
