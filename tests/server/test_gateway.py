"""The gateway by itself: whom it asks, and what it does for a page whose worker has gone."""

import asyncio
import json
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from types import SimpleNamespace
from typing import Any, cast

import pytest
from tests.patience import PATIENCE
from tests.server.sitting import settle
from websockets.asyncio.client import connect
from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.exceptions import ConnectionClosedError

from dicetown.server.cluster.fleet import Fleet
from dicetown.server.cluster.gateway import Gateway
from dicetown.server.cluster.relay import Door, Relay
from dicetown.server.common.metrics import Metrics
from dicetown.server.common.settings import Settings
from dicetown.server.store.registry import Registry, Worker
from dicetown.server.web.protocols import GatedSocket
from dicetown.server.wire.between import ELSEWHERE

CODE = "AAAAAAAA"
CONNECT = "dicetown.server.cluster.relay.connect"


def worker(name: str, address: str = "", leaving: bool = False, role: str = "game") -> Worker:
    return Worker(name, role, address or f"{name}:1", "0", 1, "here", 1, 0.0, leaving)


# --------------------------------------------------------------------------------- whom to ask


def test_a_worker_is_given_up_when_it_was_missed_twice() -> None:
    """Right after the database was away nobody has been heard of; they are all there a second later."""
    fleet, told = Fleet(), list[str]()
    fleet.look([worker("a"), worker("b"), worker("g", role="gateway")])
    assert len(fleet) == 2
    chosen = fleet.choose(CODE, "")
    assert chosen is not None
    with chosen.watched(lambda: told.append("gone")):
        fleet.look([])
        fleet.look([worker("a"), worker("b")])
        fleet.look([])
        assert fleet.choose(CODE, "") is chosen
        assert told == []
        fleet.look([])
    assert told == ["gone"]
    assert fleet.choose(CODE, "") is None


def test_one_that_took_the_address_of_another_is_another() -> None:
    fleet, told = Fleet(), list[str]()
    fleet.look([worker("a", "host:1")])
    first = fleet.choose(CODE, "")
    assert first is not None
    with first.watched(lambda: told.append("gone")):
        fleet.look([worker("b", "host:1")])
    assert told == ["gone"]


def test_who_leaves_or_cannot_be_reached_is_not_asked() -> None:
    fleet = Fleet()
    fleet.look([worker("a"), worker("b")])
    chosen = fleet.choose(CODE, "")
    assert chosen is not None
    chosen.is_doubtful = True
    other = fleet.choose(CODE, "")
    assert other not in (None, chosen)
    fleet.look([worker("a"), worker("b")])  # it has been heard of since
    assert fleet.choose(CODE, "") is chosen
    fleet.look([worker(one, leaving=one == chosen.id) for one in "ab"])
    assert fleet.choose(CODE, "") is other


def test_a_table_is_asked_for_where_it_was_found() -> None:
    fleet = Fleet()
    fleet.look([worker("a"), worker("b")])
    for owner in "ab":
        fleet.note_owner(CODE, f"{owner}:1")
        found = fleet.choose(CODE, "")
        assert found is not None
        assert found.id == owner
    fleet.note_owner(CODE, "unknown:1")
    assert fleet.choose(CODE, "") is not None
    by_address = {fleet.choose(None, f"192.0.2.{k}") for k in range(20)}
    assert len(by_address) == 2  # and guests are spread over all
    assert len({fleet.choose(None, "192.0.2.1") for _ in range(5)}) == 1  # each always to the same


def test_who_waits_for_a_worker_is_let_go_when_the_gateway_ends() -> None:
    """Else the end would wait for them, and break them off."""

    async def wait() -> None:
        fleet = Fleet()
        waiting = asyncio.create_task(fleet.find(CODE, "", 3600.0))
        await asyncio.sleep(0)
        assert not waiting.done()
        fleet.close()
        async with asyncio.timeout(PATIENCE):
            assert await waiting is None
        fleet.look([worker("a")])
        assert await fleet.find(CODE, "", 3600.0) is None

    asyncio.run(wait())


