"""A database that does not answer: every wait has its limit, and everything goes on when it is back."""

import asyncio
import os
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import pytest
from sqlalchemy.exc import SQLAlchemyError
from structlog.testing import capture_logs
from tests.postgres import Cluster
from tests.server.site import Guest
from tests.server.sitting import QuickThinkers, until
from tests.server.test_crash import hear_out
from tests.server.test_store import first_addition
from tests.server.test_unclear import CODE, move, numbers
from tests.server.trouble import Trouble, troubled

from dicetown.server.common.settings import Settings, Timeouts
from dicetown.server.store.contact import Contact
from dicetown.server.store.writer import Unclear
from dicetown.server.web.app import make_app
from dicetown.server.web.run import address_of, make_server, open_socket
from dicetown.server.web.service import Service

#: For tests that wait for it; with some room, for a machine that is busy.
SHORT = Timeouts(connect=2, answer=0.5, settle=0.6, read=1.5, proof=0.4, farewell=0.3)
ENDLESS = 3600.0  # seconds: who waits for as long hangs
AT_MOST = 120.0  # seconds after which something hangs, on a machine however busy


@contextmanager
def within() -> Iterator[None]:
    """What takes longer waits for the database, which is silent for as long as anybody looks."""
    began = time.monotonic()
    yield
    assert time.monotonic() - began < AT_MOST


