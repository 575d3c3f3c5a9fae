"""A service of several processes: pages keep their connections and lose no click, whatever workers do."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import IO, Any

import httpx
import pytest
from sqlalchemy import create_engine, text
from tests.patience import PATIENCE
from tests.running import Run
from tests.server.site import Guest, Line
from tests.server.test_crash import served
from websockets.exceptions import ConnectionClosed, InvalidStatus


class Several:
    """`dicetown serve --workers N` in processes of their own."""

    def __init__(self, place: str, workers: int = 2, *options: str) -> None:
        command = [sys.executable, "-m", "dicetown", "serve", "--workers", str(workers), "--port", "0"]
        self.start([*command, "--secret", "test", "--no-prepare", "--db", place, *options], place)

    def start(
        self,
        command: list[str],
        place: str,
        environment: dict[str, str] | None = None,
        log: IO[str] | None = None,
    ) -> None:
        """Start it, and wait until it says where it is."""
        self.place = place
        self.engine = create_engine(place.replace("postgresql://", "postgresql+psycopg://"))
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=log, text=True, env=environment
        )
        assert self.process.stdout is not None
        if "http://" not in (line := self.process.stdout.readline()):
            self.close()
            raise AssertionError(line)
        self.address = line[line.index("http://") : line.rindex("/") + 1]

    def ask(self, question: str, **values: object) -> list[Any]:
        """What the database says."""
        with self.engine.connect() as connection:
            return [tuple(row) for row in connection.execute(text(question), values)]

    def workers(self) -> set[int]:
        """The processes that look after tables."""
        return {pid for [pid] in self.ask("SELECT pid FROM workers WHERE role = 'game' AND NOT leaving")}

    def owner(self, code: str) -> int | None:
        """The process that has a table."""
        question = "SELECT pid FROM workers JOIN tables ON owner = id WHERE code = :code"
        return next((pid for [pid] in self.ask(question, code=code)), None)

    def journal(self, code: str) -> list[tuple[int, str | None, int]]:
        """Number, key and fence of all entries of a table."""
        question = "SELECT number, key, fence FROM entries WHERE code = :code ORDER BY number"
        return self.ask(question, code=code)

    def close(self) -> int:
        """As Ctrl-C would; its exit status."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        status = self.process.wait(PATIENCE)
        assert self.process.stdout is not None
        self.process.stdout.close()
        self.engine.dispose()
        return status


#: Who plays as fast as a service answers is no flood here, alone or with all of an address.
QUICKLY = ("--limit", "messages=1000,100000", "--limit", "messages_from=1000,100000")


@contextmanager
def several(place: str, *options: str) -> Iterator[Several]:
    running = Several(place, 2, *options)
    try:
        yield running
    finally:
        running.close()


def wait_until(there: Callable[[], bool]) -> None:
    ends = time.monotonic() + PATIENCE
    while not there():
        assert time.monotonic() < ends
        time.sleep(0.05)


def choice(message: dict[str, Any]) -> dict[str, Any] | None:
    """What we are asked; a bot's question has no choices for us."""
    asked: dict[str, Any] | None = message["asked"]
    return asked if asked is not None and asked["choices"] else None


class Player:
    """Decides for all seats of a table at one page, and checks everything it is told."""

    def __init__(self, line: Line, name: str) -> None:
        self.line = line
        self.name = name
        self.asked: dict[str, Any] | None = None
        self.moves = 0
        self.number = 0
        self.decided = 0
        self.welcomes = 0
        self.waits_for: str | None = None
        self.done: dict[str, int] = {}

    def decide(self) -> None:
        """Take the first choice; its answer is not waited for."""
        assert self.asked is not None
        self.decided += 1
        self.waits_for = f"{self.name}-{self.decided}"
        action = self.asked["choices"][0]["action"]
        self.line.act(self.asked["seat"], action, key=self.waits_for, moves=self.moves)
        self.asked = None

    def hear(self) -> None:
        """Hear one message; whatever happens, entries come in order and nothing is refused."""
        message = self.line.next()
        match message["type"]:
            case "welcome":
                assert message["number"] >= self.number
                self.number, self.asked, self.moves = (
                    message["number"],
                    choice(message),
                    message["scene"]["moves"],
                )
                self.welcomes += 1
            case "entry":
                assert message["number"] == self.number + 1
                self.number = message["number"]
                self.asked = choice(message)
                if (scene := message["scene"] or message["change"]) is not None:
                    self.moves = scene["moves"]
            case "done":
                assert message["key"] == self.waits_for
                self.done[message["key"]] = message["number"]
                self.waits_for = None
                if message["number"] > self.number:  # what is asked now comes with the entry
                    self.asked = None
            case "refused":
                raise AssertionError(message)

    def play(self, decisions: int) -> None:
        """Decide so many times, and hear of it."""
        until = self.decided + decisions
        while self.decided < until or self.waits_for is not None or self.asked is None:
            if self.asked is not None and self.waits_for is None:
                self.decide()
            self.hear()


