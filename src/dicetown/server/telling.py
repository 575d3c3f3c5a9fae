"""What pages are told, in their language: a table, an entry of its journal, everything at once."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache

import msgspec
from pydantic import TypeAdapter

from dicetown import fair
from dicetown.rules.ruleset import Ruleset
from dicetown.server import boxes, wire
from dicetown.server.head import Head
from dicetown.server.journal import (
    Away,
    Back,
    Chair,
    Changed,
    Closed,
    Joined,
    Left,
    Made,
    Moved,
    Over,
    Paused,
    Rematch,
    Replaced,
    Resumed,
    Said,
    Started,
    Undone,
    WordMixed,
    kind_of,
)
from dicetown.server.scene import asked_of, asked_of_bot, lines_of
from dicetown.server.sentences import PHRASE, say
from dicetown.server.standing import Note, Standing

_CARDS_KEPT = 64
_log: TypeAdapter[list[wire.Line]] = TypeAdapter(list[wire.Line])


# --------------------------------------------------------------------------------- the table


def info_of(head: Head, language: str, present: Sequence[bool] | None = None) -> wire.TableInfo:
    """A table as everybody with its link may see it."""
    ruleset, settings = head.ruleset, head.settings
    here = present or [chair.kind == "bot" for chair in head.chairs]
    return wire.TableInfo(
        code=head.code,
        stage=head.stage,
        edition=settings.edition,
        edition_name=ruleset.edition.name[language],
        sets=list(ruleset.set_ids),
        set_names=[part.name[language] for part in ruleset.sets],
        house=settings.house,
        seats=[_seat(head, seat, chair, here[seat]) for seat, chair in enumerate(head.chairs)],
        timer=settings.timer,
        pace=settings.pace,
        public=settings.public,
        created=head.created,
        started=head.started,
        ended=head.ended,
        winner=head.winner,
        round=head.round,
        fairness=fairness_of(head),
        rematch=head.rematch,
    )


def _seat(head: Head, seat: int, chair: Chair, present: bool) -> wire.SeatInfo:
    return wire.SeatInfo(
        seat=seat,
        kind=chair.kind,
        name=chair.name,
        bot=chair.bot,
        here=chair.here,
        host=chair.guest == head.host and not chair.here,
        present=present,
        stand_in=chair.stand_in,
        has_word=bool(chair.word),
    )


def fairness_of(head: Head) -> wire.Fairness:
    """The promise about the dice; the secret only when the game is over."""
    return wire.Fairness(
        commitment=fair.commitment(bytes.fromhex(head.secret)),
        secret=head.secret if head.stage == "over" else None,
        words=head.words,
    )


# ------------------------------------------------------------------------------- the journal


def entry_of(
    standing: Standing,
    note: Note,
    language: str,
    table: wire.TableInfo | None,
    scene: wire.Scene | None,
    deadline: float | None,
) -> wire.Entry:
    """An entry as it is told when it has just happened."""
    body = note.body
    moved = body.moves if isinstance(body, Moved | Started) else []
    said = body if isinstance(body, Said) else None
    return wire.Entry(
        number=note.number,
        kind=kind_of(body),
        at=note.at,
        seat=getattr(body, "seat", None),
        by_bot=isinstance(body, Moved) and body.by_bot,
        moves=moved,
        events=[msgspec.to_builtins(event) for event in note.events],
        lines=lines_of_note(standing, note, language),
        scene=scene,
        asked=asked_now(standing, language) if scene is not None or table is not None else None,
        table=table,
        undoable=standing.undoable,
        deadline=deadline,
        said=_text(said, language) if said else None,
        phrase=said.phrase if said else None,
        name=said.name if said else None,
    )


def chat_of(standing: Standing, language: str, since: int) -> list[wire.Entry]:
    """What was said after an entry."""
    return [
        entry_of(standing, note, language, None, None, None)
        for note in standing.notes
        if isinstance(note.body, Said) and note.number > since
    ]


def _text(said: Said, language: str) -> str | None:
    """What was said; a phrase in the reader's language."""
    return say(language, f"{PHRASE}.{said.phrase}") if said.phrase else said.text


