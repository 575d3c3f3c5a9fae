"""The log of a tournament: what has been played, line by line, so that it can go on after an interruption.

The first line says what is played and by which code. Each further line is a game, or some games of one table
that were played in bulk. A line that was cut off by whatever ended the run is dropped.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Mapping
from contextlib import suppress
from io import FileIO
from pathlib import Path
from typing import Annotated, Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from dicetown.arena.contests.match import Fault, Played
from dicetown.arena.contests.scores import Sheet
from dicetown.errors import ArenaError
from dicetown.rules.codes import NOBODY

FORMAT = "dicetown-arena/1"
Header = Mapping[str, Any]
Count = Annotated[int, msgspec.Meta(ge=0)]


class GameLine(msgspec.Struct, tag="game", tag_field="what", forbid_unknown_fields=True):
    """A game: its number in the schedule, the number of its dice, who sat where, and how it went."""

    number: Count
    game: Count
    seats: list[str]
    winner: Count | None  # a seat
    turns: int
    faults: list[Fault]
    seconds: list[float]
    choices: list[int]


class BulkLine(msgspec.Struct, tag="bulk", tag_field="what", forbid_unknown_fields=True):
    """Games of one table in a row: a letter for the winning seat of each, - for none."""

    lineup: Count
    rotation: Count
    first: Count
    winners: str
    turns: list[int]


Line = GameLine | BulkLine
_LINE: msgspec.json.Decoder[Line] = msgspec.json.Decoder(Line)
_NONE = "-"


class ArenaLog:
    """A file to which games are added; one run at a time may write to it.

    When it can no longer be written, as on a full disk, it ends with the last game that fits, and there is a
    `problem`. A run whose log is `needed` stops at that.
    """

    def __init__(self, path: Path, header: Header, needed: bool = True) -> None:
        self.path, self.needed = path, needed
        self.problem: str | None = None
        # As it will be read again: JSON knows lists only, no tuples.
        text = msgspec.json.encode({"format": FORMAT, **header})
        self.header: dict[str, Any] = msgspec.json.decode(text)
        try:
            if path.exists() and not path.is_file():
                raise ArenaError(f"{path}: this is no file, so no log can be kept there; name another.")
            # It stays open while games are played, and holds nothing back that closing would have to write.
            self._file: FileIO = open(path, "a+b", buffering=0)  # noqa: SIM115
        except OSError as problem:
            raise ArenaError(f"{path}: the log cannot be written there ({problem.strerror}).") from None
        try:
            self._lock()
            self._lines = self._begin()
            if self.problem is not None:
                raise ArenaError(self.problem)
        except OSError as problem:
            self._file.close()
            raise ArenaError(f"{path}: the log cannot be kept there ({problem.strerror}).") from None
        except ArenaError:
            self._file.close()
            raise

    def _lock(self) -> None:
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise ArenaError(f"{self.path}: another run is writing this log; name another file.") from None

    @property
    def is_continued(self) -> bool:
        """Whether games were there already."""
        return bool(self._lines)

    @property
    def is_missed(self) -> bool:
        """Whether it can no longer be written, and the run is nothing without it."""
        return self.needed and self.problem is not None

    def close(self) -> None:
        """No more games will be added."""
        self._file.close()

    def remove(self) -> None:
        """The log is not needed any more."""
        with suppress(OSError):  # one that cannot be removed does no harm
            self.path.unlink(missing_ok=True)
        self.close()

    # ---------------------------------------------------------------------- reading

    def _begin(self) -> list[Line]:
        """What the file holds; an empty one gets its header."""
        self._file.seek(0)
        text = self._file.read()
        whole = text[: text.rfind(b"\n") + 1]
        if not whole and (msgspec.json.encode(self.header) + b"\n").startswith(text):
            self._cut(0)
            self._add(self.header)
            return []
        first, *rest = whole.splitlines() or [text]
        self._check_header(first)
        lines = [self._read(number, line) for number, line in enumerate(rest, start=2)]
        self._cut(len(whole))
        return lines

    def _cut(self, length: int) -> None:
        self._file.truncate(length)
        self._file.seek(0, os.SEEK_END)

    def _check_header(self, line: bytes) -> None:
        try:
            found = msgspec.json.decode(line, type=dict[str, Any])
        except (msgspec.DecodeError, UnicodeDecodeError):
            found = {}
        if found.get("format") != FORMAT:
            raise ArenaError(f"{self.path}: this is no log of an arena; name another file.")
        for key, value in self.header.items():
            if found.get(key) != value:
                was, now = (msgspec.json.encode(one).decode() for one in (found.get(key), value))
                what = (
                    "it was begun with other code of Dicetown or of a bot"
                    if key == "code"
                    else f"its {key} is {was}, not {now}"
                )
                raise ArenaError(
                    f"{self.path}: the log belongs to another run: {what}; name another file, or remove it."
                )

    def _read(self, number: int, line: bytes) -> Line:
        try:
            return _LINE.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError) as problem:
            raise ArenaError(
                f"{self.path}, line {number}: this is no game of an arena ({problem})."
            ) from None

    def read_into(self, sheet: Sheet) -> None:
        """Enter what has been played already; games beyond those asked for are left out."""
        for line in self._lines:
            try:
                if isinstance(line, BulkLine):
                    _enter_bulk(sheet, line)
                elif line.number < sheet.games:
                    sheet.enter(line.number, _played(line))
            except (IndexError, ValueError):
                raise ArenaError(f"{self.path}: a game in it cannot have been played in this run.") from None

    # ---------------------------------------------------------------------- writing

    def write(self, sheet: Sheet, number: int, played: Played, names: list[str]) -> None:
        """Add a game."""
        entry = sheet.schedule.entry(number)
        self._add(
            GameLine(
                number,
                entry.game,
                [names[contestant] for contestant in sheet.schedule.seats(entry)],
                None if played.winner == NOBODY else played.winner,
                played.turns,
                played.faults,
                [round(seconds, 6) for seconds in played.seconds],
                played.choices,
            )
        )

    def write_bulk(
        self, lineup: int, rotation: int, first: int, winners: NDArray[Any], turns: NDArray[Any]
    ) -> None:
        """Add games that were played in bulk."""
        letters = "".join(_NONE if winner == NOBODY else str(winner) for winner in winners.tolist())
        self._add(BulkLine(lineup, rotation, first, letters, turns.tolist()))

    def _add(self, line: object) -> None:
        if self.problem is not None:
            return
        whole = self._file.tell()
        try:
            left = memoryview(msgspec.json.encode(line) + b"\n")
            while left:  # a disk that is nearly full takes a part
                left = left[self._file.write(left) :]
        except OSError as problem:
            self.problem = f"{self.path}: the log cannot be written ({problem.strerror})."
            with suppress(OSError):
                self._cut(whole)


def _played(line: GameLine) -> Played:
    winner = NOBODY if line.winner is None else line.winner
    return Played(len(line.seats), winner, line.turns, line.faults, line.seconds, line.choices)


def _enter_bulk(sheet: Sheet, line: BulkLine) -> None:
    schedule = sheet.schedule
    if line.lineup >= len(schedule.lineups) or line.rotation >= schedule.players:
        raise ValueError("there is no such table")
    if len(line.winners) != len(line.turns):
        raise ValueError("some games have no turns")
    most = schedule.games_of(line.lineup, line.rotation, sheet.games) - line.first
    winners = [NOBODY if letter == _NONE else int(letter) for letter in line.winners][: max(0, most)]
    if winners:
        turns = np.array(line.turns[: len(winners)], np.int32)
        sheet.enter_many(line.lineup, line.rotation, line.first, np.array(winners, np.int8), turns)
