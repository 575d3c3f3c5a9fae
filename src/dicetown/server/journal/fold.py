"""Where a table stands: the fold over its journal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from dicetown.errors import IllegalAction, NotationError, RulesetError
from dicetown.game.events import Event
from dicetown.server.journal.entries import (
    Body,
    Changed,
    Entry,
    Joined,
    Made,
    Moved,
    Said,
    Started,
    Undone,
    Unreadable,
)
from dicetown.server.journal.played_game import PlayedGame, Step
from dicetown.server.journal.summary import Summary

#: What comes of entries that do not fit those before them, or the rules.
_MISFITS = (IllegalAction, NotationError, RulesetError, LookupError, ValueError, TypeError, AssertionError)


@dataclass(slots=True)
class AppliedEntry:
    """An entry that has happened: with what it caused in the game, and the moment after it."""

    number: int
    at: float
    body: Body
    events: list[Event] = field(default_factory=list)
    moves: int | None = None
    undone: bool = False  # what it did has been taken back
    lines: dict[str, str] = field(default_factory=dict)  # the log's, as JSON, by language, once asked for


class TableState:
    """A table as its journal tells it: the summary, the game, and the entries to tell people about."""

    def __init__(self, code: str, made: Entry) -> None:
        assert isinstance(made.body, Made)
        self.summary = Summary.of(code, made.body, made.at)
        self.play: PlayedGame | None = None
        self.entries: list[AppliedEntry] = []
        self.said: list[AppliedEntry] = []  # those of them that are chat
        self.keys: dict[tuple[str, str], int] = {}
        self.last = made.number
        self.moment = made.number  # the last entry that changed the game: after an undo, moves count twice
        self._add(made, AppliedEntry(made.number, made.at, made.body))

    @classmethod
    def fold(cls, code: str, entries: Sequence[Entry]) -> TableState:
        """Where the table stands after all of its journal.

        Raises :class:`~dicetown.server.journal.entries.Unreadable` if that makes no sense, or to nobody any
        more.
        """
        if entries[0].number != 1 or not isinstance(entries[0].body, Made):
            raise Unreadable(1, "The journal does not begin with its table.")
        number = 1
        try:
            state = cls(code, entries[0])
            for number, entry in enumerate(entries[1:], start=2):
                if entry.number != number:
                    raise Unreadable(number, "This entry is missing.")
                state.apply(entry)
            state.count_rounds()
            state.summary.check()
        except _MISFITS as problem:
            raise Unreadable(number, f"{type(problem).__name__}: {problem}") from problem
        return state

    def count_rounds(self) -> None:
        """Let the summary know how far the game is; it takes a look at all of the game, so seldom."""
        if self.play is not None:
            self.summary.round = self.play.game.round

    def apply(self, entry: Entry, step: Step | None = None) -> AppliedEntry:
        """Let an entry happen; ``step`` is what it did to the game, where that has been played already."""
        body = entry.body
        applied = AppliedEntry(entry.number, entry.at, body)
        self.summary.apply(body, entry.at)
        match body:
            case Started():
                step = self._begin(body, step)
            case Moved():
                step = self._move(entry.number, body, step)
            case Undone(_, number):
                self._take_back(number)
            case Changed() if self.play is not None:
                self.play.game.names = self.summary.names
        if step is not None:
            applied.events = step.events
        if self.play is not None and not isinstance(body, Said):
            applied.moves = self.play.moves
            if isinstance(body, Started | Moved | Undone):
                self.moment = entry.number
            self.summary.asked = self.play.asked_seat
        self._add(entry, applied)
        return applied

    def _begin(self, body: Started, step: Step | None) -> Step:
        if self.play is None:
            self.play = PlayedGame(self.summary)
        return step or self.play.repeat(body.moves)

    def _move(self, number: int, body: Moved, step: Step | None) -> Step:
        assert self.play is not None
        step = step or self.play.repeat(body.moves)
        self.play.keep(number, body.seat, step, body.by_bot)
        return step

    def _take_back(self, number: int) -> None:
        assert self.play is not None
        self.play.take_back()
        for taken in reversed(self.entries):
            if taken.number == number:
                taken.undone = True
                taken.lines.clear()
                break

    def _add(self, entry: Entry, applied: AppliedEntry) -> None:
        self.entries.append(applied)
        if isinstance(applied.body, Said):
            self.said.append(applied)
        self.last = entry.number
        if entry.guest is not None and entry.key is not None:
            self.keys[entry.guest, entry.key] = entry.number

    def sat_ever(self) -> set[str]:
        """All guests who have ever held a seat at the table."""
        guests: set[str | None] = set()
        for entry in self.entries:
            match entry.body:
                case Made(chairs=chairs):
                    guests |= {chair.guest for chair in chairs}
                case Joined(guest=guest):
                    guests.add(guest)
                case Changed(chair=chair):
                    guests.add(chair.guest)
        return {guest for guest in guests if guest is not None}

    @property
    def undoable(self) -> int | None:
        """The seat that can take its last choice back now."""
        return self.play.undoable if self.play is not None and self.summary.stage == "playing" else None