@contextmanager
def playing(running: Several, name: str, source: str | None = None) -> Iterator[tuple[Player, str]]:
    guest = Guest(running.address, source)
    code = guest.make("me", "here")
    with guest.live(code) as line:
        player = Player(line, name)
        player.hear()
        yield player, code
        journal = running.journal(code)
        numbers = [number for number, _, _ in journal]
        assert numbers == list(range(1, len(numbers) + 1))
        stored = {key: number for number, key, _ in journal if key is not None}
        assert stored == player.done  # all that was acknowledged and nothing else, each once
        fences = [fence for _, _, fence in journal]
        assert fences == sorted(fences)
    guest.client.close()


@pytest.fixture(scope="module")
def running(postgres: str) -> Iterator[Several]:
    with several(postgres, *QUICKLY) as found:
        yield found


def test_a_page_plays_on_when_its_worker_is_killed(running: Several) -> None:
    with playing(running, "killed") as (player, code):
        player.play(3)
        owner = running.owner(code)
        assert owner is not None
        os.kill(owner, signal.SIGKILL)
        player.play(3)
        assert player.welcomes == 2  # told anew where the table stands, over the same connection
        assert running.owner(code) != owner
        wait_until(lambda: len(running.workers() - {owner}) == 2)
        player.play(2)


def test_no_click_is_lost_while_all_workers_are_replaced(running: Several) -> None:
    before = running.workers()
    with playing(running, "rolled") as (player, _):
        player.play(2)
        running.process.send_signal(signal.SIGHUP)
        while running.workers() & before or len(running.workers()) < 2:
            player.play(1)
        player.play(3)
        assert player.welcomes >= 2


def test_a_worker_that_stands_still_is_left_and_does_no_harm_when_it_wakes_up(running: Several) -> None:
    with playing(running, "still") as (player, code):
        player.play(2)
        owner = running.owner(code)
        assert owner is not None
        os.kill(owner, signal.SIGSTOP)
        try:
            player.play(3)
            assert running.owner(code) not in (None, owner)
        finally:
            os.kill(owner, signal.SIGCONT)
        player.play(3)


def test_requests_go_where_the_table_is(running: Several) -> None:
    """Also when many are asked about, of whom each worker has some."""
    guest = Guest(running.address)
    codes = [guest.make("me", "here") for _ in range(3)]
    for code in codes:
        assert guest.client.get(f"/api/tables/{code}").json()["code"] == code
        assert guest.client.get(f"/api/tables/{code.lower()}/log").status_code == 200
    me = guest.client.get("/api/me").json()
    assert {table["code"] for table in me["running"]} == {*codes}
    assert set(me["your_turn"]) == {*codes}
    assert guest.client.get("/api/tables/AAAAAAAA").status_code == 404
    assert guest.client.get("/no/such/page.js").status_code == 404
    assert guest.client.post("/api/tables", content=b"x" * 40_000).status_code == 413
    wait_until(lambda: guest.client.get("/readyz").json()["workers"] == 2)
    guest.client.close()


def test_lists_know_how_tables_of_other_workers_stand(running: Several) -> None:
    """Whoever is asked: whose turn it is is only known to the worker that has the table."""
    ana, ben = Guest(running.address), Guest(running.address)
    code = ana.make("me", "friend", start=False)
    joined = ben.client.post(f"/api/tables/{code}/join", json={"name": "Ben"})
    assert joined.status_code == 200, joined.text
    assert ana.client.post(f"/api/tables/{code}/start").status_code == 200
    with ana.live(code) as line:
        player = Player(line, "ana")
        player.hear()
        while player.asked is None or player.asked["seat"] == 0:
            if player.asked is not None and player.waits_for is None:
                player.decide()
            player.hear()

    def your_turn(guest: Guest, source: str) -> Any:
        return guest.client.get("/api/me", headers={"x-forwarded-for": source}).json()["your_turn"]

    def is_bens_turn(source: str) -> bool:
        return bool(your_turn(ben, source) == [code])

    try:
        for number in range(8):  # from different addresses, which lead to different workers
            source = f"192.0.2.{number}"
            # A worker that does not answer soon is not waited for, and on a busy machine none may.
            wait_until(partial(is_bens_turn, source))
            assert your_turn(ana, source) == []
    finally:
        for guest in (ana, ben):
            guest.client.close()


