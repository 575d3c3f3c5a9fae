"""What travels between the service and its pages: the one description of it.

FastAPI makes the OpenAPI document from these classes, and the browser client's types are generated from that
document when the client is built, so neither side can speak of something that the other does not know.

Seats are numbers from 0, things (establishments and landmarks) are ids, moves are in notation
(``build cafe``). Whatever a person reads comes in their language; whatever a page draws comes as data.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field

from dicetown.server.wire_events import GameEvent

Language: TypeAlias = Literal["en", "es", "de"]
Name: TypeAlias = Annotated[str, Field(min_length=1, max_length=24)]
Seat: TypeAlias = Annotated[int, Field(ge=0, le=4)]
#: Chosen by the client for each request that changes something; a resend has the same one.
Key: TypeAlias = Annotated[str, Field(min_length=1, max_length=64, pattern=r"^[A-Za-z0-9_-]+$")]
Move: TypeAlias = Annotated[str, Field(min_length=1, max_length=80)]
#: SHA-256 of a player's word for the dice (docs/fairness.md), in hexadecimal.
Commitment: TypeAlias = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
#: 64 random digits, a space, and what somebody has typed.
LONGEST_WORD = 160


class _Wire(BaseModel):
    model_config = ConfigDict(frozen=True)


class _Asked(BaseModel):
    """What a client sends: nothing unknown is accepted."""

    model_config = ConfigDict(extra="forbid", frozen=True)


# ------------------------------------------------------------------ what is in the boxes


class SetInfo(_Wire):
    """A set of an edition."""

    id: str
    name: str
    sentence: str
    needed: bool  # the base of the edition: always in play
    max_players: int  # at a table with this set


class HouseRule(_Wire):
    """A house rule that a table may change."""

    id: str
    name: str
    sentence: str
    kind: Literal["switch", "number", "choice"]
    usual: bool | int | str  # in this edition, with its usual sets
    least: int | None = None
    most: int | None = None
    options: list[HouseOption] = []


class HouseOption(_Wire):
    """One of the values of a house rule that is a choice."""

    value: str | int
    name: str


class EditionInfo(_Wire):
    """An edition, as a box on the start page."""

    id: str
    name: str
    sentence: str  # one honest sentence: what is special about it
    language: Language  # of the printed edition
    min_players: int
    max_players: int
    sets: list[SetInfo]
    house: list[HouseRule]


class Gist(_Wire):
    """What an establishment does, for signs instead of a sentence."""

    kind: str  # of its effect, as the material names it
    coins: int | None  # what it brings; None if that depends
    symbols: list[str]  # for each card with one of these
    cards: list[str]  # for each of these cards


class CardInfo(_Wire):
    """An establishment or landmark: everything that is printed on it, derived from its data."""

    id: str
    name: str
    text: str
    kind: Literal["establishment", "landmark"]
    colour: Literal["blue", "green", "red", "purple", "gold"]
    rolls: list[int]  # first and last total (or only one); empty for landmarks
    number: str  # as printed: "2–3"; empty for landmarks
    symbol: str  # the kind of card: wheat, cow, cup, factory …
    cost: int
    set: str
    gist: Gist | None  # of an establishment


class BotInfo(_Wire):
    """A bot that can be given a seat."""

    id: str
    name: str
    sentence: str
    level: int  # 1 beginner … 5 master; 0 for others
    needs_warming: bool  # it compiles for a minute when it first plays on a machine


# ------------------------------------------------------------------------ tables and seats

Timer: TypeAlias = Literal["off", "relaxed", "fast"]
Pace: TypeAlias = Literal["slow", "normal", "fast", "instant"]
Stage: TypeAlias = Literal["lobby", "playing", "paused", "over", "closed"]


class SeatInfo(_Wire):
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


class Fairness(_Wire):
    """The promise about the dice: the commitments from the beginning, the rest when it is due."""

    commitment: str  # SHA-256 of the secret, in hexadecimal
    secret: str | None = None  # revealed when the game is over, or the table closed
    words: list[str] | None = None  # mixed in by the players, by seat; told when the game begins
    version: int = 2  # of the fair dice; 1 for games that began before words were committed to
    commitments: list[str | None] = []  # to the players' words, by seat
    frozen: bool = False  # the host has started: no commitment can change, and words are revealed


class TableInfo(_Wire):
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


class MadeTable(TableInfo):
    """A table that has just been made."""

    put_away: list[str] = []  # the codes of abandoned games that were closed to make room for it


class TableList(_Wire):
    """Tables on the start page."""

    tables: list[TableInfo]


class Me(_Wire):
    """The guest who asks: no account, a signed cookie."""

    name: str  # "" until chosen
    running: list[TableInfo]
    finished: list[TableInfo]  # and those that were closed in the middle of their game
    your_turn: list[str] = []  # the codes of running tables that wait for this guest
    alone: list[str] = []  # the codes of tables at which nobody else holds a seat


class Rename(_Asked):
    """A guest chooses a name."""

    name: Name


class NewSeat(_Asked):
    """A seat of a table to be made: the maker's own, another person's here, a friend's by link, a bot's."""

    kind: Literal["me", "here", "friend", "bot"]
    name: Name | None = None
    bot: Annotated[str, Field(max_length=40)] | None = None
    commitment: Commitment | None = None  # to a word for the dice, for a person who sits here


class NewTable(_Asked):
    """A table to be made; with ``start`` it begins at once (then no seat may wait for a friend)."""

    edition: Annotated[str, Field(max_length=40)] = "deluxe"
    sets: list[Annotated[str, Field(max_length=40)]] | None = None
    house: dict[Annotated[str, Field(max_length=40)], Any] = {}
    seats: Annotated[list[NewSeat], Field(min_length=2, max_length=5)]
    timer: Timer = "off"
    pace: Pace = "normal"
    public: bool = False
    start: bool = False


class Join(_Asked):
    """Take a seat that waits for somebody; any, if none is named."""

    name: Name
    seat: Seat | None = None


class ChangeSeat(_Asked):
    """What the host does with a seat: send its player away, give it to a bot, open it, rename it."""

    do: Literal["kick", "fill", "open", "rename"]
    bot: Annotated[str, Field(max_length=40)] | None = None
    name: Name | None = None


class ChangePace(_Asked):
    """How quickly the bots shall play from now on."""

    pace: Pace


class Commit(_Asked):
    """A player commits to a word for the dice; another one before the start takes its place."""

    seat: Seat
    commitment: Commitment


class Reveal(_Asked):
    """A player reveals the word they have committed to, once the host has started."""

    seat: Seat
    word: Annotated[str, Field(min_length=1, max_length=LONGEST_WORD)]


class Rematch(_Asked):
    """Another game with the same players; with commitments to words for the own seats, by seat."""

    commitments: Annotated[list[Commitment | None], Field(max_length=5)] = []


class Refusal(_Wire):
    """Why something was not done; nothing has changed. ``message`` is in the user's language."""

    code: str  # no_table, table_full, has_begun, not_your_seat, illegal, too_many, bad_name, …
    message: str


