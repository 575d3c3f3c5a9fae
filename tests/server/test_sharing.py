"""Workers share their tables: they take up what is forsaken, hand over what is not theirs, and let go."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any

import pytest
from tests.server.sitting import ANA, QuickThinkers, Seated, TestClock, refused, settle
from tests.server.test_ownership import die

from dicetown.server.common.settings import Settings
from dicetown.server.store.additions import Addition
from dicetown.server.store.registry import DEAD_AFTER
from dicetown.server.web.service import Service
from dicetown.server.wire.refusals import Elsewhere


@asynccontextmanager
async def sharing(place: str, count: int = 2) -> AsyncIterator[list[Seated]]:
    """Some workers on one database, which all know each other."""
    clock, some = TestClock(), list[Seated]()
    try:
        for number in range(count):
            some.append(join(place, clock, number))
        for _ in range(2):
            for one in some:
                await one.service.sharing.beat()
        yield some
    finally:
        await settle()
        for one in some:
            one.service.close()


def join(place: str, clock: TestClock, number: int) -> Seated:
    thinkers = QuickThinkers()
    service = Service(place, Settings(), clock, thinkers, shared_at=f"worker-{number}:1")
    return Seated(service, clock, thinkers)


def played(place: str, scene: Callable[[list[Seated]], Coroutine[Any, Any, None]], count: int = 2) -> None:
    async def all_of_it() -> None:
        async with sharing(place, count) as some:
            await scene(some)

    asyncio.run(all_of_it())


def silence(one: Seated) -> None:
    """Let a worker have stood still for long."""
    die(one.service.store)
    one.clock.time += DEAD_AFTER + 1


def test_a_table_is_found_where_it_is(postgres_place: str) -> None:
    async def scene(some: list[Seated]) -> None:
        first, second = some
        table = await first.table("me", "here")
        assert first.service.sharing._is_ours(table.code)  # and need not be handed over
        with pytest.raises(Elsewhere) as elsewhere:
            await second.service.lobby.find(table.code)
        assert elsewhere.value.address == "worker-0:1"
        assert elsewhere.value.headers == {"x-dicetown-owner": "worker-0:1"}
        await refused("no_table", second.service.lobby.find("ABCDEFGH"))

    played(postgres_place, scene)


def test_who_wakes_up_after_its_table_was_taken_sends_its_pages_there(postgres_place: str) -> None:
    async def scene(some: list[Seated]) -> None:
        paused, heir = some
        table = await paused.table("me", "here")
        page = await paused.page(table, ANA)
        silence(paused)
        taken = await heir.service.lobby.find(table.code)
        await heir.play_on(taken, ANA, 2)
        last = table.state.last
        await refused("elsewhere", paused.play_on(table, ANA))
        assert page.hung_up
        assert table.state.last == last  # what was refused has not happened here, either
        assert table.code not in paused.service.lobby.tables
        with pytest.raises(Elsewhere):
            await paused.service.lobby.find(table.code)
        assert [entry.number for entry in await heir.service.store.journal(table.code)] == [
            *range(1, taken.state.last + 1)
        ]

    played(postgres_place, scene)


def test_who_wakes_up_and_has_nothing_to_write_lets_go_all_the_same(postgres_place: str) -> None:
    async def scene(some: list[Seated]) -> None:
        paused, heir = some
        lost, kept = await paused.table("me", "here"), await paused.table("me", "here")
        page = await paused.page(lost, ANA)
        silence(paused)
        await heir.service.lobby.find(lost.code)
        await paused.service.sharing.beat()
        assert page.hung_up
        assert list(paused.service.lobby.tables) == [kept.code]

    played(postgres_place, scene)


def test_games_of_a_worker_that_died_are_taken_up_by_themselves(postgres_place: str) -> None:
    async def scene(some: list[Seated]) -> None:
        dead, *others = some
        made = [(await dead.table("me", "here")).code for _ in range(6)]
        for one in others:
            await one.service.sharing.share()
            assert not one.service.lobby.tables  # they are looked after
        silence(dead)
        for one in others:
            await one.service.sharing.beat()
        for one in others:
            await one.service.sharing.share()
        adopted = [code for one in others for code in one.service.lobby.tables]
        assert sorted(adopted) == sorted(made)  # each by one of them

    played(postgres_place, scene, 3)


def test_a_worker_that_comes_is_handed_over_what_is_its_own(postgres_place: str) -> None:
    async def scene(some: list[Seated]) -> None:
        [first] = some
        made = [await first.table("me", "here") for _ in range(20)]
        second = join(postgres_place, first.clock, 1)
        await first.service.sharing.beat()
        is_ours = first.service.sharing._is_ours
        handed_over = next(table for table in made if not is_ours(table.code))  # of 20, some are
        page = await first.page(handed_over, ANA)
        await first.service.sharing.share()
        assert len(first.service.lobby.tables) == 20  # others may come and go at this moment
        await first.service.sharing.share()
        assert page.hung_up
        assert {*first.service.lobby.tables} == {table.code for table in made if is_ours(table.code)}
        taken = await second.service.lobby.find(handed_over.code)
        await second.play_on(taken, ANA)
        await refused("elsewhere", first.service.lobby.find(handed_over.code))
        second.service.close()

    played(postgres_place, scene, 1)


def test_who_leaves_hands_over_at_once(postgres_place: str) -> None:
    async def scene(some: list[Seated]) -> None:
        leaving, heir = some
        table = await leaving.table("me", "here")
        page = await leaving.page(table, ANA)
        await leaving.service.sharing.leave()
        assert page.hung_up
        taken = await heir.service.lobby.find(table.code)
        await heir.play_on(taken, ANA)
        await refused("elsewhere", leaving.service.lobby.find(table.code))
        await refused("elsewhere", leaving.play_on(table, ANA))

    played(postgres_place, scene)


def test_who_is_leaving_still_makes_the_table_that_was_asked_for(postgres_place: str) -> None:
    """A request may have come in before: no code is a leaving worker's own, however long it looks for one."""

    async def scene(some: list[Seated]) -> None:
        leaving, heir = some
        looked_at: list[str] = []
        is_ours = leaving.service.lobby.is_ours

        def watched(code: str) -> bool:
            looked_at.append(code)
            assert len(looked_at) < 10_000, "it looks for a code for ever"
            return is_ours(code)

        leaving.service.lobby.is_ours = watched
        assert leaving.service.store.registry is not None
        leaving.service.store.registry.is_leaving = True
        await leaving.service.sharing.beat()
        table = await leaving.table("me", "here")
        assert looked_at
        await leaving.service.sharing.leave()
        await heir.play_on(await heir.service.lobby.find(table.code), ANA)

    played(postgres_place, scene)


