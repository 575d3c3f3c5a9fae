"""What travels between the service and its pages: the one description of it.

FastAPI makes the OpenAPI document from these classes, and the browser client's types are generated from that
document when the client is built, so neither side can speak of something that the other does not know.

Seats are numbers from 0, things (establishments and landmarks) are ids, moves are in notation
(``build cafe``). Whatever a person reads comes in their language; whatever a page draws comes as data.
"""

from dicetown.server.wire.base import LONGEST_WORD, Commitment, Key, Move, Name, Seat
from dicetown.server.wire.catalogue import (
    BotInfo,
    CardInfo,
    EditionInfo,
    Gist,
    HouseOption,
    HouseRule,
    SetInfo,
)
from dicetown.server.wire.game import (
    Asked,
    ChatPage,
    Choice,
    City,
    CityCard,
    CityChange,
    CityLandmark,
    DiceShown,
    Hint,
    HintOption,
    Line,
    LogPage,
    Odds,
    Offer,
    QuickAdvice,
    Remark,
    Scene,
    SceneChange,
    Worth,
)
from dicetown.server.wire.live import (
    Act,
    AskHint,
    AskWorth,
    Done,
    Entry,
    FromPage,
    HintGiven,
    Look,
    Meanwhile,
    OddsShown,
    Peek,
    Peeked,
    Ping,
    Pong,
    Presence,
    Refused,
    ReviewTold,
    Say,
    Speak,
    Thinking,
    ToPage,
    Undo,
    Welcome,
    WorthTold,
    You,
)
from dicetown.server.wire.results import (
    CardIncome,
    DiceCount,
    Moment,
    PlayerResult,
    Result,
    Review,
    ReviewMoment,
    ReviewPlayer,
)
from dicetown.server.wire.tables import (
    ChangePace,
    ChangeSeat,
    Commit,
    Fairness,
    Join,
    MadeTable,
    Me,
    NewSeat,
    NewTable,
    Pace,
    Refusal,
    Rematch,
    Rename,
    Reveal,
    SeatInfo,
    Stage,
    TableInfo,
    TableList,
    Timer,
)
