"""Somebody sets the clock: nothing ends too early or too late, and nothing is done for good because of it."""

import asyncio
from pathlib import Path

import pytest
from tests.server.sitting import ANA, BEN, CARO, Seated, TestClock, seated, until

from dicetown.server import wire
from dicetown.server.common.clock import Trust
from dicetown.server.journal.fold import TableState
from dicetown.server.table import seating
from dicetown.server.table.table import Table
from dicetown.server.wire.rate_limits import RateLimit
from dicetown.server.wire.refusals import Refused

HOUR, DAY = 3600.0, 24 * 3600.0
JUMPS = pytest.mark.parametrize("jump", [-70 * DAY, -1 * HOUR, 1 * HOUR, 70 * DAY])


# ------------------------------------------------------------------------------ how long it takes


@JUMPS
def test_a_deadline_comes_when_its_seconds_have_passed(tmp_path: Path, jump: float) -> None:
    async def scene() -> None:
        async with seated(tmp_path) as sitting:
            table = await sitting.friends(BEN, timer="fast")
            ana = await sitting.page(table, ANA)
            await sitting.clock.turn(5)
            sitting.clock.jump(jump)
            late = await sitting.page(table, BEN)
            assert late.of("welcome")[0]["deadline"] == sitting.clock.now() + 15
            await sitting.say(table, BEN, "Ben", text="what time is it?")
            assert ana.last["deadline"] - ana.last["at"] == 15
            await sitting.clock.turn(14)
            assert table.playing().moves == 0
            await sitting.clock.turn(1)
            await until(lambda: table.playing().moves > 0)

    asyncio.run(scene())


@JUMPS
def test_who_is_gone_has_the_whole_grace_and_no_more(tmp_path: Path, jump: float) -> None:
    async def scene() -> None:
        async with seated(tmp_path, grace=60) as sitting:
            table = await sitting.friends(BEN)
            ana, ben = await sitting.page(table, ANA), await sitting.page(table, BEN)
            table.leave(ana)
            sitting.clock.jump(jump)
            await sitting.say(table, BEN, "Ben", text="hello?")  # the table looks who is gone
            await sitting.clock.turn(59)
            assert not table.automation.is_given_up(ANA)
            assert "away" not in ben.entries
            await sitting.clock.turn(2)
            await until(lambda: "away" in ben.entries)

    asyncio.run(scene())


@JUMPS
def test_bots_keep_their_pace(tmp_path: Path, jump: float) -> None:
    async def scene() -> None:
        async with seated(tmp_path) as sitting:
            table = await sitting.table("normal", "normal", pace="slow")
            await sitting.clock.turn(10)
            page = await sitting.page(table, None)
            await until(lambda: len(page.entries) == 1)
            sitting.clock.jump(jump)
            await sitting.clock.turn(1.3)
            await until(lambda: len(page.entries) == 2)

    asyncio.run(scene())


@JUMPS
def test_tables_are_put_away_when_nobody_was_there_for_long_enough(tmp_path: Path, jump: float) -> None:
    async def scene() -> None:
        async with seated(tmp_path, idle=300) as sitting:
            table = await sitting.table("me", "here")
            table.leave(await sitting.page(table, ANA))
            sitting.clock.jump(jump)
            await sitting.clock.turn(200)
            await sitting.service.housekeeping.tidy()
            assert sitting.service.lobby.tables
            await sitting.clock.turn(200)
            await sitting.service.housekeeping.tidy()
            assert not sitting.service.lobby.tables

    asyncio.run(scene())


@JUMPS
def test_nobody_is_kept_waiting_by_a_limit_and_nobody_gets_round_it(tmp_path: Path, jump: float) -> None:
    async def scene() -> None:
        async with seated(tmp_path) as sitting:
            limit: RateLimit = sitting.service.chat_rate
            while limit.allows("ana"):
                pass
            sitting.clock.jump(jump)
            assert not limit.allows("ana")
            await sitting.clock.turn(10)
            assert limit.allows("ana")

    asyncio.run(scene())


# ------------------------------------------------------------------- what cannot be taken back


