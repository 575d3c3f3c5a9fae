"""The gate: connections that say nothing, too little or too much, and those that take nothing."""

import asyncio
import logging
import socket
import subprocess
import sys
import time
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.patience import PATIENCE
from tests.server.site import Site, site
from websockets.sync.client import connect

from dicetown.server.common.logs import EVERY, LogThrottle
from dicetown.server.common.settings import Limits
from dicetown.server.web import gate as gates
from dicetown.server.web.gate import ASKING, IDLE, SENDING, SERVED, Gate

#: Seconds as short as a test can wait for.
BRIEF = Limits(
    header_seconds=0.4, body_seconds=0.4, idle_seconds=0.4, unread_seconds=0.4, farewell_seconds=0.4
)
HOST = b" HTTP/1.1\r\nHost: 127.0.0.1\r\n"
HALF = {
    "nothing": b"",
    "half a head": b"GET /api/me" + HOST + b"X-",
    "half a handshake": b"GET /api/tables/ABCDEFGH/live" + HOST + b"Upgrade: websocket\r\n",
    "half a body": b"POST /api/tables" + HOST + b"Content-Length: 100\r\n\r\n{",
    "half a piece": b"POST /api/tables" + HOST + b"Transfer-Encoding: chunked\r\n\r\n50\r\n{",
    "half of the next": b"GET /healthz" + HOST + b"\r\nGET /healthz HT",
}


@pytest.fixture(autouse=True)
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gates, "LOOKS_EVERY", 0.05)


def call(here: Site, source: str = "127.0.0.1") -> socket.socket:
    """A connection to the site, from an address of this machine."""
    address = httpx.URL(here.address)
    return socket.create_connection((address.host, address.port or 0), PATIENCE, (source, 0))


def hear_answers(line: socket.socket, number: int) -> None:
    """Hear so many good answers of the service about its health."""
    heard = b""
    while heard.count(b"}") < number:
        heard += line.recv(65536)
    assert heard.count(b"HTTP/1.1 200 OK") == number


def hear_the_end(line: socket.socket) -> bytes:
    """What comes until the other side ends it."""
    heard = b""
    try:
        while piece := line.recv(65536):
            heard += piece
    except ConnectionResetError:
        pass
    return heard


def refusals(here: Site) -> dict[str, float]:
    """How often what was refused."""
    lines = httpx.get(f"{here.address}metrics").text.splitlines()
    told = [line.rpartition(" ") for line in lines if line.startswith("dicetown_refused_total{")]
    return {name.split('"')[1]: float(number) for name, _, number in told}


@pytest.mark.parametrize("said", HALF.values(), ids=HALF)
def test_who_does_not_say_all_of_it_in_time_is_not_waited_for(tmp_path: Path, said: bytes) -> None:
    with site(tmp_path, limits=BRIEF) as here, call(here) as line:
        line.sendall(said)
        hear_the_end(line)  # it comes, or the test fails


def test_a_byte_now_and_then_buys_no_time(tmp_path: Path) -> None:
    with site(tmp_path, limits=BRIEF) as here, call(here) as line:
        line.sendall(b"GET /healthz HTTP/1.1\r\nX-Long: ")
        with suppress(OSError):  # the other side has ended it
            for _ in range(500):
                line.sendall(b"x")
                time.sleep(0.02)
        assert refusals(here)["late_header"] == 1


def test_those_who_ask_for_nothing_never_keep_others_out(tmp_path: Path) -> None:
    with site(tmp_path, limits=Limits(open_in_all=10)) as here, ExitStack() as stack:
        ana = here.guest()
        code = ana.make("me", "here")
        with ana.live(code) as live:
            live.hear("welcome")
            for said in list(HALF.values())[:3] * 10:
                stack.enter_context(call(here)).sendall(said)
                assert httpx.get(f"{here.address}healthz").status_code == 200
            live.send(type="ping")
            assert live.hear("pong")
        told = refusals(here)
        assert told["pushed_out"] >= 20
        assert "connections" not in told


def test_an_address_with_too_many_connections_is_turned_away_in_words(tmp_path: Path) -> None:
    with site(tmp_path, limits=Limits(open_of_address=3)) as here, ExitStack() as stack:
        code = here.guest().make("me", "here")
        live = f"{here.address.replace('http', 'ws')}api/tables/{code}/live"
        for _ in range(3):
            stack.enter_context(connect(live, sock=call(here, "127.0.0.2")))
        for _ in range(2):
            with call(here, "127.0.0.2") as line:
                heard = hear_the_end(line).decode()
        assert heard.startswith("HTTP/1.1 503 ")
        assert "Retry-After: 5\r\n" in heard
        assert all(word in heard for word in ("no room", "no caben", "kein Platz"))
        with connect(live, sock=call(here, "127.0.0.3")) as other:
            assert other.recv(PATIENCE)
        assert refusals(here)["connections_of_address"] == 2


def test_who_takes_no_answer_is_not_answered_for_ever(tmp_path: Path) -> None:
    with site(tmp_path, limits=BRIEF) as here, socket.socket() as line:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        line.settimeout(PATIENCE)
        address = httpx.URL(here.address)
        line.connect((address.host, address.port or 0))
        line.sendall(b"GET /api/openapi.json HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" * 200)
        deadline = time.monotonic() + PATIENCE
        while not refusals(here).get("unread") and time.monotonic() < deadline:
            time.sleep(0.05)
        assert refusals(here)["unread"] == 1


