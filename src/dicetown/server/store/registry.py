"""Which processes share a database: each says every second that it lives, and sees who else does.

Time is the database's own, for the clocks of several machines never agree. Who has not been heard of for
four seconds counts as dead. That is a guess, and nothing but waiting hangs on it: whoever stood still and
goes on is kept from writing by the fences of the tables (:mod:`dicetown.server.store.ownership`).
"""

from __future__ import annotations

import os
import secrets
import socket
import threading
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Literal

from sqlalchemy import (
    Connection,
    Double,
    Engine,
    cast,
    delete,
    extract,
    func,
    insert,
    inspect,
    select,
    update,
)
from sqlalchemy.exc import SQLAlchemyError

from dicetown import __version__
from dicetown.server.store.database_url import StoreError
from dicetown.server.store.schema import workers
from dicetown.server.wire.between import PROTOCOL

Role = Literal["game", "thinker", "gateway"]
#: Seconds between signs of life, and without any until somebody counts as dead.
BEAT_EVERY = 1.0
DEAD_AFTER = 4.0
_FORGOTTEN_AFTER = 600.0  # seconds until nobody needs to know any more that somebody has died
#: The database's clock, in seconds since 1970.
NOW = cast(extract("epoch", func.clock_timestamp()), Double)
_LIVES = workers.c.seen > NOW - DEAD_AFTER


@dataclass(frozen=True, slots=True)
class Worker:
    """A process that shares the database."""

    id: str
    role: str
    address: str
    version: str
    protocol: int
    host: str
    pid: int
    since: float
    leaving: bool


class Registry:
    """One process among those that share a database."""

    def __init__(self, engine: Engine, role: Role, address: str) -> None:
        self.id = secrets.token_hex(16)
        self._engine = engine
        self._about = {
            "id": self.id,
            "role": role,
            "address": address,
            "version": __version__[:32],
            "protocol": PROTOCOL,
            "host": socket.gethostname()[:255],
            "pid": os.getpid(),
        }
        self.is_leaving = False

    def join(self) -> None:
        """Be one of them, if they and we understand each other."""
        with self._engine.begin() as connection:
            _refuse_strangers(connection)
            self._enter(connection)

    def beat(self) -> list[Worker]:
        """Say that we live; who does."""
        with self._engine.begin() as connection:
            this = update(workers).where(workers.c.id == self.id)
            if not connection.execute(this.values(seen=NOW, leaving=self.is_leaving)).rowcount:
                self._enter(connection)  # we were silent for so long that we have been forgotten
            connection.execute(delete(workers).where(workers.c.seen < NOW - _FORGOTTEN_AFTER))
            return living(connection)

    def leave(self) -> None:
        """Say that we take no more tables, and that ours may be taken."""
        self.is_leaving = True
        self.beat()

    def end(self) -> None:
        """Be gone."""
        with self._engine.begin() as connection:
            connection.execute(delete(workers).where(workers.c.id == self.id))

    def end_within(self, seconds: float) -> None:
        """Be gone, if the database takes note of it in time; else the others find out by themselves."""

        def end() -> None:
            with suppress(SQLAlchemyError):
                self.end()

        farewell = threading.Thread(target=end, name="farewell", daemon=True)
        farewell.start()
        farewell.join(seconds)

    def _enter(self, connection: Connection) -> None:
        connection.execute(
            insert(workers).values(since=NOW, seen=NOW, leaving=self.is_leaving, **self._about)
        )


def check_neighbours(engine: Engine) -> None:
    """Refuse a database that others use who do not understand us, before anything of it is changed.

    They could not start again on a database of our shape.
    """
    with engine.connect() as connection:
        if inspect(connection).has_table(workers.name):
            _refuse_strangers(connection)


def _refuse_strangers(connection: Connection) -> None:
    # No more columns than it takes: the database may have the shape of any version.
    about = select(workers.c.version, workers.c.pid, workers.c.host)
    strange = about.where(_LIVES & (workers.c.protocol != PROTOCOL)).order_by(workers.c.since)
    if (other := connection.execute(strange).first()) is not None:
        raise StoreError(
            f"Dicetown {other.version} (process {other.pid} on {other.host}) uses this database, "
            f"and this one ({__version__}) cannot work beside it; end all of those first."
        )


def forget(engine: Engine, pid: int) -> None:
    """A process of this machine has died: nobody needs to wait until that is noticed."""
    mine = (workers.c.pid == pid) & (workers.c.host == socket.gethostname()[:255])
    with engine.begin() as connection:
        connection.execute(delete(workers).where(mine))


def living(connection: Connection) -> list[Worker]:
    """All processes that live, those that are leaving as well."""
    columns = [workers.c[name] for name in Worker.__dataclass_fields__]
    rows = connection.execute(select(*columns).where(_LIVES).order_by(workers.c.since, workers.c.id))
    return [Worker(*row) for row in rows]


def in_words(found: Sequence[Worker]) -> str:
    """Several processes, for who is told that they use a database."""
    first = found[0]
    return f"a Dicetown of {len(found)} processes (one of them: process {first.pid} on {first.host})"
