"""People who play through everything: they decide at once, and come back whenever they are cut off."""

import asyncio
import json
import random
import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Any, Self

import httpx
from tests.faults.history import UNCLEAR, History
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

EDITIONS = ("deluxe", "ciudad", "grossstadt", "neue_stadt")
#: Seconds that somebody waits for an answer before they connect anew.
_PATIENCE = 12.0
_PAUSE = 0.2  # seconds before somebody tries again
_TALKATIVE = 0.05  # how likely who watches says something about an entry
_LATER = (429, 503)  # statuses of who may be asked again
_REMEMBERED, _SHOWN = 30, 160  # messages that a page's diary has, and characters of each
_addresses = count(1)


def new_address() -> str:
    """An address of this machine that nobody has come from yet: people do not share one's limits.

    >>> new_address().startswith("127.")
    True
    """
    number = next(_addresses)
    return f"127.{64 + (number >> 16) % 64}.{number >> 8 & 255}.{number & 255}"


class Person:
    """A guest of the service, from an address of their own."""

    def __init__(self, service: str, history: History) -> None:
        self.history = history
        self.address = new_address()
        self._service = service
        transport = httpx.AsyncHTTPTransport(local_address=self.address)
        self._http = httpx.AsyncClient(base_url=service, transport=transport, timeout=_PATIENCE)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._http.aclose()

    async def arrive(self) -> None:
        """Become somebody before anything is asked that must not happen twice, as every page does.

        Else who has not heard an answer would ask again as somebody else.
        """
        await self.ask("GET", "/api/me")

    async def ask(self, method: str, path: str, body: object = None, done: str | None = None) -> Any:
        """Ask until it is done; or has been before, which the service says with the code ``done``."""
        while True:
            try:
                answer = await self._http.request(method, path, json=body)
            except httpx.TransportError:
                await asyncio.sleep(_PAUSE)
                continue
            if answer.is_success:
                return answer.json()
            if answer.status_code == 500:
                self.history.broken[f"{method} {path}: {answer.text[:80]}"] += 1
            elif answer.status_code not in _LATER:
                if answer.json()["code"] == done:
                    return None
                self.history.contradict(f"{method} {path} of {self.guest}: {answer.text[:200]}")
            await asyncio.sleep(_PAUSE)

    @property
    def guest(self) -> str | None:
        """Who they are to the service, as far as they have been told."""
        signed = self._http.cookies.get("dicetown_guest")
        return None if signed is None else signed.partition(".")[0]

    def connect(self, table: str, since: int | None = None) -> Any:
        """A live connection to a table."""
        cookies = "; ".join(f"{name}={value}" for name, value in self._http.cookies.items())
        query = "" if since is None else f"?since={since}"
        return connect(
            f"{self._service.replace('http', 'ws')}/api/tables/{table}/live{query}",
            additional_headers={"Cookie": cookies} if cookies else {},
            local_addr=(self.address, 0),
            compression=None,
            open_timeout=_PATIENCE,
            close_timeout=1.0,
            max_size=None,
        )


@dataclass
class Wish:
    """Something that somebody wants to happen, until it is known whether it has."""

    key: str
    message: dict[str, Any]


class Diary:
    """What a page has lately sent and heard, for who asks why it stands still."""

    def __init__(self) -> None:
        self._notes: deque[tuple[float, str]] = deque(maxlen=_REMEMBERED)

    def note(self, what: str) -> None:
        """Keep a message, or what became of a connection."""
        self._notes.append((time.monotonic(), what[:_SHOWN]))

    def lines(self) -> list[str]:
        """All of it, with how many seconds ago it was."""
        now = time.monotonic()
        return [f"  {now - at:6.1f} s ago {what}" for at, what in self._notes]


