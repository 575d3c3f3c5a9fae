"""Whatever happens at a table by itself happens, however often the store or a bot fails before."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from sqlalchemy.exc import OperationalError
from structlog.testing import capture_logs
from tests.server.sitting import ANA, BEN, Page, Seated, seated, settle

from dicetown.server.common.fair_line import Asker
from dicetown.server.store.store import Addition
from dicetown.server.table import seating
from dicetown.server.table.automation import Automation
from dicetown.server.table.table import Table
from dicetown.server.workers.snapshot import Snapshot

GRACE = 60


class FailingStore:
    """Lets the next so many writes of a service fail."""

    def __init__(self, house: Seated) -> None:
        self._write = house.service.store.write
        self.failures = 0
        house.service.store.write = self.write  # type: ignore[method-assign]

    async def write(self, addition: Addition) -> None:
        if self.failures:
            self.failures -= 1
            raise OperationalError("", {}, Exception("the disk is full"))
        await self._write(addition)


async def patiently(house: Seated, condition: Callable[[], object], seconds: int = 200) -> None:
    """Let time pass until something holds."""
    for _ in range(seconds):
        if condition():
            return
        await house.clock.turn(1)
        await asyncio.sleep(0.005)  # for the thread that writes
    assert condition(), "it never happened"


Scene = Callable[[Seated, FailingStore, int], Awaitable[None]]


async def bot_moves(house: Seated, store: FailingStore, failures: int) -> None:
    table = await house.table("normal", "me")
    store.failures = failures
    page = await house.page(table, ANA)
    await patiently(house, lambda: page.entries == ["moved", "moved"])


async def time_runs_out(house: Seated, store: FailingStore, failures: int) -> None:
    table = await house.friends(BEN, timer="fast")
    page = await house.page(table, ANA)
    await house.page(table, BEN)
    store.failures = failures
    await house.clock.turn(20)
    await patiently(house, lambda: page.entries)
    assert page.entries == ["moved"]
    assert page.last["by_bot"]


async def bot_stands_in(house: Seated, store: FailingStore, failures: int) -> None:
    table, ana, ben = await two_friends(house)
    table.leave(ana)
    store.failures = failures
    await house.clock.turn(GRACE)
    await patiently(house, lambda: ben.entries[:2] == ["away", "moved"])
    assert ben.entries.count("away") == 1


async def player_comes_back(house: Seated, store: FailingStore, failures: int) -> None:
    table, ana, ben = await two_friends(house)
    table.leave(ana)
    await house.clock.turn(GRACE)
    await patiently(house, lambda: len(ben.entries) == 3)
    store.failures = failures
    back = await house.page(table, ANA)
    assert back.of("welcome")
    await patiently(house, lambda: "back" in ben.entries)
    assert table.state.summary.chairs[0].stand_in is None


async def kept_seat_is_taken(house: Seated, store: FailingStore, failures: int) -> None:
    table, _, _ = await two_friends(house)
    await seating.leave(table, BEN)
    kept = table.state.summary.chairs[1]
    kept.kind, kept.bot, kept.kept_for, table.state.summary.stage = "open", None, BEN, "lobby"
    store.failures = failures
    ben = await house.page(table, BEN)
    await patiently(house, lambda: "joined" in ben.entries)
    assert table.state.summary.seats_of(BEN) == [1]


async def bot_is_replaced(house: Seated, store: FailingStore, failures: int) -> None:
    house.thinkers.broken.add("planner")
    table = await house.table("planner", "me")
    store.failures = failures
    page = await house.page(table, ANA)
    await patiently(house, lambda: page.entries == ["replaced", "moved", "moved"])


async def two_friends(house: Seated) -> tuple[Table, Page, Page]:
    table = await house.friends(BEN)
    return table, await house.page(table, ANA), await house.page(table, BEN)


@pytest.mark.parametrize("failures", [1, 7])
@pytest.mark.parametrize(
    "scene",
    [bot_moves, time_runs_out, bot_stands_in, player_comes_back, kept_seat_is_taken, bot_is_replaced],
)
def test_what_could_not_be_stored_is_tried_again_until_it_is(
    tmp_path: Path, scene: Scene, failures: int
) -> None:
    async def play() -> None:
        async with seated(tmp_path, grace=GRACE) as house:
            store = FailingStore(house)
            await scene(house, store, failures)
            assert store.failures == 0

    asyncio.run(play())


def test_attempts_grow_rarer_while_the_store_fails_and_the_game_goes_on_soon_after(tmp_path: Path) -> None:
    async def play() -> None:
        async with seated(tmp_path) as house:
            store = FailingStore(house)
            table = await house.table("normal", "me")
            store.failures = 10_000
            page = await house.page(table, ANA)
            for _ in range(3600):
                await house.clock.turn(1)
            assert 240 < 10_000 - store.failures < 600  # twice a second at first, then four times a minute
            store.failures = 0
            await patiently(house, lambda: page.entries, seconds=16)

    asyncio.run(play())


def test_a_write_that_is_tried_again_is_not_doubled_when_the_game_has_gone_on(tmp_path: Path) -> None:
    async def play() -> None:
        async with seated(tmp_path) as house:
            store = FailingStore(house)
            table = await house.friends(BEN, timer="fast")
            page = await house.page(table, ANA)
            await house.page(table, BEN)
            store.failures = 1
            await house.clock.turn(20)  # time is up, and what the bot decides cannot be stored
            await house.act(table, ANA, 0, "roll 1")
            await house.clock.turn(15)
            assert page.entries == ["moved"]
            assert not page.last["by_bot"]

    asyncio.run(play())


def test_a_stand_in_that_fails_thinks_again(tmp_path: Path) -> None:
    async def play() -> None:
        async with seated(tmp_path) as house:
            house.thinkers.broken.add("normal")
            table = await house.table("normal", "me")
            page = await house.page(table, ANA)
            await house.clock.turn(30)
            assert (page.entries, len(house.thinkers.asked) > 3) == ([], True)
            house.thinkers.broken.clear()
            await patiently(house, lambda: page.entries == ["moved", "moved"])

    asyncio.run(play())


def test_a_table_at_which_the_unthinkable_happened_is_read_anew_and_the_log_says_where(
    tmp_path: Path,
) -> None:
    async def play() -> None:
        async with seated(tmp_path) as house:
            table = await house.table("normal", "me")
            choose = house.thinkers.choose

            async def fail(bot: str, position: Snapshot, asker: Asker) -> str:
                raise ZeroDivisionError

            house.thinkers.choose = fail  # type: ignore[method-assign]
            page = await house.page(table, ANA)
            await patiently(house, lambda: page.hung_up)
            house.thinkers.choose = choose  # type: ignore[method-assign]
            again = await house.service.lobby.find(table.code)
            assert again is not table
            page = await house.page(again, ANA)
            await patiently(house, lambda: page.entries == ["moved", "moved"])

    with capture_logs() as logged:
        asyncio.run(play())
    (broke,) = [one for one in logged if one["event"] == "table broke"]
    assert (broke["log_level"], len(broke["table"]), broke["number"]) == ("error", 8, 2)
    assert isinstance(broke["exc_info"], ZeroDivisionError)


def test_a_table_that_was_put_away_does_nothing_more(tmp_path: Path) -> None:
    async def play() -> None:
        async with seated(tmp_path) as house:
            table = await house.table("normal", "me")
            page, other = Page(ANA), Page(None)
            await table.enter(other, None)
            await table.enter(page, None)
            house.service.lobby.forget(table)
            asked = len(house.thinkers.asked)
            table.leave(page)  # the other one is still there: the old table must not play on for it
            await settle()
            assert len(house.thinkers.asked) == asked
            assert other.entries == []

    asyncio.run(play())


def test_who_comes_in_while_a_table_is_put_away_is_sent_to_the_one_that_is_read_anew(tmp_path: Path) -> None:
    async def play() -> None:
        async with seated(tmp_path) as house:
            table = await house.table("normal", "me")
            page = Page(ANA)
            async with table.lock:
                coming = asyncio.create_task(table.enter(page, None))
                await settle()
                house.service.lobby.forget(table)
            await coming
            assert (page.hung_up, page.heard) == (True, [])

    asyncio.run(play())


def test_a_table_that_stands_still_for_any_reason_is_set_in_motion_again(tmp_path: Path) -> None:
    async def play() -> None:
        async with seated(tmp_path) as house:
            house.thinkers.mute.add("normal")
            table = await house.table("normal", "me")
            page = await house.page(table, ANA)
            assert isinstance(table.automation, Automation)
            task = table.automation._bot
            assert task is not None
            task.cancel()  # by whatever it is that nobody has thought of
            await settle()
            house.thinkers.mute.clear()
            table.automation.look_after()
            await patiently(house, lambda: page.entries == ["moved", "moved"])

    asyncio.run(play())