# ------------------------------------------------------------------------------ the game


class CityCard(_Wire):
    """Copies of an establishment in a city."""

    id: str
    copies: int
    closed: int = 0


class CityLandmark(_Wire):
    """A landmark of a player: built, or with the price it would have."""

    id: str
    built: bool
    price: int


class City(_Wire):
    """A player's city."""

    coins: int
    cards: list[CityCard]  # by number, then colour
    landmarks: list[CityLandmark]  # one's own; where they are everybody's, those that one has built
    standing: list[str] = []  # landmarks that stand from the start and never count (City Hall)
    landmarks_needed: int  # how many built landmarks win; 0 where another rule decides
    invested: int = 0
    invested_on: str | None = None  # the card they lie on


class Offer(_Wire):
    """Something that lies in the market (establishments, and the landmarks that are everybody's)."""

    id: str
    copies: int  # 0: sold out, where every card has a place of its own
    prices: list[int]  # for each seat
    missing: list[int]  # coins each seat lacks for it; 0: affordable
    row: int  # of the market, from 0: those that are refilled apart lie apart


class DiceShown(_Wire):
    """The dice that lie."""

    seat: int
    faces: list[int]
    total: int


class Scene(_Wire):
    """One moment of a game: everything that lies on the table. Nothing in this game is hidden."""

    moves: int  # decisions and chance so far: the moment's number
    round: int  # from 1
    turn: int
    to_move: int | None
    phase: str  # roll, reroll, add_two, tuna, choose, build, invest, over
    winner: int | None
    cities: list[City]
    market: list[Offer]  # by number
    shared_landmarks: bool
    deck: int  # cards left to draw
    dice: DiceShown | None


class Choice(_Wire):
    """Something that can be chosen now."""

    action: str
    text: str  # "Roll two dice", "Café", "Ben"
    note: str = ""  # what it costs or brings: "2 coins", "has 7 coins"
    thing: str | None = None
    seat: int | None = None  # the player it is about
    gains: list[int] | None = None  # coins for each seat, where it resolves the dice (keep, add two)
    #: After it, the same player is asked more about the same thing: nothing is final yet.
    more: bool = False