def test_the_time_of_day_is_believed_when_it_has_gone_on_evenly_for_long() -> None:
    clock = TestClock()
    trust = Trust(clock, HOUR)
    assert not trust.look()
    clock.time += HOUR
    assert trust.look()
    clock.jump(3.0)  # a clock that is put right a little
    assert trust.look()
    for jump in (DAY, -DAY):
        clock.jump(jump)
        assert not trust.look()
        clock.time += HOUR - 1
        assert not trust.look()
        clock.time += 1
        assert trust.look()


async def left_for_a_day(sitting: Seated) -> Table:
    """A game that everybody has left, a day after the service began."""
    table = await sitting.friends(BEN)
    for guest in (ANA, BEN):
        table.leave(await sitting.page(table, guest))
    for _ in range(24):
        await sitting.clock.turn(HOUR)
        await sitting.service.housekeeping.tidy()
    return await sitting.service.lobby.find(table.code)


def test_a_jump_of_the_clock_closes_no_game(tmp_path: Path) -> None:
    async def scene() -> None:
        async with seated(tmp_path) as sitting:
            table = await left_for_a_day(sitting)
            for _ in range(3):  # to and fro, and tidied in between
                sitting.clock.jump(70 * DAY)
                await sitting.service.housekeeping.tidy()
                await sitting.clock.turn(HOUR / 2)
                await sitting.service.housekeeping.tidy()
                sitting.clock.jump(-70 * DAY)
                await sitting.service.housekeeping.tidy()
                await sitting.clock.turn(2 * HOUR)
                await sitting.service.housekeeping.tidy()
            table = await sitting.service.lobby.find(table.code)
            assert table.info("en").stage == "playing"

    asyncio.run(scene())


async def forsaken(sitting: Seated) -> Table:
    """A game that was closed because nobody came."""
    table = await left_for_a_day(sitting)
    await sitting.clock.turn(61 * DAY)
    await sitting.service.housekeeping.tidy()
    table = await sitting.service.lobby.find(table.code)
    assert table.info("en").stage == "closed"
    return table


def test_a_game_that_was_closed_because_nobody_came_goes_on_when_a_player_does(tmp_path: Path) -> None:
    async def scene() -> None:
        async with seated(tmp_path) as sitting:
            table = await forsaken(sitting)
            assert table.info("en").fairness.secret is None  # the dice may still have to fall
            stranger = await sitting.page(table, CARO)
            assert table.info("en").stage == "closed"
            ben = await sitting.page(table, BEN, "de")
            assert stranger.entries[-1] == "reopened"
            assert stranger.last["table"]["stage"] == "playing"
            assert ben.lines[-1] == "Ben ist zurück: Der Tisch ist wieder offen."
            await sitting.page(table, ANA)
            await sitting.act(table, ANA, 0, "roll 1")
            again = TableState.fold(table.code, await sitting.service.store.journal(table.code))
            table.state.count_rounds()
            assert again.summary == table.state.summary
            assert (again.summary.ended, again.summary.forsaken) == (None, None)

    asyncio.run(scene())


def test_a_table_of_friends_who_never_came_waits_for_them_again(tmp_path: Path) -> None:
    async def scene() -> None:
        async with seated(tmp_path) as sitting:
            table = await sitting.table("me", "friend", start=False)
            await sitting.clock.turn(7 * HOUR)
            await sitting.service.housekeeping.tidy()
            table = await sitting.service.lobby.find(table.code)
            with pytest.raises(Refused, match="is_closed"):
                await seating.join(table, BEN, wire.Join(name="Ben"))
            await sitting.page(table, ANA)
            assert table.info("en").stage == "lobby"
            await seating.join(table, BEN, wire.Join(name="Ben"))
            await seating.start(table, ANA)

    asyncio.run(scene())


def test_a_table_that_its_players_have_closed_stays_closed(tmp_path: Path) -> None:
    async def scene() -> None:
        async with seated(tmp_path) as sitting:
            table = await sitting.table("me", "friend", start=False)
            await seating.leave(table, ANA)
            await sitting.page(table, ANA)
            assert table.info("en").stage == "closed"

    asyncio.run(scene())