def test_a_slow_request_that_comes_in_time_is_answered_and_so_is_the_next(tmp_path: Path) -> None:
    with site(tmp_path) as here, call(here) as line:
        for _ in range(2):
            for piece in (b"GET /healthz HT", b"TP/1.1\r\nHost: ", b"127.0.0.1\r\n", b"\r\n"):
                line.sendall(piece)
                time.sleep(0.01)
            hear_answers(line, 1)
        line.sendall(b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" * 3)
        hear_answers(line, 3)


def test_a_head_that_is_too_long_is_refused(tmp_path: Path) -> None:
    with site(tmp_path) as here, call(here) as line:
        line.sendall(b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Long: " + b"x" * 20_000)
        assert hear_the_end(line).startswith(b"HTTP/1.1 400 ")


# ------------------------------------------------------------------------------ the gate alone


class Line:
    """A connection as the gate sees it."""

    def __init__(self, host: str) -> None:
        self.host = host
        self.open = True

    def get_extra_info(self, what: str) -> Any:
        return self.host, 1234

    def abort(self) -> None:
        self.open = False


def test_who_has_asked_for_nothing_longest_makes_room_for_who_comes() -> None:
    async def scene() -> None:
        counted: list[str] = []
        gate = Gate(Limits(), 3, count=counted.append)
        served, asking, sending, fresh, more, last = (Line(f"192.0.2.{n}") for n in range(6))
        for line, stage in ((served, SERVED), (asking, ASKING), (sending, SENDING)):
            assert gate.let_in(line)  # type: ignore[arg-type]
            gate.note(line, stage)  # type: ignore[arg-type]
        assert gate.let_in(fresh)  # type: ignore[arg-type]
        assert [line.open for line in (served, asking, sending, fresh)] == [True, False, True, True]
        assert len(gate) == 3
        gate.note(fresh, SERVED)  # type: ignore[arg-type]
        assert not gate.let_in(more)  # type: ignore[arg-type]
        gate.note(served, IDLE)  # type: ignore[arg-type]
        assert gate.let_in(last)  # type: ignore[arg-type]
        assert not served.open
        assert counted == ["pushed_out", "connections", "pushed_out"]

    asyncio.run(scene())


def test_an_address_has_at_most_half_of_the_room_and_its_neighbours_count_as_one() -> None:
    async def scene() -> None:
        gate = Gate(Limits(), 4)
        near = [Line(f"2001:db8::{n}") for n in range(3)]
        for line in near:
            gate.note(line, SERVED) if gate.let_in(line) else line.abort()  # type: ignore[arg-type]
        assert [line.open for line in near] == [True, True, False]
        assert gate.let_in(Line("2001:db8:0:1::1"))  # type: ignore[arg-type]
        gate.leave(near[0])  # type: ignore[arg-type]
        gate.leave(near[0])  # type: ignore[arg-type]
        assert gate.let_in(Line("2001:db8::4"))  # type: ignore[arg-type]
        proxied = Gate(Limits(), 4, is_proxy=lambda host: host == "192.0.2.1")
        for line in (Line("192.0.2.1") for _ in range(4)):
            assert proxied.let_in(line)  # type: ignore[arg-type]
            proxied.note(line, SERVED)  # type: ignore[arg-type]

    asyncio.run(scene())


# ------------------------------------------------------------------------------------ the log


def test_what_is_said_again_and_again_is_said_once_a_minute_with_a_count() -> None:
    now = 0.0
    quiet = LogThrottle(lambda: now)

    def say(text: str, *args: object) -> str | None:
        record = logging.LogRecord("uvicorn.error", logging.WARNING, "", 1, text, args, None)
        return record.getMessage() if quiet.filter(record) else None

    assert say("Bad %s.", "thing") == "Bad thing."
    assert [say("Bad %s.", n) for n in range(1000)] == [None] * 1000
    assert say("Worse\nsocket: 7") == "Worse\nsocket: 7"
    assert say("Worse\nsocket: 8") is None
    now = EVERY
    assert say("Bad %s.", "again") == "Bad again. (1000 times more in the last 60 s)"
    assert say("Bad %s.", "again") is None
    for number in range(1000):
        say(f"Another {number}")
    assert len(quiet._said) <= 200


# ---------------------------------------------------------------------------------- few files


def test_a_crowd_that_waits_leaves_the_service_its_ears_and_its_log_short(tmp_path: Path) -> None:
    log = tmp_path / "log"
    program = [sys.executable, "-m", "dicetown", "serve", "--port", "0", "--db", str(tmp_path / "tables.db")]
    few = "import os, resource, sys; resource.setrlimit(resource.RLIMIT_NOFILE, (100, 300)); os.execv(*%r)"
    with log.open("wb") as lines, ExitStack() as stack:
        command = [sys.executable, "-c", few % ((sys.executable, program),)]
        served = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=lines, text=True)
        try:
            assert served.stdout is not None
            address = httpx.URL(served.stdout.readline().split(" at ")[1].split()[0])
            for _ in range(6):
                for _ in range(100):
                    line = stack.enter_context(socket.create_connection((address.host, address.port or 0)))
                    line.sendall(b"GET / HTTP/1.1\r\nX-")
                assert httpx.get(address.join("/healthz"), timeout=PATIENCE).status_code == 200
            told = httpx.get(address.join("/metrics"), timeout=PATIENCE).text
            assert 'dicetown_refused_total{code="pushed_out"}' in told
        finally:
            served.kill()
            served.communicate()
    assert log.stat().st_size < 5000
