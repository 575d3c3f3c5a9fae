"""Live messages: what a page and the service say to each other while a game is played."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta

from dicetown.languages import Language
from dicetown.server.wire.base import Key, Message, Move, Said, Seat
from dicetown.server.wire.catalogue import CardInfo
from dicetown.server.wire.events import GameEvent
from dicetown.server.wire.game import Asked, ChatPage, Hint, Line, LogPage, Odds, Scene, SceneChange, Worth
from dicetown.server.wire.tables import TableInfo

# From the page.


class Act(Said, frozen=True, kw_only=True, tag="act"):
    """Decide: one action, or several that belong together and happen together or not at all."""

    key: Key
    seat: Seat
    actions: Annotated[list[Move], Meta(min_length=1, max_length=8)]
    moves: int | None = None  # the moment the player saw; refused as "late" when the game has gone on


class Peek(Said, frozen=True, kw_only=True, tag="peek"):
    """Ask what would be asked after some actions, without taking them."""

    key: Key
    seat: Seat
    actions: Annotated[list[Move], Meta(max_length=8)]


class Undo(Said, frozen=True, kw_only=True, tag="undo"):
    """Take back the own last choice."""

    key: Key
    seat: Seat


class Say(Said, frozen=True, kw_only=True, tag="say"):
    """Chat: free text, or a phrase by name that everybody reads in their language."""

    key: Key
    text: Annotated[str, Meta(max_length=280)] | None = None
    phrase: Annotated[str, Meta(max_length=40)] | None = None


class AskHint(Said, frozen=True, kw_only=True, tag="hint"):
    """Ask a bot for advice."""

    key: Key
    seat: Seat


class AskWorth(Said, frozen=True, kw_only=True, tag="worth"):
    """Ask what a card would earn."""

    key: Key
    seat: Seat
    thing: Annotated[str, Meta(max_length=40)]


class Speak(Said, frozen=True, kw_only=True, tag="language"):
    """Read on in another language: a fresh welcome follows, one for several that are asked for at once."""

    language: Language


class Look(Said, frozen=True, kw_only=True, tag="look"):
    """Whether the odds are seen on a page; as long as it does not say so, they are."""

    odds: bool


class Ping(Said, frozen=True, kw_only=True, tag="ping"):
    """A page asks whether the service is still there."""


FromPage: TypeAlias = Act | Peek | Undo | Say | AskHint | AskWorth | Speak | Look | Ping

# To the page.


class You(Message, frozen=True, kw_only=True):
    """Who the receiver is at this table: the seats they hold (none: a spectator)."""

    seats: list[int]
    host: bool


class Meanwhile(Message, frozen=True, kw_only=True):
    """What a stand-in did while somebody was away."""

    turns: int  # in which it did something
    lines: list[Line]  # the last of what it did
    left_out: int = 0  # how many lines come before those


class Entry(Message, frozen=True, kw_only=True):
    """Something that happened at the table, with its number. All entries make the table's journal."""

    type: Literal["entry"] = "entry"
    number: int
    #: made, joined, left, changed, word, committed, frozen, revealed, started, moved, undone, said, paused,
    #: resumed, paced, away, back, replaced, over, rematch, closed
    kind: str
    at: float
    seat: int | None = None
    by_bot: bool = False
    moves: list[str] = []  # moved: in notation, chance included
    events: list[GameEvent] = []  # moved: what they caused, as data, for motion
    lines: list[Line] = []
    said: str | None = None
    phrase: str | None = None
    name: str | None = None  # who said it
    #: Where the game stands after it, or what is different from before; neither while nothing of it is.
    scene: Scene | None = None
    change: SceneChange | None = None
    table: TableInfo | None = None  # where the table itself changed
    undoable: int | None = None  # the seat that can take its last choice back now
    deadline: float | None = None  # when who is asked is out of time, in seconds since 1970
    meanwhile: Meanwhile | None = None  # back: what was done for the seat, if anything
    asked: Asked | None = None  # the last of all, so that it can be cut off (server/table/recent.py)


class Welcome(Message, frozen=True, kw_only=True):
    """Where the table stands, with the newest of its log and its chat; what is older comes by page.

    It is the first message, but for entries that a page has missed and that are still at hand.
    """

    type: Literal["welcome"] = "welcome"
    number: int  # of the last entry
    you: You
    table: TableInfo
    cards: list[CardInfo]
    scene: Scene | None
    asked: Asked | None
    log: LogPage
    chat: ChatPage
    undoable: int | None = None
    deadline: float | None = None
    now: float  # the service's clock


class Done(Message, frozen=True, kw_only=True):
    """A request was carried out and stored, as this entry."""

    type: Literal["done"] = "done"
    key: str
    number: int


class Refused(Message, frozen=True, kw_only=True):
    """A request was not carried out; nothing has changed."""

    type: Literal["refused"] = "refused"
    key: str | None
    code: str
    message: str


class Peeked(Message, frozen=True, kw_only=True):
    """What would be asked after some actions; None if nothing more would be asked of this player."""

    type: Literal["peeked"] = "peeked"
    key: str
    asked: Asked | None


class OddsShown(Message, frozen=True, kw_only=True):
    """The odds of a moment, sent when they are ready."""

    type: Literal["odds"] = "odds"
    moves: int
    odds: list[Odds]


class HintGiven(Message, frozen=True, kw_only=True):
    """Advice, to who asked for it; a first one is followed by a last one with the same key, better or not."""

    type: Literal["hint"] = "hint"
    key: str
    hint: Hint
    last: bool  # no better one will come


class WorthTold(Message, frozen=True, kw_only=True):
    """What a card would earn, to who asked."""

    type: Literal["worth"] = "worth"
    key: str
    worth: Worth


class Presence(Message, frozen=True, kw_only=True):
    """Who is connected; sent when it changes, not kept."""

    type: Literal["presence"] = "presence"
    present: list[bool]  # by seat
    spectators: int
    stand_ins: list[float | None] = []  # by seat: seconds until a bot plays for who is gone, if one will


class Thinking(Message, frozen=True, kw_only=True):
    """A bot thinks, or warms up first; sent so that people know why nothing happens."""

    type: Literal["thinking"] = "thinking"
    seat: int
    warming: bool


class ReviewTold(Message, frozen=True, kw_only=True):
    """How far the review of this table's game is; sent when it changes. The review itself is read by REST."""

    type: Literal["review"] = "review"
    state: Literal["waiting", "under_way", "ready", "failed"]
    first: bool = False  # there is a first picture to be read
    ahead: int = 0  # waiting: how many were asked for before
    done: int = 0
    total: int


class Pong(Message, frozen=True, kw_only=True):
    """Yes."""

    type: Literal["pong"] = "pong"


ToPage: TypeAlias = (
    Welcome
    | Entry
    | Done
    | Refused
    | Peeked
    | OddsShown
    | HintGiven
    | WorthTold
    | Presence
    | Thinking
    | ReviewTold
    | Pong
)
