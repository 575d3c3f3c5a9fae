"""Reviews in line: one after the other, in turn, and none that nobody waits for."""

import asyncio
from pathlib import Path
from typing import Any

from tests.server.sitting import Seated, finish, refused, seated, settle, until

from dicetown.server import wire
from dicetown.server.common.fair_line import Asker
from dicetown.server.table.table import Table
from dicetown.server.workers.processes import TooMuchToDo, WorkFailed
from dicetown.server.workers.thinkers import Begun, NoChances

ANA = Asker("near", "guest-ana")
EMPTY: dict[str, Any] = {"players": [], "moments": [], "turning_points": [], "ahead_without_luck": None}


async def ask(sitting: Seated, table: Table) -> wire.Review:
    assert table.state.play is not None
    return await sitting.service.reviews.of(table, table.state.play, "en", ANA)


class Reviewer:
    """Reviews nothing, and fails when it is let; remembers what it was asked."""

    def __init__(self, sitting: Seated) -> None:
        sitting.thinkers.review = self.review  # type: ignore[method-assign]
        self.asked: list[Asker] = []
        self.begins: list[Begun] = []
        self.given_up = 0
        self.failing = asyncio.Event()

    async def review(self, record: str, asker: Asker, begun: Begun) -> dict[str, Any]:
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


def test_a_review_that_nobody_waits_for_any_longer_is_given_up_even_if_it_is_begun(tmp_path: Path) -> None:
    async def scene() -> None:
        async with seated(tmp_path) as sitting:
            reviewer = Reviewer(sitting)
            first, second = [await sitting.table("normal", "normal") for _ in range(2)]
            for table in (first, second):
                await finish(sitting, table)
                assert not (await ask(sitting, table)).ready
            await settle()
            assert reviewer.asked == [ANA, ANA]
            page = await sitting.page(first, "guest-ana")
            reviewer.begins[0](lambda: (4, 9))
            await sitting.clock.turn(50)
            await ask(sitting, second)
            await sitting.clock.turn(50)
            assert reviewer.given_up == 0  # somebody asked for it less than a minute ago
            await sitting.clock.turn(50)
            assert (
                reviewer.given_up == 1
            )  # the second; a page waits for the first, which is told how far it is
            assert (await ask(sitting, first)).done == 4
            first.leave(page)
            await sitting.clock.turn(59)
            assert reviewer.given_up == 1
            await sitting.clock.turn(2)
            assert reviewer.given_up == 2

    asyncio.run(scene())


def test_a_review_that_is_made_is_kept_though_nobody_waits_for_it_any_longer(tmp_path: Path) -> None:
    async def scene() -> None:
        async with seated(tmp_path) as sitting:
            kept: list[str] = []
            may_be_kept = asyncio.Event()

            async def review(record: str, asker: Asker, begun: Begun) -> dict[str, Any]:
                return EMPTY | {"exact": True}

            async def keep_review(code: str, review: dict[str, Any]) -> None:
                await may_be_kept.wait()
                kept.append(code)

            sitting.thinkers.review = review  # type: ignore[method-assign]
            sitting.service.store.keep_review = keep_review  # type: ignore[method-assign]
            table = await sitting.table("normal", "normal")
            await finish(sitting, table)
            await ask(sitting, table)
            await settle()
            await sitting.clock.turn(200)
            may_be_kept.set()
            await settle()
            assert kept == [table.code]

    asyncio.run(scene())


def test_who_looks_just_before_a_review_is_kept_does_not_begin_another(tmp_path: Path) -> None:
    async def scene() -> None:
        async with seated(tmp_path) as sitting:
            asked: list[Asker] = []
            looked: list[str] = []
            is_made, goes_on = asyncio.Event(), asyncio.Event()
            store = sitting.service.store
            find = store.review

            async def review(record: str, asker: Asker, begun: Begun) -> dict[str, Any]:
                asked.append(asker)
                await is_made.wait()
                return EMPTY | {"exact": True}

            async def look(code: str) -> dict[str, Any] | None:
                found = await find(code)
                looked.append(code)
                await goes_on.wait()
                return found

            sitting.thinkers.review = review  # type: ignore[method-assign]
            table = await sitting.table("normal", "normal")
            await finish(sitting, table)
            page = await sitting.page(table, None)
            await ask(sitting, table)
            store.review = look  # type: ignore[method-assign]
            looking = asyncio.create_task(ask(sitting, table))
            await until(lambda: looked)
            is_made.set()
            await until(lambda: [told["state"] for told in page.of("review")][-1:] == ["ready"])
            goes_on.set()
            assert (await looking).ready
            assert asked == [ANA]

    asyncio.run(scene())


