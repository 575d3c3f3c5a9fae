"""Databases for tests: a file, and a PostgreSQL server that is started for them."""

import os
import shutil
import subprocess
import tempfile
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text

#: The address of a server to use instead of starting one; its user must be able to make databases.
GIVEN = "DICETOWN_TEST_POSTGRES"
DEBIAN = Path("/usr/lib/postgresql")
MISSING = (
    "These tests need PostgreSQL. Debian and Ubuntu have it in the package postgresql "
    f"(apt-get install postgresql); or set {GIVEN} to the address of a server."
)


def _programs() -> Path:
    """The folder of initdb and pg_ctl."""
    found = shutil.which("initdb")
    if found is not None:
        return Path(found).resolve().parent
    newest = sorted(DEBIAN.glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    if not newest:
        pytest.fail(MISSING)
    return newest[-1].parent


def _run(folder: Path, *command: object) -> None:
    """Run a program of PostgreSQL, which refuses to be run as root."""
    words = [str(word) for word in command]
    if os.geteuid() == 0:
        words = ["runuser", "-u", "postgres", "--", *words]
    done = subprocess.run(words, capture_output=True, text=True, check=False, cwd=folder)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """The address of a PostgreSQL server."""
    if address := os.environ.get(GIVEN):
        yield address
        return
    programs = _programs()
    # Not below pytest's folder, which only its owner may enter; and short, for the socket's sake.
    folder = Path(tempfile.mkdtemp(prefix="dicetown-pg-"))
    try:
        if os.geteuid() == 0:
            shutil.chown(folder, "postgres")
        cluster = folder / "cluster"
        _run(folder, programs / "initdb", "-D", cluster, "-U", "dicetown", "-A", "trust", "-E", "UTF8", "-N")
        options = f"-c listen_addresses='' -c unix_socket_directories='{folder}' -c fsync=off"
        _run(folder, programs / "pg_ctl", "-D", cluster, "-w", "-l", folder / "log", "-o", options, "start")
        try:
            yield f"postgresql://dicetown@/postgres?host={folder}"
        finally:
            _run(folder, programs / "pg_ctl", "-D", cluster, "-w", "-m", "immediate", "stop")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def postgres_place(postgres: str) -> Iterator[str]:
    """The address of a new database on that server."""
    name = f"test_{uuid.uuid4().hex}"
    engine = create_engine(
        postgres.replace("postgresql://", "postgresql+psycopg://"), isolation_level="AUTOCOMMIT"
    )
    with engine.connect() as connection:
        connection.execute(text(f"CREATE DATABASE {name}"))
    yield (
        postgres.replace("/postgres?", f"/{name}?")
        if "?" in postgres
        else f"{postgres.rpartition('/')[0]}/{name}"
    )
    with engine.connect() as connection:
        connection.execute(text(f"DROP DATABASE {name} WITH (FORCE)"))
    engine.dispose()


@pytest.fixture(params=["sqlite", "postgres"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where tables are kept: each test runs on both databases."""
    if request.param == "sqlite":
        return str(tmp_path / "tables.db")
    address: str = request.getfixturevalue("postgres_place")
    return address
