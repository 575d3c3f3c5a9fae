"""Whatever happens at a table by itself happens, however often the store or a bot fails before."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy.exc import OperationalError
from structlog.testing import capture_logs
from tests.server.sitting import ANA, BEN, Page, Seated, refused, seated, settle, until

from dicetown.server.common.fair_line import Asker
from dicetown.server.journal.entries import Closed
from dicetown.server.store.additions import Addition
from dicetown.server.table import seating
from dicetown.server.table.automation import Automation
from dicetown.server.table.table import Table
from dicetown.server.workers.snapshot import Snapshot

GRACE = 60


class FailingStore:
    """Lets the next so many writes of a service fail."""

    def __init__(self, sitting: Seated) -> None:
        self._write = sitting.service.store.write
        self.failures = 0
        self.goes_on = asyncio.Event()  # cleared while the disk takes its time
        self.goes_on.set()
        sitting.service.store.write = self.write  # type: ignore[method-assign]

    async def write(self, addition: Addition) -> None:
        await self.goes_on.wait()
        if self.failures:
            self.failures -= 1
            raise OperationalError("", {}, Exception("the disk is full"))
        await self._write(addition)


async def patiently(sitting: Seated, condition: Callable[[], object], seconds: int = 200) -> None:
    """Let time pass until something holds."""
    for _ in range(seconds):
        if condition():
            return
        await sitting.clock.turn(1)
        await asyncio.sleep(0.005)  # for the thread that writes
    assert condition(), "it never happened"


Scene = Callable[[Seated, FailingStore, int], Awaitable[None]]


async def bot_moves(sitting: Seated, store: FailingStore, failures: int) -> None:
    table = await sitting.table("normal", "me")
    store.failures = failures
    page = await sitting.page(table, ANA)
    await patiently(sitting, lambda: page.entries == ["moved", "moved"])


async def time_runs_out(sitting: Seated, store: FailingStore, failures: int) -> None:
    _, page, _ = await two_friends(sitting, timer="fast")
    store.failures = failures
    await sitting.clock.turn(20)
    await patiently(sitting, lambda: page.entries)
    assert page.entries == ["moved"]
    assert page.last["by_bot"]


async def bot_stands_in(sitting: Seated, store: FailingStore, failures: int) -> None:
    table, ana, ben = await two_friends(sitting)
    table.leave(ana)
    store.failures = failures
    await sitting.clock.turn(GRACE)
    await patiently(sitting, lambda: ben.entries[:2] == ["away", "moved"])
    assert ben.entries.count("away") == 1


async def player_comes_back(sitting: Seated, store: FailingStore, failures: int) -> None:
    table, ana, ben = await two_friends(sitting)
    table.leave(ana)
    await sitting.clock.turn(GRACE)
    await patiently(sitting, lambda: len(ben.entries) == 3)
    store.failures = failures
    back = await sitting.page(table, ANA)
    assert back.of("welcome")
    await patiently(sitting, lambda: "back" in ben.entries)
    assert table.state.summary.chairs[0].stand_in is None


async def kept_seat_is_taken(sitting: Seated, store: FailingStore, failures: int) -> None:
    table, _, _ = await two_friends(sitting)
    await seating.leave(table, BEN)
    kept = table.state.summary.chairs[1]
    kept.kind, kept.bot, kept.kept_for, table.state.summary.stage = "open", None, BEN, "lobby"
    store.failures = failures
    ben = await sitting.page(table, BEN)
    await patiently(sitting, lambda: "joined" in ben.entries)
    assert table.state.summary.seats_of(BEN) == [1]


async def bot_is_replaced(sitting: Seated, store: FailingStore, failures: int) -> None:
    sitting.thinkers.broken.add("planner")
    table = await sitting.table("planner", "me")
    store.failures = failures
    page = await sitting.page(table, ANA)
    await patiently(sitting, lambda: page.entries == ["replaced", "moved", "moved"])


async def two_friends(sitting: Seated, **settings: Any) -> tuple[Table, Page, Page]:
    table = await sitting.friends(BEN, **settings)
    return table, await sitting.page(table, ANA), await sitting.page(table, BEN)


@pytest.mark.parametrize("failures", [1, 7])
@pytest.mark.parametrize(
    "scene",
    [bot_moves, time_runs_out, bot_stands_in, player_comes_back, kept_seat_is_taken, bot_is_replaced],
)
def test_what_could_not_be_stored_is_tried_again_until_it_is(
    tmp_path: Path, scene: Scene, failures: int
) -> None:
    async def play() -> None:
        async with seated(tmp_path, grace=GRACE) as sitting:
            store = FailingStore(sitting)
            await scene(sitting, store, failures)
            assert store.failures == 0

    asyncio.run(play())


def test_attempts_grow_rarer_while_the_store_fails_and_the_game_goes_on_soon_after(tmp_path: Path) -> None:
    async def play() -> None:
        async with seated(tmp_path) as sitting:
            store = FailingStore(sitting)
            table = await sitting.table("normal", "me")
            store.failures = 10_000
            page = await sitting.page(table, ANA)
            for _ in range(3600):
                await sitting.clock.turn(1)
            assert 240 < 10_000 - store.failures < 600  # twice a second at first, then four times a minute
            store.failures = 0
            await patiently(sitting, lambda: page.entries, seconds=16)

    asyncio.run(play())


def test_a_write_that_is_tried_again_is_not_doubled_when_the_game_has_gone_on(tmp_path: Path) -> None:
    async def play() -> None:
        async with seated(tmp_path) as sitting:
            store = FailingStore(sitting)
            table, page, _ = await two_friends(sitting, timer="fast")
            store.failures = 1
            await sitting.clock.turn(20)  # time is up, and what the bot decides cannot be stored
            await sitting.act(table, ANA, 0, "roll 1")
            await sitting.clock.turn(15)
            assert page.entries == ["moved"]
            assert not page.last["by_bot"]

    asyncio.run(play())


def test_who_decides_for_somebody_looks_at_what_is_stored_not_at_what_is_being_stored(tmp_path: Path) -> None:
    async def play() -> None:
        async with seated(tmp_path) as sitting:
            store = FailingStore(sitting)
            table, page, _ = await two_friends(sitting, timer="fast")
            store.failures = 1
            store.goes_on.clear()
            late = asyncio.create_task(sitting.act(table, ANA, 0, "roll 1"))
            await settle()
            await sitting.clock.turn(20)  # time is up, and nobody knows yet what is asked
            store.goes_on.set()
            await refused("not_stored", late)
            await until(lambda: page.entries)
            assert (page.entries, page.last["by_bot"]) == (["moved"], True)
            assert page.last["moves"][0] == "roll 1"

    asyncio.run(play())


def test_nobody_takes_over_from_a_bot_whose_table_was_closed_meanwhile(tmp_path: Path) -> None:
    async def play() -> None:
        async with seated(tmp_path) as sitting:
            sitting.thinkers.broken.add("planner")
            table = await sitting.table("planner", "me", pace="slow")
            page = await sitting.page(table, ANA)
            async with table.lock:
                await sitting.clock.turn(30)
                await table.write(Closed())
            async with table.lock:  # which who would take over has waited for, too
                assert page.entries == ["closed"]

    asyncio.run(play())


def test_a_stand_in_that_fails_thinks_again(tmp_path: Path) -> None:
    async def play() -> None:
        async with seated(tmp_path) as sitting:
            sitting.thinkers.broken.add("normal")
            table = await sitting.table("normal", "me")
            page = await sitting.page(table, ANA)
            await sitting.clock.turn(30)
            assert (page.entries, len(sitting.thinkers.asked) > 3) == ([], True)
            sitting.thinkers.broken.clear()
            await patiently(sitting, lambda: page.entries == ["moved", "moved"])

    asyncio.run(play())


def test_a_table_at_which_the_unthinkable_happened_is_read_anew_and_the_log_says_where(
    tmp_path: Path,
) -> None:
    async def play() -> None:
        async with seated(tmp_path) as sitting:
            table = await sitting.table("normal", "me")
            choose = sitting.thinkers.choose

            async def fail(bot: str, position: Snapshot, asker: Asker) -> str:
                raise ZeroDivisionError

            sitting.thinkers.choose = fail  # type: ignore[method-assign]
            page = await sitting.page(table, ANA)
            await patiently(sitting, lambda: page.hung_up)
            sitting.thinkers.choose = choose  # type: ignore[method-assign]
            again = await sitting.service.lobby.find(table.code)
            assert again is not table
            page = await sitting.page(again, ANA)
            await patiently(sitting, lambda: page.entries == ["moved", "moved"])

    with capture_logs() as logged:
        asyncio.run(play())
    (broke,) = [one for one in logged if one["event"] == "table broke"]
    assert (broke["log_level"], len(broke["table"]), broke["number"]) == ("error", 8, 2)
    assert isinstance(broke["exc_info"], ZeroDivisionError)


def test_a_table_that_was_put_away_does_nothing_more(tmp_path: Path) -> None:
    async def play() -> None:
        async with seated(tmp_path) as sitting:
            table = await sitting.table("normal", "me")
            page, other = Page(ANA), Page(None)
            await table.enter(other, None)
            await table.enter(page, None)
            sitting.service.lobby.forget(table)
            asked = len(sitting.thinkers.asked)
            table.leave(page)  # the other one is still there: the old table must not play on for it
            await settle()
            assert len(sitting.thinkers.asked) == asked
            assert other.entries == []

    asyncio.run(play())


def test_who_comes_in_while_a_table_is_put_away_is_sent_to_the_one_that_is_read_anew(tmp_path: Path) -> None:
    async def play() -> None:
        async with seated(tmp_path) as sitting:
            table = await sitting.table("normal", "me")
            page = Page(ANA)
            async with table.lock:
                coming = asyncio.create_task(table.enter(page, None))
                await settle()
                sitting.service.lobby.forget(table)
            await coming
            assert (page.hung_up, page.heard) == (True, [])

    asyncio.run(play())


def test_a_table_that_stands_still_for_any_reason_is_set_in_motion_again(tmp_path: Path) -> None:
    async def play() -> None:
        async with seated(tmp_path) as sitting:
            sitting.thinkers.mute.add("normal")
            table = await sitting.table("normal", "me")
            page = await sitting.page(table, ANA)
            assert isinstance(table.automation, Automation)
            task = table.automation._bot
            assert task is not None
            task.cancel()  # by whatever it is that nobody has thought of
            await settle()
            sitting.thinkers.mute.clear()
            table.automation.look_after()
            await patiently(sitting, lambda: page.entries == ["moved", "moved"])

    asyncio.run(play())
