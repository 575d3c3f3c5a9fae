"""Erasing what is known of one guest: names, what they said, and everything that ties games to them.

The games themselves stay, for they are the others' as well: moves and dice are left as they fell, also the
words mixed into the dice, without which nobody could check them. Where the name stood stands a number.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from typing import Any

import msgspec
from sqlalchemy import Connection, delete, select, update

from dicetown.server.store.backup import in_nobodys_use
from dicetown.server.store.database_url import StoreError
from dicetown.server.store.opening import check_is_of_this_version, opened
from dicetown.server.store.schema import entries, guests, sittings, snapshots, tables

#: Fields of entries and summaries that hold a guest, and those that hold a name.
_GUESTS, _NAMES = ("guest", "host", "kept_for"), ("name", "before")
_SAID_NOTHING = "…"


@dataclass(frozen=True)
class Erased:
    """What was erased."""

    tables: int
    remarks: int


def erase(place: str, code: str, name: str) -> Erased:
    """Erase whoever is called so at a table, there and at all others; no service may use the database."""
    with opened(place, as_it_is=True) as engine:
        check_is_of_this_version(engine, place)  # first, for a lock lies beside the file
    with in_nobodys_use(place, as_it_is=True) as engine, engine.begin() as connection:
        return _erase(connection, _guest_called(connection, code.upper(), name))


def _guest_called(connection: Connection, code: str, name: str) -> str:
    summary = connection.execute(select(tables.c.head).where(tables.c.code == code)).scalar()
    if summary is None:
        raise StoreError(f"There is no table {code}.")
    chairs = msgspec.json.decode(summary)["chairs"]
    people = {chair["name"]: chair["guest"] for chair in chairs if chair.get("guest")}
    if name not in people:
        known = ", ".join(people) or "nobody"
        raise StoreError(f'Nobody called "{name}" sits at the table {code}; there sit {known}.')
    return str(people[name])


def _erase(connection: Connection, guest: str) -> Erased:
    nobody = _Nobody(guest)
    seen = select(entries.c.code).where(entries.c.guest == guest)
    codes = connection.execute(seen.union(select(sittings.c.code).where(sittings.c.guest == guest)))
    found = sorted(codes.scalars())
    for code in found:
        _erase_at(connection, code, nobody)
    connection.execute(delete(snapshots).where(snapshots.c.code.in_(found)))  # they are made anew
    connection.execute(update(sittings).where(sittings.c.guest == guest).values(guest=nobody.guest))
    connection.execute(delete(guests).where(guests.c.id == guest))
    return Erased(len(found), nobody.remarks)


def _erase_at(connection: Connection, code: str, nobody: _Nobody) -> None:
    rows = connection.execute(select(entries).where(entries.c.code == code).order_by(entries.c.number)).all()
    bodies = [msgspec.json.decode(row.body) for row in rows]
    for row, body in zip(rows, bodies, strict=True):  # first all names they ever had here
        nobody.learn(body, row.guest)
    for row, body in zip(rows, bodies, strict=True):
        changed = {
            "body": msgspec.json.encode(nobody.without(body, row.guest)).decode(),
            "guest": nobody.guest if row.guest == nobody.erased else row.guest,
        }
        this = (entries.c.code == code) & (entries.c.number == row.number)
        connection.execute(update(entries).where(this).values(**changed))
    summary = connection.execute(select(tables.c.head).where(tables.c.code == code)).scalar_one()
    without = msgspec.json.encode(nobody.without(msgspec.json.decode(summary), None)).decode()
    # A worker that stood still meanwhile, with the name in its memory, must not write it down again.
    nobodys = {"owner": None, "fence": tables.c.fence + 1}
    connection.execute(update(tables).where(tables.c.code == code).values(head=without, **nobodys))


@dataclass
class _Nobody:
    """Who a guest is from now on: somebody whom nothing ties to anybody."""

    erased: str
    guest: str = field(default_factory=lambda: secrets.token_hex(12))
    name: str = field(default_factory=lambda: f"#{secrets.randbelow(10**6):06}")
    remarks: int = 0
    _names: set[str] = field(default_factory=set)

    def learn(self, written: Any, by: str | None) -> None:
        """Note the names that they have in something written."""
        for part in _parts(written):
            theirs = part.get("guest") == self.erased or (by == self.erased and part.get("kind") == "said")
            if theirs and part.get("name"):
                self._names.add(part["name"])

    def without(self, written: Any, by: str | None) -> Any:
        """The same without them."""
        for part in _parts(written):
            for key in _GUESTS:
                if part.get(key) == self.erased:
                    part[key] = self.guest
            for key in _NAMES:
                if part.get(key) in self._names:
                    part[key] = self.name
            if by == self.erased and part.get("kind") == "said" and part.get("text"):
                part["text"] = _SAID_NOTHING
                self.remarks += 1
        return written


def _parts(written: Any) -> list[dict[str, Any]]:
    """All objects within something that was read from JSON, itself included."""
    if isinstance(written, list):
        return [part for one in written for part in _parts(one)]
    if isinstance(written, dict):
        return [written, *(part for one in written.values() for part in _parts(one))]
    return []
