"""Where a table stands: the fold over its journal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from dicetown.errors import IllegalAction, NotationError, RulesetError
from dicetown.game.events import Event
from dicetown.server.journal.entries import (
    Body,
    Changed,
    Made,
    Moved,
    Said,
    Started,
    Undone,
    Unreadable,
    Written,
)
from dicetown.server.journal.played_game import Play, Step
from dicetown.server.journal.summary import Head
from dicetown.server.view.scene import round_of

#: What comes of entries that do not fit those before them, or the rules.
_MISFITS = (IllegalAction, NotationError, RulesetError, LookupError, ValueError, TypeError, AssertionError)


@dataclass(slots=True)
class Note:
    """An entry as it will be told: with what it caused in the game, and the moment after it."""

    number: int
    at: float
    body: Body
    events: list[Event] = field(default_factory=list)
    moves: int | None = None
    undone: bool = False  # what it did has been taken back
    lines: dict[str, str] = field(default_factory=dict)  # the log's, as JSON, by language, once asked for


class Standing:
    """A table as its journal tells it: the head, the game, and notes to tell people about."""

    def __init__(self, code: str, made: Written) -> None:
        assert isinstance(made.body, Made)
        self.head = Head.of(code, made.body, made.at)
        self.play: Play | None = None
        self.notes: list[Note] = []
        self.said: list[Note] = []  # those of them that are chat
        self.keys: dict[tuple[str, str], int] = {}
        self.last = made.number
        self.moment = (
            made.number
        )  # the last entry that changed the game: after an undo, moves are counted twice
        self._note(made, Note(made.number, made.at, made.body))

    @classmethod
    def fold(cls, code: str, entries: Sequence[Written]) -> Standing:
        """Where the table stands after all of its journal.

        Raises :class:`~dicetown.server.journal.entries.Unreadable` if that makes no sense, or to nobody any
        more.
        """
        if entries[0].number != 1 or not isinstance(entries[0].body, Made):
            raise Unreadable(1, "The journal does not begin with its table.")
        number = 1
        try:
            standing = cls(code, entries[0])
            for number, entry in enumerate(entries[1:], start=2):
                if entry.number != number:
                    raise Unreadable(number, "This entry is missing.")
                standing.apply(entry)
            standing.count_rounds()
            standing.head.check()
        except _MISFITS as problem:
            raise Unreadable(number, f"{type(problem).__name__}: {problem}") from problem
        return standing

    def count_rounds(self) -> None:
        """Let the head know how far the game is; it takes a look at all of the game, so seldom."""
        if self.play is not None:
            self.head.round = round_of(self.play.game)

    def apply(self, entry: Written, step: Step | None = None) -> Note:
        """Let an entry happen; ``step`` is what it did to the game, where that has been played already."""
        body = entry.body
        note = Note(entry.number, entry.at, body)
        self.head.apply(body, entry.at)
        match body:
            case Started():
                step = self._begin(body, step)
            case Moved():
                step = self._move(entry.number, body, step)
            case Undone(_, number):
                self._take_back(number)
            case Changed() if self.play is not None:
                self.play.game.names = self.head.names
        if step is not None:
            note.events = step.events
        if self.play is not None and not isinstance(body, Said):
            note.moves = self.play.moves
            if isinstance(body, Started | Moved | Undone):
                self.moment = entry.number
            self.head.asked = self.play.asked_seat
        self._note(entry, note)
        return note

    def _begin(self, body: Started, step: Step | None) -> Step:
        if self.play is None:
            self.play = Play(self.head)
        return step or self.play.repeat(body.moves)

    def _move(self, number: int, body: Moved, step: Step | None) -> Step:
        assert self.play is not None
        step = step or self.play.repeat(body.moves)
        self.play.keep(number, body.seat, step, body.by_bot)
        return step

    def _take_back(self, number: int) -> None:
        assert self.play is not None
        self.play.take_back()
        for note in reversed(self.notes):
            if note.number == number:
                note.undone = True
                note.lines.clear()
                break

    def _note(self, entry: Written, note: Note) -> None:
        self.notes.append(note)
        if isinstance(note.body, Said):
            self.said.append(note)
        self.last = entry.number
        if entry.guest is not None and entry.key is not None:
            self.keys[entry.guest, entry.key] = entry.number

    @property
    def undoable(self) -> int | None:
        """The seat that can take its last choice back now."""
        return self.play.undoable if self.play is not None and self.head.stage == "playing" else None