def test_a_gateway_ends_when_those_have_been_told_who_waited() -> None:
    async def end() -> None:
        gateway = Gateway(cast("Registry", None), Settings(), Metrics(), "a secret")
        waiting = asyncio.create_task(gateway.fleet.find(CODE, "", 3600.0))
        await asyncio.sleep(0)
        await gateway.leave()
        assert waiting.done()

    asyncio.run(end())


def test_who_was_answered_because_the_service_ends_is_not_answered_again() -> None:
    """Not even where the application has found out meanwhile that there is nobody to be asked."""
    page = object.__new__(GatedSocket)
    page.transport = cast("asyncio.Transport", SimpleNamespace(is_closing=lambda: True))
    start = {"type": "websocket.http.response.start", "status": 503, "headers": []}
    for message in (start, {"type": "websocket.http.response.body", "body": b"not ready"}):
        asyncio.run(page.send(message))


async def passed_on(headers: list[tuple[bytes, bytes]], *received: dict[str, Any]) -> list[bytes]:
    """What a worker hears of a request that comes in these pieces."""
    heard: list[bytes] = []
    answered: list[Any] = []

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        length = re.search(rb"content-length: (\d+)", head)
        heard.append(await reader.readexactly(int(length[1])) if length else b"")
        writer.write(b"HTTP/1.1 204 No Content\r\n\r\n")
        writer.close()

    async def send(message: Any) -> None:
        answered.append(message)

    pieces = iter(received)

    async def receive() -> dict[str, Any]:
        return next(pieces)

    path = f"/api/tables/{CODE}/rematch"
    scope = {"type": "http", "method": "POST", "path": path, "raw_path": path.encode(), "query_string": b""}
    gateway = Gateway(cast("Registry", None), Settings(), Metrics(), "a secret")
    async with await asyncio.start_server(answer, "127.0.0.1", 0) as asked:
        gateway.fleet.look([worker("a", f"127.0.0.1:{asked.sockets[0].getsockname()[1]}")])
        await gateway(scope | {"headers": headers, "client": ("192.0.2.1", 1)}, receive, send)
        await settle()  # connections are closed
    assert bool(answered) == bool(heard)
    return heard


def test_what_was_broken_off_is_not_passed_on_as_if_it_were_whole() -> None:
    whole, half = b'{"commitments": []}', b'{"commit'
    host = (b"host", b"table.example")
    length = [host, (b"content-length", str(len(whole)).encode())]
    gone = {"type": "http.disconnect"}
    first = {"type": "http.request", "body": half, "more_body": True}
    rest = {"type": "http.request", "body": whole[len(half) :], "more_body": False}
    assert asyncio.run(passed_on(length, first, rest)) == [whole]
    assert asyncio.run(passed_on(length, first, gone)) == []
    assert asyncio.run(passed_on(length, gone)) == []
    assert asyncio.run(passed_on([host, (b"content-length", b"0")], gone)) == [b""]  # nothing was to come


def test_who_names_no_host_is_answered_too() -> None:
    assert asyncio.run(passed_on([], {"type": "http.request", "body": b"", "more_body": False})) == [b""]


# -------------------------------------------------------------------------------------- a page


class Page:
    """A page as the gateway sees it: what it says, and what it hears."""

    def __init__(self) -> None:
        self._said: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self._heard: asyncio.Queue[dict[str, Any]] = asyncio.Queue()

    def say(self, **message: Any) -> None:
        self._said.put_nowait({"type": "websocket.receive", "text": json.dumps(message)})

    def go(self) -> None:
        self._said.put_nowait({"type": "websocket.disconnect"})

    async def receive(self) -> dict[str, Any]:
        return await self._said.get()

    async def send(self, message: Any) -> None:
        self._heard.put_nowait(message)

    async def hear(self) -> Any:
        """What the page is told next: a message, or how its connection begins and ends."""
        async with asyncio.timeout(PATIENCE):
            heard = await self._heard.get()
        return json.loads(heard["text"]) if heard["type"] == "websocket.send" else heard


