"""The log: what happened, turn by turn."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text

from dicetown.game.events import Event, TurnBegan
from dicetown.text.paint import GOLD, QUIET, ink, paragraph
from dicetown.words import Line, Speaker, narrate

_BULLET = "›"


def turns(speaker: Speaker, events: Sequence[Event]) -> list[list[Line]]:
    """The log, one list of lines for each turn; before the first turn the market is dealt."""
    parts: list[list[Line]] = [[]]
    for line in narrate(speaker, events):
        if isinstance(line.event, TurnBegan):
            parts.append([])
        parts[-1].append(line)
    return [part for part in parts if part]


def journal_lines(speaker: Speaker, events: Sequence[Event], width: int, height: int) -> list[Text]:
    """The newest lines of the log that fit, a paragraph for each turn; what the player has seen is quiet."""
    parts = turns(speaker, events)
    lines: list[Text] = []
    style = ""
    for turn in reversed(parts):
        if len(lines) >= height:
            break
        if turn is not parts[-1] and _whose(turn) == _whose(parts[-1]):
            style = QUIET
        sentences = [line.text for line in turn if not _is_plain_beginning(line)]
        if sentences:
            lines = [*_bulleted(paragraph(" ".join(sentences), width, style, indent=2)), *lines]
    if len(lines) > height:
        lines = lines[len(lines) - height :]
        if lines and not lines[0].plain.startswith(_BULLET):
            lines[0] = ink("… ", style=QUIET).append_text(lines[0][2:])
    return lines


def _whose(turn: list[Line]) -> int | None:
    began = turn[0].event
    return began.seat if isinstance(began, TurnBegan) else None


def _is_plain_beginning(line: Line) -> bool:
    """Whether a line says no more than the one after it: who rolls has the turn."""
    return isinstance(line.event, TurnBegan) and not line.event.extra


def _bulleted(lines: list[Text]) -> list[Text]:
    return [ink(f"{_BULLET} ", style=GOLD).append_text(lines[0][2:]), *lines[1:]]
