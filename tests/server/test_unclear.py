"""Commits whose answer is lost: what is stored is never told as "not stored", and nothing is stored twice."""

import asyncio
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError, SQLAlchemyError
from tests.server.sitting import ANA, BEN, refused, seated, settle
from tests.server.test_store import first_addition
from tests.server.trouble import Opened, Trouble, trouble_sqlite, troubled

from dicetown.server import wire
from dicetown.server.common.settings import Timeouts
from dicetown.server.journal.entries import Entry, Moved, Said
from dicetown.server.store.additions import Addition, write_all
from dicetown.server.store.database_url import open_engine
from dicetown.server.store.store import Store
from dicetown.server.store.writer import Unclear
from dicetown.server.web.live import Conversation
from dicetown.server.web.service import Service

CODE = "AAAAAAAA"
SHORT = Timeouts(connect=2, answer=1.0, settle=0.5, read=1.0)


@pytest.fixture
def trouble(place: str) -> Iterator[tuple[Trouble, Opened]]:
    with troubled(place) as found:
        yield found


def move(number: int, code: str = CODE, key: str | None = None) -> Addition:
    return Addition(code, [Entry(number, 2.5, Moved(0, ["roll 1", "dice 3"]), ANA, key)], None, 0.0)


async def numbers(store: Store, code: str = CODE) -> list[int]:
    return [entry.number for entry in await store.journal(code)]


def test_what_is_stored_is_never_told_as_not_stored(trouble: tuple[Trouble, Opened]) -> None:
    now, opened = trouble

    async def scene() -> None:
        store = opened()
        now.answers_to_lose = 1
        await store.write(first_addition(CODE))
        for number in range(2, 12):
            now.answers_to_lose = 1
            await store.write(move(number, key=f"key-{number}"))
        assert await numbers(store) == list(range(1, 12))
        store.close()

    asyncio.run(scene())


def test_a_commit_that_never_arrived_is_sent_again(trouble: tuple[Trouble, Opened]) -> None:
    now, opened = trouble

    async def scene() -> None:
        store = opened()
        now.commits_to_lose = 2
        await store.write(first_addition(CODE))
        now.commits_to_lose = 1
        now.answers_to_lose = 1
        await store.write(move(2))
        assert await numbers(store) == [1, 2]
        store.close()

    asyncio.run(scene())


def test_the_others_of_a_lost_commit_are_not_harmed_by_a_bad_one(trouble: tuple[Trouble, Opened]) -> None:
    now, opened = trouble

    async def scene() -> None:
        store = opened()
        codes = [f"AAAAAA{k:02}" for k in range(12)]
        await asyncio.gather(*(store.write(first_addition(code)) for code in codes))
        additions = [move(2, code) for code in codes]
        bad = move(1, codes[3])
        now.answers_to_lose = 4  # while they are written one by one, too
        results = await asyncio.gather(
            *(store.write(one) for one in [*additions[:6], bad, *additions[6:]]), return_exceptions=True
        )
        assert [type(result) for result in results if result is not None] == [IntegrityError]
        for code in codes:
            assert await numbers(store, code) == [1, 2]
        store.close()

    asyncio.run(scene())


def test_a_lost_commit_in_whose_place_stands_somebody_elses_is_refused(
    place: str, trouble: tuple[Trouble, Opened]
) -> None:
    now, opened = trouble

    async def scene() -> None:
        store = opened()
        await store.write(first_addition(CODE))
        other = Addition(CODE, [Entry(2, 2.5, Said("Ben", text="first"), BEN, "key")], None, 0.0)

        def write_other() -> None:
            engine = open_engine(place)
            with engine.begin() as connection:
                write_all(connection, [other])
            engine.dispose()

        now.commits_to_lose, now.meanwhile = 1, write_other
        results = await asyncio.gather(
            store.write(move(2)), store.write(first_addition("BBBBBBBB")), return_exceptions=True
        )
        assert [type(result) for result in results] == [IntegrityError, type(None)]
        assert (await store.journal(CODE))[1:] == list(other.entries)
        assert await numbers(store, "BBBBBBBB") == [1]
        store.close()

    asyncio.run(scene())