class FakeWorker:
    """A worker that says what a test lets it say."""

    def __init__(self) -> None:
        self.connections: asyncio.Queue[ServerConnection] = asyncio.Queue()
        self.server: Server | None = None

    async def _serve(self, connection: ServerConnection) -> None:
        self.connections.put_nowait(connection)
        await connection.wait_closed()

    async def begin(self) -> str:
        self.server = await serve(self._serve, "127.0.0.1", 0, compression=None)
        return f"127.0.0.1:{next(iter(self.server.sockets)).getsockname()[1]}"

    async def visitor(self) -> ServerConnection:
        async with asyncio.timeout(PATIENCE):
            return await self.connections.get()


async def told(connection: ServerConnection) -> Any:
    async with asyncio.timeout(PATIENCE):
        return json.loads(await connection.recv())


async def say(connection: ServerConnection, **message: Any) -> None:
    await connection.send(json.dumps(message))


@asynccontextmanager
async def relayed(query: str = "lang=en") -> AsyncIterator[tuple[Page, FakeWorker, Fleet, str]]:
    fake, fleet, page = FakeWorker(), Fleet(), Page()
    address = await fake.begin()
    fleet.look([worker("a", address)])
    headers = [("cookie", "mine=1")]
    door = Door(CODE, "table.example", f"/api/tables/{CODE}/live", query, headers, None, "192.0.2.7")
    running = asyncio.create_task(Relay(fleet, door, page.receive, page.send).run({}))
    try:
        yield page, fake, fleet, address
    finally:
        page.go()
        async with asyncio.timeout(PATIENCE):
            await running
        assert fake.server is not None
        fake.server.close()


def test_what_was_not_answered_is_asked_again_and_what_was_seen_is_not_told_again() -> None:
    async def scene() -> None:
        async with relayed() as (page, fake, _, _):
            first = await fake.visitor()
            assert first.request is not None
            assert first.request.path.endswith("/live?lang=en")
            assert first.request.headers["host"] == "table.example"
            assert (await page.hear())["type"] == "websocket.accept"
            await say(first, type="welcome", number=7, scene={"deep": [1, 2]})
            await say(first, type="entry", number=8)
            page.say(type="act", key="one")
            page.say(type="act", key="two")
            page.say(type="hint", key="three")
            page.say(type="language", language="es")
            assert [(await told(first)).get("key") for _ in range(4)] == ["one", "two", "three", None]
            await say(first, type="done", key="one", number=9)
            await say(first, type="hint", key="three", last=False)  # a better one is to come
            assert [(await page.hear())["type"] for _ in range(4)] == ["welcome", "entry", "done", "hint"]
            await first.close(1012)
            second = await fake.visitor()
            assert second.request is not None
            assert second.request.path.endswith("/live?lang=es&since=8")
            assert [(await told(second))["key"] for _ in range(2)] == ["two", "three"]
            await say(second, type="done", key="two", number=10)
            await say(second, type="hint", key="three", last=True)
            assert [(await page.hear())["type"] for _ in range(2)] == ["done", "hint"]
            second.transport.abort()  # as when it is killed
            third = await fake.visitor()
            page.say(type="act", key="four")
            assert (await told(third))["key"] == "four"  # and nothing of before

    asyncio.run(scene())


def test_a_page_that_comes_without_an_identity_keeps_the_one_that_it_was_given() -> None:
    async def scene() -> None:
        async with relayed() as (page, fake, _, _):
            assert fake.server is not None
            first = await fake.visitor()
            accepted = await page.hear()
            assert accepted["headers"] == []
            await first.close(1012)
            again = await fake.visitor()
            assert again.request is not None
            assert again.request.headers["cookie"] == "mine=1"

    asyncio.run(scene())