def test_a_live_connection_is_refused_as_a_worker_refuses_it(running: Several) -> None:
    guest = Guest(running.address)
    with guest.live("AAAAAAAA") as line:
        assert line.next()["code"] == "no_table"
        with pytest.raises(ConnectionClosed):
            line.next()
        assert line.socket.close_code == 4404
    code = guest.make("me", "here")
    with pytest.raises(InvalidStatus) as refused, guest.live(code, Origin="https://elsewhere.example"):
        pass
    assert refused.value.response.status_code == 403
    assert guest.client.get("/between/tables").status_code == 404
    guest.client.close()


def test_nobody_speaks_for_others_but_the_gateway(running: Several) -> None:
    [address] = running.ask("SELECT address FROM workers WHERE role = 'game' LIMIT 1")[0]
    guest = Guest(f"http://{address}/")
    assert guest.client.get("/api/me").status_code == 403
    headers = {"x-dicetown-hop": "guessed", "x-dicetown-client": "192.0.2.7"}
    assert guest.client.get("/api/me", headers=headers).json()["code"] == "only_gateways"
    assert guest.client.get("/healthz").status_code == 200
    guest.client.close()


def test_workers_find_a_thinker_by_themselves_and_miss_it_when_it_ends(running: Several) -> None:
    command = [sys.executable, "-m", "dicetown", "serve", "--role", "thinker", "--listen", "127.0.0.1:0"]
    command += ["--secret", "test", "--no-prepare", "--db", running.place]
    thinker = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    try:
        wait_until(lambda: thinkers_of(running) == {"1.0"})
        thinker.terminate()
        assert thinker.wait(PATIENCE) == 0
        wait_until(lambda: thinkers_of(running) == {"0.0"})
    finally:
        thinker.kill()
        thinker.wait(PATIENCE)


def thinkers_of(running: Several) -> set[str]:
    """How many thinkers each worker is connected to."""
    told = set()
    for [address] in running.ask("SELECT address FROM workers WHERE role = 'game' AND NOT leaving"):
        lines = httpx.get(f"http://{address}/metrics", timeout=PATIENCE).text.splitlines()
        told |= {line.split()[1] for line in lines if line.startswith("dicetown_thinkers_connected ")}
    return told


def test_one_process_is_kept_out_while_several_have_the_database(
    running: Several, dicetown: Run, postgres: str
) -> None:
    ran = dicetown("serve", "--port", 0, "--secret", "x", "--db", postgres)
    assert ran.status == 2
    assert "is in use by a Dicetown of 3 processes" in ran.err
    assert ran.err.count("\n") == 1


def test_several_are_kept_out_while_one_process_has_the_database(dicetown: Run, postgres_place: str) -> None:
    with served(postgres_place) as alone:
        for options in (["--workers", 2], ["--role", "game"], ["--role", "gateway"]):
            ran = dicetown("serve", "--port", 0, "--secret", "x", "--db", postgres_place, *options)
            assert ran.status == 2
            assert f"in use by another Dicetown (process {alone.process.pid} on " in ran.err


@pytest.mark.parametrize("options", [["--workers", 2], ["--role", "game"], ["--role", "gateway"]])
def test_several_processes_need_postgresql(dicetown: Run, tmp_path: Any, options: list[object]) -> None:
    ran = dicetown("serve", "--port", 0, "--secret", "x", "--db", tmp_path / "tables.db", *options)
    assert ran.status == 2
    assert "Several processes need PostgreSQL" in ran.err
    assert ran.err.count("\n") == 1


def test_the_end_of_all_is_in_order(postgres_place: str) -> None:
    with several(postgres_place) as running:
        pids = running.workers()
        with playing(running, "ended") as (player, _):
            player.play(1)
        left = "SELECT count(*) FROM workers"
        engine = create_engine(postgres_place.replace("postgresql://", "postgresql+psycopg://"))
        assert running.close() == 0
        with engine.connect() as connection:
            assert connection.execute(text(left)).scalar() == 0  # each of them has said goodbye
        engine.dispose()
    for pid in pids:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)
