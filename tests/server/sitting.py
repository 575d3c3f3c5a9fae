"""Tables for tests: a clock that the test turns, bots that answer at once, pages that remember."""

import asyncio
import contextlib
import json
import time
from collections.abc import AsyncIterator, Callable, Iterable, MutableMapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from tests.patience import PATIENCE

from dicetown.server import wire
from dicetown.server.common.fair_line import Asker
from dicetown.server.common.settings import Settings
from dicetown.server.table import seating
from dicetown.server.table.table import Table
from dicetown.server.web.service import Service
from dicetown.server.wire.refusals import Refused
from dicetown.server.workers import thinkers
from dicetown.server.workers.processes import WorkFailed
from dicetown.server.workers.snapshot import Snapshot
from dicetown.server.workers.thinkers import Begun

ANA, BEN, CARO = "guest-ana", "guest-ben", "guest-caro"


class Ring:
    """An alarm of the test's clock."""

    def __init__(self, at: float, then: Callable[[], None]) -> None:
        self.at = at
        self.then = then
        self.cancelled = False

    def cancel(self) -> None:
        self.cancelled = True


class TestClock:
    """A clock that stands still until the test turns it."""

    __test__ = False

    def __init__(self) -> None:
        self.time = 5_000.0
        self.set_to = 1_800_000_000.0  # what it shows beyond that: the time of day
        self.rings: list[Ring] = []

    def now(self) -> float:
        return self.set_to + self.time

    def steady(self) -> float:
        return self.time

    def jump(self, seconds: float) -> None:
        """Somebody sets the time of day; not a moment passes."""
        self.set_to += seconds

    def ring(self, seconds: float, then: Callable[[], None]) -> Ring:
        alarm = Ring(self.time + max(0.0, seconds), then)
        self.rings.append(alarm)
        return alarm

    async def turn(self, seconds: float) -> None:
        """Let time pass, and everything happen that is due."""
        until = self.time + seconds
        while due := [ring for ring in self.rings if not ring.cancelled and ring.at <= until]:
            first = min(due, key=lambda ring: ring.at)
            self.rings.remove(first)
            self.time = max(self.time, first.at)
            first.then()
            await settle()
        self.time = until
        await settle()


async def settle() -> None:
    """Let everything happen that is under way in this process."""
    for _ in range(20):
        await asyncio.sleep(0)


async def until(condition: Callable[[], object]) -> None:
    """Wait until something holds."""
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, "it never happened"
        await asyncio.sleep(0.002)


class QuickThinkers(thinkers.Thinkers):
    """Bots that think in this process; those in ``broken`` fail, and ``mute`` ones never answer."""

    def __init__(self) -> None:
        super().__init__()
        self.broken: set[str] = set()
        self.mute: set[str] = set()
        self.asked: list[str] = []

    async def choose(self, bot: str, position: Snapshot, asker: Asker) -> str:
        self.asked.append(bot)
        if bot in self.broken:
            raise WorkFailed("It is broken.")
        if bot in self.mute:
            await asyncio.Event().wait()
        return thinkers.choose("greedy", position, 1)  # needs no luck, which is always the same here

    async def odds(self, position: Snapshot, moves: int, asker: Asker) -> bytes:
        return thinkers.odds(position, moves)

    async def worth(self, position: Snapshot, seat: int, thing: str, asker: Asker) -> wire.Worth:
        return thinkers.worth(position, seat, thing)

    async def first_hint(self, position: Snapshot, language: str, asker: Asker) -> wire.Hint:
        return wire.Hint(options=[], line=[language])

    async def hint(self, position: Snapshot, language: str, asker: Asker) -> wire.Hint:
        return wire.Hint(options=[], line=[language], thought=True)

    async def first_review(self, record: str, asker: Asker) -> dict[str, Any]:
        raise WorkFailed("Nobody reviews in tests.")

    async def review(self, record: str, asker: Asker, begun: Begun) -> dict[str, Any]:
        raise WorkFailed("Nobody reviews in tests.")

    def warm_up(self) -> None:
        pass


class Page:
    """A page that is connected, and remembers what it was told."""

    def __init__(self, guest: str | None, language: str = "en") -> None:
        self.guest = guest
        self.address = ""
        self.language = language
        self.sees_odds = True
        self.heard: list[dict[str, Any]] = []
        self.hung_up = False

    def send(self, message: bytes) -> None:
        self.heard.append(json.loads(message))

    def hang_up(self) -> None:
        self.hung_up = True

    def of(self, kind: str) -> list[dict[str, Any]]:
        """The messages of a type."""
        return [message for message in self.heard if message["type"] == kind]

    @property
    def entries(self) -> list[str]:
        """The kinds of the entries heard, in order."""
        return [entry["kind"] for entry in self.of("entry")]

    @property
    def last(self) -> dict[str, Any]:
        """The last entry."""
        return self.of("entry")[-1]

    @property
    def lines(self) -> list[str]:
        """What the log says in the entries heard."""
        return [line["text"] for entry in self.of("entry") for line in entry["lines"]]


