"""Several workers share a database: each table has one owner, and who has lost it writes nothing more."""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError, SQLAlchemyError
from tests.patience import PATIENCE
from tests.server.sitting import ANA, settle
from tests.server.test_store import first_addition
from tests.server.test_unclear import CODE, move, numbers
from tests.server.trouble import troubled

from dicetown.server.common.settings import Timeouts
from dicetown.server.store.additions import Addition
from dicetown.server.store.database_url import StoreError, open_engine
from dicetown.server.store.ownership import TableTaken
from dicetown.server.store.registry import DEAD_AFTER
from dicetown.server.store.store import Store
from dicetown.server.store.writer import Failures

OTHER = "BBBBBBBB"


@contextmanager
def workers(place: str, count: int = 2) -> Iterator[list[Store]]:
    """Some workers on one database."""
    stores = [Store(place, shared_at=f"worker-{number}:1") for number in range(count)]
    try:
        yield stores
    finally:
        for store in stores:
            store.close()


def die(store: Store) -> None:
    """Let a worker have been silent for so long that it counts as dead; its clock is the database's."""
    assert store.registry is not None
    with store.engine.begin() as connection:
        aged = text("UPDATE workers SET seen = seen - :long WHERE id = :id")
        connection.execute(aged, {"long": DEAD_AFTER + 1, "id": store.registry.id})


def rows(store: Store, code: str = CODE) -> list[tuple[int, int]]:
    """Each entry with the fence under which it was written."""
    with store.engine.connect() as connection:
        found = connection.execute(
            text("SELECT number, fence FROM entries WHERE code = :code ORDER BY number"), {"code": code}
        )
        return [(number, fence) for number, fence in found]


def test_a_table_is_whose_made_it_and_others_are_told_where_it_is(postgres_place: str) -> None:
    async def scene() -> None:
        with workers(postgres_place) as (ours, theirs):
            await ours.write(first_addition(CODE))
            assert await theirs.take(CODE) == "worker-0:1"
            with pytest.raises(TableTaken):
                await theirs.write(move(2))
            await ours.write(move(2))
            assert rows(ours) == [(1, 1), (2, 1)]
            assert await theirs.take(OTHER) is None  # there is none; its journal says so
            assert await theirs.journal(OTHER) == []

    asyncio.run(scene())


def test_who_was_given_up_and_wakes_up_writes_nothing(postgres_place: str) -> None:
    async def scene() -> None:
        with workers(postgres_place) as (paused, heir):
            await paused.write(first_addition(CODE))
            await paused.write(first_addition(OTHER))
            assert await heir.take(CODE) == "worker-0:1"
            die(paused)
            assert await heir.take(CODE) is None
            await heir.write(move(2))
            # It wakes up, and has noticed nothing: the database refuses it, and only for this table.
            results = await asyncio.gather(
                paused.write(move(2, key="late")),
                paused.write(move(2, code=OTHER)),
                paused.write(Addition(CODE, [], first_addition(CODE).summary, 9.0)),
                return_exceptions=True,
            )
            assert [type(one) for one in results] == [TableTaken, type(None), TableTaken]
            assert rows(paused) == [(1, 1), (2, 2)]
            assert rows(paused, OTHER) == [(1, 1), (2, 1)]
            assert await paused.lost() == [CODE]
            with pytest.raises(TableTaken):
                await paused.delete(CODE)
            assert await numbers(heir) == [1, 2]
            with heir.engine.connect() as connection:  # nor has the list of tables changed
                active = text("SELECT active FROM tables WHERE code = :code")
                assert connection.execute(active, {"code": CODE}).scalar() == 1.0

    asyncio.run(scene())


def test_one_group_keeps_what_is_ours_and_leaves_out_what_is_not(postgres_place: str) -> None:
    """All in one commit: a table that was lost costs the others nothing."""

    async def scene() -> None:
        commits: list[int] = []
        first = Store(
            postgres_place, watch=lambda works, seconds: commits.append(works), shared_at="worker-0:1"
        )
        with workers(postgres_place, 1) as [second]:
            await first.write(first_addition(CODE))
            await first.write(first_addition(OTHER))
            die(first)
            assert await second.take(CODE) is None
            all_wait = threading.Event()  # so that they go into one commit
            works = [
                first._writer.write(lambda connection: all_wait.wait(PATIENCE)),
                *(asyncio.ensure_future(first.write(move(number, code=OTHER))) for number in (2, 3)),
                asyncio.ensure_future(first.write(move(2))),
                asyncio.ensure_future(first.rename(ANA, "Ana", 1.0)),
            ]
            await settle()
            all_wait.set()
            results = await asyncio.gather(*works, return_exceptions=True)
            assert [type(one) for one in results].count(TableTaken) == 1
            assert isinstance(results[3], TableTaken)
            assert await numbers(first, OTHER) == [1, 2, 3]
            assert await second.name_of(ANA) == "Ana"
            assert commits[-1] >= 4
        first.close()

    asyncio.run(scene())


