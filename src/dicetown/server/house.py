"""The house that the tables stand in: how long people are waited for, and how much is allowed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

#: Seconds to decide, by the table's timer; at the end of them a bot decides once.
TIMERS = {"off": None, "relaxed": 90.0, "fast": 20.0}
#: Seconds between the moves of bots, by the table's pace.
PACES = {"slow": 1.2, "normal": 0.6, "instant": 0.0}

_HOUR = 3600.0


@dataclass(frozen=True)
class Limits:
    """How much one client may do; enough for any person, too little to do harm."""

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
    requests: tuple[float, int] = (20.0, 120)  # a second, and at once
    connects: tuple[float, int] = (20.0, 200)
    messages: tuple[float, int] = (10.0, 60)
    chat: tuple[float, int] = (0.5, 6)
    chat_from: tuple[float, int] = (5.0, 60)  # of all guests of one address: a club, not a crowd
    chat_of_watchers: tuple[float, int] = (0.5, 10)  # of all who only watch at one table
    remarks: int = 5000  # that players can leave at one table
    remarks_of_watchers: int = 1000
    strikes: int = 200  # refusals in a row for being too quick, before a connection is closed
    tables: int = 20  # unfinished tables of one guest
    connections: int = 12  # of one guest at one table
    unsent: int = 512 * 1024  # bytes that may wait for one page; a welcome has about 40,000
    unsent_in_all: int = 64 * 1024 * 1024
    # A page may ask for everything anew when who sits where has changed. It gets it at once or a bit later:
    # of one guest, and of all guests of one address.
    welcomes: tuple[float, int] = (1.0, 5)
    welcomes_from: tuple[float, int] = (10.0, 60)
    # What may wait to be thought about: of one who asks, of one address, in all. A table asks for one move at
    # a time, so that moves are never refused. A hint takes a second, and all of a club may want one at once.
    moves_waiting: tuple[int, int, int] = (4, 2_000, 20_000)
    hints_waiting: tuple[int, int, int] = (2, 60, 240)
    odds_waiting: tuple[int, int, int] = (16, 300, 2_000)
    reviews_waiting: tuple[int, int, int] = (2, 10, 40)


@dataclass(frozen=True)
class House:
    """The settings of a service."""

    grace: float = 60.0  # seconds until a bot plays for who is gone
    reveal: float = 10.0  # seconds until a game begins without the words that were not revealed
    limits: Limits = field(default_factory=Limits)
    idle: float = 300.0  # seconds after which a table that nobody is at is put away from memory
    lobby_closes: float = 6 * _HOUR  # seconds after which a table that never began is closed
    game_closes: float = 60 * 24 * _HOUR  # and one whose game nobody finished
    origins: tuple[str, ...] = ()  # other origins whose pages may connect
    bots: Mapping[str, str] = field(default_factory=dict)  # brought along: what each name stands for
