"""Databases that fail as real ones do: commits whose answer is lost, or that never arrive, and silence.

PostgreSQL is reached through a proxy, which cuts or holds up real connections; SQLite, which has none to be
cut, is made to fail where SQLAlchemy calls it.
"""

import select
import socket
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from sqlalchemy.engine import URL, make_url

from dicetown.server.store.store import Store

_COMMIT = b"COMMIT"
_BLINK = 0.02  # seconds


class Trouble:
    """What happens to the next commits, and whether anything is let through at all."""

    def __init__(self) -> None:
        self.answers_to_lose = 0  # of so many commits that are done
        self.commits_to_lose = 0  # before they are done
        self.meanwhile: Callable[[], object] = lambda: None  # after a commit was lost
        self.silent = threading.Event()
        self.silent_from_commit = False  # the next commit is done, but not answered, nor is anything after it

    def takes(self, what: str) -> bool:
        """Whether this commit is one of those."""
        left = getattr(self, what)
        setattr(self, what, max(0, left - 1))
        return bool(left > 0)


class Proxy:
    """Stands between the service and PostgreSQL."""

    def __init__(self, place: str, trouble: Trouble) -> None:
        self._url = make_url(place)
        self._trouble = trouble
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._ended = threading.Event()
        self._threads = [threading.Thread(target=self._accept, daemon=True)]
        self._threads[0].start()

    @property
    def place(self) -> str:
        """The address of the database by way of the proxy."""
        host, port = self._listener.getsockname()
        through = URL.create("postgresql", self._url.username, None, host, port, self._url.database)
        return through.render_as_string(hide_password=False)

    def close(self) -> None:
        self._ended.set()
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for thread in self._threads:
            thread.join(5)

    def _accept(self) -> None:
        with suppress(OSError):
            while not self._ended.is_set():
                client, _ = self._listener.accept()
                thread = threading.Thread(target=self._forward, args=[client], daemon=True)
                self._threads.append(thread)
                thread.start()

    def _connect(self) -> socket.socket:
        host = self._url.query.get("host") or self._url.host
        port = self._url.port or 5432
        if isinstance(host, str) and host.startswith("/"):
            server = socket.socket(socket.AF_UNIX)
            server.connect(f"{host}/.s.PGSQL.{port}")
            return server
        return socket.create_connection((str(host), port))

    def _forward(self, client: socket.socket) -> None:
        with client, suppress(OSError):
            while self._trouble.silent.is_set() and not self._ended.wait(_BLINK):
                pass
            with self._connect() as server:
                while not self._ended.is_set() and self._pass_on(client, server):
                    pass

    def _pass_on(self, client: socket.socket, server: socket.socket) -> bool:
        """Pass a piece on; False when the connection is at its end."""
        ready, _, _ = select.select([client, server], [], [], _BLINK)
        if self._trouble.silent.is_set():
            self._ended.wait(_BLINK)
            return True
        for side in ready:
            piece = side.recv(65536)
            if not piece:
                return False
            if side is client and _COMMIT in piece:
                if self._trouble.silent_from_commit:
                    self._trouble.silent_from_commit = False
                    self._trouble.silent.set()
                if self._trouble.takes("commits_to_lose"):
                    server.close()
                    self._trouble.meanwhile()
                    return False
                if self._trouble.takes("answers_to_lose"):
                    server.sendall(piece)
                    server.recv(65536)
                    return False
            (server if side is client else client).sendall(piece)
        return True


def trouble_sqlite(store: Store, trouble: Trouble) -> None:
    """Let the commits of a store on SQLite fail."""
    commit = store.engine.dialect.do_commit

    def do_commit(connection: Any) -> None:
        if trouble.takes("commits_to_lose"):
            connection.rollback()
            trouble.meanwhile()
            raise sqlite3.OperationalError("disk I/O error")
        commit(connection)
        if trouble.takes("answers_to_lose"):
            raise sqlite3.OperationalError("disk I/O error")

    store.engine.dialect.do_commit = do_commit  # type: ignore[assignment, method-assign]


class Opened:
    """How a test opens a store on a troubled database, and where that is."""

    def __init__(self, place: str, trouble: Trouble) -> None:
        self.place = place
        self._trouble = trouble

    def __call__(self, **more: Any) -> Store:
        store = Store(self.place, **more)
        if "://" not in self.place:
            trouble_sqlite(store, self._trouble)
        return store


@contextmanager
def troubled(place: str) -> Iterator[tuple[Trouble, Opened]]:
    """A database in trouble, and how to open a store on it."""
    trouble = Trouble()
    if "://" not in place:
        yield trouble, Opened(place, trouble)
        return
    proxy = Proxy(place, trouble)
    try:
        yield trouble, Opened(proxy.place, trouble)
    finally:
        proxy.close()