def test_a_table_changes_hands_at_once_when_its_worker_leaves(postgres_place: str) -> None:
    async def scene() -> None:
        with workers(postgres_place) as (leaving, heir):
            await leaving.write(first_addition(CODE))
            assert leaving.registry is not None
            leaving.registry.leave()
            assert await heir.take(CODE) is None
            assert await leaving.take(OTHER) == ""  # who leaves takes nothing
            await heir.write(move(2))
            with pytest.raises(TableTaken):
                await leaving.write(move(2))
            assert rows(heir) == [(1, 1), (2, 2)]

    asyncio.run(scene())


def test_a_table_that_was_put_away_is_anybodys(postgres_place: str) -> None:
    async def scene() -> None:
        with workers(postgres_place) as (ours, theirs):
            await ours.write(first_addition(CODE))
            await ours.give_back(CODE)
            with pytest.raises(TableTaken):
                await ours.write(move(2))
            assert await theirs.take(CODE) is None
            await theirs.write(move(2))
            assert rows(ours) == [(1, 1), (2, 2)]

    asyncio.run(scene())


def test_of_many_who_want_a_table_one_gets_it(postgres_place: str) -> None:
    async def scene() -> None:
        with workers(postgres_place, 3) as stores:
            await stores[0].write(first_addition(CODE))
            await stores[0].give_back(CODE)
            answers = await asyncio.gather(*(store.take(CODE) for store in stores))
            assert answers.count(None) == 1
            winner = answers.index(None)
            assert {one for one in answers if one is not None} == {f"worker-{winner}:1"}

    asyncio.run(scene())


def test_nobody_takes_a_table_in_the_middle_of_a_transaction(postgres_place: str) -> None:
    """What was let through is stored before somebody else reads the journal."""

    async def scene() -> None:
        with workers(postgres_place) as (ours, theirs):
            await ours.write(first_addition(CODE))
            die(ours)
            with ours.engine.begin() as connection:
                assert ours._write_all(connection, [move_under(ours, 2)]) == {}
                taking = asyncio.ensure_future(theirs.take(CODE))
                await asyncio.sleep(0.2)
                assert not taking.done()
            assert await taking is None
            assert await numbers(theirs) == [1, 2]

    asyncio.run(scene())


def test_who_stands_still_in_the_middle_of_a_transaction_does_not_keep_a_table(postgres_place: str) -> None:
    async def scene() -> None:
        with workers(postgres_place) as (ours, theirs):
            await ours.write(first_addition(CODE))
            die(ours)
            connection = ours.engine.connect()
            assert ours._write_all(connection, [move_under(ours, 2)]) == {}
            assert await theirs.take(CODE) is None  # as soon as the database has lost its patience
            await theirs.write(move(2))
            with pytest.raises(SQLAlchemyError):
                connection.commit()
            connection.invalidate()
            connection.close()
            assert rows(theirs) == [(1, 1), (2, 2)]

    asyncio.run(scene())


def move_under(store: Store, number: int) -> Addition:
    """A move under the fence of a store."""
    assert store._ownership is not None
    plain = move(number)
    return Addition(CODE, plain.entries, None, 0.0, fence=store._ownership.fence_of(CODE))


def test_a_number_is_taken_once_whatever_else_fails(postgres_place: str) -> None:
    async def scene() -> None:
        with workers(postgres_place, 1) as [store]:
            await store.write(first_addition(CODE))
            await store.write(move(2))
            with pytest.raises(IntegrityError):
                await store.write(move(2))

    asyncio.run(scene())


def test_what_is_stored_is_never_told_as_not_stored_by_one_of_several(postgres_place: str) -> None:
    async def scene() -> None:
        with troubled(postgres_place) as (trouble, opened):
            store = opened(shared_at="worker-0:1")
            trouble.answers_to_lose = 1
            await store.write(first_addition(CODE))
            for number in range(2, 8):
                trouble.answers_to_lose = number % 2
                trouble.commits_to_lose = (number + 1) % 2
                await store.write(move(number, key=f"key-{number}"))
            assert await numbers(store) == list(range(1, 8))
            store.close()

    asyncio.run(scene())


def test_who_lost_a_commit_and_then_the_table_is_told_of_what_was_stored(postgres_place: str) -> None:
    async def scene() -> None:
        with troubled(postgres_place) as (trouble, opened), workers(postgres_place, 1) as [heir]:
            store = opened(shared_at="worker-9:1", timeouts=Timeouts(settle=5.0))
            await store.write(first_addition(CODE))

            def take_over() -> None:
                die(store)
                with heir.engine.connect() as connection:
                    assert heir._ownership is not None
                    assert heir._ownership.take(connection, CODE) == 2

            trouble.commits_to_lose, trouble.meanwhile = 1, take_over
            with pytest.raises(TableTaken):
                await store.write(move(2))
            assert await numbers(heir) == [1]
            store.close()

    asyncio.run(scene())


