"""How many tables can play at once: real WebSocket clients at real tables, in a process of their own.

    .venv/bin/python bench/tables.py                 200 tables at the pace of quick people, then all out
    .venv/bin/python bench/tables.py --tables 50 --seconds 10

It starts `dicetown serve` on a free port with a database of its own. At every table sit two people and two
bots, and somebody watches: three screens. Measured is the time from the moment a player's decision is sent
until it is on the last of the table's screens. In the second run nobody stops to think and there are no bots:
it shows what one CPU core can do, since all tables share one event loop.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import os
import random
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from dicetown.languages import LANGUAGES

PLAYERS = 2
SCREENS = PLAYERS + 1  # somebody watches
EDITIONS = ("deluxe", "ciudad", "grossstadt", "neue_stadt")
#: All of these people come from one address, where a service would expect a club and not a country.
ONE_ADDRESS = (
    "requests=1000,10000",
    "connects=1000,10000",
    "messages_from=100000,100000",
    "tables_of_address=100000",
    "tables_made=1000,10000",
    "tables_made_in_all=1000,10000",
    "pages_of_address=10000",
    "welcomes_in_all=1000",
    "welcomes_waiting=24,10000,10000",
)


class Choice(msgspec.Struct):
    action: str


class Asked(msgspec.Struct):
    seat: int
    choices: list[Choice]


class Message(msgspec.Struct):
    """What a client has to know of a message."""

    type: str
    number: int = 0
    key: str | None = None
    kind: str = ""
    code: str = ""
    asked: Asked | None = None
    moves: Any = None


read = msgspec.json.Decoder(Message).decode


@dataclass
class Figures:
    """What was measured."""

    measuring: bool = False
    latencies: list[float] = field(default_factory=list)
    received: int = 0
    refused: int = 0
    games: int = 0


@dataclass
class Screens:
    """A table as the bench sees it: when what arrived where."""

    sent: dict[str, float] = field(default_factory=dict)
    stored: dict[int, float] = field(default_factory=dict)
    arrived: dict[int, list[float]] = field(default_factory=dict)

    def settle(self, number: int, figures: Figures) -> None:
        """If an action is on all screens, note how long that took."""
        if number in self.stored and len(self.arrived.get(number, ())) == SCREENS:
            took = max(self.arrived.pop(number)) - self.stored.pop(number)
            if figures.measuring:
                figures.latencies.append(took)


class Bench:
    """All clients."""

    def __init__(self, address: str, think: tuple[float, float], bots: int, pace: str) -> None:
        self.address = address
        self.think = think
        self.bots = bots
        self.pace = pace
        self.figures = Figures()
        self.http = httpx.AsyncClient(base_url=f"http://{address}", timeout=30)
        self.tasks: set[asyncio.Task[None]] = set()
        self.ready = 0

    async def post(self, path: str, body: dict[str, Any], cookie: str | None = None) -> httpx.Response:
        """Ask until it is granted: the service lets nobody ask too quickly."""
        while True:
            self.http.cookies.clear()
            headers = {"Cookie": cookie} if cookie else {}
            answer = await self.http.post(path, json=body, headers=headers)
            if answer.status_code != 429:
                answer.raise_for_status()
                return answer
            await asyncio.sleep(0.5)

    async def seat(self, number: int) -> None:
        """Set up a table, and play at it, one game after the other."""
        while True:
            friends = [{"kind": "friend"}] * (PLAYERS - 1)
            bots = [{"kind": "bot", "bot": "normal"}] * self.bots
            table = {"edition": EDITIONS[number % len(EDITIONS)], "pace": self.pace}
            made = await self.post("/api/tables", table | {"seats": [{"kind": "me"}, *friends, *bots]})
            code, cookies = made.json()["code"], [_cookie(made)]
            for guest in range(1, PLAYERS):
                joined = await self.post(f"/api/tables/{code}/join", {"name": f"Guest {guest}"})
                cookies.append(_cookie(joined))
            await self.post(f"/api/tables/{code}/start", {}, cookies[0])
            screens = Screens()
            seats: list[int | None] = [*range(PLAYERS), None]
            async with asyncio.TaskGroup() as players:
                for seat, cookie in zip(seats, [*cookies, ""], strict=True):
                    language = LANGUAGES[number % len(LANGUAGES)]
                    players.create_task(self.sit(code, seat, cookie, language, screens))
            self.figures.games += 1

    async def sit(self, code: str, seat: int | None, cookie: str, language: str, screens: Screens) -> None:
        """Be a client until the game is over."""
        address = f"ws://{self.address}/api/tables/{code}/live?lang={language}"
        headers = {"Cookie": cookie} if cookie else {}
        socket = await self.connect(address, headers)
        async with socket:
            async for text in socket:
                now = time.perf_counter()
                message = read(text)
                if message.type == "welcome":
                    self.ready += 1
                elif message.type == "entry":
                    self.figures.received += 1
                    screens.arrived.setdefault(message.number, []).append(now)
                    screens.settle(message.number, self.figures)
                    if message.kind == "over":
                        return
                elif message.type == "done":
                    screens.stored[message.number] = screens.sent.pop(message.key or "")
                    screens.settle(message.number, self.figures)
                elif message.type == "refused":
                    self.figures.refused += 1
                asked = message.asked
                if seat is not None and asked is not None and asked.seat == seat:
                    await self.decide(socket, seat, asked, screens)

    async def connect(self, address: str, headers: dict[str, str]) -> ClientConnection:
        """Connect; the service lets nobody connect too quickly."""
        while True:
            try:
                return await connect(address, additional_headers=headers, compression=None)
            except InvalidStatus:
                await asyncio.sleep(0.5)

    async def decide(self, socket: ClientConnection, seat: int, asked: Asked, screens: Screens) -> None:
        """Think, and decide anything."""
        wait = random.uniform(*self.think)
        if wait:
            await asyncio.sleep(wait)
        action, key = random.choice(asked.choices).action, f"{random.getrandbits(60):x}"
        screens.sent[key] = time.perf_counter()
        await socket.send(f'{{"type":"act","key":"{key}","seat":{seat},"actions":["{action}"]}}')

    async def run(self, tables: int, seconds: float, process: int) -> None:
        """Let all tables play, wait until they do, then measure."""
        for number in range(tables):
            self.tasks.add(asyncio.create_task(self.seat(number)))
        while self.ready < tables * SCREENS:
            await asyncio.sleep(0.1)
        await asyncio.sleep(min(5.0, seconds / 2))
        before, began = cpu_seconds(process), time.perf_counter()
        self.figures.measuring, self.figures.received = True, 0
        await asyncio.sleep(seconds)
        self.figures.measuring = False
        took, used = time.perf_counter() - began, cpu_seconds(process) - before
        self.report(tables, took, used)
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        await self.http.aclose()

    def report(self, tables: int, took: float, used: float) -> None:
        """Print a row."""
        times = sorted(self.figures.latencies)
        if not times:
            print("Nothing was measured.")
            return
        entries = self.figures.received / SCREENS / took
        print(
            f"{tables:6} {len(times) / took:10.0f} {entries:10.0f} {self.figures.received / took:11.0f} "
            f"{share(times, 0.5):8.1f} {share(times, 0.99):8.1f} {times[-1] * 1000:8.1f} {used / took:8.0%} "
            f"{self.figures.refused:8}",
            flush=True,
        )


def share(times: list[float], part: float) -> float:
    """The time that so large a part of all was within, in milliseconds."""
    return times[min(len(times) - 1, int(len(times) * part))] * 1000


def cpu_seconds(process: int) -> float:
    """The CPU time that a process has used."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _cookie(answer: httpx.Response) -> str:
    return answer.headers["set-cookie"].partition(";")[0]


