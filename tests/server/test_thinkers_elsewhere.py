"""Thinkers elsewhere, as processes of their own: who is next, what is dropped, and what their end does."""

import asyncio
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import httpx
import pytest
import structlog
from tests.patience import PATIENCE
from tests.server import thoughts
from tests.server.site import site
from tests.server.sitting import until
from tests.server.thoughts import FOLDER, STEERED, WHO, let_go_on, noted

from dicetown import Game, Ruleset, __version__
from dicetown.server.common.fair_line import Asker
from dicetown.server.workers import thinkers
from dicetown.server.workers.processes import HowFar, TooMuchToDo
from dicetown.server.workers.remote_thinkers import RemoteThinkers
from dicetown.server.workers.snapshot import Snapshot
from dicetown.server.workers.talk import TalkError, key_of

ANA, BEN = Asker("near", "ana"), Asker("far", "ben")
SECRET = "a secret for tests"
GAME = Game(Ruleset("deluxe", sets=["base"]), names=["Ana", "Ben"], seed=7)
POSITION = Snapshot.of(GAME)
HERE = "here"

pytestmark = pytest.mark.usefixtures("steered")


@pytest.fixture
def steered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is thought here is steered, too."""
    monkeypatch.setenv(FOLDER, str(tmp_path))
    monkeypatch.setenv(WHO, HERE)
    for name, instead in STEERED.items():
        monkeypatch.setattr(thinkers, name, instead)


class Elsewhere:
    """A thinker in a process of its own."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        assert process.stdout is not None
        self.address = process.stdout.readline().split()[3]

    def signal(self, number: signal.Signals) -> None:
        self.process.send_signal(number)


@contextmanager
def started(who: str, *words: str) -> Iterator[subprocess.Popen[str]]:
    """A program, until it is no longer needed; what it logs is beside what is noted."""
    log = Path(os.environ[FOLDER]) / f"{who}.log"
    with log.open("w") as err:
        process = subprocess.Popen(
            [sys.executable, "-m", *words],
            env=os.environ | {WHO: who},
            stdout=subprocess.PIPE,
            stderr=err,
            text=True,
        )
    try:
        yield process
    finally:
        process.kill()
        process.wait(PATIENCE)
        assert process.stdout is not None
        process.stdout.close()


@contextmanager
def elsewhere(who: str, *bots: str, secret: str = SECRET, version: str = "") -> Iterator[Elsewhere]:
    """A thinker with a name."""
    with started(who, "tests.server.thinker_program", secret, version, *bots) as process:
        yield Elsewhere(process)


Doing = Callable[[RemoteThinkers], Awaitable[None]]


def asking(doing: Doing, *there: Elsewhere, present: int | None = None, **options: Any) -> None:
    """Do something with thinkers elsewhere, once they are there."""

    async def scene() -> None:
        asked = RemoteThinkers([one.address for one in there], key_of(SECRET), **options)
        asked.warm_up()
        try:
            await until(lambda: asked.connected == (len(there) if present is None else present))
            async with asyncio.timeout(3 * PATIENCE):  # processes start, some one after the other
                await doing(asked)
        finally:
            asked.close()

    asyncio.run(scene())


def ask(answer: Awaitable[Any]) -> "asyncio.Task[Any]":
    return asyncio.ensure_future(answer)


async def give_up(*waiting: "asyncio.Task[Any]") -> None:
    for one in waiting:
        one.cancel()
    await asyncio.gather(*waiting, return_exceptions=True)


async def be_heard(asked: RemoteThinkers) -> None:
    """Whatever was said before has been heard there when this is answered."""
    await asked.odds(POSITION, 0, ANA)


def test_what_takes_time_is_thought_about_elsewhere_and_what_is_quick_is_not(tmp_path: Path) -> None:
    for what in ("move", "hint", "review"):
        let_go_on(tmp_path, what)

    async def doing(asked: RemoteThinkers) -> None:
        assert await asked.choose("master", POSITION, ANA) in [str(one) for one in GAME.legal_actions()]
        assert await asked.choose("normal", POSITION, ANA)
        assert (await asked.hint(POSITION, "de", ANA)).line == ["de"]
        assert await asked.first_review("a game", ANA) == thoughts.REVIEW | {"exact": False}
        assert await asked.review("a game", ANA, lambda how_far: None) == thoughts.REVIEW | {"exact": True}
        assert (await asked.odds(POSITION, 7, ANA)).startswith(b'{"type":"odds","moves":7,"odds":[')
        assert (await asked.worth(POSITION, 0, "bakery", ANA)).one_die > 0
        assert (await asked.first_hint(POSITION, "en", ANA)).options
        assert asked.waiting == {"move": 0, "hint": 0, "odds": 0, "review": 0}
        assert not asked.is_warming("master")

    with elsewhere("there") as there:
        asking(doing, there)
    assert noted(tmp_path) == [
        "there move master", "here move normal", "there hint de",
        "there picture a game", "there review a game",
    ]  # fmt: skip