def test_a_table_that_nobody_is_at_is_given_back(postgres_place: str) -> None:
    async def scene(some: list[Seated]) -> None:
        first, second = some
        table = await first.table("me", "here")
        first.clock.time += first.service.settings.idle + 1
        await first.service.housekeeping.tidy()
        assert not first.service.lobby.tables
        await second.play_on(await second.service.lobby.find(table.code), ANA)

    played(postgres_place, scene)


def test_only_the_owner_deletes_a_table_and_nobody_deletes_one_in_use(postgres_place: str) -> None:
    async def scene(some: list[Seated]) -> None:
        first, second = some
        table = await first.table("me", "here", start=False)
        await refused("elsewhere", second.service.delete(table.code, ANA))
        silence(first)
        taken = await second.service.lobby.find(table.code)
        await refused("elsewhere", first.service.delete(table.code, ANA))
        await second.service.delete(taken.code, ANA)
        assert await second.service.store.journal(table.code) == []

    played(postgres_place, scene)


def test_old_tables_are_deleted_though_their_worker_died_but_not_while_one_has_them(
    postgres_place: str,
) -> None:
    async def scene(some: list[Seated]) -> None:
        first, second = some
        table = await first.table("me", "here", start=False)
        table.state.summary.stage = "closed"
        await first.service.store.write(Addition(table.code, [], table.state.summary, 1.0))
        before = 2.0
        assert await second.service.store.delete_ended(before, ()) == 0
        assert first.service.store.registry is not None
        first.service.store.registry.end()  # nobody knows of it any more
        assert await second.service.store.delete_ended(before, ()) == 1

    played(postgres_place, scene)
