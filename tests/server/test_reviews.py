"""Reviews in line: one after the other, in turn, and none that nobody waits for."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.server.sitting import Seated, finish, refused, seated, settle

from dicetown.server import wire
from dicetown.server.table import Table
from dicetown.server.waiting import Asker
from dicetown.server.workers import TooMuchToDo

ANA = Asker("near", "guest-ana")


async def ask(house: Seated, table: Table) -> wire.Review:
    assert table.standing.play is not None
    return await house.service.reviews.of(table, table.standing.play, "en", ANA)


class Reviewer:
    """Reviews nothing until it is let; remembers what it was asked."""

    def __init__(self, house: Seated) -> None:
        house.thinkers.review = self.review  # type: ignore[method-assign]
        self.asked: list[Asker] = []
        self.begins: list[Callable[[], None]] = []
        self.given_up = 0

    async def review(self, record: str, asker: Asker, begun: Callable[[], None]) -> dict[str, Any]:
        if len(self.asked) == 2:
            raise TooMuchToDo("Two wait already.")
        self.asked.append(asker)
        self.begins.append(begun)
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            self.given_up += 1
            raise
        raise AssertionError


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
