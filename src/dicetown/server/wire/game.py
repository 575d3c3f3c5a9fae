"""A game, as it travels: what lies on the table, what is asked, what may come, and the log in words."""

from __future__ import annotations

from dicetown.server.wire.base import Message


class CityCard(Message, frozen=True, kw_only=True):
    """Copies of an establishment in a city."""

    id: str
    copies: int
    closed: int = 0


class CityLandmark(Message, frozen=True, kw_only=True):
    """A landmark of a player: built, or with the price it would have."""

    id: str
    built: bool
    price: int


class City(Message, frozen=True, kw_only=True):
    """A player's city."""

    coins: int
    cards: list[CityCard]  # by number, then colour
    landmarks: list[CityLandmark]  # one's own; where they are everybody's, those that one has built
    standing: list[str] = []  # landmarks that stand from the start and never count (City Hall)
    landmarks_needed: int  # how many built landmarks win; 0 where another rule decides
    invested: int = 0
    invested_on: str | None = None  # the card they lie on


class Offer(Message, frozen=True, kw_only=True):
    """Something that lies in the market (establishments, and the landmarks that are everybody's)."""

    id: str
    copies: int  # 0: sold out, where every card has a place of its own
    prices: list[int]  # for each seat
    missing: list[int]  # coins each seat lacks for it; 0: affordable
    row: int  # of the market, from 0: those that are refilled apart lie apart


class DiceShown(Message, frozen=True, kw_only=True):
    """The dice that lie."""

    seat: int
    faces: list[int]
    total: int


class Scene(Message, frozen=True, kw_only=True):
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


class CityChange(Message, frozen=True, kw_only=True):
    """What is different in a city; cards and landmarks only if they are."""

    coins: int
    cards: list[CityCard] | None = None
    landmarks: list[CityLandmark] | None = None
    invested: int = 0
    invested_on: str | None = None


class SceneChange(Message, frozen=True, kw_only=True):
    """What makes of a moment the next one; ``missing`` of all offers follows from coins and prices."""

    moves: int
    round: int
    turn: int
    to_move: int | None
    phase: str
    winner: int | None
    deck: int
    dice: DiceShown | None
    cities: list[CityChange | None]  # by seat; None where nothing changed
    offers: list[Offer] = []  # those that are new, or not what they were
    market: list[str] | None = None  # what lies there now, in order, if anything came or went


class Choice(Message, frozen=True, kw_only=True):
    """Something that can be chosen now."""

    action: str
    text: str  # "Roll two dice", "Café", "Ben"
    note: str = ""  # what it costs or brings: "2 coins", "has 7 coins"
    thing: str | None = None
    seat: int | None = None  # the player it is about
    gains: list[int] | None = None  # coins for each seat, where it resolves the dice (keep, add two)
    #: After it, the same player is asked more about the same thing: nothing is final yet.
    more: bool = False


class Asked(Message, frozen=True, kw_only=True):
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


class Odds(Message, frozen=True, kw_only=True):
    """What a total would bring everybody right now, with its chance."""

    total: int
    one_die: float  # chance with one die
    two_dice: float  # chance with two dice
    gains: list[int]
    choice: bool = False  # the roller would have to choose; the best is assumed
    average: bool = False  # tuna dice would be rolled; seven is assumed


class Line(Message, frozen=True, kw_only=True):
    """A sentence of the log."""

    text: str
    icon: str  # the kind of event: dice_rolled, paid, built …, joined, said, undone …
    seat: int | None = None
    thing: str | None = None
    moves: int | None = None  # the moment it belongs to


class LogPage(Message, frozen=True, kw_only=True):
    """A part of the log, in order."""

    lines: list[Line]
    before: int | None = None  # the entry before which the page before ends; None: there is none


class Remark(Message, frozen=True, kw_only=True):
    """Something that was said."""

    number: int  # of its entry
    at: float
    seat: int | None  # None: by a spectator
    name: str
    text: str | None  # a phrase comes in the reader's language, too
    phrase: str | None


class ChatPage(Message, frozen=True, kw_only=True):
    """A part of the chat, in order."""

    said: list[Remark]
    before: int | None = None  # the entry before which the page before ends; None: there is none


class Worth(Message, frozen=True, kw_only=True):
    """What one more copy of a card would earn a player in a round of everybody's turns, on average."""

    thing: str
    one_die: float  # if everybody rolled one die
    two_dice: float


class HintOption(Message, frozen=True, kw_only=True):
    """A legal action as a bot sees it."""

    action: str
    text: str
    chance: float  # to win, of who decides
    low: float
    high: float


class QuickAdvice(Message, frozen=True, kw_only=True):
    """What a bot would do that follows rules and knows no chances."""

    bot: str  # its name
    action: str
    text: str


class Hint(Message, frozen=True, kw_only=True):
    """Advice for the player to move: the best first, and how play might go on."""

    options: list[HintOption]
    line: list[str]
    thought: bool = False  # about; else it is what a network sees at a glance
    meanwhile: QuickAdvice | None = None  # instead of all that, where nobody knows chances to win