@contextmanager
def silence(place: str, trouble: Trouble) -> Iterator[None]:
    """The database does not answer: PostgreSQL stands still, or SQLite is locked by somebody else."""
    if "://" in place:
        trouble.silent.set()
        try:
            yield
        finally:
            trouble.silent.clear()
        return
    other = sqlite3.connect(place, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    try:
        yield
    finally:
        other.execute("COMMIT")
        other.close()


def test_what_is_written_into_silence_fails_in_time_and_works_afterwards(place: str) -> None:
    async def scene() -> None:
        with troubled(place) as (trouble, opened):
            store = opened(timeouts=SHORT)
            await store.write(first_addition(CODE))
            with silence(place, trouble), within(), pytest.raises(SQLAlchemyError):
                await store.write(move(2))
            await store.write(move(2))
            assert await numbers(store) == [1, 2]
            store.close()

    asyncio.run(scene())


def test_what_is_read_into_silence_fails_in_time_however_many_wait(postgres_place: str) -> None:
    async def scene() -> None:
        with troubled(postgres_place) as (trouble, opened):
            store = opened(timeouts=SHORT)
            await store.write(first_addition(CODE))
            with silence(postgres_place, trouble), within():
                asked = [store.journal(CODE) for _ in range(20)]
                results = await asyncio.gather(*asked, return_exceptions=True)
                assert all(isinstance(result, SQLAlchemyError) for result in results)
            await until(lambda: not store._reading)
            assert await numbers(store) == [1]
            store.close()

    asyncio.run(scene())


def test_a_commit_into_silence_is_unclear_and_is_found_when_the_database_is_back(postgres_place: str) -> None:
    async def scene() -> None:
        with troubled(postgres_place) as (trouble, opened):
            store = opened(timeouts=SHORT)
            await store.write(first_addition(CODE))
            trouble.silent_from_commit = True
            with within(), pytest.raises(Unclear):
                await store.write(move(2))
            trouble.silent.clear()
            assert await numbers(store) == [1, 2]
            await store.write(move(3))
            store.close()

    asyncio.run(scene())


def test_a_loss_is_logged_once_and_so_is_the_return_though_nobody_writes(place: str) -> None:
    async def scene() -> list[Any]:
        with capture_logs() as logs, troubled(place) as (trouble, opened):
            store = opened(timeouts=SHORT)
            await store.write(first_addition(CODE))
            with silence(place, trouble):
                for _ in range(2):
                    with pytest.raises(SQLAlchemyError):
                        await store.write(move(2))
            await until(lambda: any(line["event"] == "database back" for line in logs))
            store.close()
        return list(logs)

    # The lock may be taken again in between.
    logs = [line for line in asyncio.run(scene()) if line["event"] != "lock taken again"]
    assert [line["event"] for line in logs] == ["database lost", "database back"]
    assert 0 < logs[1]["seconds"] < 60


def test_who_can_read_but_not_write_has_not_found_the_database_again() -> None:
    contact, was_lost = Contact(), []
    with capture_logs() as logs:
        contact.lost("write", OSError("full"))
        contact.found("read")
        was_lost.append(contact.is_lost)
        contact.lost("read", OSError("full"))
        contact.found("write")
        was_lost.append(contact.is_lost)
    assert was_lost == [True, False]
    assert [line["event"] for line in logs] == ["database lost", "database back"]


def test_a_store_closes_in_time_though_its_database_is_silent(place: str) -> None:
    async def scene() -> None:
        with troubled(place) as (trouble, opened):
            store = opened(timeouts=Timeouts(connect=2, answer=ENDLESS, read=ENDLESS, farewell=0.3))
            await store.write(first_addition(CODE))
            with silence(place, trouble):
                writing = store._writer.write(move(2))
                reading = asyncio.ensure_future(store.journal(CODE))
                await asyncio.sleep(0.1)
                with within():
                    store.close()
            writing.cancel()
            await asyncio.gather(writing, reading, return_exceptions=True)

    asyncio.run(scene())


# ----------------------------------------------------------------------------- the service


@contextmanager
def opened_site(place: str) -> Iterator[str]:
    """The site on a database of the test's; its address."""
    service = Service(place, Settings(timeouts=SHORT), thinkers=QuickThinkers())
    server = make_server(make_app(service, "a secret for tests"))
    with open_socket("127.0.0.1", 0) as found:
        thread = threading.Thread(target=server.run, kwargs={"sockets": [found]})
        thread.start()
        try:
            while not server.started:
                assert thread.is_alive()
                time.sleep(0.005)
            yield address_of(found)
        finally:
            server.should_exit = True
            thread.join(AT_MOST)


def test_being_alive_is_told_apart_from_being_ready(place: str) -> None:
    with troubled(place) as (trouble, opened):
        opened().close()
        with opened_site(opened.place) as address:
            assert httpx.get(f"{address}healthz").json()["status"] == "ok"
            assert httpx.get(f"{address}readyz").json()["status"] == "ok"
            with silence(place, trouble), within():
                for _ in range(3):
                    assert httpx.get(f"{address}healthz").status_code == 200  # though nobody answers
                    answer = httpx.get(f"{address}readyz?lang=de")
                    assert answer.status_code == 503
                    assert answer.json() == {
                        "code": "not_ready",
                        "message": "Die Tische sind gerade nicht erreichbar. Versuch es gleich noch einmal.",
                    }
            deadline = time.monotonic() + AT_MOST
            while httpx.get(f"{address}readyz").status_code != 200:
                assert time.monotonic() < deadline
                time.sleep(0.05)


@pytest.mark.slow
def test_a_service_ends_when_asked_to_though_its_database_stands_still() -> None:
    with Cluster("fsync=off") as cluster:
        command = [sys.executable, "-m", "dicetown", "serve", "--port", "0", "--secret", "x"]
        process = subprocess.Popen(
            [*command, "--db", cluster.address], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        assert process.stdout is not None
        assert process.stderr is not None
        try:
            line = process.stdout.readline()
            address = line[line.index("http://") : line.rindex("/") + 1]
            with httpx.Client(base_url=address, timeout=30) as ana:
                body = {"seats": [{"kind": "me"}, {"kind": "bot"}], "start": True}
                assert ana.post("/api/tables", json=body).status_code == 201
                cluster.freeze()
                assert ana.get("/healthz").status_code == 200
                assert ana.get("/readyz").status_code == 503
                assert ana.get("/api/me").status_code == 503
                cluster.thaw()
                deadline = time.monotonic() + AT_MOST
                while ana.get("/readyz").status_code != 200:
                    assert time.monotonic() < deadline
                    time.sleep(0.1)
                assert ana.post("/api/tables", json=body).status_code == 201
                cluster.freeze()
                assert ana.get("/readyz").status_code == 503
            os.kill(process.pid, signal.SIGTERM)
            assert process.wait(AT_MOST) == 0
            said = process.stderr.read()
            assert said.count("database back") == 1
            assert 1 <= said.count("database lost") <= 2  # the second time it ended before that was sure
        finally:
            process.kill()
            process.wait()
            process.stdout.close()
            process.stderr.close()


def test_a_guest_is_told_when_nothing_can_be_stored(place: str) -> None:
    with troubled(place) as (trouble, opened):
        opened().close()
        with opened_site(opened.place) as address, silence(place, trouble):
            answer = httpx.patch(f"{address}api/me", json={"name": "Ana"}, timeout=30)
            assert (answer.status_code, answer.json()["code"]) == (503, "not_stored")


def test_a_guest_is_told_when_tables_cannot_be_reached(
    postgres_place: str, caplog: pytest.LogCaptureFixture
) -> None:
    with troubled(postgres_place) as (trouble, opened), opened_site(opened.place) as address:
        ana = Guest(address)
        with silence(postgres_place, trouble):
            answer = ana.client.get("/api/me")
            assert (answer.status_code, answer.json()["code"]) == (503, "not_ready")
            with ana.live(CODE) as line:
                assert line.hear("refused")["code"] == "not_ready"
                assert hear_out(line) == []
                assert line.socket.close_code == 1013  # come back later
        ana.client.close()
    assert "Traceback" not in caplog.text  # it is no mistake of the service's, however often they come back
