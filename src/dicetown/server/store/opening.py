"""Looking what a database is before anything is done to it: what is not ours is left as it is."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import Engine, inspect
from sqlalchemy.exc import SQLAlchemyError

from dicetown.server.common.settings import Timeouts
from dicetown.server.store.contact import reason_of
from dicetown.server.store.database_url import StoreError, file_of, open_engine, shown
from dicetown.server.store.migrations import SHAPES, is_current, shape_of
from dicetown.server.store.schema import tables


@contextmanager
def opened(
    place: str, timeouts: Timeouts | None = None, *, as_it_is: bool = False, called: str | None = None
) -> Iterator[Engine]:
    """A database, whose troubles are told in a sentence; ``as_it_is`` as for :func:`open_engine`."""
    engine = open_engine(place, timeouts, as_it_is=as_it_is)
    try:
        yield engine
    except (SQLAlchemyError, OSError) as problem:
        raise StoreError(f"{called or shown(place)}: {reason_of(problem)}.") from None
    finally:
        engine.dispose()


def check_is_ours(engine: Engine, place: str) -> None:
    """Refuse what holds no tables: a mistyped name would make an empty backup."""
    file = file_of(engine)
    if file is not None and not file.exists():
        raise StoreError(f"There is no database {shown(place)}.")
    with engine.connect() as connection:
        holds_tables = inspect(connection).has_table(tables.name)
    shape, _ = shape_of(engine)
    if shape is None or not holds_tables:
        raise StoreError(f"{shown(place)}: there are no tables of Dicetown in it.")


def check_is_of_this_version(engine: Engine, place: str) -> None:
    """Refuse what is not ours, or has another shape than this version knows."""
    check_is_ours(engine, place)
    if not is_current(engine):
        raise StoreError(f"{shown(place)} is of another version of Dicetown; do this with that one.")


def check_can_be_ours(place: str, timeouts: Timeouts | None = None) -> None:
    """Refuse a file that holds something else, which is not touched; what is new or empty may become ours.

    A server is not asked: there, what is not ours keeps others out by itself.
    """
    with opened(place, timeouts, as_it_is=True) as engine:
        file = file_of(engine)
        if file is None or not file.exists():
            return
        with engine.connect() as connection:
            is_empty = not {*inspect(connection).get_table_names()} - {SHAPES}
        shape, _ = shape_of(engine)
        if shape is None and not is_empty:
            raise StoreError(f"{shown(place)}: there is something else than tables of Dicetown in it.")
