"""The whole site for tests: a real server on a free port, guests with cookies, and live connections."""

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
from tests.patience import PATIENCE
from tests.server.sitting import QuickThinkers
from websockets.sync.client import ClientConnection, connect

from dicetown.server.common.settings import Settings
from dicetown.server.web.app import make_app
from dicetown.server.web.run import address_of, make_server, open_socket
from dicetown.server.web.service import Service
from dicetown.server.workers.thinkers import Thinkers

PLAIN = {"edition": "ciudad", "sets": ["base"], "pace": "instant"}


class Guest:
    """Somebody with a browser: their own cookie, their own live connections."""

    def __init__(self, address: str, source: str | None = None) -> None:
        headers = {"accept-language": "en"} | ({"x-forwarded-for": source} if source else {})
        self.client = httpx.Client(base_url=address, headers=headers, timeout=PATIENCE)
        self._source = source
        self.client.get("/api/me")  # as every page does first: now they have a cookie

    def make(self, *seats: str, **settings: Any) -> str:
        """Make a table; seats are me, here, friend, or the names of bots. Its code."""
        made = [
            {"kind": seat} if seat in ("me", "here", "friend") else {"kind": "bot", "bot": seat}
            for seat in seats
        ]
        answer = self.client.post("/api/tables", json=PLAIN | {"seats": made, "start": True} | settings)
        assert answer.status_code == 201, answer.text
        code: str = answer.json()["code"]
        return code

    @contextmanager
    def live(self, code: str, query: str = "", **headers: str) -> Iterator["Line"]:
        """A live connection to a table."""
        host = self.client.base_url.netloc.decode()
        headers["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.client.cookies.items())
        if self._source is not None:
            headers["X-Forwarded-For"] = self._source
        scheme = "wss" if self.client.base_url.scheme == "https" else "ws"
        address = f"{scheme}://{host}/api/tables/{code}/live{query}"
        with connect(address, additional_headers=headers, close_timeout=PATIENCE) as socket:
            yield Line(socket)


class Line:
    """A live connection."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.passed: list[dict[str, Any]] = []

    def send(self, **message: Any) -> None:
        self.socket.send(json.dumps(message))

    def next(self) -> dict[str, Any]:
        message: dict[str, Any] = json.loads(self.socket.recv(PATIENCE))
        return message

    def hear(self, *kinds: str) -> dict[str, Any]:
        """The next message of some types; those before it are kept in ``passed``."""
        self.passed = []
        while (message := self.next())["type"] not in kinds:
            self.passed.append(message)
        return message

    def act(self, seat: int, *actions: str, key: str, **more: Any) -> None:
        self.send(type="act", key=key, seat=seat, actions=list(actions), **more)


class Site:
    """The site, open for guests."""

    def __init__(self, address: str, service: Service) -> None:
        self.address = address
        self.service = service
        self.guests: list[Guest] = []

    def guest(self, source: str | None = None) -> Guest:
        """Somebody new; from another address, if one is named: the way a proxy on this machine says so."""
        self.guests.append(Guest(self.address, source))
        return self.guests[-1]


@contextmanager
def site(folder: Path, thinkers: Thinkers | None = None, **settings: Any) -> Iterator[Site]:
    """A site in a thread of its own."""
    service = Service(str(folder / "tables.db"), Settings(**settings), thinkers=thinkers or QuickThinkers())
    server = make_server(make_app(service, "a secret for tests"))
    with open_socket("127.0.0.1", 0) as found:
        thread = threading.Thread(target=server.run, kwargs={"sockets": [found]})
        thread.start()
        opened = Site(address_of(found), service)
        try:
            while not server.started:
                assert thread.is_alive()
                time.sleep(0.005)
            yield opened
        finally:
            for guest in opened.guests:
                guest.client.close()
            server.should_exit = True
            thread.join()
