"""How many tables can play at once: real WebSocket clients at real tables, in a process of their own.

    .venv/bin/python bench/tables.py                 200 tables at the pace of quick people, then all out
    .venv/bin/python bench/tables.py --tables 50 --seconds 10
    .venv/bin/python bench/tables.py --workers 2 --db postgres

It starts `dicetown serve` on a free port with a database of its own: SQLite, or PostgreSQL (`make tools`).
At every table sit two people and two bots, and somebody watches: three screens. Measured is the time from the
moment a player's decision is sent until it is on the last of the table's screens. In the second run nobody
stops to think and there are no bots: it shows what one CPU core can do, since tables share one event loop.
Then the same is done with a bare echo (`bench/echo.py`), to see how far the service is from what can be done
at all.

Times depend on what else the machine does. What does not is the CPU time that the service needs for an action
("ms/action": all of its process, or of gateway and workers; bots, other thinkers and PostgreSQL aside).
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
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import msgspec
from screens import NotWelcome, Screen, open_screen

from dicetown.languages import LANGUAGES

sys.path.insert(0, str(Path(__file__).parents[1]))  # for what the tests have in common with this

from tests.postgres import Cluster

#: In place of an address: a PostgreSQL that is started and ended with the bench.
OWN_POSTGRES = "postgres"
DATABASE = f"{OWN_POSTGRES}, or the address of an empty PostgreSQL, in place of a SQLite of its own"
PLAYERS = 2
SCREENS = PLAYERS + 1  # somebody watches
EDITIONS = ("deluxe", "ciudad", "grossstadt", "neue_stadt")
#: All of these people come from one address, where a service would expect a club and not a country; and all
#: out they are quicker than anybody may be, which is not what is to be measured.
ONE_ADDRESS = (
    "messages=1000,10000",
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
    asked: Asked | None = None


class Seen(msgspec.Struct):
    """What somebody who watches has to know of it."""

    type: str
    number: int = 0
    kind: str = ""


read = msgspec.json.Decoder(Message).decode
glance = msgspec.json.Decoder(Seen).decode


@dataclass
class Figures:
    """What was measured."""

    measuring: bool = False
    latencies: list[float] = field(default_factory=list)
    received: int = 0
    bytes: int = 0
    refused: int = 0


@dataclass
class Screens:
    """A table as the bench sees it: when what arrived where."""

    figures: Figures
    sent: dict[str, float] = field(default_factory=dict)
    stored: dict[int, float] = field(default_factory=dict)
    arrived: dict[int, int] = field(default_factory=dict)
    last: dict[int, float] = field(default_factory=dict)

    def show(self, number: int, size: int) -> None:
        """An entry is on one more screen."""
        self.figures.received += 1
        self.figures.bytes += size
        self.arrived[number] = self.arrived.get(number, 0) + 1
        if self.arrived[number] == SCREENS:
            del self.arrived[number]
            self.last[number] = time.perf_counter()
            self._settle(number)

    def store(self, key: str, number: int) -> None:
        """An action is stored, as an entry."""
        self.stored[number] = self.sent.pop(key)
        self._settle(number)

    def _settle(self, number: int) -> None:
        """If an action is on all screens, note how long that took."""
        if number in self.stored and number in self.last:
            took = self.last.pop(number) - self.stored.pop(number)
            if self.figures.measuring:
                self.figures.latencies.append(took)


class Player:
    """Somebody at a table, or who watches: hears, thinks, decides anything."""

    def __init__(self, bench: Bench, seat: int | None, screens: Screens) -> None:
        self._bench = bench
        self._seat = seat
        self._screens = screens
        self.over = asyncio.Event()

    def hear(self, screen: Screen, text: bytes) -> None:
        """Look at a message."""
        message = glance(text) if self._seat is None else read(text)
        kind = message.type
        if kind == "entry":
            self._screens.show(message.number, len(text))
            if message.kind == "over":
                self.over.set()
        elif kind == "welcome":
            self._bench.ready += 1
        if isinstance(message, Seen):
            return
        if kind == "done":
            self._screens.store(message.key or "", message.number)
        elif kind == "refused":
            self._bench.figures.refused += 1
        if message.asked is not None and message.asked.seat == self._seat:
            self._think(screen, message.asked)

    def _think(self, screen: Screen, asked: Asked) -> None:
        wait = random.uniform(*self._bench.think)
        if wait:
            asyncio.get_running_loop().call_later(wait, self._decide, screen, asked)
        else:
            self._decide(screen, asked)

    def _decide(self, screen: Screen, asked: Asked) -> None:
        action, key = random.choice(asked.choices).action, f"{random.getrandbits(60):x}"
        self._screens.sent[key] = time.perf_counter()
        screen.say(f'{{"type":"act","key":"{key}","seat":{self._seat},"actions":["{action}"]}}')


class Bench:
    """All clients."""

    def __init__(
        self, address: str, think: tuple[float, float], bots: int, pace: str, rest: float = 0.0
    ) -> None:
        self.address = address
        self.rest = rest
        self.think = think
        self.bots = bots
        self.pace = pace
        self.figures = Figures()
        self.http = httpx.AsyncClient(base_url=f"http://{address}", timeout=30)
        self.tasks: set[asyncio.Task[None]] = set()
        self.ready = 0

    async def post(
        self,
        path: str,
        body: dict[str, Any],
        cookie: str | None = None,
        place: str = "",
        http: httpx.AsyncClient | None = None,
    ) -> httpx.Response:
        """Ask until it is granted: the service lets nobody ask too quickly."""
        http = http or self.http
        while True:
            http.cookies.clear()
            headers = {"Cookie": cookie} if cookie else {}
            if place:
                headers["X-Forwarded-For"] = place
            answer = await http.post(path, json=body, headers=headers)
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
            # A table is made by the worker that its maker's address leads to: from one address, all by one.
            place = f"10.0.{number >> 8 & 255}.{number & 255}"
            seats = [{"kind": "me"}, *friends, *bots]
            made = await self.post("/api/tables", table | {"seats": seats}, place=place)
            code, cookies = made.json()["code"], [_cookie(made)]
            for guest in range(1, PLAYERS):
                joined = await self.post(f"/api/tables/{code}/join", {"name": f"Guest {guest}"})
                cookies.append(_cookie(joined))
            await self.post(f"/api/tables/{code}/start", {}, cookies[0])
            screens = Screens(self.figures)
            everybody: list[int | None] = [*range(PLAYERS), None]
            async with asyncio.TaskGroup() as players:
                for seat, cookie in zip(everybody, [*cookies, ""], strict=True):
                    language = LANGUAGES[number % len(LANGUAGES)]
                    players.create_task(self.sit(code, seat, cookie, language, screens))

    async def sit(self, code: str, seat: int | None, cookie: str, language: str, screens: Screens) -> None:
        """Be a client until the game is over."""
        player, path = Player(self, seat, screens), f"/api/tables/{code}/live?lang={language}"
        screen = await self.open(path, cookie, player)
        await player.over.wait()
        screen.close()

    async def open(self, path: str, cookie: str, player: Player) -> Screen:
        """Connect; the service lets nobody connect too quickly."""
        while True:
            try:
                return await open_screen(self.address, path, cookie, player.hear)
            except NotWelcome:
                await asyncio.sleep(0.5)

    async def run(self, tables: int, seconds: float, process: int) -> Row:
        """Let all tables play, wait until they do, then measure."""
        for number in range(tables):
            self.tasks.add(asyncio.create_task(self.seat(number)))
        while self.ready < tables * SCREENS:
            await asyncio.sleep(0.1)
        row = await measure(self.figures, seconds, process, self.rest)
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        await self.http.aclose()
        return row


class EchoBench:
    """As many clients of a bare echo: who is at turn says something, and all screens of the table get it."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.figures = Figures()

    async def run(self, tables: int, seconds: float, process: int) -> Row:
        """Let all of them speak, then measure."""
        opened = [screen for number in range(tables) for screen in await self._table(f"/{number}")]
        row = await measure(self.figures, seconds, process)
        for screen in opened:
            screen.close()
        return row

    async def _table(self, path: str) -> list[Screen]:
        arrived, sent = 0, time.perf_counter()
        screens: list[Screen] = []

        def speak() -> None:
            nonlocal sent
            sent = time.perf_counter()
            screens[0].say(
                f'{{"type":"act","key":"{random.getrandbits(60):x}","seat":0,"actions":["build cafe"]}}'
            )

        def hear(screen: Screen, text: bytes) -> None:
            nonlocal arrived
            self.figures.received += 1
            self.figures.bytes += len(text)
            arrived += 1
            if arrived == SCREENS:
                arrived = 0
                if self.figures.measuring:
                    self.figures.latencies.append(time.perf_counter() - sent)
                speak()

        screens += [await open_screen(self.address, path, "", hear) for _ in range(SCREENS)]
        speak()
        return screens


