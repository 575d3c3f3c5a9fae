"""Pages that do not read: what waits for them is bounded in bytes, and they are let go."""

import asyncio
import base64
import json
import socket
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.patience import PATIENCE
from tests.server.site import Guest, Site, site

from dicetown.server.common.settings import Limits
from dicetown.server.web.outbox import Outboxes
from dicetown.server.web.protocols import ReadersOnly

MANY = (1e6, 10**6)
LAVISH = {
    "messages": MANY,
    "messages_from": MANY,
    "welcomes": MANY,
    "welcomes_from": MANY,
    "welcomes_in_all": 1e6,
}
SMALL = 200_000  # bytes


# -------------------------------------------------------------------------------- outboxes


class Pipe:
    """A connection whose owner reads when the test says so."""

    def __init__(self, is_free: bool = True) -> None:
        self.reads = self.is_free = is_free
        self.taken: list[list[bytes]] = []

    def write(self, messages: Sequence[bytes]) -> None:
        assert self.is_free
        self.taken.append(list(messages))
        self.is_free = self.reads


def no_way() -> None:
    raise AssertionError("nothing is given up here")


def test_what_comes_at_once_goes_out_in_one_piece_and_in_order() -> None:
    async def scene() -> None:
        outboxes, pipe = Outboxes(1000), Pipe()
        box = outboxes.open(pipe, 100, no_way)
        for message in (b"a", b"b", b"c"):
            box.put(message)
        assert not pipe.taken, "something else may still be put"
        await asyncio.sleep(0)
        box.put(b"d")
        await asyncio.sleep(0)
        assert pipe.taken == [[b"a", b"b", b"c"], [b"d"]]
        assert (box.waiting, outboxes.waiting) == (0, 0)

    asyncio.run(scene())


def test_what_waits_is_counted_for_each_page_until_it_has_been_sent() -> None:
    async def scene() -> None:
        outboxes, pipe = Outboxes(1000), Pipe(is_free=True)
        pipe.reads = False
        one, other = outboxes.open(pipe, 100, no_way), outboxes.open(Pipe(is_free=False), 100, no_way)
        for box in (one, other):
            box.put("é".encode() * 20)
        assert outboxes.waiting == 80
        await asyncio.sleep(0)
        assert len(pipe.taken) == 1
        assert outboxes.waiting == 80, "it is under way, not sent"
        one.put(b"x" * 10)
        await asyncio.sleep(0)
        assert (len(pipe.taken), one.waiting) == (1, 50), "the line is not free"
        one.end()
        pipe.is_free = pipe.reads = True
        one.pass_on()
        assert (len(pipe.taken), one.waiting) == (2, 0)
        await one.is_done()
        assert outboxes.waiting == 40
        outboxes.close(other)
        assert outboxes.waiting == 0

    asyncio.run(scene())


def test_who_lets_too_much_lie_is_given_up_at_once_and_gets_nothing_more() -> None:
    async def scene() -> None:
        outboxes, pipe, given_up = Outboxes(1000), Pipe(), list[str]()
        pipe.reads = False
        box = outboxes.open(pipe, 100, lambda: given_up.append("box"))
        box.put(b"x" * 60)
        await asyncio.sleep(0)
        box.put(b"x" * 60)
        box.put(b"x")
        assert given_up == ["box"]
        assert (box.waiting, outboxes.waiting) == (0, 0)
        await box.is_done()
        assert len(pipe.taken) == 1

    asyncio.run(scene())


def test_where_all_pages_together_let_too_much_lie_the_fullest_goes() -> None:
    async def scene() -> None:
        outboxes, given_up = Outboxes(250), list[str]()
        boxes = {
            name: outboxes.open(Pipe(name == "reads"), 200, lambda name=name: given_up.append(name))  # type: ignore[misc]
            for name in ("reads", "slow", "stuck")
        }
        boxes["stuck"].put(b"x" * 150)
        boxes["slow"].put(b"x" * 80)
        for _ in range(5):
            boxes["reads"].put(b"x" * 30)
            await asyncio.sleep(0)
        assert given_up == ["stuck"]
        assert boxes["slow"].waiting == 80

    asyncio.run(scene())


@given(
    st.lists(
        st.tuples(
            st.integers(0, 3), st.sampled_from(["put", "pause", "read", "end", "close"]), st.integers(1, 90)
        )
    )
)
def test_never_more_waits_than_may(steps: list[tuple[int, str, int]]) -> None:
    async def scene() -> None:
        outboxes = Outboxes(200)
        pipes = [Pipe() for _ in range(4)]
        boxes = [outboxes.open(pipe, 100, lambda: None) for pipe in pipes]
        for number, do, size in steps:
            box, pipe = boxes[number], pipes[number]
            if do == "put":
                box.put(b"x" * size)
            elif do == "pause":
                pipe.reads = False
            elif do == "read":
                pipe.is_free = pipe.reads = True
                box.pass_on()
            elif do == "end":
                box.end()
            else:
                outboxes.close(box)
                boxes[number] = outboxes.open(pipe, 100, lambda: None)
            if size % 2:
                await asyncio.sleep(0)
            assert all(0 <= box.waiting <= 100 for box in boxes)
            assert sum(box.waiting for box in boxes) == outboxes.waiting <= 200

    asyncio.run(scene())


# ----------------------------------------------------------------- sockets that never read


