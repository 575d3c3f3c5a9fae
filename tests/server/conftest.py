"""Databases for tests: a file, and a PostgreSQL server that is started for them."""

import os
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text
from tests.postgres import Cluster

#: The address of a server to use instead of starting one; its user must be able to make databases.
GIVEN = "DICETOWN_TEST_POSTGRES"


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """The address of a PostgreSQL server."""
    if address := os.environ.get(GIVEN):
        yield address
        return
    with Cluster("fsync=off") as cluster:
        yield cluster.address


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
