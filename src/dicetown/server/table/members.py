"""What a table has around it, as it sees them: pages, what happens by itself, and what may come."""

from __future__ import annotations

from typing import Protocol


class Listener(Protocol):
    """A page that is connected to the table."""

    guest: str | None
    address: str
    language: str
    sees_odds: bool

    def send(self, message: bytes) -> None:
        """Pass a message on; never waits."""

    def hang_up(self) -> None:
        """End the connection; the page will come back."""


class Automatic(Protocol):
    """What happens at a table by itself; :class:`~dicetown.server.table.automation.Automation` does it."""

    @property
    def deadline(self) -> float | None:
        """When who is asked is out of time, in seconds since 1970 as the clock has it now."""

    def deadline_from(self, now: float) -> float | None:
        """The same, as a page reads it that is told what the time is."""

    def grace_left(self, seat: int) -> float | None:
        """Seconds until a bot plays for who holds a seat and is gone; None if none will."""

    def is_given_up(self, guest: str) -> bool:
        """Whether a guest has been gone for longer than the grace time, while others waited."""

    def go_on(self) -> None:
        """Look at where the table stands, and set in motion what comes next."""

    def go_on_playing(self) -> None:
        """The same after nothing but a move or a remark: nobody has come, gone or changed seats."""

    def look_after(self) -> None:
        """Whatever the reason: what should be under way and is not, is set in motion again."""

    def change_pace(self) -> None:
        """The pace is another one now."""

    async def somebody_came(self, guest: str | None) -> None:
        """A guest is here; the lock of the table is held."""

    def somebody_went(self, guest: str | None) -> None:
        """A page was closed, or lost its connection."""

    def stop(self) -> None:
        """Rest for good."""


class Forecast(Protocol):
    """What the next roll may bring; :class:`~dicetown.server.table.odds.TableOdds` works it out."""

    def game_changed(self) -> None:
        """What was known is old."""

    def show(self, listener: Listener) -> None:
        """Tell a page that has just come."""

    def show_soon(self, listener: Listener) -> None:
        """Tell a page on which somebody has just begun to look at them."""

    def stop(self) -> None:
        """Nobody wants to know any more."""