def test_a_page_is_answered_while_there_is_no_worker_and_told_when_it_asks_too_much() -> None:
    async def scene() -> None:
        async with relayed() as (page, fake, fleet, _):
            first = await fake.visitor()
            await page.hear()
            for _ in range(2):
                fleet.look([])  # it stands still, and is given up
            first.transport.abort()
            page.say(type="ping")
            assert await page.hear() == {"type": "pong"}
            for number in range(65):
                page.say(type="act", key=f"key-{number}")
            assert await page.hear() == {"type": "websocket.close", "code": 1013}

    asyncio.run(scene())


def test_who_is_sent_elsewhere_goes_there_and_asks_less_often_when_they_disagree() -> None:
    async def scene() -> None:
        async with relayed() as (page, fake, fleet, address):
            other = FakeWorker()
            there = await other.begin()
            fleet.look([worker("a", address), worker("b", there)])
            first = await fake.visitor()
            await page.hear()
            await first.close(ELSEWHERE, there)
            second = await other.visitor()
            await second.close(ELSEWHERE, address)
            third = await fake.visitor()
            await say(third, type="welcome", number=1)
            assert (await page.hear())["type"] == "welcome"  # the page has noticed nothing of all that
            assert other.server is not None
            other.server.close()

    asyncio.run(scene())


@pytest.mark.parametrize("first", [True, False])
def test_a_connection_that_is_cut_as_soon_as_it_is_made_is_made_again(
    first: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    cuts = 0

    async def connect_in_vain(*where: Any, **how: Any) -> Any:
        nonlocal cuts
        cuts += 1
        monkeypatch.setattr(CONNECT, connect)
        raise ConnectionClosedError(None, None)  # as the library says it, of a connection that was reset

    async def scene() -> None:
        async with relayed() as (page, fake, _, _):
            if not first:
                before = await fake.visitor()
                await page.hear()
                monkeypatch.setattr(CONNECT, connect_in_vain)
                await before.close(1012)
            await say(await fake.visitor(), type="welcome", number=1)
            if first:
                await page.hear()
            assert (await page.hear())["type"] == "welcome"
        assert cuts == 1

    if first:
        monkeypatch.setattr(CONNECT, connect_in_vain)
    asyncio.run(scene())


def test_a_worker_that_knows_less_than_the_page_has_seen_is_not_believed() -> None:
    async def scene() -> None:
        async with relayed("lang=en&since=99") as (page, fake, _, _):
            first = await fake.visitor()
            await page.hear()
            await say(first, type="welcome", number=7)  # what the page itself claims is another matter
            assert (await page.hear())["number"] == 7
            await first.close(1012)
            stale = await fake.visitor()
            await say(stale, type="welcome", number=6)
            fresh = await fake.visitor()
            await say(fresh, type="welcome", number=8)
            assert (await page.hear())["number"] == 8

    asyncio.run(scene())


@pytest.mark.parametrize("code", [4404, 4429, 4500, 1013, 1008])
def test_what_is_final_is_told_the_page(code: int) -> None:
    async def scene() -> None:
        async with relayed() as (page, fake, _, _):
            first = await fake.visitor()
            await page.hear()
            await say(first, type="refused", key=None, code="no_table")
            await first.close(code)
            assert (await page.hear())["type"] == "refused"
            assert await page.hear() == {"type": "websocket.close", "code": code}

    asyncio.run(scene())


def test_garbage_is_passed_on_to_who_can_say_what_is_wrong() -> None:
    async def scene() -> None:
        async with relayed() as (page, fake, _, _):
            first = await fake.visitor()
            await page.hear()
            await say(first, type="welcome", number=1)
            await page.hear()  # so the worker is there
            for text in ("[", '{"type": 3}', "¿?"):
                page._said.put_nowait({"type": "websocket.receive", "text": text})
                async with asyncio.timeout(PATIENCE):
                    assert await first.recv() == text

    asyncio.run(scene())
