"""What everybody was told over the whole run, and whether the database agrees.

The checker holds the service to its two promises: what was acknowledged is stored, once and as told; and
all pages see the same entries in the same order, without a gap.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec
from sqlalchemy import bindparam, create_engine, text

_ALL = "SELECT code, number, kind, body, key, fence FROM entries"
_SOME = f"{_ALL} WHERE code IN :tables"
#: Refusals after which nobody knows yet; all others say that nothing has happened.
UNCLEAR = ("unclear",)


@dataclass(frozen=True)
class Told:
    """An entry as a page was told it."""

    kind: str
    moves: tuple[str, ...]


@dataclass
class History:
    """What players did, and what they were told."""

    acknowledged: dict[tuple[str, str], int] = field(default_factory=dict)  # (table, key) → number
    denied: dict[tuple[str, str], str] = field(default_factory=dict)  # (table, key) → why
    seen: defaultdict[str, dict[int, Told]] = field(default_factory=lambda: defaultdict(dict))
    #: Pages that were told two things about one entry, or something out of order.
    contradictions: list[str] = field(default_factory=list)
    broken: Counter[str] = field(default_factory=Counter)  # answers with a status of 500, by address

    def at(self, tables: Collection[str]) -> "History":
        """The part of it that is about some tables."""
        return History(
            {one: number for one, number in self.acknowledged.items() if one[0] in tables},
            {one: why for one, why in self.denied.items() if one[0] in tables},
            defaultdict(dict, {table: told for table, told in self.seen.items() if table in tables}),
            self.contradictions,
        )

    def acknowledge(self, table: str, key: str, number: int) -> None:
        """A player was told that something is stored."""
        before = self.acknowledged.setdefault((table, key), number)
        if before != number:
            self.contradict(f"{table}: {key} acknowledged as {before} and as {number}")

    def deny(self, table: str, key: str, why: str) -> None:
        """A player was told that something has not happened."""
        self.denied[table, key] = why

    def see(self, table: str, number: int, kind: str, moves: Sequence[str]) -> None:
        """A page was told an entry."""
        told = Told(kind, tuple(moves))
        before = self.seen[table].setdefault(number, told)
        if before != told:
            self.contradict(f"{table}: entry {number} told as {before} and as {told}")

    def contradict(self, sentence: str) -> None:
        """A page was told what cannot be."""
        self.contradictions.append(sentence)


@dataclass
class Findings:
    """What is wrong, in sentences; nothing is how it should be."""

    lost: set[str] = field(default_factory=set)
    doubled: set[str] = field(default_factory=set)
    entries: int = 0
    tables: int = 0


def check(history: History, database: str, tables: Collection[str] = ()) -> Findings:
    """Compare what was told with what is stored, at some tables or at all of them."""
    found = Findings()
    journals = _read(database, tables)
    if tables:
        history = history.at(tables)
    found.tables, found.entries = len(journals), sum(map(len, journals.values()))
    for table, journal in journals.items():
        if list(journal) != list(range(1, len(journal) + 1)):
            found.lost.add(f"{table}: the journal has a gap")
        fences = [entry.fence for entry in journal.values() if entry.fence is not None]
        if fences != sorted(fences):
            found.doubled.add(f"{table}: somebody wrote who did not own it any more")
        if "closed" in (entry.kind for entry in journal.values()):
            found.lost.add(f"{table}: closed, though nobody closed it")
    keys = Counter((table, entry.key) for table, journal in journals.items() for entry in journal.values())
    found.doubled |= {f"{table}: {key} stored {n} times" for (table, key), n in keys.items() if key and n > 1}
    _check_answers(history, journals, found)
    _check_pages(history, journals, found)
    found.doubled |= set(history.contradictions)
    return found


@dataclass(frozen=True)
class _Stored:
    kind: str
    moves: tuple[str, ...]
    key: str | None
    fence: int | None


_Journals = dict[str, dict[int, _Stored]]


def _read(database: str, tables: Collection[str]) -> _Journals:
    engine = create_engine(database)
    journals: defaultdict[str, dict[int, _Stored]] = defaultdict(dict)
    wanted = text(f"{_SOME if tables else _ALL} ORDER BY code, number")
    if tables:
        wanted = wanted.bindparams(bindparam("tables", list(tables), expanding=True))
    with engine.connect() as connection:
        for row in connection.execute(wanted):
            body: dict[str, Any] = msgspec.json.decode(row.body)["body"]
            moves = tuple(body.get("moves", ()))
            journals[row.code][row.number] = _Stored(row.kind, moves, row.key, row.fence)
    engine.dispose()
    return dict(journals)


def _check_answers(history: History, journals: _Journals, found: Findings) -> None:
    """What was acknowledged is there, under its number; what was denied is not."""
    for (table, key), number in history.acknowledged.items():
        stored = journals.get(table, {}).get(number)
        if stored is None or stored.key != key:
            found.lost.add(f"{table}: {key} was acknowledged as {number}, where {stored} stands")
    there = {(table, entry.key) for table, journal in journals.items() for entry in journal.values()}
    for (table, key), why in history.denied.items():
        if (table, key) in there:
            found.doubled.add(f"{table}: {key} was refused ({why}), but has happened")


def _check_pages(history: History, journals: _Journals, found: Findings) -> None:
    """Every entry that a page ever saw is in the journal, the same and in the same place."""
    for table, told in history.seen.items():
        for number, entry in told.items():
            stored = journals.get(table, {}).get(number)
            if stored is None or stored.kind != entry.kind or stored.moves != entry.moves:
                found.lost.add(f"{table}: a page saw entry {number} as {entry}, where {stored} stands")
