"""A database belongs to one service at a time, and who has lost it writes nothing more."""

import asyncio
import os
import subprocess
import sys
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError
from structlog.testing import capture_logs
from tests.running import Run
from tests.server.site import Guest
from tests.server.sitting import until
from tests.server.test_crash import hear_out, served
from tests.server.test_store import first_addition
from tests.server.test_unclear import CODE, move, numbers
from tests.server.trouble import troubled

from dicetown.server.common.settings import Timeouts
from dicetown.server.store.database_url import StoreError, open_engine
from dicetown.server.store.lease import Surpassed
from dicetown.server.store.store import Store
from dicetown.server.store.writer import Unclear


def take_over(place: str) -> None:
    """Become the owner as a service does that got the lock."""
    engine = open_engine(place)
    with engine.begin() as connection:
        connection.execute(text("UPDATE leases SET fence = fence + 1, pid = 1"))
    engine.dispose()


def fence_of(store: Store) -> int:
    with store.engine.connect() as connection:
        return int(connection.execute(text("SELECT fence FROM leases")).scalar_one())


def test_a_second_one_is_told_who_has_the_database(place: str) -> None:
    async def scene() -> None:
        store = Store(place)
        with pytest.raises(
            StoreError, match=rf"in use by another Dicetown \(process {os.getpid()} on "
        ) as no:
            Store(place)
        assert "\n" not in str(no.value)
        await store.write(first_addition(CODE))  # the first one does not even notice
        store.close()
        store = Store(place)
        await store.write(move(2))
        assert fence_of(store) == 2
        store.close()

    asyncio.run(scene())


def test_the_lock_of_who_was_killed_is_free_at_once(place: str) -> None:
    program = (
        "import sys, time; from dicetown.server.store import store; "
        "store.Store(sys.argv[1]); print(flush=True); "
    )
    command = [sys.executable, "-c", program + "time.sleep(60)", place]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"\n"
        with pytest.raises(StoreError, match=f"process {other.pid} on "):
            Store(place)
        other.kill()
    Store(place).close()


def test_who_was_surpassed_writes_nothing_more(place: str) -> None:
    async def scene() -> None:
        told: list[str] = []
        store = Store(place, surpassed=lambda: told.append("surpassed"))
        await store.write(first_addition(CODE))
        take_over(place)
        with capture_logs() as logs:
            for _ in range(2):
                with pytest.raises(Surpassed):
                    await store.write(move(2))
            with pytest.raises(Surpassed):
                await store.rename("guest", "Ana", 1.0)
        assert [line["event"] for line in logs if line["log_level"] == "critical"] == [
            "another service has this database now; this one ends"
        ]
        assert told == ["surpassed"]
        assert store.is_surpassed
        assert await numbers(store) == [1]
        store.close()

    asyncio.run(scene())


def test_who_is_surpassed_notices_though_nobody_writes(place: str) -> None:
    told: list[str] = []
    store = Store(place, surpassed=lambda: told.append("surpassed"))
    store._lease.look()
    assert told == []
    take_over(place)
    store._lease.look()
    assert told == ["surpassed"]
    store.close()


def test_nobody_becomes_the_owner_in_the_middle_of_a_transaction(place: str) -> None:
    """A stale owner that has passed the guard holds the next one up until it is done."""
    store = Store(place, timeouts=Timeouts(answer=0.3))
    with store.engine.begin() as connection:
        store._lease.guard(connection)
        engine = open_engine(place, Timeouts(answer=0.3))
        with pytest.raises(Exception, match=r"timeout|locked|no answer"), engine.begin() as other:
            other.execute(text("UPDATE leases SET fence = fence + 1"))
        engine.dispose()
    store.close()


def test_a_lock_that_was_lost_with_its_connection_is_taken_again(postgres_place: str) -> None:
    async def scene() -> None:
        store = Store(postgres_place)
        await store.write(first_addition(CODE))
        with store.engine.connect() as connection:
            others = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() "
            connection.execute(text(others + "AND datname = current_database()"))
        with capture_logs() as logs:
            store._lease.look()
        assert [line["event"] for line in logs] == ["lock taken again"]
        with pytest.raises(StoreError, match="in use by"):
            Store(postgres_place)
        await store.write(move(2))
        assert await numbers(store) == [1, 2]
        assert not store.is_surpassed
        store.close()

    asyncio.run(scene())


def test_a_lock_is_taken_again_after_a_silence(postgres_place: str) -> None:
    async def scene() -> None:
        with troubled(postgres_place) as (trouble, opened), capture_logs() as logs:
            store = opened(timeouts=Timeouts(connect=2, answer=0.3))
            trouble.silent.set()
            with pytest.raises(SQLAlchemyError):
                store._lease.look()
            trouble.silent.clear()

            def is_taken_again() -> bool:
                store._lease.look()
                return any(line["event"] == "lock taken again" for line in logs)

            await until(is_taken_again)
            with pytest.raises(StoreError, match="in use by"):
                Store(postgres_place)
            await store.write(first_addition(CODE))
            store.close()

    asyncio.run(scene())


def test_a_commit_that_was_lost_while_another_took_over_is_not_told_as_not_stored(place: str) -> None:
    async def scene() -> None:
        with troubled(place) as (trouble, opened):
            store = opened(timeouts=Timeouts(settle=0.2))
            await store.write(first_addition(CODE))
            trouble.commits_to_lose, trouble.meanwhile = 1, lambda: take_over(place)
            with pytest.raises(Unclear):
                await store.write(move(2))
            store.close()

    asyncio.run(scene())


# ---------------------------------------------------------------------------- the command


def test_a_second_service_says_so_in_one_sentence_and_ends(dicetown: Run, place: str) -> None:
    with served(place) as running:
        ran = dicetown("serve", "--port", 0, "--secret", "x", "--db", place)
        assert ran.status == 2
        assert f"is in use by another Dicetown (process {running.process.pid} on " in ran.err
        assert ran.err.count("\n") == 1
        guest = Guest(running.address)
        guest.make("me", "here")
        guest.client.close()
        assert running.stop() == 0


def test_a_service_that_was_surpassed_sends_its_pages_away_and_ends(tmp_path: Path) -> None:
    place = str(tmp_path / "tables.db")
    with served(place) as running:
        guest = Guest(running.address)
        with guest.live(guest.make("me", "here")) as line:
            line.hear("welcome")
            take_over(place)
            hear_out(line)
            assert line.socket.close_code == 1012  # come back: to the one that has the database now
        guest.client.close()
        assert running.wait() == 2
