"""Where a database is: a file for SQLite, or the address of a PostgreSQL server."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Engine, create_engine, event
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

from dicetown.errors import DicetownError
from dicetown.server.common.private_files import keep_private, make_private
from dicetown.server.common.settings import Timeouts

_CACHE = 512  # KiB of a SQLite file that each connection keeps; usually it would be 2,000


class StoreError(DicetownError):
    """A database that cannot be used."""


def open_engine(place: str, timeouts: Timeouts | None = None, *, as_it_is: bool = False) -> Engine:
    """The engine of a database: a file's path, or an address such as ``postgresql://…``.

    Who takes it ``as_it_is`` neither makes a file that is not there, nor changes how SQLite keeps its log.
    """
    timeouts = timeouts or Timeouts()
    if "://" not in place:
        # Put together and not written down, for a file's name may have letters that mean something in a URL.
        url = URL.create("sqlite", database=str(Path(place).expanduser().absolute()))
        return _open_sqlite(url, timeouts, as_it_is)
    try:
        url = make_url(place)
    except ArgumentError:
        raise StoreError(f'"{place}" is no address of a database; write a path or postgresql://….') from None
    except ValueError:  # not quoted, for there may be a password in it
        raise StoreError(
            "The port in the address of the database is no number; one looks like postgresql://host:5432/name."
        ) from None
    backend = url.get_backend_name()
    if backend == "sqlite":
        return _open_sqlite(url, timeouts, as_it_is)
    if backend != "postgresql":
        raise StoreError(f"Tables can be kept in SQLite or PostgreSQL, not in {backend}.")
    try:
        from dicetown.server.store.postgres import open_postgres

        return open_postgres(url, timeouts)
    except ModuleNotFoundError:
        raise StoreError(
            "PostgreSQL needs the library psycopg: pip install 'dicetown[postgres]' brings it."
        ) from None


def _open_sqlite(url: URL, timeouts: Timeouts, as_it_is: bool) -> Engine:
    engine = create_engine(url, hide_parameters=True, connect_args={"timeout": timeouts.answer})
    pragmas = ["synchronous=FULL", "foreign_keys=ON", f"cache_size=-{_CACHE}"]
    if as_it_is:
        _make_no_file(engine)
    else:
        pragmas.insert(0, "journal_mode=WAL")

    @event.listens_for(engine, "connect")
    def prepare(connection: Any, record: Any) -> None:
        # WAL lets people read while others write; FULL makes every commit survive a power cut.
        # What a connection keeps of the file is little: the operating system has it at hand anyway.
        for pragma in pragmas:
            connection.execute(f"PRAGMA {pragma}")
        connection.text_factory = _as_text

    return engine


def _make_no_file(engine: Engine) -> None:
    """Let SQLite fail where there is no file, instead of making one."""
    file = file_of(engine)

    @event.listens_for(engine, "do_connect")
    def only_what_is_there(dialect: Any, record: Any, arguments: list[Any], named: dict[str, Any]) -> None:
        if file is not None and not named.get("uri"):
            arguments[0] = f"{file.as_uri()}?mode=rw"
            named["uri"] = True


def _as_text(stored: bytes) -> str:
    """A text of SQLite, whatever lies there: one that is spoiled is no fault of the whole database.

    SQLite's own reading would fail with an error that quotes it, secrets and all.
    """
    return stored.decode("utf-8", "surrogateescape")


def file_of(engine: Engine) -> Path | None:
    """The file of a database; PostgreSQL and a database in memory have none."""
    path = engine.url.database
    if engine.dialect.name != "sqlite" or not path or path == ":memory:":
        return None
    return Path(os.path.realpath(path))


def make_file_private(engine: Engine) -> None:
    """See to it that nobody else reads a database; SQLite gives the files beside it the same permissions."""
    if (file := file_of(engine)) is not None:
        make_private(file)
        for ending in ("-wal", "-shm", ".lock"):
            keep_private(Path(f"{file}{ending}"))


def shown(place: str) -> str:
    """The place without its password."""
    return make_url(place).render_as_string(hide_password=True) if "://" in place else place