class Asked(_Wire):
    """What is asked, of whom, and what can be answered."""

    seat: int
    #: Which control the page shows: roll, reroll, add_two, order, player, give, take, card, landmark,
    #: build, invest.
    control: str
    question: str
    because: str | None = None  # the card that asks
    start_round: bool = False  # a start-build round of Machi Koro 2
    choices: list[Choice]  # none where a bot is asked
    refusals: dict[str, str] = {}  # build: why a thing on the table cannot be built, by thing


class Odds(_Wire):
    """What a total would bring everybody right now, with its chance."""

    total: int
    one_die: float  # chance with one die
    two_dice: float  # chance with two dice
    gains: list[int]
    choice: bool = False  # the roller would have to choose; the best is assumed
    average: bool = False  # tuna dice would be rolled; seven is assumed


class Line(_Wire):
    """A sentence of the log."""

    text: str
    icon: str  # the kind of event: dice_rolled, paid, built …, joined, said, undone …
    seat: int | None = None
    thing: str | None = None
    moves: int | None = None  # the moment it belongs to


class LogPage(_Wire):
    """A part of the log, in order."""

    lines: list[Line]
    before: int | None = None  # the entry before which the page before ends; None: there is none


class Remark(_Wire):
    """Something that was said."""

    number: int  # of its entry
    at: float
    seat: int | None  # None: by a spectator
    name: str
    text: str | None  # a phrase comes in the reader's language, too
    phrase: str | None


class ChatPage(_Wire):
    """A part of the chat, in order."""

    said: list[Remark]
    before: int | None = None  # the entry before which the page before ends; None: there is none


class Worth(_Wire):
    """What one more copy of a card would earn a player in a round of everybody's turns, on average."""

    thing: str
    one_die: float  # if everybody rolled one die
    two_dice: float


class HintOption(_Wire):
    """A legal action as a bot sees it."""

    action: str
    text: str
    chance: float  # of winning, for who decides
    low: float
    high: float


class QuickAdvice(_Wire):
    """What a bot would do that follows rules and knows no chances."""

    bot: str  # its name
    action: str
    text: str


class Hint(_Wire):
    """Advice for the player to move: the best first, and how play might go on."""

    options: list[HintOption]
    line: list[str]
    meanwhile: QuickAdvice | None = None  # instead of all that, while the adviser is getting ready


# ------------------------------------------------------------------------- live messages

# From the page.


class Act(_Asked):
    """Decide: one action, or several that belong together and happen together or not at all."""

    type: Literal["act"]
    key: Key
    seat: Seat
    actions: Annotated[list[Move], Field(min_length=1, max_length=8)]
    moves: int | None = None  # the moment the player saw; refused as "late" when the game has gone on


class Peek(_Asked):
    """Ask what would be asked after some actions, without taking them."""

    type: Literal["peek"]
    key: Key
    seat: Seat
    actions: Annotated[list[Move], Field(max_length=8)]


class Undo(_Asked):
    """Take back the own last choice."""

    type: Literal["undo"]
    key: Key
    seat: Seat


class Say(_Asked):
    """Chat: free text, or a phrase by name that everybody reads in their language."""

    type: Literal["say"]
    key: Key
    text: Annotated[str, Field(max_length=280)] | None = None
    phrase: Annotated[str, Field(max_length=40)] | None = None


class AskHint(_Asked):
    """Ask a bot for advice."""

    type: Literal["hint"]
    key: Key
    seat: Seat


class AskWorth(_Asked):
    """Ask what a card would earn."""

    type: Literal["worth"]
    key: Key
    seat: Seat
    thing: Annotated[str, Field(max_length=40)]


class Speak(_Asked):
    """Read on in another language: a fresh welcome follows, one for several that are asked for at once."""

    type: Literal["language"]
    language: Language


class Ping(_Asked):
    """A page asks whether the service is still there."""

    type: Literal["ping"]


FromPage: TypeAlias = Annotated[
    Act | Peek | Undo | Say | AskHint | AskWorth | Speak | Ping, Field(discriminator="type")
]

# To the page.


class You(_Wire):
    """Who the receiver is at this table: the seats they hold (none: a spectator)."""

    seats: list[int]
    host: bool


class Meanwhile(_Wire):
    """What a stand-in did while somebody was away."""

    turns: int  # in which it did something
    lines: list[Line]  # the last of what it did
    left_out: int = 0  # how many lines come before those


