"""Reviews in line: one after the other, in turn, and none that nobody waits for."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.server.sitting import Seated, finish, refused, seated, settle, until

from dicetown.server import wire
from dicetown.server.common.fair_line import Asker
from dicetown.server.table.table import Table
from dicetown.server.workers.processes import TooMuchToDo, WorkFailed

ANA = Asker("near", "guest-ana")


async def ask(house: Seated, table: Table) -> wire.Review:
    assert table.state.play is not None
    return await house.service.reviews.of(table, table.state.play, "en", ANA)


class Reviewer:
    """Reviews nothing, and fails when it is let; remembers what it was asked."""

    def __init__(self, house: Seated) -> None:
        house.thinkers.review = self.review  # type: ignore[method-assign]
        self.asked: list[Asker] = []
        self.begins: list[Callable[[], None]] = []
        self.given_up = 0
        self.failing = asyncio.Event()

    async def review(self, record: str, asker: Asker, begun: Callable[[], None]) -> dict[str, Any]:
        if len(self.asked) == 2:
            raise TooMuchToDo("Two wait already.")
        self.asked.append(asker)
        self.begins.append(begun)
        try:
            await self.failing.wait()
        except asyncio.CancelledError:
            self.given_up += 1
            raise
        raise WorkFailed("It is broken.")


def test_a_review_that_nobody_asks_for_any_longer_is_given_up_unless_it_is_begun(tmp_path: Path) -> None:
    async def scene() -> None:
        async with seated(tmp_path) as house:
            reviewer = Reviewer(house)
            first, second = [await house.table("normal", "normal") for _ in range(2)]
            for table in (first, second):
                await finish(house, table)
                assert not (await ask(house, table)).ready
            await settle()
            assert reviewer.asked == [ANA, ANA]
            reviewer.begins[0]()
            await house.clock.turn(50)
            await ask(house, second)
            await house.clock.turn(50)
            assert reviewer.given_up == 0  # somebody asked for it less than a minute ago
            await house.clock.turn(50)
            assert reviewer.given_up == 1  # the second; the first is begun
            assert (await ask(house, first)).total > 0

    asyncio.run(scene())


def test_a_review_too_many_is_refused_in_words(tmp_path: Path) -> None:
    async def scene() -> None:
        async with seated(tmp_path) as house:
            Reviewer(house)
            tables = [await house.table("normal", "normal") for _ in range(3)]
            for table in tables:
                await finish(house, table)
                await ask(house, table)
                await settle()
            await refused("too_much_to_think", ask(house, tables[-1]))

    asyncio.run(scene())


def test_pages_are_told_how_far_a_review_is_and_when_it_fails(tmp_path: Path) -> None:
    async def scene() -> None:
        async with seated(tmp_path) as house:
            reviewer = Reviewer(house)
            tables = [await house.table("normal", "normal") for _ in range(2)]
            pages = []
            for table in tables:
                await finish(house, table)
                pages.append(await house.page(table, "guest-ana"))
                await ask(house, table)
            assert (await ask(house, tables[1])).ahead == 1
            reviewer.begins[0]()
            house.thinkers._reviewer._progress[:] = 4, 9
            await house.clock.turn(1)
            assert [told["state"] for told in pages[0].of("review")] == ["waiting", "under_way"]
            assert pages[0].of("review")[-1] | {"done": 4, "total": 9} == pages[0].of("review")[-1]
            assert pages[1].of("review")[-1]["ahead"] == 1
            house.service.reviews._waiting[tables[1].code].cancel()  # nobody waits for it any more
            reviewer.failing.set()
            await settle()
            assert pages[0].of("review")[-1]["state"] == "failed"
            assert pages[1].of("review")[-1]["state"] == "waiting"
            await refused("no_thinker", ask(house, tables[0]))

    asyncio.run(scene())


def test_pages_are_told_when_a_review_is_ready(tmp_path: Path) -> None:
    async def scene() -> None:
        async with seated(tmp_path) as house:

            async def review(record: str, asker: Asker, begun: Callable[[], None]) -> dict[str, Any]:
                begun()
                return {"players": [], "moments": [], "turning_points": []}

            house.thinkers.review = review  # type: ignore[method-assign]
            table = await house.table("normal", "normal")
            await finish(house, table)
            page = await house.page(table, "guest-ana")
            assert not (await ask(house, table)).ready
            await until(lambda: [told["state"] for told in page.of("review")][-1:] == ["ready"])
            assert (await ask(house, table)).ready

    asyncio.run(scene())


def test_the_review_of_a_deleted_game_is_given_up(tmp_path: Path) -> None:
    async def scene() -> None:
        async with seated(tmp_path) as house:
            reviewer = Reviewer(house)
            table = await house.table("me", "normal")
            await finish(house, table)
            await ask(house, table)
            await settle()
            await house.service.delete(table.code, "guest-ana")
            await settle()
            assert reviewer.given_up == 1

    asyncio.run(scene())
