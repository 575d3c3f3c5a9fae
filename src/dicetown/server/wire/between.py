"""What processes of one service say to each other: a number for it, and the words.

Two processes may work side by side if they have the same number here. It is raised when a message between
them changes its meaning; what pages and the service say to each other has nothing to do with it.
"""

from __future__ import annotations

import hmac

import msgspec

#: What processes must agree on to share a database.
PROTOCOL = 1
#: In an answer with status 421: where the process is that has the table; empty if nobody knows.
OWNER = "x-dicetown-owner"
#: A live connection is closed with this by a worker that has not got the table; the reason says who has.
ELSEWHERE = 4421
#: What a gateway says about a request that it passes on: who it is, for whom it speaks, and how they came.
HOP, CLIENT, SCHEME = "x-dicetown-hop", "x-dicetown-client", "x-dicetown-scheme"


def hop_key(secret: str) -> str:
    """What shows that a request comes from another process of the same service: it knows the same secret."""
    return hmac.new(secret.encode(), b"dicetown between processes", "sha256").hexdigest()


#: Below this, workers ask each other; no gateway passes it on.
BETWEEN = "/between/"
STANDINGS = f"{BETWEEN}tables"


class AskStandings(msgspec.Struct):
    """Asks a worker about tables, of which it may have some."""

    codes: list[str]
    whole: bool  # with their summaries


class Standing(msgspec.Struct):
    """A table as the worker knows it that has it in its memory."""

    visited: bool  # somebody is there
    summary: str | None = None  # as it would be stored
