"""What has happened and what was said at a table, in words and by page.

A page that has just come is told the newest of both; what is older comes when it is asked for. So no history
is too long to be told, and none is sent line by line.
"""

from __future__ import annotations

from functools import cache

import msgspec

from dicetown.server import wire
from dicetown.server.journal.applied import AppliedEntry
from dicetown.server.journal.entries import (
    Away,
    Back,
    Changed,
    Closed,
    Joined,
    Left,
    Made,
    Moved,
    Over,
    Paced,
    Paused,
    Rematch,
    Reopened,
    Replaced,
    Resumed,
    Said,
    Started,
    Undone,
    WordMixed,
    kind_of,
)
from dicetown.server.journal.fold import TableState
from dicetown.server.view import catalogue
from dicetown.server.view.log_lines import lines_of
from dicetown.server.wire.texts import PHRASE, say

#: Characters of the log on one page, as JSON: some twenty turns. The entry that fills it is its first.
LOG_PAGE = 16 * 1024
#: What was said on one page; nothing of it is longer than 280 characters.
CHAT_PAGE = 40
_encoder = msgspec.json.Encoder()


# ----------------------------------------------------------------------------------- the chat


def chat_page(state: TableState, language: str, before: int | None = None) -> wire.ChatPage:
    """The last things that were said, of all or of those before an entry."""
    entries = state.entries
    last = entries.said_until(before)
    page = entries.said[max(0, last - CHAT_PAGE) : last]
    return wire.ChatPage(
        said=[remark_of(entries[number - 1], language) for number in page],
        before=page[0] if len(page) < last else None,
    )


def remark_of(entry: AppliedEntry, language: str) -> wire.Remark:
    """Something that was said; a phrase in the reader's language."""
    said = entry.body
    assert isinstance(said, Said)
    text = say(language, f"{PHRASE}.{said.phrase}") if said.phrase else said.text
    return wire.Remark(
        number=entry.number, at=entry.at, seat=said.seat, name=said.name, text=text, phrase=said.phrase
    )


# ------------------------------------------------------------------------------------ the log


def log_page(state: TableState, language: str, before: int | None = None) -> wire.LogPage:
    """The last lines of the log, of all of it or of what lies before an entry."""
    told: list[list[wire.Line]] = []
    length, first = 0, state.entries.until(before)
    while first > 0 and length < LOG_PAGE:
        first -= 1
        told.append(lines_of_entry(state, state.entries[first], language))
        length += len(_encoder.encode(told[-1])) - len("[]")
    lines = [line for lines in reversed(told) for line in lines]
    return wire.LogPage(lines=lines, before=first + 1 if first > 0 else None)


def lines_of_entry(state: TableState, entry: AppliedEntry, language: str) -> list[wire.Line]:
    """What the log says about an entry."""
    lines: list[wire.Line] = []
    is_plain = isinstance(entry.body, (Moved, Said))  # as most entries are
    if not is_plain and (sentence := _sentence(state, entry, language)) is not None:
        seat = getattr(entry.body, "seat", None)
        lines.append(wire.Line(text=sentence, icon=kind_of(entry.body), seat=seat, moves=entry.moves))
    if entry.events:
        assert state.play is not None
        # The moment of what was taken back is another one now, so there is none to look at.
        moves = None if entry.undone else entry.moves
        lines += lines_of(state.play.game, entry.events, language, moves)
    return lines


def _sentence(state: TableState, entry: AppliedEntry, language: str) -> str | None:
    """An entry in words, where the game's own events do not tell it."""
    names = state.summary.names

    def tell(key: str, **slots: object) -> str:
        return say(language, f"line.{key}", **slots)

    match entry.body:
        case Joined(_, _, name):
            return tell("joined", name=name)
        case Left(_, name, bot):
            return tell("left_to_bot" if bot else "left", name=name)
        case Changed(_, do, chair, before):
            bot = bot_name(chair.player, language) if chair.player else ""
            return tell(f"seat_{do}", name=chair.name, before=before or chair.name, bot=bot)
        case WordMixed(seat):
            return tell("word", name=names[seat])
        case Started():
            forfeits = [tell("forfeited", name=names[seat]) for seat in state.summary.missing_words]
            return " ".join([tell("started"), *forfeits])
        case Undone(seat):
            return tell("undone", name=names[seat])
        case Away(seat):
            return tell("away", name=names[seat])
        case Back(seat):
            return tell("back", name=names[seat])
        case Replaced(seat, bot, failed):
            played, plays = bot_name(failed, language), bot_name(bot, language)
            return tell("replaced", name=names[seat], failed=played, bot=plays)
        case Paused(name) | Resumed(name) | Rematch(_, name) | Reopened(name):
            return tell(kind_of(entry.body), name=name)
        case Paced(name, pace):
            return tell(f"pace_{pace}", name=name)
        case Closed(for_room=True):
            return tell("made_room")
        case Closed(forsaken=True):
            return tell("forsaken")
        case Closed(name=name) if name:
            return tell("ended", name=name)
        case Over() | Closed() | Made():
            return tell(kind_of(entry.body))
    return None


def bot_name(bot: str, language: str) -> str:
    """What a bot is called on the page.

    >>> bot_name("nobody", "en")
    'nobody'
    """
    return _bot_names(language).get(bot, bot)


@cache
def _bot_names(language: str) -> dict[str, str]:
    return {bot.id: bot.name for bot in catalogue.bots(language)}