@dataclass
class Seat:
    """A page at a table: it shows what happens, and lets its player decide."""

    person: Person
    table: str
    seats: Sequence[int]
    rng: random.Random
    progress: float = 0.0  # when something of theirs was last acknowledged, or seen by who only watches
    diary: Diary = field(default_factory=Diary)
    since: int | None = None  # the last entry that was seen
    wish: Wish | None = None
    _keys: Any = field(default_factory=count)
    _socket: ClientConnection | None = None

    async def play(self) -> None:
        """Play until the game is over, whatever happens to the connection."""
        while True:
            try:
                async with self.person.connect(self.table, self.since) as socket:
                    self.diary.note("connected")
                    self._socket = socket
                    if await self._follow(socket):
                        self.diary.note("saw the end of the game")
                        return
            except (OSError, TimeoutError, WebSocketException) as problem:
                self.diary.note(f"cut off: {problem!r}")
                await asyncio.sleep(_PAUSE)
            finally:
                self._socket = None

    def cut_off(self) -> None:
        """Lose the connection, without a goodbye."""
        if self._socket is not None:
            self._socket.transport.abort()

    @property
    def is_connected(self) -> bool:
        """Whether the page has a connection."""
        return self._socket is not None

    async def _follow(self, socket: ClientConnection) -> bool:
        """Read what comes, and decide when asked; whether the game is over."""
        latest: dict[str, Any] = {}
        while True:
            async with asyncio.timeout(self._patience):
                text = await socket.recv(decode=True)
            message = json.loads(text)
            self.diary.note(f"heard {text if message['type'] != 'welcome' else _in_short(message)}")
            if (
                message.get("scene") or message.get("change")
            ) is not None:  # it says what is asked now; a remark does not
                latest = message
            match message["type"]:
                case "welcome":
                    self.since = message["number"]
                    self._check_seats(message["you"]["seats"])
                    if message["table"]["stage"] == "over":
                        return True
                    if self.wish is not None:  # it is not known yet what became of it
                        await self._send(socket, self.wish)
                    else:
                        await self._decide(socket, message)
                case "entry":
                    self._see(message)
                    if message["kind"] == "over":
                        return True
                    await self._decide(socket, message)
                case "done" if self.wish is not None and message["key"] == self.wish.key:
                    self.person.history.acknowledge(self.table, message["key"], message["number"])
                    self.progress = time.monotonic()
                    self.wish = None
                    if message["number"] <= (self.since or 0):  # it had happened before the welcome
                        await self._decide(socket, latest)
                case "refused" if self.wish is not None and message["key"] == self.wish.key:
                    await self._give_in(socket, message["code"])

    @property
    def _patience(self) -> float | None:
        """Who has asked for something is impatient; who waits for others is not."""
        return _PATIENCE if self.wish is not None else None

    def _check_seats(self, mine: Sequence[int]) -> None:
        if [*mine] != [*self.seats]:  # then nobody would ever play them
            self.person.history.contradict(f"{self.table}: {self.person.guest} has seats {mine}")

    def _see(self, entry: dict[str, Any]) -> None:
        self.person.history.see(self.table, entry["number"], entry["kind"], entry["moves"])
        if entry["number"] != (self.since or 0) + 1:  # what a page has seen is the beginning of the journal
            self.person.history.contradict(
                f"{self.table}: a page was told entry {entry['number']} after {self.since}"
            )
        self.since = max(self.since or 0, entry["number"])
        if not self.seats:
            self.progress = time.monotonic()

    async def _decide(self, socket: ClientConnection, message: dict[str, Any]) -> None:
        asked = message.get("asked")
        if self.wish is not None:
            return
        if not self.seats and self.rng.random() < _TALKATIVE:
            await self._wish_for(socket, {"type": "say", "phrase": None, "text": "Well played!"})
        if asked is None or asked["seat"] not in self.seats:
            return
        scene = message.get("scene") or message.get("change")
        choice = self.rng.choice(asked["choices"])["action"]
        act: dict[str, Any] = {"type": "act", "seat": asked["seat"], "actions": [choice]}
        if scene is not None:
            act["moves"] = scene["moves"]
        await self._wish_for(socket, act)

    async def _wish_for(self, socket: ClientConnection, message: dict[str, Any]) -> None:
        key = f"{self.person.address.replace('.', '_')}-{next(self._keys)}"
        self.wish = Wish(key, message | {"key": key})
        await self._send(socket, self.wish)

    async def _send(self, socket: ClientConnection, wish: Wish) -> None:
        self.diary.note(f"sends {wish.message}")
        await socket.send(json.dumps(wish.message))

    async def _give_in(self, socket: ClientConnection, why: str) -> None:
        """Something was refused: that is for good, unless nobody knows. Then look at the table anew."""
        assert self.wish is not None
        if why not in UNCLEAR:
            self.person.history.deny(self.table, self.wish.key, why)
            self.wish = None
        await asyncio.sleep(_PAUSE)
        await socket.close()


def _in_short(welcome: dict[str, Any]) -> str:
    """A welcome, which is long, as a diary has it."""
    asked = welcome["asked"] and welcome["asked"]["seat"]
    return (
        f"welcome: entry {welcome['number']}, {welcome['table']['stage']}, asks {asked}, you {welcome['you']}"
    )


class Party:
    """Some people and bots at a table, one game after the other."""

    def __init__(self, service: str, history: History, people: int, bots: int, rng: random.Random) -> None:
        self._service, self._history = service, history
        self._people, self._bots, self._rng = people, bots, rng
        self.seats: list[Seat] = []
        self.games = 0
        self._game: asyncio.Task[None] | None = None
        self._is_given_up = False

    @property
    def progress(self) -> float:
        """When something last happened that one of them wanted."""
        return max((seat.progress for seat in self.seats), default=0.0)

    @property
    def table(self) -> str:
        """Where they sit."""
        return self.seats[0].table if self.seats else "no table yet"

    async def play(self) -> None:
        """Play for ever."""
        while True:
            self._game = asyncio.create_task(self._play_game())
            try:
                await self._game
                self.games += 1
            except asyncio.CancelledError:
                if not self._is_given_up:
                    raise
                self._is_given_up = False
            finally:
                self._game.cancel()

    def give_up(self) -> None:
        """Leave a table that stands still, and begin at another one."""
        if self._game is not None:
            self._is_given_up = True
            self._game.cancel()

    async def _play_game(self) -> None:
        people = [Person(self._service, self._history) for _ in range(self._people + 1)]
        try:
            table = await self.sit_down(people)
            self.seats = [
                Seat(person, table, [seat] if seat < self._people else [], self._rng, time.monotonic())
                for seat, person in enumerate(people)
            ]
            async with asyncio.TaskGroup() as playing:
                for seat in self.seats:
                    playing.create_task(seat.play())
        finally:
            for person in people:
                await person.__aexit__()

    async def sit_down(self, people: Sequence[Person]) -> str:
        """Make a table, sit down at it and begin; its code."""
        for person in people:
            await person.arrive()
        friends = [{"kind": "friend"}] * (self._people - 1)
        bots = [{"kind": "bot", "bot": "normal"}] * self._bots
        wanted = {"edition": self._rng.choice(EDITIONS), "pace": "instant"}
        made = await people[0].ask(
            "POST", "/api/tables", wanted | {"seats": [{"kind": "me"}, *friends, *bots]}
        )
        table: str = made["code"]
        for number, friend in enumerate(people[1 : self._people], start=1):
            named = {"name": f"Guest {number}"}
            await friend.ask("POST", f"/api/tables/{table}/join", named, done="sits_already")
        await people[-1].ask("PATCH", "/api/me", {"name": "Somebody who watches"})
        await people[0].ask("POST", f"/api/tables/{table}/start", {}, done="has_begun")
        return table
