"""What pages are told, in their language: a table, an entry of its journal, everything at once."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from dicetown import fair
from dicetown.rules.ruleset import Ruleset
from dicetown.server import wire
from dicetown.server.journal.entries import Back, Chair, Moved, Said, Started, kind_of
from dicetown.server.journal.fold import Note, Standing
from dicetown.server.journal.summary import Head
from dicetown.server.table.stand_ins import meanwhile_of
from dicetown.server.view import catalogue
from dicetown.server.view.history import chat_page, lines_of_note, log_page, remark_of
from dicetown.server.view.scene import asked_of, asked_of_bot

_CARDS_KEPT = 64


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
        opens_again=head.forsaken is not None,
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
        has_word=bool(chair.commitment or chair.word),
    )


def fairness_of(head: Head) -> wire.Fairness:
    """The promise about the dice; the secret only when the game will never go on."""
    return wire.Fairness(
        commitment=fair.commitment(bytes.fromhex(head.secret)),
        secret=head.secret if head.is_settled else None,
        words=head.words,
        version=head.fair,
        commitments=head.frozen or [chair.commitment for chair in head.chairs],
        frozen=head.frozen is not None,
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
    said = remark_of(note, language) if isinstance(body, Said) else None
    return wire.Entry(
        number=note.number,
        kind=kind_of(body),
        at=note.at,
        seat=getattr(body, "seat", None),
        by_bot=isinstance(body, Moved) and body.by_bot,
        moves=moved,
        events=note.events,
        lines=lines_of_note(standing, note, language),
        scene=scene,
        asked=asked_now(standing, language) if scene is not None or table is not None else None,
        table=table,
        undoable=standing.undoable,
        deadline=deadline,
        said=said.text if said else None,
        phrase=said.phrase if said else None,
        name=said.name if said else None,
        meanwhile=meanwhile_of(standing, body.seat, note.number, language)
        if isinstance(body, Back)
        else None,
    )


def asked_now(standing: Standing, language: str) -> wire.Asked | None:
    """What is asked now, if the game goes on."""
    play, head = standing.play, standing.head
    if play is None or head.stage != "playing" or play.asked_seat is None:
        return None
    is_bot = head.chairs[play.asked_seat].player is not None
    return asked_of_bot(play.game, language) if is_bot else asked_of(play.game, language)


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
    """Where a table stands, with the last of its log and its chat: for who has just come."""
    return wire.Welcome(
        number=standing.last,
        you=you,
        table=table,
        cards=cards_of(standing.head.ruleset, language),
        scene=scene,
        asked=asked_now(standing, language),
        log=log_page(standing, language),
        chat=chat_page(standing, language),
        undoable=standing.undoable,
        deadline=deadline,
        now=now,
    )


@lru_cache(maxsize=_CARDS_KEPT)
def cards_of(ruleset: Ruleset, language: str) -> list[wire.CardInfo]:
    """The cards of a ruleset; worked out once, for many play the same."""
    return catalogue.cards(ruleset, language)
