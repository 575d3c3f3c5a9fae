"""A table's journal: all that ever happened at it, in numbered entries that are never changed.

Where a table stands is a fold over its journal (:mod:`dicetown.server.journal.summary` for seats and stages,
:mod:`dicetown.server.journal.played_game` for the game). Taking a choice back is an entry, too.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import msgspec

from dicetown.errors import DicetownError

#: The version of what is written below. A change of meaning gets a new one, and old ones stay readable.
VERSION = 1

#: How quickly bots play.
Pace: TypeAlias = Literal["slow", "normal", "fast", "instant"]
SeatKind: TypeAlias = Literal["person", "bot", "open"]


class TableSettings(msgspec.Struct, frozen=True):
    """What is played, and how."""

    edition: str
    sets: list[str]
    house: dict[str, Any]
    timer: Literal["off", "relaxed", "fast"]
    pace: Pace
    public: bool


class Chair(msgspec.Struct, omit_defaults=True):
    """A seat: who holds it, and who plays."""

    kind: SeatKind
    name: str
    bot: str | None = None
    guest: str | None = None  # who holds it, if a person does
    here: bool = False  # somebody else plays it, at the device of who holds it
    stand_in: str | None = None  # the bot that plays for who is gone
    word: str = ""  # mixed into the dice as it was told, before words were committed to
    commitment: str | None = None  # to a word for the dice, which is revealed when the game begins
    kept_for: str | None = None  # an open seat that waits for a certain guest

    @property
    def player(self) -> str | None:
        """The bot that decides for this seat now; None for a person."""
        return self.bot if self.kind == "bot" else self.stand_in


class _Body(msgspec.Struct, frozen=True, tag_field="kind", omit_defaults=True):
    """What an entry says."""


class Made(_Body, frozen=True, tag="made"):
    """A table was made."""

    settings: TableSettings
    chairs: list[Chair]
    host: str
    secret: str  # hexadecimal; never told before the game is over
    follows: str | None = None  # the table whose rematch it is


class Joined(_Body, frozen=True, tag="joined"):
    """A guest took a seat."""

    seat: int
    guest: str
    name: str


class Left(_Body, frozen=True, tag="left"):
    """A guest gave seats back; ``bot`` plays them on, or they are open. The table may get a new host."""

    seats: list[int]
    name: str
    bot: str | None = None
    host: str | None = None


class Changed(_Body, frozen=True, tag="changed"):
    """The host changed a seat."""

    seat: int
    do: Literal["kick", "fill", "open", "rename"]
    chair: Chair
    before: str  # the name of who sat there


class WordMixed(_Body, frozen=True, tag="word"):
    """A player mixed a word into the dice, as was done before words were committed to."""

    seat: int
    word: str


class Committed(_Body, frozen=True, tag="committed"):
    """A player committed to a word for the dice, which nobody else knows yet."""

    seat: int
    commitment: str


class Frozen(_Body, frozen=True, tag="frozen"):
    """The host started: by seat, the commitments that count. From now on the words are revealed."""

    commitments: list[str | None]


class Revealed(_Body, frozen=True, tag="revealed"):
    """A player revealed the word they had committed to."""

    seat: int
    word: str


class Started(_Body, frozen=True, tag="started"):
    """The game began with these words mixed into the dice; the market was dealt."""

    words: list[str]
    moves: list[str]
    fair: Literal[1, 2] = 1  # the version of the fair dice


class Moved(_Body, frozen=True, tag="moved"):
    """Somebody decided, and chance followed."""

    seat: int
    moves: list[str]
    by_bot: bool = False


class Undone(_Body, frozen=True, tag="undone"):
    """A player took the last choice back: the one of the entry with this number."""

    seat: int
    number: int


class Said(_Body, frozen=True, tag="said"):
    """Somebody said something."""

    name: str
    seat: int | None = None
    text: str | None = None
    phrase: str | None = None


class Paused(_Body, frozen=True, tag="paused"):
    """The host paused the game."""

    name: str


class Resumed(_Body, frozen=True, tag="resumed"):
    """The host let it go on."""

    name: str


class Paced(_Body, frozen=True, tag="paced"):
    """The host lets the bots play more quickly, or more slowly."""

    name: str
    pace: Pace


class Away(_Body, frozen=True, tag="away"):
    """A player has been gone for too long: a bot plays until they return."""

    seat: int
    bot: str


class Back(_Body, frozen=True, tag="back"):
    """A player has returned."""

    seat: int


class Replaced(_Body, frozen=True, tag="replaced"):
    """A bot failed, and another took over."""

    seat: int
    bot: str
    failed: str


class Over(_Body, frozen=True, tag="over"):
    """The game ended; the secret of the dice is told."""

    winner: int | None


class Rematch(_Body, frozen=True, tag="rematch"):
    """The same players go on at another table."""

    code: str
    name: str


class Closed(_Body, frozen=True, tag="closed"):
    """The table was closed: everybody left, or it was forsaken and opens again for who comes back.

    It is forsaken when nobody came for long, or when its player wanted room for another one.
    """

    forsaken: bool = False
    for_room: bool = False
    name: str = ""  # of who ended the game by leaving


class Reopened(_Body, frozen=True, tag="reopened"):
    """A player has come back to a table that was closed because nobody came: it is as it was before."""

    name: str


Body: TypeAlias = (
    Made
    | Joined
    | Left
    | Changed
    | WordMixed
    | Committed
    | Frozen
    | Revealed
    | Started
    | Moved
    | Undone
    | Said
    | Paused
    | Resumed
    | Paced
    | Away
    | Back
    | Replaced
    | Over
    | Rematch
    | Closed
    | Reopened
)


class _Versioned(msgspec.Struct):
    """A body as it is stored: with the version it was written in."""

    v: int
    body: Body


class _Version(msgspec.Struct):
    """The version of a body that may make no sense otherwise."""

    v: int


_decoder = msgspec.json.Decoder(_Versioned)
_version_decoder = msgspec.json.Decoder(_Version)
_encoder = msgspec.json.Encoder()


def write_body(body: Body) -> str:
    """The text of an entry.

    >>> read_body(write_body(Back(seat=1)))
    Back(seat=1)
    """
    return _encoder.encode(_Versioned(VERSION, body)).decode()


def read_body(text: str) -> Body:
    """The entry of a text; a :class:`msgspec.DecodeError` if it makes no sense to this version."""
    sheet = _decoder.decode(text)
    if sheet.v > VERSION:
        raise msgspec.DecodeError("newer")
    return sheet.body


class Unreadable(DicetownError):
    """A journal that cannot be read; ``number`` is the first entry that makes no sense."""

    def __init__(self, number: int, reason: str) -> None:
        super().__init__(reason)
        self.number = number


def read_entry(number: int, at: float, text: str, guest: str | None, key: str | None) -> Entry:
    """An entry as it is stored."""
    try:
        return Entry(number, at, read_body(text), guest, key)
    except (msgspec.DecodeError, UnicodeEncodeError) as problem:
        raise Unreadable(number, _newer(text) or str(problem)) from None


def _newer(text: str) -> str | None:
    """Whether a text was written by a version that this one does not know; in a sentence."""
    try:
        version = _version_decoder.decode(text).v
    except (msgspec.DecodeError, UnicodeEncodeError):
        return None
    return f"It is of version {version}; this one reads up to {VERSION}." if version > VERSION else None


def kind_of(body: Body) -> str:
    """The kind of an entry, as pages and the database call it.

    >>> kind_of(Back(seat=1))
    'back'
    """
    return str(type(body).__struct_config__.tag)


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry of a journal, with its number; ``key`` is what the guest's request was marked with."""

    number: int
    at: float
    body: Body
    guest: str | None = None
    key: str | None = None
