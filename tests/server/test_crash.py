"""The service is killed at any moment: whatever it has acknowledged is there when it comes back."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from tests.patience import PATIENCE
from tests.server.site import Guest, Line
from websockets.exceptions import ConnectionClosed

from dicetown import fair


class Served:
    """`dicetown serve` in a process of its own."""

    def __init__(self, place: str) -> None:
        command = [
            sys.executable,
            "-m",
            "dicetown",
            "serve",
            "--port",
            "0",
            "--secret",
            "test",
            "--db",
            place,
        ]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert "http://" in line, line
        self.address = line[line.index("http://") : line.rindex("/") + 1]

    def kill(self) -> None:
        """As a power cut would."""
        self.process.kill()
        self.wait()

    def stop(self) -> int:
        """As Ctrl-C would; its exit status."""
        self.process.send_signal(signal.SIGTERM)
        return self.wait()

    def wait(self) -> int:
        """Until it has ended by itself; its exit status."""
        assert self.process.stdout is not None
        status = self.process.wait(PATIENCE)
        self.process.stdout.close()
        return status


@contextmanager
def served(place: str) -> Iterator[Served]:
    running = Served(place)
    try:
        yield running
    finally:
        if running.process.poll() is None:
            running.kill()


def move_guest(guest: Guest, address: str) -> None:
    """The same browser, when the service is at another port."""
    guest.client.base_url = address


def answer(line: Line, asked: dict[str, Any], moves: int) -> int:
    """Take the first choice, again if that was too quick; the number of the acknowledged entry."""
    passed = []
    while True:
        line.act(asked["seat"], asked["choices"][0]["action"], key=f"moment-{moves}", moves=moves)
        message = line.hear("done", "refused")
        passed += line.passed
        if message["type"] == "done":
            line.passed = passed
            number: int = message["number"]
            return number
        assert message["code"] == "too_quick", message
        time.sleep(0.2)


def hear_out(line: Line) -> list[dict[str, Any]]:
    """What is said until the connection ends."""
    heard = []
    with suppress(ConnectionClosed):
        while True:
            heard.append(line.next())
    return heard


def play(line: Line, seats: list[int], decisions: int) -> list[dict[str, Any]]:
    """Decide so many times for some seats (or until the game is over); the entries heard."""
    welcome = line.hear("welcome")
    asked, scene = welcome["asked"], welcome["scene"]
    heard: list[dict[str, Any]] = []
    while True:
        if asked is not None and asked["seat"] in seats:
            if decisions == 0:
                return heard
            answer(line, asked, scene["moves"])
            heard += [one for one in line.passed if one["type"] == "entry"]
            decisions -= 1
        entry = line.hear("entry")
        heard.append(entry)
        if entry["kind"] == "over":
            return heard
        asked, scene = entry["asked"], entry["scene"] or entry["change"] or scene


@pytest.mark.slow
def test_a_game_goes_on_after_the_service_was_killed_again_and_again(place: str) -> None:
    guest: Guest | None = None
    code, journal = "", []
    for decisions in (3, 5, 4, 10_000):
        with served(place) as running:
            if guest is None:
                guest = Guest(running.address)
                code = guest.make("me", "normal", house={"landmarks_to_win": 4})
            move_guest(guest, running.address)
            with guest.live(code) as line:
                journal += play(line, [0], decisions)
                if decisions < 10_000:
                    # One more decision: killed right after it was acknowledged.
                    line.send(type="language", language="en")
                    now = line.hear("welcome")
                    number = answer(line, now["asked"], now["scene"]["moves"])
                    running.kill()
                    journal += [one for one in hear_out(line) if one["type"] == "entry"]
                    journal.append({"number": number, "moves": None})
                    continue
            record = json.loads(guest.client.get(f"/api/tables/{code}/record").text)
            assert running.stop() == 0
    assert guest is not None
    guest.client.close()
    assert fair.verify(json.dumps(record)).holds
    # Everything that any page was ever told is in the record, in order.
    told = {entry["number"]: entry["moves"] for entry in journal if entry["moves"]}
    moves = [move for number in sorted(told) for move in told[number]]
    remaining = iter(record["moves"])
    assert all(any(move == one for one in remaining) for move in moves)
    assert record["fair"]["secret"] is not None


@pytest.mark.slow
def test_a_service_comes_back_with_many_games_that_everybody_returns_to_at_once(tmp_path: Path) -> None:
    place, games, restarts = str(tmp_path / "tables.db"), 6, 4
    made = 2  # entries: the table was made, the game began
    with served(place) as running:
        guest = Guest(running.address)
        codes = [guest.make("me", "here") for _ in range(games)]

    def come_back(code: str) -> int:
        with guest.live(code) as line:
            welcome = line.hear("welcome")
            return answer(line, welcome["asked"], welcome["scene"]["moves"])

    for life in range(restarts):
        with served(place) as running, ThreadPoolExecutor(games) as pages:
            move_guest(guest, running.address)
            assert list(pages.map(come_back, codes)) == [made + life + 1] * games
            assert running.process.poll() is None
    guest.client.close()


def test_what_was_acknowledged_before_a_kill_is_acknowledged_again(tmp_path: Path) -> None:
    place = str(tmp_path / "tables.db")
    with served(place) as running:
        guest = Guest(running.address)
        code = guest.make("me", "here")
        with guest.live(code) as line:
            line.hear("welcome")
            line.act(0, "roll 1", key="the-key", moves=0)
            number = line.hear("done")["number"]
            running.kill()
    with served(place) as running:
        move_guest(guest, running.address)
        with guest.live(code) as line:
            welcome = line.hear("welcome")
            assert welcome["number"] == number
            assert welcome["you"]["seats"] == [0, 1]
            line.act(0, "roll 1", key="the-key", moves=0)  # the page did not hear whether it had arrived
            assert line.hear("done")["number"] == number
            line.act(0, "pass", key="next", moves=welcome["scene"]["moves"])
            assert line.hear("done")["number"] == number + 1
        assert running.stop() == 0
    guest.client.close()


def test_no_process_stays_behind_a_service_that_was_killed(tmp_path: Path) -> None:
    with served(str(tmp_path / "tables.db")) as running:
        guest = Guest(running.address)
        code = guest.make("me", "normal")
        with guest.live(code) as line:
            play(line, [0], 2)
            children = _children(running.process.pid)
            assert children
            running.kill()
    guest.client.close()
    deadline = time.monotonic() + PATIENCE
    while any(Path(f"/proc/{child}").exists() for child in children):
        assert time.monotonic() < deadline, "a worker is still there"
        time.sleep(0.05)


def _children(parent: int) -> list[int]:
    found = subprocess.run(
        ["ps", "-o", "pid=", "--ppid", str(parent)], capture_output=True, text=True, check=False
    )
    return [int(word) for word in found.stdout.split()]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_service_ends_in_order_when_it_is_asked_to(tmp_path: Path, number: signal.Signals) -> None:
    with served(str(tmp_path / "tables.db")) as running:
        guest = Guest(running.address)
        code = guest.make("me", "normal")
        with guest.live(code) as line:
            play(line, [0], 1)
            os.kill(running.process.pid, number)
            hear_out(line)
            assert line.socket.close_code == 1012  # it restarts: come back
        assert running.process.wait(PATIENCE) == 0
        assert running.process.stdout is not None
        assert "Traceback" not in running.process.stdout.read()
        running.process.stdout.close()
    guest.client.close()
