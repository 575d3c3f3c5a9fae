"""Where a table stands: the fold over its journal."""

from __future__ import annotations

from collections.abc import Sequence

from dicetown.errors import IllegalAction, NotationError, RulesetError
from dicetown.server.journal.applied import AppliedEntries, AppliedEntry
from dicetown.server.journal.entries import (
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
MISFITS = (IllegalAction, NotationError, RulesetError, LookupError, ValueError, TypeError, AssertionError)


class TableState:
    """A table as its journal tells it: the summary, the game, and the entries to tell people about."""

    def __init__(self, code: str, made: Entry) -> None:
        assert isinstance(made.body, Made)
        self.summary = Summary.of(code, made.body, made.at)
        self.play: PlayedGame | None = None
        self.entries = AppliedEntries(made.body.secret.encode())
        self.moment = made.number  # the last entry that changed the game: after an undo, moves count twice
        self.entries.add(made, None)

    @property
    def last(self) -> int:
        """The number of the last entry."""
        return len(self.entries)

    @classmethod
    def fold(cls, code: str, entries: Sequence[Entry]) -> TableState:
        """Where the table stands after all of its journal.

        Raises :class:`~dicetown.server.journal.entries.Unreadable` if that makes no sense, or to nobody any
        more.
        """
        if entries[0].number != 1 or not isinstance(entries[0].body, Made):
            raise Unreadable(1, "The journal does not begin with its table.")
        try:
            state = cls(code, entries[0])
        except MISFITS as problem:
            raise Unreadable(1, f"{type(problem).__name__}: {problem}") from problem
        state.go_on(entries[1:])
        return state

    def go_on(self, entries: Sequence[Entry]) -> None:
        """Fold the rest of the journal; raises ``Unreadable`` like :meth:`fold`."""
        number = self.last
        try:
            for number, entry in enumerate(entries, start=self.last + 1):
                if entry.number != number:
                    raise Unreadable(number, "This entry is missing.")
                self._happen(entry)
            self.count_rounds()
            self.summary.check()
        except MISFITS as problem:
            raise Unreadable(number, f"{type(problem).__name__}: {problem}") from problem

    def count_rounds(self) -> None:
        """Let the summary know how far the game is; it takes a look at all of the game, so seldom."""
        if self.play is not None:
            self.summary.round = self.play.game.round

    def apply(self, entry: Entry, step: Step | None = None) -> AppliedEntry:
        """Let an entry happen; ``step`` is what it did to the game, where that has been played already."""
        self._happen(entry, step)
        return self.entries[-1] if step is None else self.entries.as_caused(entry, step.events)

    def _happen(self, entry: Entry, step: Step | None = None) -> None:
        body = entry.body
        self.summary.apply(body, entry.at)
        match body:
            case Started():
                self._begin(body, step)
            case Moved():
                self._move(entry.number, body, step)
            case Undone(_, number):
                self._take_back(number)
            case Changed() if self.play is not None:
                self.play.game.names = self.summary.names
        moves = None
        if self.play is not None and not isinstance(body, Said):
            moves = self.play.moves
            if isinstance(body, (Started, Moved, Undone)):
                self.moment = entry.number
            self.summary.asked = self.play.asked_seat
        self.entries.add(entry, moves)

    def _begin(self, body: Started, step: Step | None) -> None:
        if self.play is None:
            self.play = PlayedGame(self.summary)
        self.entries.happened = self.play.game.events
        if step is None:
            self.play.repeat(body.moves)

    def _move(self, number: int, body: Moved, step: Step | None) -> None:
        assert self.play is not None
        if step is None:
            self.play.repeat(body.moves)
        self.play.keep(number, body)

    def _take_back(self, number: int) -> None:
        assert self.play is not None
        self.entries.mark_undone(number)
        self.play.take_back()

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
