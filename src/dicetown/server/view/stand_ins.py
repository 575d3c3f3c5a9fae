"""What a stand-in did while somebody was away: told to who returns, in the words of the log."""

from __future__ import annotations

from itertools import takewhile

from dicetown.game.events import TurnBegan
from dicetown.server import wire
from dicetown.server.journal.entries import Away, Moved
from dicetown.server.journal.fold import Note, Standing
from dicetown.server.view.history import lines_of_note

#: Lines that are told: some five turns. All of it stands in the log.
_MOST = 12
#: What happened to them rather than what was done for them.
_ASIDE = ("turn_began", "paid")


def meanwhile_of(standing: Standing, seat: int, back: int, language: str) -> wire.Meanwhile | None:
    """What was played for a seat since its holder was away until entry ``back``; None if nothing was."""
    before = (note for note in reversed(standing.notes) if note.number < back)
    since = list(takewhile(lambda note: not _tells_away(note, seat), before))[::-1]
    played = [note for note in since if isinstance(note.body, Moved) and note.body.seat == seat]
    lines = [
        line
        for note in played
        for line in lines_of_note(standing, note, language)
        if line.seat == seat and line.icon not in _ASIDE
    ]
    if not lines:
        return None
    return wire.Meanwhile(
        turns=_count_turns(since, seat), lines=lines[-_MOST:], left_out=max(0, len(lines) - _MOST)
    )


def _tells_away(note: Note, seat: int) -> bool:
    return isinstance(note.body, Away) and note.body.seat == seat


def _count_turns(notes: list[Note], seat: int) -> int:
    """In how many turns something was done for a seat."""
    turn, turns = 0, set()
    for note in notes:
        if isinstance(note.body, Moved) and note.body.seat == seat:
            turns.add(turn)
        turn += sum(isinstance(event, TurnBegan) for event in note.events)
    return len(turns)