@dataclass(frozen=True)
class Row:
    """What one run showed."""

    actions: float  # in a second
    entries: float
    messages: float
    p50: float  # milliseconds
    p99: float
    worst: float
    cpu: float  # seconds of the service's CPU time in a second
    clients: float  # of the clients'
    size: float  # bytes of an entry, on average
    refused: int

    @property
    def cost(self) -> float:
        """Milliseconds of CPU time for an action, or what a bot does instead."""
        return self.cpu / self.entries * 1000

    def __str__(self) -> str:
        rates = f"{self.actions:10.0f} {self.entries:10.0f} {self.messages:11.0f}"
        times = f"{self.p50:8.1f} {self.p99:8.1f} {self.worst:8.1f}"
        return (
            f"{rates} {times} {self.cpu:8.0%} {self.clients:8.0%} {self.cost:10.3f} {self.size:6.0f} "
            f"{self.refused:8}"
        )


_RATES = "tables  actions/s  entries/s  messages/s   p50 ms   p99 ms   max ms"
_COSTS = "its CPU  clients  ms/action  bytes  refused"
HEADER = f"             {_RATES}  {_COSTS}"


async def measure(figures: Figures, seconds: float, process: int, rest: float = 0.0) -> Row:
    """What happens in some seconds, after a while."""
    await asyncio.sleep(rest or min(5.0, seconds / 2))
    before, mine, began = cpu_seconds(process), time.process_time(), time.perf_counter()
    figures.measuring, figures.received, figures.bytes = True, 0, 0
    await asyncio.sleep(seconds)
    figures.measuring = False
    took, used = time.perf_counter() - began, cpu_seconds(process) - before
    times = sorted(figures.latencies)
    if not times:
        sys.exit("Nothing was measured.")
    return Row(
        actions=len(times) / took,
        entries=figures.received / SCREENS / took,
        messages=figures.received / took,
        p50=share(times, 0.5),
        p99=share(times, 0.99),
        worst=times[-1] * 1000,
        cpu=used / took,
        clients=(time.process_time() - mine) / took,
        size=figures.bytes / max(1, figures.received),
        refused=figures.refused,
    )