def test_names_and_reviews_survive_a_lost_answer(trouble: tuple[Trouble, Opened]) -> None:
    now, opened = trouble

    async def scene() -> None:
        store = opened()
        await store.write(first_addition(CODE))
        now.answers_to_lose = 1
        await store.rename(ANA, "Ana", 1.0)
        now.answers_to_lose = 1
        await store.keep_review(CODE, {"moments": [1]})
        now.answers_to_lose = 1
        await store.write(Addition(CODE, [], first_addition(CODE, stage="playing").summary, 3.0))
        assert await store.name_of(ANA) == "Ana"
        assert await store.review(CODE) == {"moments": [1]}
        assert await store.left_alone(["playing"], 3.0) == []
        assert await store.left_alone(["playing"], 3.1) == [CODE]
        store.close()

    asyncio.run(scene())


def test_what_stays_unclear_is_told_as_unclear(trouble: tuple[Trouble, Opened]) -> None:
    now, opened = trouble

    async def scene() -> None:
        store = opened(timeouts=SHORT)
        await store.write(first_addition(CODE))
        now.commits_to_lose = 10_000
        with pytest.raises(Unclear):
            await store.write(move(2))
        now.commits_to_lose = 0
        await store.write(move(2))
        assert await numbers(store) == [1, 2]
        store.close()

    asyncio.run(scene())


def test_a_work_that_cannot_be_written_at_all_does_not_end_the_writing(place: str) -> None:
    async def scene() -> None:
        store = Store(place)
        await store.write(first_addition(CODE))
        bad = Addition(CODE, [Entry(2, 2.5, Said("Ana", text="\ud800"), ANA)], None, 0.0)
        worse = Addition("\ud800", [], first_addition(CODE).summary, 1.0)
        results = await asyncio.gather(
            *(store.write(one) for one in (bad, worse, move(2))), return_exceptions=True
        )
        assert results[2] is None
        assert all(isinstance(result, Exception) for result in results[:2])
        assert await numbers(store) == [1, 2]
        store.close()

    asyncio.run(scene())


# ---------------------------------------------------------------------------- at the table


def test_a_move_whose_answer_is_lost_is_acknowledged_and_told_once(tmp_path: Path) -> None:
    async def scene() -> None:
        async with seated(tmp_path) as sitting:
            table = await sitting.table("me", "here")
            page = await sitting.page(table, ANA)
            now = Trouble()
            trouble_sqlite(sitting.service.store, now)
            now.answers_to_lose = 1
            number = await sitting.act(table, ANA, 0, "roll 1")
            assert [entry["number"] for entry in page.of("entry")] == [number]
            assert not page.hung_up

    asyncio.run(scene())


def test_a_table_at_which_something_is_unclear_is_read_anew_before_anything_else_is_done(
    tmp_path: Path,
) -> None:
    async def scene() -> None:
        async with seated(tmp_path, timeouts=SHORT) as sitting:
            table = await sitting.table("me", "here")
            page = await sitting.page(table, ANA)
            now = Trouble()
            trouble_sqlite(sitting.service.store, now)
            now.commits_to_lose = 10_000
            doing = asyncio.gather(
                sitting.act(table, ANA, 0, "roll 1"),
                sitting.say(table, ANA, "Ana", text="hello"),
                return_exceptions=True,
            )
            codes = [getattr(problem, "code", None) for problem in await doing]
            assert codes == ["unclear", "unclear"]  # the second may be the first, sent once more
            assert page.hung_up
            now.commits_to_lose = 0
            again = await sitting.service.lobby.find(table.code)
            assert again is not table
            await sitting.act(again, ANA, 0, "roll 1")
            await settle()

    asyncio.run(scene())


def test_what_is_sent_once_more_while_nobody_knows_is_not_told_as_not_stored(tmp_path: Path) -> None:
    """A page that waits too long for its answer comes back, and asks again for what is being stored."""

    async def scene() -> None:
        async with seated(tmp_path, timeouts=SHORT) as sitting:
            table = await sitting.table("me", "here")
            now = Trouble()
            trouble_sqlite(sitting.service.store, now)
            now.answers_to_lose = 10_000
            twice = (sitting.act(table, ANA, 0, "roll 1", key="one-request") for _ in range(2))
            codes = [
                getattr(one, "code", None) for one in await asyncio.gather(*twice, return_exceptions=True)
            ]
            assert codes == ["unclear", "unclear"]  # it is stored
            now.answers_to_lose = 0
            again = await sitting.service.lobby.find(table.code)
            assert await sitting.act(again, ANA, 0, "roll 1", key="one-request") == again.state.last
            await settle()

    asyncio.run(scene())