def test_moves_overtake_hints_and_hints_overtake_reviews_where_all_are_busy(tmp_path: Path) -> None:
    let_go_on(tmp_path, "move")
    crowd = [Asker("far", str(number)) for number in range(4)]

    async def doing(asked: RemoteThinkers) -> None:
        seen: list[HowFar] = []
        waiting = [ask(asked.hint(POSITION, "first", crowd[0]))]
        waiting += [ask(asked.review("a game", one, seen.append)) for one in crowd]
        await until(lambda: len(noted(tmp_path)) == 2)
        waiting += [ask(asked.first_review(f"game {one.name}", one)) for one in crowd]
        waiting += [ask(asked.hint(POSITION, one.name, one)) for one in crowd[1:]]
        await until(lambda: asked.waiting == {"move": 0, "hint": 3, "odds": 0, "review": 7})
        assert await asked.choose("master", POSITION, ANA)
        await until(lambda: seen and seen[0]() == (4, 9))
        assert not any(one.done() for one in waiting)
        let_go_on(tmp_path, "hint")
        await until(lambda: len(noted(tmp_path)) == 10)
        begun = [line.split()[1] for line in noted(tmp_path)]
        assert begun[3:] == ["hint"] * 3 + ["picture"] * 4
        await give_up(*waiting)

    with elsewhere("there") as there:
        asking(doing, there)


def test_everybody_has_a_turn_whichever_service_they_are_guests_of(tmp_path: Path) -> None:
    async def doing(asked: RemoteThinkers) -> None:
        other = RemoteThinkers([one.address for one in asked._colleagues.values()], key_of(SECRET))
        other.warm_up()
        await until(lambda: other.connected)
        crowd = [ask(asked.hint(POSITION, "far", Asker("far", "0")))]
        await until(lambda: noted(tmp_path))
        crowd += [ask(asked.hint(POSITION, "far", Asker("far", str(number)))) for number in range(1, 6)]
        await until(lambda: asked.waiting["hint"] == 5)
        await be_heard(asked)
        single = ask(other.hint(POSITION, "near", ANA))
        twice = [ask(other.hint(POSITION, "near, too", ANA)) for _ in range(2)]
        await until(lambda: other.waiting["hint"] == 2)
        with pytest.raises(TooMuchToDo):
            await asyncio.gather(single, *twice)  # one guest may have two that wait
        let_go_on(tmp_path, "hint")
        await asyncio.gather(*crowd)
        places = [place for place, line in enumerate(noted(tmp_path)) if "near" in line]
        assert places == [2, 4]
        other.close()

    with elsewhere("there") as there:
        asking(doing, there)


def test_the_move_of_a_thinker_that_is_killed_comes_from_another_and_then_from_here(tmp_path: Path) -> None:
    async def doing(asked: RemoteThinkers) -> None:
        moves = [ask(asked.choose("master", POSITION, one)) for one in (ANA, BEN)]
        await until(lambda: len(noted(tmp_path)) == 2)
        assert {line.split()[0] for line in noted(tmp_path)} == {"one", "two"}  # who has less to do is asked
        one.signal(signal.SIGKILL)
        await until(lambda: asked.connected == 1)
        two.signal(signal.SIGKILL)
        await until(lambda: asked.connected == 0)
        let_go_on(tmp_path, "move")
        assert all(await asyncio.gather(*moves))
        assert noted(tmp_path)[-1].startswith(HERE)

    with elsewhere("one") as one, elsewhere("two") as two:
        asking(doing, one, two)


def test_what_a_thinker_has_that_hangs_is_done_elsewhere(tmp_path: Path) -> None:
    async def doing(asked: RemoteThinkers) -> None:
        hint, review = ask(asked.hint(POSITION, "en", ANA)), ask(asked.review("a game", ANA, lambda _: None))
        await until(lambda: len(noted(tmp_path)) == 2)
        there.signal(signal.SIGSTOP)
        for what in ("hint", "review"):
            let_go_on(tmp_path, what)
        try:
            await asyncio.gather(hint, review)
            assert asked.connected == 0
        finally:
            there.signal(signal.SIGCONT)
        assert {line.split()[0] for line in noted(tmp_path)[2:]} == {HERE}
        await until(lambda: asked.connected)  # it is looked for, and comes back

    with elsewhere("there") as there:
        asking(doing, there)


def test_what_nobody_waits_for_is_not_done_elsewhere_either(tmp_path: Path) -> None:
    async def doing(asked: RemoteThinkers) -> None:
        hints = [ask(asked.hint(POSITION, str(number), Asker("far", str(number)))) for number in range(5)]
        await until(lambda: len(noted(tmp_path)) == 1)
        await until(lambda: asked.waiting["hint"] == 4)
        await give_up(*hints[1:4])
        assert asked.waiting["hint"] == 1
        await be_heard(asked)
        let_go_on(tmp_path, "hint")
        assert [hint.line for hint in await asyncio.gather(hints[0], hints[4])] == [["0"], ["4"]]
        assert noted(tmp_path) == ["there hint 0", "there hint 4"]

        review = ask(asked.review("given up", ANA, lambda how_far: None))
        await until(lambda: len(noted(tmp_path)) == 3)
        await give_up(review)  # which would never have ended
        review = ask(asked.review("wanted", ANA, lambda how_far: None))
        await until(lambda: noted(tmp_path)[3:] == ["there review wanted"])
        await give_up(review)

    with elsewhere("there") as there:
        asking(doing, there)