def share(times: list[float], part: float) -> float:
    """The time that so large a part of all was within, in milliseconds."""
    return times[min(len(times) - 1, int(len(times) * part))] * 1000


def cpu_seconds(process: int) -> float:
    """The CPU time that a process has used, and those it has started to serve with it."""
    return sum(_cpu_seconds_of(one) for one in (process, *parts_of(process)))


def _cpu_seconds_of(process: int) -> float:
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def parts_of(process: int) -> list[int]:
    """The gateway and the workers that a process has started; not what thinks for it."""
    started = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    return [int(one) for one in started if b"--role" in Path(f"/proc/{one}/cmdline").read_bytes()]


def _cookie(answer: httpx.Response) -> str:
    return answer.headers["set-cookie"].partition(";")[0]


@contextmanager
def running(*command: str) -> Iterator[tuple[int, str]]:
    """A program of Python's that says where it serves: its process, and that address."""
    with subprocess.Popen([sys.executable, *command], stdout=subprocess.PIPE, text=True) as service:
        assert service.stdout is not None
        try:
            yield service.pid, service.stdout.readline().partition("http://")[2].partition("/")[0]
        finally:
            service.terminate()


@contextmanager
def the_service(place: str | None, workers: int) -> Iterator[tuple[int, str]]:
    """`dicetown serve` with a database of its own, or with one that is empty."""
    limits = [word for limit in ONE_ADDRESS for word in ("--limit", limit)]
    with the_database(place) as found:
        command = ["-m", "dicetown", "serve", "--port", "0", "--db", found, "--log-level", "warning"]
        with running(*command, "--workers", str(workers), *limits) as service:
            yield service


@contextmanager
def the_database(place: str | None) -> Iterator[str]:
    """A SQLite for nobody else, a PostgreSQL for nobody else, or the one that is named."""
    with ExitStack() as made:
        if place is None:
            place = str(Path(made.enter_context(tempfile.TemporaryDirectory())) / "tables.db")
        elif place == OWN_POSTGRES:
            place = made.enter_context(Cluster()).address
        yield place


def main() -> None:
    """Measure all runs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--only", choices=["paced", "saturated"], help="one of the two runs")
    parser.add_argument("--db", help=DATABASE)
    parser.add_argument("--workers", type=int, default=1, help="processes that share the tables, with --db")
    parser.add_argument("--rest", type=float, default=0.0, help="seconds before that, for bots to get ready")
    wanted = parser.parse_args()
    gc.disable()  # or the clients' own pauses would be measured, too
    runs = {"paced": ((0.5, 2.5), 2, "normal"), "saturated": ((0.0, 0.0), 0, "instant")}
    print(HEADER)

    def go(name: str, bench: Bench | EchoBench, process: int) -> Row:
        row = asyncio.run(bench.run(wanted.tables, wanted.seconds, process))
        print(f"{name:12} {wanted.tables:6} {row}", flush=True)
        return row

    for name, (think, bots, pace) in runs.items():
        if wanted.only not in (None, name):
            continue
        with the_service(wanted.db, wanted.workers) as (process, address):
            row = go(name, Bench(address, think, bots, pace, wanted.rest), process)
        if name == "saturated":
            with running(str(Path(__file__).with_name("echo.py")), str(round(row.size))) as (
                process,
                address,
            ):
                bare = go("bare echo", EchoBench(address), process)
            print(
                f"The service does {row.actions / bare.actions:.0%} of what a bare echo does, "
                f"for {row.cost / bare.cost:.1f} times its CPU time an action."
            )


if __name__ == "__main__":
    with suppress(KeyboardInterrupt):
        main()