def test_what_a_late_commit_has_stored_is_not_told_as_not_stored(tmp_path: Path) -> None:
    """A commit may arrive when its table has been read anew already, without it."""

    async def scene() -> None:
        async with seated(tmp_path) as sitting:
            table = await sitting.table("me", "here")
            late = move(table.state.last + 1, table.code, key="one-request")
            await sitting.service.store.write(late)
            await refused("unclear", sitting.act(table, ANA, 0, "roll 1", key="one-request"))
            again = await sitting.service.lobby.find(table.code)
            assert await sitting.act(again, ANA, 0, "roll 1", key="one-request") == again.state.last

    asyncio.run(scene())


def test_a_lost_connection_before_the_commit_is_no_mistake_of_anybody(postgres_place: str) -> None:
    async def scene() -> None:
        store = Store(postgres_place)
        await store.write(first_addition(CODE))
        with store.engine.connect() as connection:
            others = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() "
            connection.execute(text(others + "AND datname = current_database()"))
        await store.write(move(2))  # the kept connection is dead: it is written over a new one
        assert await numbers(store) == [1, 2]
        store.close()

    asyncio.run(scene())


def test_what_certainly_failed_is_told_as_such(tmp_path: Path) -> None:
    async def scene() -> None:
        store = Store(str(tmp_path / "tables.db"), timeouts=SHORT)
        with store.engine.begin() as connection:
            connection.exec_driver_sql("ALTER TABLE entries RENAME TO gone")
        with pytest.raises(SQLAlchemyError):
            await store.write(first_addition(CODE))
        store.close()

    asyncio.run(scene())


# ------------------------------------------------------- what is done counts, whatever follows it


def test_a_table_that_was_made_is_there_though_nothing_more_could_be_stored(tmp_path: Path) -> None:
    async def scene() -> None:
        async with seated(tmp_path) as sitting:
            write = sitting.service.store.write

            async def write_then_fail(addition: Addition) -> None:
                if not addition.new:
                    raise SQLAlchemyError("away")
                await write(addition)

            sitting.service.store.write = write_then_fail  # type: ignore[method-assign]
            table = await sitting.table("me", "here", start=True)
            assert table.info("en").stage == "lobby"
            assert await sitting.service.store.count_tables(ANA) == (1, 0)

    asyncio.run(scene())


def test_a_name_that_could_not_be_kept_takes_nothing_back(tmp_path: Path) -> None:
    async def scene() -> None:
        async with seated(tmp_path) as sitting:

            async def fail(guest: str, name: str, now: float) -> None:
                raise SQLAlchemyError("away")

            sitting.service.store.rename = fail  # type: ignore[method-assign]
            await sitting.service.lobby.remember(ANA, "Ana")
            assert await sitting.service.store.name_of(ANA) == ""

    asyncio.run(scene())


@pytest.mark.parametrize(("key", "code"), [("a key", "unclear"), (None, "not_ready")])
def test_what_cannot_be_looked_up_may_have_been_done_before(
    monkeypatch: pytest.MonkeyPatch, key: str | None, code: str
) -> None:
    told: list[tuple[str | None, str]] = []

    async def fail(*_: object) -> None:
        raise SQLAlchemyError("away")

    monkeypatch.setattr(Conversation, "_check_rate", lambda self: None)
    message = wire.Ping() if key is None else wire.Undo(key=key, seat=0)
    monkeypatch.setattr(Conversation, "_read", lambda self, text: message)
    monkeypatch.setattr(Conversation, "_do", fail)
    monkeypatch.setattr(Conversation, "_refuse", lambda self, key, refused: told.append((key, refused.code)))
    conversation = object.__new__(Conversation)
    conversation._service = cast("Service", SimpleNamespace(metrics=SimpleNamespace(acting=nullcontext)))
    asyncio.run(conversation.hear("{}"))
    assert told == [(key, code)]
