"""Tables that ended long ago are deleted, where that is wanted, and nothing else is."""

import asyncio
from pathlib import Path

from tests.server.sitting import ANA, BEN, Seated, finish, seated

HOUR, DAY = 3600.0, 86_400.0


async def an_old_game_and_a_new_one(sitting: Seated) -> tuple[str, str, str]:
    """A game that ended ten days ago, one that waits since then, and one that has just ended."""
    old = await sitting.table("me", "here")
    await finish(sitting, old)
    waits = await sitting.friends(BEN)
    await sitting.clock.turn(10 * DAY)
    await sitting.service.housekeeping.tidy()  # both are put away
    new = await sitting.table("me", "here")
    await finish(sitting, new)
    return old.code, waits.code, new.code


async def tidy(sitting: Seated) -> None:
    """Let the service tidy often enough to trust its clock."""
    for _ in range(4):
        await sitting.clock.turn(HOUR)
        await sitting.service.housekeeping.tidy()


async def left(sitting: Seated, *codes: str) -> list[bool]:
    return [bool(await sitting.service.store.journal(code)) for code in codes]


def test_without_a_wish_everything_is_kept(tmp_path: Path) -> None:
    async def scene() -> None:
        async with seated(tmp_path) as sitting:
            codes = await an_old_game_and_a_new_one(sitting)
            await tidy(sitting)
            assert await left(sitting, *codes) == [True, True, True]

    asyncio.run(scene())


def test_only_what_ended_before_the_days_that_are_kept_is_deleted(tmp_path: Path) -> None:
    async def scene() -> None:
        async with seated(tmp_path, keep_days=7) as sitting:
            codes = await an_old_game_and_a_new_one(sitting)
            await tidy(sitting)
            assert await left(sitting, *codes) == [False, True, True]
            mine = await sitting.service.lobby.of_guest(ANA, "en")
            assert [table.code for table in mine.finished] == [codes[2]]

    asyncio.run(scene())


def test_a_clock_that_has_just_jumped_deletes_nothing(tmp_path: Path) -> None:
    async def scene() -> None:
        async with seated(tmp_path, keep_days=7) as sitting:
            table = await sitting.table("me", "here")
            await finish(sitting, table)
            await tidy(sitting)  # it is put away
            sitting.clock.jump(400 * DAY)
            await sitting.service.housekeeping.tidy()
            assert await left(sitting, table.code) == [True]
            await tidy(sitting)  # and if that is the time for hours, it must be right
            assert await left(sitting, table.code) == [False]

    asyncio.run(scene())