class Entry(_Wire):
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
    scene: Scene | None = None  # where the game stands after it; None while nothing of it changed
    asked: Asked | None = None
    table: TableInfo | None = None  # where the table itself changed
    undoable: int | None = None  # the seat that can take its last choice back now
    deadline: float | None = None  # when who is asked is out of time, in seconds since 1970
    meanwhile: Meanwhile | None = None  # back: what was done for the seat, if anything


class Welcome(_Wire):
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


class Done(_Wire):
    """A request was carried out and stored, as this entry."""

    type: Literal["done"] = "done"
    key: str
    number: int


class Refused(_Wire):
    """A request was not carried out; nothing has changed."""

    type: Literal["refused"] = "refused"
    key: str | None
    code: str
    message: str


class Peeked(_Wire):
    """What would be asked after some actions; None if nothing more would be asked of this player."""

    type: Literal["peeked"] = "peeked"
    key: str
    asked: Asked | None


class OddsShown(_Wire):
    """The odds of a moment, sent when they are ready."""

    type: Literal["odds"] = "odds"
    moves: int
    odds: list[Odds]


class HintGiven(_Wire):
    """Advice, to who asked for it."""

    type: Literal["hint"] = "hint"
    key: str
    hint: Hint


class WorthTold(_Wire):
    """What a card would earn, to who asked."""

    type: Literal["worth"] = "worth"
    key: str
    worth: Worth


class Presence(_Wire):
    """Who is connected; sent when it changes, not kept."""

    type: Literal["presence"] = "presence"
    present: list[bool]  # by seat
    spectators: int
    stand_ins: list[float | None] = []  # by seat: seconds until a bot plays for who is gone, if one will


class Thinking(_Wire):
    """A bot thinks, or warms up first; sent so that people know why nothing happens."""

    type: Literal["thinking"] = "thinking"
    seat: int
    warming: bool


class ReviewTold(_Wire):
    """How far the review of this table's game is; sent when it changes. The review itself is read by REST."""

    type: Literal["review"] = "review"
    state: Literal["waiting", "under_way", "ready", "failed"]
    ahead: int = 0  # waiting: how many were asked for before
    done: int = 0
    total: int


class Pong(_Wire):
    """Yes."""

    type: Literal["pong"] = "pong"


ToPage: TypeAlias = Annotated[
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
    | Pong,
    Field(discriminator="type"),
]

# --------------------------------------------------------------------------- afterwards


class Moment(_Wire):
    """A moment of the past: the scene, and the lines that led to it."""

    scene: Scene
    lines: list[Line]
    events: list[GameEvent]


class CardIncome(_Wire):
    """What a card brought a player over the game (negative: what its owner paid for it)."""

    thing: str
    coins: int
    times: int


class PlayerResult(_Wire):
    """How a player ended."""

    seat: int
    name: str
    place: int  # 1 is the winner
    coins: int
    landmarks: int
    income: list[CardIncome]  # the greatest first
    paid_to_others: int
    taken_from_others: int


class DiceCount(_Wire):
    """How often a total fell, and how often it was to be expected of the dice rolled."""

    total: int
    fell: int
    expected: float


class Result(_Wire):
    """A finished game in figures."""

    winner: int | None
    won_with: str | None  # the landmark that won the game by itself (R55)
    rounds: int
    seconds: float
    players: list[PlayerResult]  # the winner first
    turns: list[int]  # the moments (moves) at which turns ended: the x axis of the series
    coins: list[list[int]]  # for each seat, at each of them
    landmarks: list[list[int]]
    wealth: list[list[int]]  # coins plus the cost of everything built
    dice: list[DiceCount]
    fairness: Fairness


class ReviewMoment(_Wire):
    """A decision or a roll, and what it changed."""

    moves: int  # the moment it belongs to, for the replay
    round: int
    seat: int
    kind: Literal["choice", "luck"]
    text: str  # in words
    better: str | None = None  # the best alternative, where a choice was a mistake
    loss: float = 0.0
    before: list[float]
    after: list[float]


class ReviewPlayer(_Wire):
    """What luck and choice brought a player."""

    name: str
    luck: float
    choice: float
    others: float
    accuracy: float | None
    mistakes: int


class Review(_Wire):
    """A review, or how far it is."""

    ready: bool
    ahead: int = 0  # how many were asked for before, while it has not begun
    done: int
    total: int
    players: list[ReviewPlayer] = []
    moments: list[ReviewMoment] = []
    turning_points: list[int] = []  # indices into moments: the three greatest