def test_a_review_too_many_is_refused_in_words(tmp_path: Path) -> None:
    async def scene() -> None:
        async with seated(tmp_path) as sitting:
            Reviewer(sitting)
            tables = [await sitting.table("normal", "normal") for _ in range(3)]
            for table in tables:
                await finish(sitting, table)
                await ask(sitting, table)
                await settle()
            await refused("too_much_to_think", ask(sitting, tables[-1]))

    asyncio.run(scene())


def test_pages_are_told_how_far_a_review_is_and_when_it_fails(tmp_path: Path) -> None:
    async def scene() -> None:
        async with seated(tmp_path) as sitting:
            reviewer = Reviewer(sitting)
            tables = [await sitting.table("normal", "normal") for _ in range(2)]
            pages = []
            for table in tables:
                await finish(sitting, table)
                pages.append(await sitting.page(table, "guest-ana"))
                await ask(sitting, table)
            assert (await ask(sitting, tables[1])).ahead == 1
            reviewer.begins[0](lambda: (4, 9))
            await sitting.clock.turn(1)
            assert [told["state"] for told in pages[0].of("review")] == ["waiting", "under_way"]
            assert pages[0].of("review")[-1] | {"done": 4, "total": 9} == pages[0].of("review")[-1]
            assert pages[1].of("review")[-1]["ahead"] == 1
            sitting.service.reviews._waiting[tables[1].code].cancel()  # nobody waits for it any more
            reviewer.failing.set()
            await settle()
            assert pages[0].of("review")[-1]["state"] == "failed"
            assert pages[1].of("review")[-1]["state"] == "waiting"
            await refused("no_thinker", ask(sitting, tables[0]))

    asyncio.run(scene())


def test_pages_are_told_when_a_review_is_ready(tmp_path: Path) -> None:
    async def scene() -> None:
        async with seated(tmp_path) as sitting:

            async def review(record: str, asker: Asker, begun: Begun) -> dict[str, Any]:
                begun(lambda: (4, 9))
                return EMPTY | {"exact": True}

            sitting.thinkers.review = review  # type: ignore[method-assign]
            table = await sitting.table("normal", "normal")
            await finish(sitting, table)
            page = await sitting.page(table, "guest-ana")
            assert not (await ask(sitting, table)).ready
            await until(lambda: [told["state"] for told in page.of("review")][-1:] == ["ready"])
            assert (await ask(sitting, table)).ready

    asyncio.run(scene())


def test_a_first_picture_is_shown_until_the_exact_one_is_there(tmp_path: Path) -> None:
    async def scene() -> None:
        async with seated(tmp_path) as sitting:
            is_thought_about = asyncio.Event()

            async def first_review(record: str, asker: Asker) -> dict[str, Any]:
                return EMPTY | {"exact": False}

            async def review(record: str, asker: Asker, begun: Begun) -> dict[str, Any]:
                begun(lambda: (4, 9))
                await is_thought_about.wait()
                return EMPTY | {"exact": True}

            sitting.thinkers.first_review = first_review  # type: ignore[method-assign]
            sitting.thinkers.review = review  # type: ignore[method-assign]
            table = await sitting.table("normal", "normal")
            await finish(sitting, table)
            page = await sitting.page(table, "guest-ana")
            assert not (await ask(sitting, table)).ready
            await until(lambda: page.of("review")[-1:] != [] and page.of("review")[-1]["first"])
            first = await ask(sitting, table)
            assert (first.ready, first.exact, first.done, first.total) == (True, False, 4, 9)
            is_thought_about.set()
            await until(lambda: page.of("review")[-1]["state"] == "ready")
            assert (await ask(sitting, table)).exact

    asyncio.run(scene())


def test_a_table_whose_chances_nobody_knows_is_not_reviewed_and_that_is_said(tmp_path: Path) -> None:
    async def scene() -> None:
        async with seated(tmp_path) as sitting:

            async def review(record: str, asker: Asker, begun: Begun) -> dict[str, Any]:
                raise NoChances('The champion has not learned "build moon".')

            sitting.thinkers.review = review  # type: ignore[method-assign]
            table = await sitting.table("normal", "normal")
            await finish(sitting, table)
            await ask(sitting, table)
            await settle()
            await refused("no_chances", ask(sitting, table))

    asyncio.run(scene())


def test_the_review_of_a_deleted_game_is_given_up(tmp_path: Path) -> None:
    async def scene() -> None:
        async with seated(tmp_path) as sitting:
            reviewer = Reviewer(sitting)
            table = await sitting.table("me", "normal")
            await finish(sitting, table)
            await ask(sitting, table)
            await settle()
            await sitting.service.delete(table.code, "guest-ana")
            await settle()
            assert reviewer.given_up == 1

    asyncio.run(scene())
