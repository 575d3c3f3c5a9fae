"""How long the database is waited for; every wait has its limit."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Patience:
    """Limits of waiting, in seconds."""

    connect: int = 3  # for a connection; PostgreSQL's library takes whole seconds, and no fewer than 2
    answer: float = 5.0  # for the answer to one statement, or for somebody else's lock
    settle: float = 10.0  # to find out what became of a commit whose answer was lost
    read: float = 6.0  # for something to be read, the waiting for its turn included
    farewell: float = 2.0  # for what is under way when the service ends
