"""What travels between the service and its pages: the one description of it.

FastAPI makes the OpenAPI document from these classes, and the browser client's types are generated from that
document when the client is built, so neither side can speak of something that the other does not know.

Seats are numbers from 0, things (establishments and landmarks) are ids, moves are in notation
(``build cafe``). Whatever a person reads comes in their language; whatever a page draws comes as data.
"""

from dicetown.server.wire.base import (
    LONGEST_WORD as LONGEST_WORD,
)
from dicetown.server.wire.base import (
    Commitment as Commitment,
)
from dicetown.server.wire.base import (
    Key as Key,
)
from dicetown.server.wire.base import (
    Move as Move,
)
from dicetown.server.wire.base import (
    Name as Name,
)
from dicetown.server.wire.base import (
    Seat as Seat,
)
from dicetown.server.wire.catalogue import (
    BotInfo as BotInfo,
)
from dicetown.server.wire.catalogue import (
    CardInfo as CardInfo,
)
from dicetown.server.wire.catalogue import (
    EditionInfo as EditionInfo,
)
from dicetown.server.wire.catalogue import (
    Gist as Gist,
)
from dicetown.server.wire.catalogue import (
    HouseOption as HouseOption,
)
from dicetown.server.wire.catalogue import (
    HouseRule as HouseRule,
)
from dicetown.server.wire.catalogue import (
    SetInfo as SetInfo,
)
from dicetown.server.wire.game import (
    Asked as Asked,
)
from dicetown.server.wire.game import (
    ChatPage as ChatPage,
)
from dicetown.server.wire.game import (
    Choice as Choice,
)
from dicetown.server.wire.game import (
    City as City,
)
from dicetown.server.wire.game import (
    CityCard as CityCard,
)
from dicetown.server.wire.game import (
    CityLandmark as CityLandmark,
)
from dicetown.server.wire.game import (
    DiceShown as DiceShown,
)
from dicetown.server.wire.game import (
    Hint as Hint,
)
from dicetown.server.wire.game import (
    HintOption as HintOption,
)
from dicetown.server.wire.game import (
    Line as Line,
)
from dicetown.server.wire.game import (
    LogPage as LogPage,
)
from dicetown.server.wire.game import (
    Odds as Odds,
)
from dicetown.server.wire.game import (
    Offer as Offer,
)
from dicetown.server.wire.game import (
    QuickAdvice as QuickAdvice,
)
from dicetown.server.wire.game import (
    Remark as Remark,
)
from dicetown.server.wire.game import (
    Scene as Scene,
)
from dicetown.server.wire.game import (
    Worth as Worth,
)
from dicetown.server.wire.live import (
    Act as Act,
)
from dicetown.server.wire.live import (
    AskHint as AskHint,
)
from dicetown.server.wire.live import (
    AskWorth as AskWorth,
)
from dicetown.server.wire.live import (
    Done as Done,
)
from dicetown.server.wire.live import (
    Entry as Entry,
)
from dicetown.server.wire.live import (
    FromPage as FromPage,
)
from dicetown.server.wire.live import (
    HintGiven as HintGiven,
)
from dicetown.server.wire.live import (
    Meanwhile as Meanwhile,
)
from dicetown.server.wire.live import (
    OddsShown as OddsShown,
)
from dicetown.server.wire.live import (
    Peek as Peek,
)
from dicetown.server.wire.live import (
    Peeked as Peeked,
)
from dicetown.server.wire.live import (
    Ping as Ping,
)
from dicetown.server.wire.live import (
    Pong as Pong,
)
from dicetown.server.wire.live import (
    Presence as Presence,
)
from dicetown.server.wire.live import (
    Refused as Refused,
)
from dicetown.server.wire.live import (
    ReviewTold as ReviewTold,
)
from dicetown.server.wire.live import (
    Say as Say,
)
from dicetown.server.wire.live import (
    Speak as Speak,
)
from dicetown.server.wire.live import (
    Thinking as Thinking,
)
from dicetown.server.wire.live import (
    ToPage as ToPage,
)
from dicetown.server.wire.live import (
    Undo as Undo,
)
from dicetown.server.wire.live import (
    Welcome as Welcome,
)
from dicetown.server.wire.live import (
    WorthTold as WorthTold,
)
from dicetown.server.wire.live import (
    You as You,
)
from dicetown.server.wire.results import (
    CardIncome as CardIncome,
)
from dicetown.server.wire.results import (
    DiceCount as DiceCount,
)
from dicetown.server.wire.results import (
    Moment as Moment,
)
from dicetown.server.wire.results import (
    PlayerResult as PlayerResult,
)
from dicetown.server.wire.results import (
    Result as Result,
)
from dicetown.server.wire.results import (
    Review as Review,
)
from dicetown.server.wire.results import (
    ReviewMoment as ReviewMoment,
)
from dicetown.server.wire.results import (
    ReviewPlayer as ReviewPlayer,
)
from dicetown.server.wire.tables import (
    ChangePace as ChangePace,
)
from dicetown.server.wire.tables import (
    ChangeSeat as ChangeSeat,
)
from dicetown.server.wire.tables import (
    Commit as Commit,
)
from dicetown.server.wire.tables import (
    Fairness as Fairness,
)
from dicetown.server.wire.tables import (
    Join as Join,
)
from dicetown.server.wire.tables import (
    MadeTable as MadeTable,
)
from dicetown.server.wire.tables import (
    Me as Me,
)
from dicetown.server.wire.tables import (
    NewSeat as NewSeat,
)
from dicetown.server.wire.tables import (
    NewTable as NewTable,
)
from dicetown.server.wire.tables import (
    Pace as Pace,
)
from dicetown.server.wire.tables import (
    Refusal as Refusal,
)
from dicetown.server.wire.tables import (
    Rematch as Rematch,
)
from dicetown.server.wire.tables import (
    Rename as Rename,
)
from dicetown.server.wire.tables import (
    Reveal as Reveal,
)
from dicetown.server.wire.tables import (
    SeatInfo as SeatInfo,
)
from dicetown.server.wire.tables import (
    Stage as Stage,
)
from dicetown.server.wire.tables import (
    TableInfo as TableInfo,
)
from dicetown.server.wire.tables import (
    TableList as TableList,
)
from dicetown.server.wire.tables import (
    Timer as Timer,
)
