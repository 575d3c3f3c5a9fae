"""What pages are told, in their language: a table, an entry of its journal, everything at once."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from dicetown import fair
from dicetown.rules.ruleset import Ruleset
from dicetown.server import wire
from dicetown.server.journal.applied import AppliedEntry
from dicetown.server.journal.entries import Back, Chair, Moved, Said, Started, kind_of
from dicetown.server.journal.fold import TableState
from dicetown.server.journal.summary import Summary
from dicetown.server.view import catalogue
from dicetown.server.view.history import chat_page, lines_of_entry, log_page, remark_of
from dicetown.server.view.questions import asked_of, asked_of_bot
from dicetown.server.view.stand_ins import meanwhile_of

_CARDS_KEPT = 64


# --------------------------------------------------------------------------------- the table


def info_of(summary: Summary, language: str, present: Sequence[bool] | None = None) -> wire.TableInfo:
    """A table as everybody with its link may see it."""
    ruleset, settings = summary.ruleset, summary.settings
    here = present or [chair.kind == "bot" for chair in summary.chairs]
    return wire.TableInfo(
        code=summary.code,
        stage=summary.stage,
        edition=settings.edition,
        edition_name=ruleset.edition.name[language],
        sets=list(ruleset.set_ids),
        set_names=[part.name[language] for part in ruleset.sets],
        house=settings.house,
        seats=[_seat(summary, seat, chair, here[seat]) for seat, chair in enumerate(summary.chairs)],
        timer=settings.timer,
        pace=settings.pace,
        public=settings.public,
        created=summary.created,
        started=summary.started,
        ended=summary.ended,
        winner=summary.winner,
        round=summary.round,
        fairness=fairness_of(summary),
        rematch=summary.rematch,
        opens_again=summary.forsaken is not None,
    )


def _seat(summary: Summary, seat: int, chair: Chair, present: bool) -> wire.SeatInfo:
    return wire.SeatInfo(
        seat=seat,
        kind=chair.kind,
        name=chair.name,
        bot=chair.bot,
        here=chair.here,
        host=chair.guest == summary.host and not chair.here,
        present=present,
        stand_in=chair.stand_in,
        has_word=bool(chair.commitment or chair.word),
    )


def fairness_of(summary: Summary) -> wire.Fairness:
    """The promise about the dice; the secret only when the game will never go on."""
    return wire.Fairness(
        commitment=fair.commitment(bytes.fromhex(summary.secret)),
        secret=summary.secret if summary.is_settled else None,
        words=summary.words,
        version=summary.fair,
        commitments=summary.frozen or [chair.commitment for chair in summary.chairs],
        frozen=summary.frozen is not None,
    )


# ------------------------------------------------------------------------------- the journal


def entry_of(
    state: TableState,
    entry: AppliedEntry,
    language: str,
    table: wire.TableInfo | None,
    scene: wire.Scene | wire.SceneChange | None,
    deadline: float | None,
) -> wire.Entry:
    """An entry as it is told when it has just happened."""
    body = entry.body
    moved = body.moves if isinstance(body, (Moved, Started)) else []
    said = remark_of(entry, language) if isinstance(body, Said) else None
    return wire.Entry(
        number=entry.number,
        kind=kind_of(body),
        at=entry.at,
        seat=getattr(body, "seat", None),
        by_bot=isinstance(body, Moved) and body.by_bot,
        moves=moved,
        events=entry.events,
        lines=lines_of_entry(state, entry, language),
        scene=scene if isinstance(scene, wire.Scene) else None,
        change=scene if isinstance(scene, wire.SceneChange) else None,
        asked=asked_now(state, language) if scene is not None or table is not None else None,
        table=table,
        undoable=state.undoable,
        deadline=deadline,
        said=said.text if said else None,
        phrase=said.phrase if said else None,
        name=said.name if said else None,
        meanwhile=meanwhile_of(state, body.seat, entry.number, language) if isinstance(body, Back) else None,
    )


def asked_now(state: TableState, language: str) -> wire.Asked | None:
    """What is asked now, if the game goes on."""
    play, summary = state.play, state.summary
    if play is None or summary.stage != "playing" or (seat := play.asked_seat) is None:
        return None
    is_bot = summary.chairs[seat].player is not None
    return asked_of_bot(play.game, language) if is_bot else asked_of(play.game, language)


# ------------------------------------------------------------------------ everything at once


def welcome_of(
    state: TableState,
    language: str,
    you: wire.You,
    table: wire.TableInfo,
    scene: wire.Scene | None,
    deadline: float | None,
    now: float,
) -> wire.Welcome:
    """Where a table stands, with the last of its log and its chat: for who has just come."""
    return wire.Welcome(
        number=state.last,
        you=you,
        table=table,
        cards=cards_of(state.summary.ruleset, language),
        scene=scene,
        asked=asked_now(state, language),
        log=log_page(state, language),
        chat=chat_page(state, language),
        undoable=state.undoable,
        deadline=deadline,
        now=now,
    )


@lru_cache(maxsize=_CARDS_KEPT)
def cards_of(ruleset: Ruleset, language: str) -> list[wire.CardInfo]:
    """The cards of a ruleset; worked out once, for many play the same."""
    return catalogue.cards(ruleset, language)
