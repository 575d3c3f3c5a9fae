"""How long the database is waited for; every wait has its limit."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Timeouts:
    """Limits of waiting, in seconds; once they are over, nothing is waited for any longer."""

    connect: int = 3  # for a connection; PostgreSQL's library takes whole seconds, and no fewer than 2
    answer: float = 5.0  # for the answer to one statement, or for somebody else's lock
    settle: float = 10.0  # to find out what became of a commit whose answer was lost
    read: float = 6.0  # for something to be read, the waiting for its turn included
    proof: float = 3.0  # for the proof that something can be written
    farewell: float = 2.0  # for what is under way when the service ends
    _over: threading.Event = field(init=False, default_factory=threading.Event, repr=False, compare=False)

    @property
    def are_over(self) -> bool:
        """Whether nothing is waited for any longer."""
        return self._over.is_set()

    def end(self) -> None:
        """Wait for nothing any longer."""
        self._over.set()

    def pause(self, seconds: float) -> None:
        """Wait a little before something is tried again."""
        self._over.wait(seconds)
