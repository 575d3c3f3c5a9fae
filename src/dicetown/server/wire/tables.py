"""Tables and seats, as they travel: what is asked for, and what lists and waiting rooms show."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

from pydantic import Field

from dicetown.server.wire.base import LONGEST_WORD, Commitment, Message, Name, Request, Seat

Timer: TypeAlias = Literal["off", "relaxed", "fast"]
Pace: TypeAlias = Literal["slow", "normal", "fast", "instant"]
Stage: TypeAlias = Literal["lobby", "playing", "paused", "over", "closed"]


class SeatInfo(Message, frozen=True, kw_only=True):
    """Who sits where."""

    seat: int
    #: person: taken by a guest; bot; open: waits for somebody to join.
    kind: Literal["person", "bot", "open"]
    name: str
    bot: str | None = None  # who plays when kind is bot
    #: Another person at the host's device (hot seat).
    here: bool = False
    host: bool = False
    #: Whether the holder has a live connection; always true for bots.
    present: bool = True
    #: The bot that plays for a person who has been gone too long, until they return.
    stand_in: str | None = None
    #: Whether the player has committed to a word for the dice.
    has_word: bool = False


class Fairness(Message, frozen=True, kw_only=True):
    """The promise about the dice: the commitments from the beginning, the rest when it is due."""

    commitment: str  # SHA-256 of the secret, in hexadecimal
    secret: str | None = None  # revealed when the game is over, or the table closed
    words: list[str] | None = None  # mixed in by the players, by seat; told when the game begins
    version: int = 2  # of the fair dice; 1 for games that began before words were committed to
    commitments: list[str | None] = []  # to the players' words, by seat
    frozen: bool = False  # the host has started: no commitment can change, and words are revealed


class TableInfo(Message, frozen=True, kw_only=True):
    """A table: what is played, by whom, and how far it is."""

    code: str
    stage: Stage
    edition: str
    edition_name: str
    sets: list[str]
    set_names: list[str]
    house: dict[str, Any]  # only what differs from the edition
    seats: list[SeatInfo]
    timer: Timer
    pace: Pace
    public: bool
    created: float  # seconds since 1970
    started: float | None = None
    ended: float | None = None
    winner: int | None = None
    round: int = 0
    fairness: Fairness
    rematch: str | None = None  # the code of the table that follows this one
    #: Closed because nobody was there; it opens again as soon as one of its players is.
    opens_again: bool = False


class MadeTable(TableInfo, frozen=True, kw_only=True):
    """A table that has just been made."""

    put_away: list[str] = []  # the codes of abandoned games that were closed to make room for it


class TableList(Message, frozen=True, kw_only=True):
    """Tables on the start page."""

    tables: list[TableInfo]


class Me(Message, frozen=True, kw_only=True):
    """The guest who asks: no account, a signed cookie."""

    name: str  # "" until chosen
    running: list[TableInfo]
    finished: list[TableInfo]  # and those that were closed in the middle of their game
    your_turn: list[str] = []  # the codes of running tables that wait for this guest
    alone: list[str] = []  # the codes of tables at which nobody else holds a seat


class Rename(Request):
    """A guest chooses a name."""

    name: Name


class NewSeat(Request):
    """A seat of a table to be made: the maker's own, another person's here, a friend's by link, a bot's."""

    kind: Literal["me", "here", "friend", "bot"]
    name: Name | None = None
    bot: Annotated[str, Field(max_length=40)] | None = None
    commitment: Commitment | None = None  # to a word for the dice, for a person who sits here


class NewTable(Request):
    """A table to be made; with ``start`` it begins at once (then no seat may wait for a friend)."""

    edition: Annotated[str, Field(max_length=40)] = "deluxe"
    sets: list[Annotated[str, Field(max_length=40)]] | None = None
    house: dict[Annotated[str, Field(max_length=40)], Any] = {}
    seats: Annotated[list[NewSeat], Field(min_length=2, max_length=5)]
    timer: Timer = "off"
    pace: Pace = "normal"
    public: bool = False
    start: bool = False


class Join(Request):
    """Take a seat that waits for somebody; any, if none is named."""

    name: Name
    seat: Seat | None = None


class ChangeSeat(Request):
    """What the host does with a seat: send its player away, give it to a bot, open it, rename it."""

    do: Literal["kick", "fill", "open", "rename"]
    bot: Annotated[str, Field(max_length=40)] | None = None
    name: Name | None = None


class ChangePace(Request):
    """How quickly the bots shall play from now on."""

    pace: Pace


class Commit(Request):
    """A player commits to a word for the dice; another one before the start takes its place."""

    seat: Seat
    commitment: Commitment


class Reveal(Request):
    """A player reveals the word they have committed to, once the host has started."""

    seat: Seat
    word: Annotated[str, Field(min_length=1, max_length=LONGEST_WORD)]


class Rematch(Request):
    """Another game with the same players; with commitments to words for the own seats, by seat."""

    commitments: Annotated[list[Commitment | None], Field(max_length=5)] = []


class Refusal(Message, frozen=True, kw_only=True):
    """Why something was not done; nothing has changed. ``message`` is in the user's language."""

    code: str  # no_table, table_full, has_begun, not_your_seat, illegal, too_many, bad_name, …
    message: str
