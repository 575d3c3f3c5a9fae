"""Deleting a table for good, as the only one who ever sat there may."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dicetown.server.journal.entries import Changed, Joined, Made
from dicetown.server.journal.fold import Standing
from dicetown.server.wire.refusals import Refused

if TYPE_CHECKING:
    from dicetown.server.table.lobby import Lobby
    from dicetown.server.table.table import Table


async def delete(lobby: Lobby, code: str, guest: str) -> None:
    """Delete a table with all that is kept of it; pages that show it find that it is gone."""
    while True:
        table = await lobby.find(code)
        async with table.lock:
            if lobby.tables.get(table.code) is table:  # else it was put away or deleted while we waited
                _check_alone(table, guest)
                return await _delete(lobby, table)


def _check_alone(table: Table, guest: str) -> None:
    """Refuse who does not sit there, and who was not the only one: the game is the others' as well."""
    head = table.standing.head
    if guest != head.host and not head.seats_of(guest):
        raise Refused("not_your_seat")
    if sat_ever(table.standing) - {guest}:
        raise Refused("not_yours_alone")


def sat_ever(standing: Standing) -> set[str]:
    """All guests who have ever held a seat at a table."""
    guests: set[str | None] = set()
    for note in standing.notes:
        match note.body:
            case Made(chairs=chairs):
                guests |= {chair.guest for chair in chairs}
            case Joined(guest=guest):
                guests.add(guest)
            case Changed(chair=chair):
                guests.add(chair.guest)
    return {guest for guest in guests if guest is not None}


async def _delete(lobby: Lobby, table: Table) -> None:
    try:
        await table.service.store.delete(table.code)
        table.service.log.info("table deleted", table=table.code)
    finally:
        lobby.forget(table)  # also if nobody knows whether it is deleted: who asks next gets what is stored
    table.service.makers.forget(table.code)
    table.service.reviews.forget(table.code)