def start_service(folder: Path) -> tuple[subprocess.Popen[str], str]:
    """The service in a process of its own, and its address."""
    command = [sys.executable, "-m", "dicetown", "serve", "--port", "0", "--db", str(folder / "tables.db")]
    command += ["--log-level", "warning"]
    command += [word for limit in ONE_ADDRESS for word in ("--limit", limit)]
    service = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert service.stdout is not None
    line = service.stdout.readline()
    return service, line.partition("http://")[2].partition("/")[0]


def main() -> None:
    """Measure both runs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--only", choices=["paced", "saturated"], help="one of the two runs")
    wanted = parser.parse_args()
    gc.disable()  # or the clients' own pauses would be measured, too
    runs = {"paced": ((0.5, 2.5), 2, "normal"), "saturated": ((0.0, 0.0), 0, "instant")}
    print("tables  actions/s  entries/s  messages/s   p50 ms   p99 ms   max ms  its CPU   refused")
    for name, (think, bots, pace) in runs.items():
        if wanted.only not in (None, name):
            continue
        with tempfile.TemporaryDirectory() as folder:
            service, address = start_service(Path(folder))
            try:
                bench = Bench(address, think, bots, pace)
                asyncio.run(bench.run(wanted.tables, wanted.seconds, service.pid))
            finally:
                service.terminate()
                service.wait()


if __name__ == "__main__":
    try:
        main()
    except (ConnectionClosed, KeyboardInterrupt) as problem:
        sys.exit(f"The bench was interrupted: {problem}")