@pytest.mark.parametrize(
    ("other", "sentence"),
    [
        (
            {"secret": "another"},
            "The service has another secret; give both sides the same one with --secret.",
        ),
        (
            {"version": "0.0.9"},
            f"The thinker is of version 0.0.9 (protocol 1), and this side of {__version__}",
        ),
    ],
)
def test_a_thinker_with_another_secret_or_version_is_refused_in_a_sentence(
    tmp_path: Path, other: dict[str, str], sentence: str
) -> None:
    let_go_on(tmp_path, "move")

    async def doing(asked: RemoteThinkers) -> None:
        await until(lambda: log)
        assert await asked.choose("master", POSITION, ANA)
        await asyncio.sleep(1.5)  # it is tried again, and the log is silent about that

    with elsewhere("there", **other) as there, structlog.testing.capture_logs() as log:
        asking(doing, there, present=0)
    (entry,) = log
    assert (entry["event"], entry["log_level"], entry["thinker"]) == (
        "thinker away",
        "warning",
        there.address,
    )
    assert sentence in entry["problem"]
    assert entry["problem"].endswith("It is not used.")
    assert noted(tmp_path) == ["here move master"]


def test_a_bot_that_was_brought_along_thinks_where_it_was_brought_to(tmp_path: Path) -> None:
    let_go_on(tmp_path, "move")

    async def doing(asked: RemoteThinkers) -> None:
        for bot in ("Mine", "Ours", "master"):
            await asked.choose(bot, POSITION, ANA)

    with elsewhere("there", "Ours") as there:
        asking(doing, there, brought={"Mine": "master", "Ours": "pipe:true"})
    assert noted(tmp_path) == ["here move master", "there move master", "there move master"]


def shout(address: str, what: bytes) -> bytes:
    """What a thinker says to somebody who begins so, until it hangs up."""
    host, _, port = address.rpartition(":")
    heard = b""
    with socket.create_connection((host, int(port)), PATIENCE) as line, suppress(ConnectionResetError):
        line.sendall(what)
        while more := line.recv(4096):
            heard += more
    return heard


def test_a_stranger_is_told_nothing_and_disturbs_nobody(tmp_path: Path) -> None:
    let_go_on(tmp_path, "hint")

    async def doing(asked: RemoteThinkers) -> None:
        for what in (b"GET / HTTP/1.1\r\n\r\n", b"\0\0\0\2\x90\x90", b"\x7f\xff\xff\xff"):
            heard = await asyncio.to_thread(shout, there.address, what)
            assert b"Welcome" not in heard
        assert (await asked.hint(POSITION, "en", ANA)).line == ["en"]

    with elsewhere("there") as there:
        asking(doing, there)


def test_an_address_that_makes_no_sense_is_refused_at_once() -> None:
    with pytest.raises(TalkError, match='"nowhere" is no address of a thinker'):
        RemoteThinkers(["nowhere"], key_of(SECRET))


def test_at_a_table_the_move_comes_though_its_thinker_is_killed_under_way(tmp_path: Path) -> None:
    with elsewhere("there") as there:
        asked = RemoteThinkers([there.address], key_of(SECRET))
        with site(tmp_path, thinkers=asked) as here:
            ana = here.guest()
            code = ana.make("me", "master")
            asyncio.run(until(lambda: asked.connected))
            with ana.live(code) as line:
                line.act(0, "roll 1", key="r")
                line.hear("done")
                line.act(0, "build bakery", key="b")
                line.hear("done")
                assert line.hear("thinking")["seat"] == 1
                asyncio.run(until(lambda: noted(tmp_path) == ["there move master"]))
                there.signal(signal.SIGKILL)
                let_go_on(tmp_path, "move")
                while not line.hear("entry")["by_bot"]:
                    pass
                metrics = ana.client.get("/metrics").text
                assert "dicetown_thinkers_connected 0.0" in metrics
    assert noted(tmp_path)[:2] == ["there move master", "here move master"]


def test_the_command_serves_with_thinkers_that_the_command_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DICETOWN_SECRET", SECRET)
    database = str(tmp_path / "tables.db")
    thinker = ("dicetown", "serve", "--role", "thinker", "--listen", "127.0.0.1:0", "--no-prepare")
    with started("there", *thinker) as process:
        there = Elsewhere(process)
        serve = ("dicetown", "serve", "--port", "0", "--db", database, "--thinkers", there.address)
        with started("service", *serve, "--no-prepare") as service:
            assert service.stdout is not None
            address = service.stdout.readline().split()[3]

            def counts() -> bool:
                metrics = httpx.get(f"{address}metrics", timeout=PATIENCE).text
                return "dicetown_thinkers_connected 1.0" in metrics

            asyncio.run(until(counts))
            for one in (service, process):
                one.terminate()
                assert one.wait(PATIENCE) == 0
