"""The settings of a service: how long people are waited for, and how much is allowed."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from math import inf
from typing import Any

from dicetown.errors import DicetownError

#: Seconds to decide, by the table's timer; at the end of them a bot decides once.
TIMERS = {"off": None, "relaxed": 90.0, "fast": 20.0}
#: Seconds between the moves of bots, by the table's pace.
PACES = {"slow": 1.2, "normal": 0.6, "fast": 0.1, "instant": 0.0}

_HOUR = 3600.0


@dataclass(frozen=True)
class Limits:
    """How much may be done: enough for sixty people behind one address, too little to do harm.

    Identities are free, so what is scarce is limited by address (of IPv6: by network, which is what a
    household has), and in all. Each of these can be set: ``dicetown serve --limit NAME=NUMBER``.
    """

    # Seconds: for the head of a request once it is begun, for its body, without a request on a connection,
    # for somebody to take anything of what waits to be sent to them, and for a connection to end.
    header_seconds: float = 5.0
    body_seconds: float = 10.0
    idle_seconds: float = 5.0
    unread_seconds: float = 30.0
    farewell_seconds: float = 10.0
    # Open connections. A browser has up to six at once, and one for each table it shows.
    open_of_address: int = 600
    open_in_all: int = 8_000
    header: int = 16 * 1024  # bytes of the head of one request
    message: int = 8 * 1024  # bytes of one live message
    body: int = 32 * 1024  # bytes of one request
    # So many a second, and so many at once. A start page asks eight times a minute, a page that comes back a
    # few times at once; somebody who plays quickly sends two messages a second.
    requests: tuple[float, int] = (40.0, 400)
    connects: tuple[float, int] = (20.0, 300)
    messages: tuple[float, int] = (10.0, 60)  # of one guest
    messages_from: tuple[float, int] = (150.0, 1_500)  # of all guests of one address
    chat: tuple[float, int] = (0.5, 6)
    chat_from: tuple[float, int] = (5.0, 60)  # of all guests of one address: a club, not a crowd
    chat_of_watchers: tuple[float, int] = (0.5, 10)  # of all who only watch at one table
    remarks: int = 5000  # that players can leave at one table
    remarks_of_watchers: int = 1000
    strikes: int = 200  # refusals in a row for being too quick, before a connection is closed
    # Unfinished tables, at an address those of the last day, and of them those that everybody sees in a list
    # of fifty: sixty people who play in pairs have thirty tables, and leave some behind.
    tables: int = 20  # of one guest
    tables_of_address: int = 240
    public_of_guest: int = 5
    public_of_address: int = 30
    tables_made: tuple[float, int] = (0.1, 120)  # at one address: 360 an hour, and 120 at once
    tables_made_in_all: tuple[float, int] = (2.0, 600)
    # Live connections: four tables open for each of sixty people.
    connections: int = 12  # of one guest at one table
    pages_of_address: int = 240
    pages_in_all: int = 5_000
    unsent: int = 512 * 1024  # bytes that may wait for one page; a welcome has about 40,000
    unsent_in_all: int = 64 * 1024 * 1024
    # A page may ask for everything anew when who sits where has changed. It gets it at once or a bit later:
    # of one guest, and of all guests of one address.
    welcomes: tuple[float, int] = (1.0, 5)
    welcomes_from: tuple[float, int] = (10.0, 60)
    # A welcome takes about five milliseconds: so many a second, of all pages together, and how many of one
    # guest, of one address and in all may wait for theirs.
    welcomes_in_all: float = 60.0
    welcomes_waiting: tuple[int, int, int] = (24, 240, 480)
    # What may wait to be thought about: of one who asks, of one address, in all. A table asks for one move at
    # a time, so that moves are never refused. A hint takes a second, and all of a club may want one at once.
    moves_waiting: tuple[int, int, int] = (4, 2_000, 20_000)
    hints_waiting: tuple[int, int, int] = (2, 60, 240)
    odds_waiting: tuple[int, int, int] = (16, 300, 2_000)
    reviews_waiting: tuple[int, int, int] = (2, 10, 40)


class LimitError(DicetownError):
    """A limit that cannot be set."""


def read_limits(texts: Iterable[str]) -> Limits:
    """The limits, some of them set anew.

    >>> read_limits(["tables=5", "requests=2.5,10"]).requests
    (2.5, 10)
    >>> read_limits(["requests=3"])
    Traceback (most recent call last):
    dicetown.server.common.settings.LimitError: "requests=3": this limit reads like "requests=40.0,400".
    """
    usual = Limits()
    known = {one.name: getattr(usual, one.name) for one in fields(Limits)}
    changed = {}
    for text in texts:
        name, _, numbers = text.partition("=")
        if name not in known:
            raise LimitError(f'There is no limit "{name}"; known: {", ".join(sorted(known))}.')
        changed[name] = _read_numbers(text, numbers, known[name], name)
    return replace(usual, **changed)


def _read_numbers(text: str, numbers: str, usual: Any, name: str) -> Any:
    """As many numbers as the usual limit has, whole where it is, and more than nothing."""
    several = usual if isinstance(usual, tuple) else (usual,)
    parts = numbers.split(",")
    try:
        read = tuple(type(one)(part) for one, part in zip(several, parts, strict=True))
    except ValueError:
        read = ()
    if not read or not all(0 < one < inf for one in read):
        shown = ",".join(str(one) for one in several)
        raise LimitError(f'"{text}": this limit reads like "{name}={shown}".')
    return read if isinstance(usual, tuple) else read[0]


@dataclass(frozen=True)
class Timeouts:
    """How long the database is waited for, in seconds; once they are over, nothing is any longer."""

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


@dataclass(frozen=True)
class Settings:
    """The settings of a service."""

    grace: float = 60.0  # seconds until a bot plays for who is gone
    reveal: float = 10.0  # seconds until a game begins without the words that were not revealed
    timeouts: Timeouts = field(default_factory=Timeouts)  # with the database
    limits: Limits = field(default_factory=Limits)
    idle: float = 60.0  # seconds after which a table that nobody is at is put away from memory
    lobby_closes: float = 6 * _HOUR  # seconds after which a table that never began is closed
    game_closes: float = 60 * 24 * _HOUR  # and one whose game nobody finished
    abandoned_days: float = 7.0  # and a game against bots that its player has not come back to
    keep_days: int | None = None  # after which a table that has ended is deleted; None keeps it for ever
    origins: tuple[str, ...] = ()  # other origins whose pages may connect
    names: tuple[str, ...] = ()  # of the service, besides those of its machine
    proxies: tuple[str, ...] = ()  # addresses and networks that are believed whom they speak for
    prepare: bool = False  # compile what hints need before anybody asks for one
    bots: Mapping[str, str] = field(default_factory=dict)  # brought along: what each name stands for