def test_a_transaction_that_was_lost_is_waited_for_before_anybody_looks_what_it_did(
    postgres_place: str,
) -> None:
    """Its connection was cut, and the database is still at it."""

    async def scene() -> None:
        with workers(postgres_place, 1) as [store]:
            made = first_addition(CODE)._replace(fence=1)
            for number in (1, 2):
                addition = made if number == 1 else move_under(store, number)
                lost = store.engine.connect()
                assert store._write_all(lost, [addition]) == {}
                settling = asyncio.ensure_future(asyncio.to_thread(settle_with, store, addition))
                await asyncio.sleep(0.2)
                assert not settling.done()
                lost.commit()
                lost.close()
                assert await settling == {}  # it finds all of it there
                await store.take(CODE)
            assert await numbers(store) == [1, 2]

    asyncio.run(scene())


def settle_with(store: Store, addition: Addition) -> Failures:
    """Look for what a lost commit has done, as the writer does."""
    with store.engine.begin() as connection:
        return store._write_missing(connection, [addition])


# ------------------------------------------------------------------- one process, or several


def test_one_process_and_several_keep_each_other_out(postgres_place: str) -> None:
    alone = Store(postgres_place)
    with pytest.raises(StoreError, match="in use by another Dicetown"):
        Store(postgres_place, shared_at="worker-0:1")
    alone.close()
    with workers(postgres_place):
        with pytest.raises(StoreError, match=r"in use by a Dicetown of 2 processes \(one of them") as no:
            Store(postgres_place)
        assert "\n" not in str(no.value)
    Store(postgres_place).close()


def test_nobody_is_let_in_while_several_have_lost_their_lock_for_a_moment(postgres_place: str) -> None:
    """Their connections were cut all at once; but the database has just heard of them."""
    with workers(postgres_place) as several:
        ended = threading.Event()

        def live() -> None:
            while not ended.wait(0.1):
                for store in several:
                    assert store.registry is not None
                    store.registry.beat()

        for store in several:
            store._lease._ended.set()  # nobody takes it again before somebody else could
            store._lease._lock.release()
        living = threading.Thread(target=live)
        living.start()
        try:
            with pytest.raises(StoreError, match="in use by a Dicetown of 2 processes"):
                Store(postgres_place)
        finally:
            ended.set()
            living.join()


def test_who_comes_after_several_that_were_killed_waits_until_they_count_as_dead(postgres_place: str) -> None:
    killed = Store(postgres_place, shared_at="worker-0:1")
    killed._lease._ended.set()
    killed._lease._lock.release()
    alone = Store(postgres_place)
    killed._lease.look()
    assert killed.is_surpassed
    alone.close()
    killed.close()


def test_who_comes_after_several_has_all_tables(postgres_place: str) -> None:
    """A worker that stood still while a service of one process began is refused."""

    async def scene() -> None:
        told: list[str] = []
        store = Store(postgres_place, surpassed=lambda: told.append("ended"), shared_at="worker-0:1")
        await store.write(first_addition(CODE))
        die(store)
        store._lease._lock.release()  # as when its connection is cut
        alone = Store(postgres_place)
        await alone.write(move(2))
        with pytest.raises(TableTaken):
            await store.write(move(2))
        store._lease.look()
        assert told == ["ended"]
        assert await numbers(alone) == [1, 2]
        alone.close()
        store.close()

    asyncio.run(scene())


def test_who_comes_after_one_process_keeps_it_from_writing(postgres_place: str) -> None:
    async def scene() -> None:
        alone = Store(postgres_place)
        await alone.write(first_addition(CODE))
        alone._lease._lock.release()
        with workers(postgres_place) as (ours, theirs):
            assert await ours.take(CODE) is None
            await ours.write(move(2))
            with pytest.raises(Exception, match="Another service has this database"):
                await alone.write(move(2))
            assert not theirs.is_surpassed
            theirs._lease.look()
            assert not theirs.is_surpassed
        alone.close()

    asyncio.run(scene())


def test_a_worker_of_another_protocol_says_so_in_one_sentence(postgres_place: str) -> None:
    with workers(postgres_place, 1) as [store]:
        with store.engine.begin() as connection:
            connection.execute(text("UPDATE workers SET protocol = 99, version = '9.9'"))
        with pytest.raises(StoreError, match=r"Dicetown 9\.9 .* cannot work beside it") as no:
            Store(postgres_place, shared_at="worker-1:1")
        assert "\n" not in str(no.value)


def test_many_workers_that_begin_at_once_find_one_shape(postgres_place: str) -> None:
    async def scene() -> None:
        opening = [asyncio.to_thread(Store, postgres_place, shared_at=f"worker-{k}:1") for k in range(3)]
        stores = await asyncio.gather(*opening)
        fences = set()
        for store in stores:
            fences.add(store._lease.fence)
            store.close()
        assert fences == {1}

    asyncio.run(scene())


def test_a_worker_that_was_forgotten_is_there_again_at_its_next_sign_of_life(postgres_place: str) -> None:
    with workers(postgres_place) as (first, second):
        assert first.registry is not None
        assert second.registry is not None
        engine = open_engine(postgres_place)
        with engine.begin() as connection:
            connection.execute(text("DELETE FROM workers"))
        engine.dispose()
        first.registry.beat()
        assert {worker.address for worker in second.registry.beat()} == {"worker-0:1", "worker-1:1"}
        die(first)
        assert [worker.address for worker in second.registry.beat()] == ["worker-1:1"]