class Deaf:
    """A live connection whose owner sends, and never reads."""

    def __init__(self, site: Site, guest: Guest, code: str) -> None:
        address = urlsplit(site.address)
        self._socket = socket.socket()
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        self._socket.settimeout(PATIENCE)
        self._socket.connect((address.hostname, address.port))
        cookies = "; ".join(f"{name}={value}" for name, value in guest.client.cookies.items())
        head = [
            f"GET /api/tables/{code}/live HTTP/1.1",
            f"Host: {address.netloc}",
            "Connection: Upgrade",
            "Upgrade: websocket",
            "Sec-WebSocket-Version: 13",
            f"Sec-WebSocket-Key: {base64.b64encode(b'x' * 16).decode()}",
            f"Cookie: {cookies}",
        ]
        self._socket.sendall("\r\n".join([*head, "", ""]).encode())
        assert self._socket.recv(12) == b"HTTP/1.1 101"

    def send(self, **message: Any) -> None:
        """Send a message."""
        self.send_frame(0x1, json.dumps(message).encode())

    def send_frame(self, kind: int, content: bytes, times: int = 1) -> None:
        """Send a frame, masked with zeros."""
        assert len(content) < 126
        self._socket.sendall((bytes([0x80 | kind, 0x80 | len(content)]) + bytes(4) + content) * times)

    def close(self) -> None:
        """Be gone."""
        self._socket.close()


@contextmanager
def deaf_pages(here: Site, code: str, number: int) -> Iterator[list[Deaf]]:
    """Connections of as many guests."""
    pages = [Deaf(here, here.guest(), code) for _ in range(number)]
    try:
        yield pages
    finally:
        for page in pages:
            page.close()


def wait_until(condition: Any) -> None:
    """Wait until something holds."""
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, "it never happened"
        time.sleep(0.005)


def test_guests_who_ask_for_everything_and_never_read_are_let_go(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    most: list[int] = []
    count = Outboxes.count

    def watch(outboxes: Outboxes, size: int) -> None:
        count(outboxes, size)
        most.append(outboxes.waiting)

    monkeypatch.setattr(Outboxes, "count", watch)
    with site(tmp_path, limits=Limits(unsent=SMALL, unsent_in_all=2 * SMALL, **LAVISH)) as here:  # type: ignore[arg-type]
        ana = here.guest()
        code = ana.make("me", "here")
        listeners = here.service.lobby.tables[code].listeners
        with ana.live(code) as line, deaf_pages(here, code, 5) as pages:
            line.hear("welcome")
            wait_until(lambda: len(listeners) == 6)
            while len(listeners) > 1:
                for page in pages:
                    with suppress(OSError):  # let go already
                        page.send(type="language", language="de")
                line.send(type="ping")
                line.hear("pong")
            assert here.service.outboxes.waiting < SMALL
            assert SMALL / 2 < max(most) <= 2 * SMALL
            line.act(0, "roll 1", key="k1")
            line.hear("done")


def test_pings_of_somebody_who_never_reads_are_not_answered_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    buffered: list[int] = []
    answer = ReadersOnly.handle_ping

    def handle_ping(page: ReadersOnly) -> None:
        answer(page)
        buffered.append(page.transport.get_write_buffer_size())

    monkeypatch.setattr(ReadersOnly, "handle_ping", handle_ping)
    with site(tmp_path) as here:
        code = here.guest().make("me", "here")
        with deaf_pages(here, code, 1) as (page,):
            for _ in range(20):
                page.send_frame(0x9, b"x" * 125, times=1000)
            wait_until(lambda: len(buffered) == 20_000)
        assert (
            0 < max(buffered) < 400_000
        )  # what came before it was noticed; not the 2,500,000 of all answers


# -------------------------------------------------------------------------------- welcomes


def test_who_asks_for_many_welcomes_gets_few(tmp_path: Path) -> None:
    with site(tmp_path, limits=Limits(welcomes=(0.001, 2))) as here:
        ana = here.guest()
        code = ana.make("me", "here")
        with ana.live(code) as line:
            line.hear("welcome")
            welcomes = 0
            for _ in range(20):
                line.send(type="language", language="es")
                line.send(type="ping")
                line.hear("pong")
                welcomes += sum(message["type"] == "welcome" for message in line.passed)
            assert welcomes <= 2


def test_guests_of_one_address_share_their_welcomes(tmp_path: Path) -> None:
    with site(tmp_path, limits=Limits(welcomes_from=(0.001, 3))) as here:
        code = here.guest().make("me", "here")
        welcomes = 0
        for _ in range(5):
            with here.guest().live(code) as line:
                line.hear("welcome")
                line.send(type="language", language="es")
                line.send(type="ping")
                line.hear("pong")
                line.send(type="ping")
                line.hear("pong")
                welcomes += sum(message["type"] == "welcome" for message in line.passed)
        assert welcomes <= 3


def test_a_welcome_that_comes_later_is_in_the_language_asked_for_last(tmp_path: Path) -> None:
    with site(tmp_path, limits=Limits(welcomes=(10.0, 1))) as here:
        ana = here.guest()
        code = ana.make("me", "here")
        with ana.live(code) as line:
            line.hear("welcome")
            for language in ("de", "en", "de", "es"):
                line.send(type="language", language=language)
            while "Tira" not in line.hear("welcome")["asked"]["question"]:
                pass
