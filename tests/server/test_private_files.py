"""What nobody else may read: the files of the service, and what people have said, in its logs."""

import asyncio
import logging
import os
import shutil
import sqlite3
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
import structlog
from structlog.testing import capture_logs
from tests.server.sitting import until
from tests.server.test_store import first_addition
from tests.server.test_unclear import CODE, move

from dicetown.commands.databases import with_folder
from dicetown.server.common.logs import set_up_logs
from dicetown.server.journal.entries import Entry, Said
from dicetown.server.store.additions import Addition
from dicetown.server.store.contact import reason_of
from dicetown.server.store.store import Store
from dicetown.server.web.guests import keep_secret

SECRETS = ("Añá-the-name", "what was said", "guest-ana-id", "key-of-a-request", "ab" * 32)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_only_their_owner_reads_the_files_of_a_database(tmp_path: Path) -> None:
    async def scene() -> None:
        before = os.umask(0o000)
        try:
            store = Store(with_folder(str(tmp_path / "new" / "tables.db")))
            await store.write(first_addition(CODE))
            files = sorted((tmp_path / "new").iterdir())
            assert [file.name for file in files] == [
                "tables.db",
                "tables.db-shm",
                "tables.db-wal",
                "tables.db.lock",
            ]
            assert {mode(file) for file in files} == {0o600}
            assert mode(tmp_path / "new") == 0o700
            store.close()
        finally:
            os.umask(before)

    asyncio.run(scene())


def test_files_that_others_could_read_are_taken_from_them_and_the_log_says_so(tmp_path: Path) -> None:
    place, key = tmp_path / "tables.db", tmp_path / "tables.db.key"
    Store(str(place)).close()
    keep_secret(key)
    place.chmod(0o644)
    key.chmod(0o640)
    with capture_logs() as logs:
        Store(str(place)).close()
        keep_secret(key)
    assert mode(place) == mode(key) == 0o600
    assert [line["file"] for line in logs] == ["tables.db", "tables.db.key"]
    with capture_logs() as logs:
        Store(str(place)).close()
    assert logs == []


def test_a_copy_of_the_file_alone_has_what_was_stored_before_a_pause(tmp_path: Path) -> None:
    place = tmp_path / "tables.db"

    def copied() -> int:
        shutil.copy(place, tmp_path / "copy.db")
        copy = sqlite3.connect(tmp_path / "copy.db")
        try:
            return int(copy.execute("SELECT count(*) FROM entries").fetchone()[0])
        finally:
            copy.close()

    async def scene() -> None:
        store = Store(str(place))
        assert copied() == 0  # the tables are in it from the beginning
        await store.write(first_addition(CODE))
        await store.write(move(2))
        await until(lambda: copied() == 2)
        store.close()

    asyncio.run(scene())


# ------------------------------------------------------------------------------------ logs


@pytest.fixture
def logs() -> Iterator[None]:
    """As the service logs; afterwards as before."""
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    levels = {name: logging.getLogger(name).level for name in ("uvicorn.error", "websockets", "alembic")}
    set_up_logs("debug")
    yield
    root.handlers[:] = handlers
    root.setLevel(level)
    for name, before in levels.items():
        logging.getLogger(name).setLevel(before)
    structlog.reset_defaults()


def fail(place: str, page: Addition) -> Exception:
    """What a page fails with that cannot be stored."""

    async def scene() -> Exception:
        store = Store(place)
        await store.write(first_addition(CODE))
        [problem] = await asyncio.gather(store.write(page), return_exceptions=True)
        store.close()
        assert isinstance(problem, Exception)
        return problem

    return asyncio.run(scene())


@pytest.mark.parametrize("at_terminal", [False, True])
@pytest.mark.parametrize(
    ("number", "at"), [(2, None), (1, 2.0), (2, "soon")], ids=["incomplete", "double", "nonsense"]
)
def test_what_people_said_is_in_no_log(
    place: str,
    number: int,
    at: float,
    at_terminal: bool,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    request: pytest.FixtureRequest,
) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: at_terminal)
    request.getfixturevalue("logs")
    name, said, guest, key, secret = SECRETS
    entry = Entry(number, at, Said(name, text=f"{said} {secret}"), guest, key)
    problem = fail(place, Addition(CODE, [entry], None, 0.0))
    log = structlog.get_logger("dicetown")
    log.error("broken", exc_info=problem)
    log.error("not stored", problem=str(problem), reason=reason_of(problem))
    logging.getLogger("elsewhere").error("broken", exc_info=problem)
    told = capsys.readouterr().err
    assert "broken" in told
    for word in SECRETS:
        assert word not in told


def test_variables_are_in_no_log(capsys: pytest.CaptureFixture[str], logs: None) -> None:
    def mistake(secret: str) -> None:
        raise ValueError("a mistake")

    try:
        mistake("ab" * 32)
    except ValueError as problem:
        structlog.get_logger("dicetown").error("broken", exc_info=problem)
    told = capsys.readouterr().err
    assert "a mistake" in told
    assert "ab" * 32 not in told
