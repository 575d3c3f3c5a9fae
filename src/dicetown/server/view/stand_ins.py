"""What a stand-in did while somebody was away: told to who returns, in the words of the log."""

from __future__ import annotations

from itertools import takewhile

from dicetown.game.events import TurnBegan
from dicetown.server import wire
from dicetown.server.journal.applied import AppliedEntry
from dicetown.server.journal.entries import Away, Moved
from dicetown.server.journal.fold import TableState
from dicetown.server.view.history import lines_of_entry

#: Lines that are told: some five turns. All of it stands in the log.
_MOST = 12
#: What happened to them rather than what was done for them.
_ASIDE = ("turn_began", "paid")


def meanwhile_of(state: TableState, seat: int, back: int, language: str) -> wire.Meanwhile | None:
    """What was played for a seat since its holder was away until entry ``back``; None if nothing was."""
    before = (state.entries[place] for place in reversed(range(state.entries.until(back))))
    since = list(takewhile(lambda entry: not _tells_away(entry, seat), before))[::-1]
    played = [entry for entry in since if isinstance(entry.body, Moved) and entry.body.seat == seat]
    lines = [
        line
        for entry in played
        for line in lines_of_entry(state, entry, language)
        if line.seat == seat and line.icon not in _ASIDE
    ]
    if not lines:
        return None
    return wire.Meanwhile(
        turns=_count_turns(since, seat), lines=lines[-_MOST:], left_out=max(0, len(lines) - _MOST)
    )


def _tells_away(entry: AppliedEntry, seat: int) -> bool:
    return isinstance(entry.body, Away) and entry.body.seat == seat


def _count_turns(entries: list[AppliedEntry], seat: int) -> int:
    """In how many turns something was done for a seat."""
    turn, turns = 0, set()
    for entry in entries:
        if isinstance(entry.body, Moved) and entry.body.seat == seat:
            turns.add(turn)
        turn += sum(isinstance(event, TurnBegan) for event in entry.events)
    return len(turns)
