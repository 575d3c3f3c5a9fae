"""What can be asked of those who think: a structure for each question, which can also be sent elsewhere.

Each says of which kind it is, how long it may take at most once it is begun, and what its answer looks like.
"""

from __future__ import annotations

from typing import Any, ClassVar, Literal

import msgspec
from msgspec.msgpack import Decoder

from dicetown.server import wire
from dicetown.server.workers.snapshot import Snapshot

#: What people wait for, the most urgent first.
Kind = Literal["move", "hint", "odds", "review"]

#: Seconds that something quick may take, the start of its process included; that thinking may; that it may in
#: a process which has to load or compile first what it needs; and that a review may.
QUICK_SECONDS, HEAVY_SECONDS, WARMING_SECONDS, REVIEW_SECONDS = 20.0, 30.0, 400.0, 1800.0


class Job(msgspec.Struct, frozen=True, tag=True):
    """Something to think about."""

    kind: ClassVar[Kind]
    longest: ClassVar[float]  # seconds
    answer: ClassVar[Decoder[Any]]


class Choose(Job, frozen=True):
    """What a bot does; a text of notation."""

    kind, longest, answer = "move", WARMING_SECONDS, Decoder(str)

    bot: str
    position: Snapshot
    seed: int


class FirstHint(Job, frozen=True):
    """A hint at a glance, and why it claims no chances, if it does not."""

    kind, longest, answer = "hint", WARMING_SECONDS, Decoder(tuple[wire.Hint, str | None])

    position: Snapshot
    language: str


class ThoughtfulHint(Job, frozen=True):
    """A hint that was thought about."""

    kind, longest, answer = "hint", WARMING_SECONDS, Decoder(wire.Hint)

    position: Snapshot
    language: str


class Odds(Job, frozen=True):
    """What the totals would bring everybody, as a message."""

    kind, longest, answer = "odds", QUICK_SECONDS, Decoder(bytes)

    position: Snapshot
    moves: int


class Worth(Job, frozen=True):
    """What a card would earn."""

    kind, longest, answer = "odds", QUICK_SECONDS, Decoder(wire.Worth)

    position: Snapshot
    seat: int
    thing: str


class FirstReview(Job, frozen=True):
    """A game looked back on at a glance; a sentence if nobody knows the chances to win there."""

    kind, longest, answer = "review", WARMING_SECONDS, Decoder(dict[str, Any] | str)

    record: str


class ThoughtfulReview(Job, frozen=True):
    """A game looked back on; a sentence if nobody knows the chances to win there."""

    kind, longest, answer = "review", REVIEW_SECONDS, Decoder(dict[str, Any] | str)

    record: str


AnyJob = Choose | FirstHint | ThoughtfulHint | Odds | Worth | FirstReview | ThoughtfulReview