class Seated:
    """A service with one table, as a test uses it."""

    def __init__(self, service: Service, clock: TestClock, thinkers: QuickThinkers) -> None:
        self.service = service
        self.clock = clock
        self.thinkers = thinkers
        self._keys = 0

    async def table(self, *seats: str, start: bool = True, **settings: Any) -> Table:
        """A table of Ana's: seats are me, here, friend, or the names of bots."""
        made = [
            {"kind": seat} if seat in ("me", "here", "friend") else {"kind": "bot", "bot": seat}
            for seat in seats
        ]
        plain = {"edition": "ciudad", "sets": ["base"], "pace": "instant"}
        request = wire.NewTable.model_validate({"seats": made, "start": start} | plain | settings)
        return await self.service.lobby.make(ANA, request, "en")

    async def friends(self, *guests: str, bots: int = 0, **settings: Any) -> Table:
        """A table at which friends sit beside Ana; the game has begun."""
        seats = ["me", *["friend"] * len(guests), *["normal"] * bots]
        table = await self.table(*seats, start=False, **settings)
        for guest in guests:
            await seating.join(table, guest, wire.Join(name=guest.removeprefix("guest-").title()))
        await seating.start(table, ANA)
        return table

    async def page(
        self, table: Table, guest: str | None, language: str = "en", since: int | None = None
    ) -> Page:
        """A page that has connected."""
        page = Page(guest, language)
        await table.enter(page, since)
        await settle()
        return page

    def key(self) -> str:
        """A new one."""
        self._keys += 1
        return f"key-{self._keys}"

    async def act(self, table: Table, guest: str, seat: int, *actions: str, **more: Any) -> int:
        """Decide; the number of the entry."""
        numbers: list[int] = []
        fields = {"key": self.key()} | more
        request = wire.Act(seat=seat, actions=list(actions), **fields)
        await table.act(guest, request, "en", numbers.append)
        return numbers[0]

    async def undo(self, table: Table, guest: str, seat: int) -> int:
        """Take back; the number of the entry."""
        numbers: list[int] = []
        await table.undo(guest, wire.Undo(key=self.key(), seat=seat), numbers.append)
        return numbers[0]

    async def say(self, table: Table, guest: str | None, name: str, **what: str) -> None:
        """Say something."""
        await table.say(guest, name, wire.Say(key=self.key(), **what), lambda number: None)

    async def play_on(self, table: Table, guest: str, moves: int = 1) -> None:
        """Take the first possible action, so many times."""
        for _ in range(moves):
            game = table.playing().game
            assert game.to_move is not None
            await self.act(table, guest, game.to_move, str(game.legal_actions()[0]))


@asynccontextmanager
async def seated(folder: Path, **settings: Any) -> AsyncIterator[Seated]:
    """A service of a test."""
    clock, thinkers = TestClock(), QuickThinkers()
    service = Service(str(folder / "tables.db"), Settings(**settings), clock, thinkers)
    try:
        yield Seated(service, clock, thinkers)
    finally:
        await settle()
        service.close()
        with contextlib.suppress(asyncio.TimeoutError):
            await settle()


def problems(logged: Iterable[MutableMapping[str, Any]]) -> list[MutableMapping[str, Any]]:
    """What a log tells of what went wrong."""
    return [one for one in logged if one["log_level"] != "info"]


async def refused(code: str, doing) -> None:
    """Something is refused, with a sentence in every language."""
    with pytest.raises(Refused) as problem:
        await doing
    assert problem.value.code == code
    assert all(problem.value.sentence(language) for language in ("en", "es", "de"))


async def finish(sitting, table: Table) -> None:
    """Let bots play the game to its end."""
    summaries = table.state.summary.chairs
    kept = [(chair.kind, chair.guest, chair.bot) for chair in summaries]
    for chair in summaries:
        if chair.kind == "person":
            chair.stand_in = "normal"
    page = await sitting.page(table, None)
    await until(lambda: table.state.summary.stage == "over")
    table.leave(page)
    for chair, (kind, guest, bot) in zip(summaries, kept, strict=True):
        chair.kind, chair.guest, chair.bot, chair.stand_in = kind, guest, bot, None
