"""What the next roll may bring: told of the moment that everybody knows, and of no other."""

import asyncio
from functools import partial
from pathlib import Path

import pytest
from sqlalchemy.exc import OperationalError
from tests.server.sitting import ANA, refused, seated, settle, until

from dicetown.server.common.fair_line import Asker
from dicetown.server.store.additions import Addition
from dicetown.server.table import odds
from dicetown.server.workers.snapshot import Snapshot


def test_the_odds_are_those_of_the_moment_also_after_something_was_taken_back(tmp_path: Path) -> None:
    async def scene() -> None:
        async with seated(tmp_path) as sitting:
            table = await sitting.table("me", "here")
            page = await sitting.page(table, ANA)
            await sitting.act(table, ANA, 0, "roll 1")
            for action, gain in [("build bakery", 0), ("build ranch", 1)]:  # what a 2 of Ben's brings Ana
                await sitting.act(table, ANA, 0, action)
                page.heard.clear()
                await until(partial(page.of, "odds"))
                odds = page.of("odds")[-1]
                assert odds["moves"] == table.playing().moves
                assert odds["odds"][1]["gains"][0] == gain
                await sitting.undo(table, ANA, 0)

    asyncio.run(scene())


def test_no_odds_are_told_of_what_is_being_stored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(odds, "_AFTER", 0.0)

    async def scene() -> None:
        async with seated(tmp_path) as sitting:
            table = await sitting.table("me", "here")
            page, goes_on = await sitting.page(table, ANA), asyncio.Event()

            async def fail(addition: Addition) -> None:
                await goes_on.wait()
                raise OperationalError("", {}, Exception("the disk is full"))

            await sitting.act(table, ANA, 0, "roll 1")
            known = table.playing().moves
            page.heard.clear()
            monkeypatch.setattr(sitting.service.store, "write", fail)
            building = asyncio.create_task(sitting.act(table, ANA, 0, "build bakery"))
            await until(lambda: table.playing().moves > known)
            await settle()
            goes_on.set()
            await refused("not_stored", building)
            await until(lambda: page.of("odds"))
            assert [told["moves"] for told in page.of("odds")] == [known]

    asyncio.run(scene())


def test_odds_of_a_moment_that_is_over_wait_in_no_line(tmp_path: Path) -> None:
    async def scene() -> None:
        async with seated(tmp_path) as sitting:
            asked: list[int] = []
            given_up: list[int] = []

            async def odds(position: Snapshot, moves: int, asker: Asker) -> bytes:
                asked.append(moves)
                try:
                    await asyncio.Event().wait()
                finally:
                    given_up.append(moves)
                raise AssertionError

            sitting.thinkers.odds = odds  # type: ignore[method-assign]
            table = await sitting.table("me", "here")
            page = await sitting.page(table, ANA)
            await until(lambda: len(asked) == 1)
            await sitting.act(table, ANA, 0, "roll 1")
            await until(lambda: len(asked) == 2)
            assert given_up == asked[:1]
            table.leave(page)
            await until(lambda: given_up == asked)

    asyncio.run(scene())
