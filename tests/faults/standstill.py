"""Why a table stands still: whatever says so is written down while it is there to be asked."""

import asyncio
import json
import time
from collections.abc import Iterator

import msgspec
from sqlalchemy import Connection, create_engine, inspect, text
from tests.faults.faults import World
from tests.faults.history import History
from tests.faults.players import Party, Person
from websockets.exceptions import WebSocketException

_ENTRIES = 15  # of a journal's end
_WELCOME_WITHIN = 15.0  # seconds
_TABLE = "SELECT stage, owner, fence, active, head FROM tables WHERE code = :table"
_END = "SELECT number, kind, guest, key, fence, at FROM entries WHERE code = :table ORDER BY number DESC"
_WORKERS = "SELECT id, role, address, pid, leaving, seen FROM workers ORDER BY since"


async def explain(world: World, party: Party) -> str:
    """All there is to know about a table: what is stored, what its pages know, what a new one is told."""
    lines = [f"{party.table} stands still at {time.strftime('%X')}."]
    lines += await asyncio.to_thread(_stored, world.database.address, party.table)
    for seat in party.seats:
        lines += ["", f"The page of {seat.person.address} ({seat.person.guest}), seats {[*seat.seats]}:"]
        lines += seat.diary.lines()
        lines.append(f"  has seen entry {seat.since}, waits for {seat.wish}, connected: {seat.is_connected}")
    lines += ["", f"Somebody new is told: {await _welcome(world, party.table)}"]
    return "\n".join(lines) + "\n"


def _stored(database: str, table: str) -> list[str]:
    engine = create_engine(database)
    with engine.connect() as connection:
        lines = [*_lines_of(connection, table)]
    engine.dispose()
    return lines


def _lines_of(connection: Connection, table: str) -> Iterator[str]:
    row = connection.execute(text(_TABLE), {"table": table}).mappings().first()
    if row is None:
        yield "No such table is stored."
        return
    yield f"Stored: stage {row['stage']}, owner {row['owner']}, fence {row['fence']}, active {row['active']}."
    for number, chair in enumerate(msgspec.json.decode(row["head"]).get("chairs", ())):
        yield f"  seat {number}: {chair}"
    yield "The end of its journal:"
    for entry in connection.execute(text(f"{_END} LIMIT {_ENTRIES}"), {"table": table}).mappings():
        yield f"  {dict(entry)}"
    if inspect(connection).has_table("workers"):
        yield f"Who lives (it is {time.time():.1f}):"
        for worker in connection.execute(text(_WORKERS)).mappings():
            yield f"  {dict(worker)}"


async def _welcome(world: World, table: str) -> str:
    """What a page is told that has never been there."""
    try:
        async with (
            asyncio.timeout(_WELCOME_WITHIN),
            Person(world.served.address, History()) as stranger,
            stranger.connect(table) as socket,
        ):
            while (told := json.loads(await socket.recv()))["type"] != "welcome":
                pass
    except (OSError, TimeoutError, WebSocketException) as problem:
        return repr(problem)
    return f"entry {told['number']}, stage {told['table']['stage']}, asked {told['asked']}"
