"""What a table costs in memory, and what a restart costs in time.

    .venv/bin/python bench/memory.py                      both
    .venv/bin/python bench/memory.py --only tables        a game of 100 moves with two pages, in bytes
    .venv/bin/python bench/memory.py --only tables --own-addresses      everybody from an address of their own
    .venv/bin/python bench/memory.py --only restart --stored 10000

The first part plays games over real WebSockets, and looks at how much the resident memory of the service has
grown by each. The second fills a database with games that go on, starts the service on it, and looks how soon
it is ready, and how long a page waits for its welcome at a table that nobody has opened since: first without
snapshots, which are made then, and after another start with them.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any

import httpx
import msgspec
from sqlalchemy import insert
from tables import EDITIONS, ONE_ADDRESS, Asked, Bench, Message, _cookie, running
from websockets.asyncio.client import ClientConnection, connect

from dicetown import fair
from dicetown.rules.ruleset import Ruleset
from dicetown.server.journal.entries import (
    Chair,
    Entry,
    Made,
    Moved,
    Started,
    TableSettings,
    kind_of,
    write_body,
)
from dicetown.server.journal.fold import TableState
from dicetown.server.journal.played_game import PlayedGame, Step
from dicetown.server.journal.summary import write_summary
from dicetown.server.store.schema import entries, sittings, tables
from dicetown.server.store.store import Store
from dicetown.server.table.lobby import new_code

KINDS = 8  # different games that stored tables are copies of
OPENED = 100  # stored tables that are looked at, one after the other
READY_WITHIN = 600.0  # seconds
AT_ONCE = 10  # tables that are played at
STEPS = 5  # after each of which the service is weighed
read = msgspec.json.Decoder(Message).decode


def resident(process: int) -> int:
    """The bytes of memory that a process has."""
    status = Path(f"/proc/{process}/status").read_text()
    line = next(line for line in status.splitlines() if line.startswith("VmRSS"))
    return int(line.split()[1]) * 1024


@contextmanager
def serving(folder: str) -> Iterator[tuple[int, str]]:
    """`dicetown serve` on the database of a folder: its process and address."""
    place = str(Path(folder) / "tables.db")
    limits = [word for limit in ONE_ADDRESS for word in ("--limit", limit)]
    command = ["-m", "dicetown", "serve", "--port", "0", "--db", place, "--log-level", "warning"]
    with running(*command, *limits) as found:
        yield found


# ---------------------------------------------------------------------------- a table


class Tables(Bench):
    """Tables at which two people play so many moves, and stay."""

    def __init__(self, address: str, moves: int, own_addresses: bool) -> None:
        super().__init__(address, (0.0, 0.0), 0, "instant")
        self.moves = moves
        self.own_addresses = own_addresses
        self.guests = 0

    def place(self) -> str:
        """Where the next guest comes from."""
        self.guests += self.own_addresses
        return f"127.{self.guests >> 16 & 255}.{self.guests >> 8 & 255}.{(self.guests & 255) or 1}"

    async def seat(self, number: int) -> None:
        """One table with two pages."""
        settings = {"edition": EDITIONS[number % len(EDITIONS)], "pace": "instant"}
        seats, places = [{"kind": "me"}, {"kind": "friend"}], [self.place(), self.place()]
        host, friend = [self.come_from(place) for place in places]
        async with host, friend:
            made = await self.post("/api/tables", settings | {"seats": seats}, http=host)
            code, cookies = made.json()["code"], [_cookie(made)]
            joined = await self.post(f"/api/tables/{code}/join", {"name": "Guest"}, http=friend)
            cookies.append(_cookie(joined))
            await self.post(f"/api/tables/{code}/start", {}, cookies[0], http=host)
        address = f"ws://{self.address}/api/tables/{code}/live?lang=en"
        pages = [
            await connect(
                address, additional_headers={"Cookie": cookie}, compression=None, local_addr=(place, 0)
            )
            for cookie, place in zip(cookies, places, strict=True)
        ]
        self.tasks.add(asyncio.create_task(_stay(pages[1])))
        asked = read(await pages[0].recv()).asked
        for _ in range(self.moves):
            if asked is None:
                break
            action, key = random.choice(asked.choices).action, f"{random.getrandbits(60):x}"
            act = f'{{"type":"act","key":"{key}","seat":{asked.seat},"actions":["{action}"]}}'
            await pages[asked.seat].send(act)
            asked = await _next_question(pages[0])
        self.tasks.add(asyncio.create_task(_stay(pages[0])))

    def come_from(self, place: str) -> httpx.AsyncClient:
        """Somebody who asks from an address."""
        way = httpx.AsyncHTTPTransport(local_address=place)
        return httpx.AsyncClient(base_url=f"http://{self.address}", timeout=30, transport=way)

    async def play(self, tables: int) -> None:
        """Some tables at once."""
        for first in range(0, tables, AT_ONCE):
            await asyncio.gather(*(self.seat(number) for number in range(first, first + AT_ONCE)))
        await asyncio.sleep(1.0)


async def _next_question(page: ClientConnection) -> Asked | None:
    while True:
        message = read(await page.recv())
        if message.type == "entry" and message.kind in ("moved", "over"):
            return message.asked


async def _stay(page: ClientConnection) -> None:
    async for _ in page:
        pass


async def weigh(tables: int, moves: int, own_addresses: bool) -> None:
    """Play games, and look how much the service grows by each: caches fill up with the first of them."""
    with tempfile.TemporaryDirectory() as folder, serving(folder) as (process, address):
        here = Tables(address, moves, own_addresses)
        await here.play(2 * AT_ONCE)  # what is made once for all is there
        grown = [resident(process)]
        for _ in range(STEPS):
            await here.play(tables // STEPS)
            grown.append(resident(process))
        each = [(after - before) / (tables // STEPS) / 1024 for before, after in pairwise(grown)]
        whose = "addresses of their own" if own_addresses else "one address"
        steps = ", ".join(f"{size:.0f}" for size in each)
        mean = sum(each) / STEPS
        print(f"{tables} tables of {moves} moves, two pages, {whose}: {mean:.1f} KB each ({steps})")
        for task in here.tasks:
            task.cancel()
        await here.http.aclose()


# ---------------------------------------------------------------------------- a restart


def a_game(number: int, moves: int) -> list[Entry]:
    """The journal of a game that goes on."""
    edition, luck, now = EDITIONS[number % len(EDITIONS)], random.Random(number), time.time()
    settings = TableSettings(edition, list(Ruleset(edition).set_ids), {}, "off", "normal", False)
    chairs = [Chair("person", "Ana", guest="ana"), Chair("person", "Ben", guest="ben")]
    made = Made(settings, chairs, "ana", fair.new_secret().hex())
    journal, words = [Entry(1, now, made)], ["", ""]
    state = TableState("", journal[0])

    def add(body: Started | Moved, step: Step) -> None:
        journal.append(Entry(len(journal) + 1, now, body, "ana", f"{luck.getrandbits(60):x}"))
        state.apply(journal[-1], step)

    state.summary.words = words
    play = state.play = PlayedGame(state.summary)
    add(Started(words, (step := play.open()).moves, 2), step)
    while len(journal) < moves + 2 and (seat := play.asked_seat) is not None:
        step = play.act(seat, [luck.choice(play.game.legal_actions()).text])
        add(Moved(seat, step.moves), step)
    return journal


def fill(place: str, stored: int, moves: int) -> list[str]:
    """A database with games that go on."""
    store = Store(place)
    journals = [a_game(number, moves) for number in range(KINDS)]
    summaries = [TableState.fold("", journal).summary for journal in journals]
    codes = [new_code() for _ in range(stored)]
    with store.engine.begin() as connection:
        for number, code in enumerate(codes):
            summary = summaries[number % KINDS]
            summary.code = code
            shown = {"stage": "playing", "public": False, "active": time.time()}
            connection.execute(insert(tables).values(code=code, head=write_summary(summary), **shown))
            connection.execute(insert(sittings), [{"guest": one, "code": code} for one in ("ana", "ben")])
            connection.execute(insert(entries), [_row(code, entry) for entry in journals[number % KINDS]])
    store.close()
    return codes


def _row(code: str, entry: Entry) -> dict[str, Any]:
    told = {"kind": kind_of(entry.body), "body": write_body(entry.body)}
    return told | {
        "code": code,
        "number": entry.number,
        "guest": entry.guest,
        "key": entry.key,
        "at": entry.at,
    }


async def restart(stored: int, moves: int) -> None:
    """Start on a full database, and open some tables."""
    with tempfile.TemporaryDirectory() as folder:
        codes = fill(str(Path(folder) / "tables.db"), stored, moves)
        for name in ("first", "second"):
            began = time.perf_counter()
            with serving(folder) as (process, address):
                async with httpx.AsyncClient(base_url=f"http://{address}") as http:
                    while (await http.get("/readyz", timeout=READY_WITHIN)).status_code != 200:
                        await asyncio.sleep(0.02)
                ready = time.perf_counter() - began
                took = sorted([await _open(address, code) for code in codes[:OPENED]])
                memory = f"{resident(process) / 2**20:.0f} MB"
            print(f"{stored} stored tables, {name} start: ready after {ready:.1f} s, {memory}", end="")
            print(f"; opened in {statistics.median(took):.0f} ms, at most {took[-1]:.0f}" if took else "")


async def _open(address: str, code: str) -> float:
    """How many milliseconds it takes to be welcome at a table."""
    began = time.perf_counter()
    async with connect(f"ws://{address}/api/tables/{code}/live", compression=None) as page:
        await page.recv()
        return (time.perf_counter() - began) * 1000


def main() -> None:
    """Measure what is wanted."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--tables", type=int, default=750, help="that are played at, to be weighed")
    parser.add_argument("--moves", type=int, default=100)
    parser.add_argument("--stored", type=int, default=10_000)
    parser.add_argument("--own-addresses", action="store_true", help="everybody comes from another one")
    parser.add_argument("--only", choices=["tables", "restart"])
    wanted = parser.parse_args()
    if wanted.only != "restart":
        asyncio.run(weigh(wanted.tables, wanted.moves, wanted.own_addresses))
    if wanted.only != "tables":
        asyncio.run(restart(0, wanted.moves))
        asyncio.run(restart(wanted.stored, wanted.moves))


if __name__ == "__main__":
    main()