def asked_now(standing: Standing, language: str) -> wire.Asked | None:
    """What is asked now, if the game goes on."""
    play, head = standing.play, standing.head
    if play is None or head.stage != "playing" or play.asked_seat is None:
        return None
    is_bot = head.chairs[play.asked_seat].player is not None
    return asked_of_bot(play.game, language) if is_bot else asked_of(play.game, language)


def whole_log(standing: Standing, language: str) -> list[wire.Line]:
    """The log from its beginning.

    The sentences are kept as text: as objects, those of many tables would be much of what the search for
    garbage has to look at, and everybody waits for it.
    """
    for note in standing.notes:
        if language not in note.lines:
            lines = _log.dump_json(lines_of_note(standing, note, language)).decode()
            note.lines[language] = lines.removeprefix("[").removesuffix("]")
    told = [note.lines[language] for note in standing.notes]
    return _log.validate_json(f"[{','.join(filter(None, told))}]")


def lines_of_note(standing: Standing, note: Note, language: str) -> list[wire.Line]:
    """What the log says about an entry."""
    lines: list[wire.Line] = []
    if (sentence := _sentence(standing, note, language)) is not None:
        seat = getattr(note.body, "seat", None)
        lines.append(wire.Line(text=sentence, icon=kind_of(note.body), seat=seat, moves=note.moves))
    if note.events:
        assert standing.play is not None
        # The moment of what was taken back is another one now, so there is none to look at.
        moves = None if note.undone else note.moves
        lines += lines_of(standing.play.game, note.events, language, moves)
    return lines


def _sentence(standing: Standing, note: Note, language: str) -> str | None:
    """An entry in words, where the game's own events do not tell it."""
    names = standing.head.names

    def tell(key: str, **slots: object) -> str:
        return say(language, f"line.{key}", **slots)

    match note.body:
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
            return tell("started")
        case Undone(seat):
            return tell("undone", name=names[seat])
        case Away(seat):
            return tell("away", name=names[seat])
        case Back(seat):
            return tell("back", name=names[seat])
        case Replaced(seat, bot, failed):
            played, plays = bot_name(failed, language), bot_name(bot, language)
            return tell("replaced", name=names[seat], failed=played, bot=plays)
        case Paused(name) | Resumed(name) | Rematch(_, name):
            return tell(kind_of(note.body), name=name)
        case Over() | Closed() | Made():
            return tell(kind_of(note.body))
    return None


def bot_name(bot: str, language: str) -> str:
    """What a bot is called on the page.

    >>> bot_name("nobody", "en")
    'nobody'
    """
    return _bot_names(language).get(bot, bot)


@cache
def _bot_names(language: str) -> dict[str, str]:
    return {bot.id: bot.name for bot in boxes.bots(language)}


# ------------------------------------------------------------------------ everything at once


def welcome_of(
    standing: Standing,
    language: str,
    you: wire.You,
    table: wire.TableInfo,
    scene: wire.Scene | None,
    deadline: float | None,
    now: float,
) -> wire.Welcome:
    """Everything about a table: for who has just come."""
    return wire.Welcome(
        number=standing.last,
        you=you,
        table=table,
        cards=cards_of(standing.head.ruleset, language),
        scene=scene,
        asked=asked_now(standing, language),
        lines=whole_log(standing, language),
        undoable=standing.undoable,
        deadline=deadline,
        now=now,
    )


@lru_cache(maxsize=_CARDS_KEPT)
def cards_of(ruleset: Ruleset, language: str) -> list[wire.CardInfo]:
    """The cards of a ruleset; worked out once, for many play the same."""
    return boxes.cards(ruleset, language)
