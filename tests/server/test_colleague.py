"""How a service and its thinkers get on, both in one process: readiness, losses, refusals, silence."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest
from tests.patience import PATIENCE
from tests.server.sitting import settle, until

from dicetown import Game
from dicetown.server import wire
from dicetown.server.common.fair_line import Asker
from dicetown.server.web.run import open_socket
from dicetown.server.workers import colleague, remote_thinkers, talk
from dicetown.server.workers.jobs import AnyJob, Odds
from dicetown.server.workers.processes import TooMuchToDo, WorkFailed, WorkLost
from dicetown.server.workers.remote_thinkers import RemoteThinkers
from dicetown.server.workers.snapshot import Snapshot
from dicetown.server.workers.talk import Ask, Cancel, Line, Ping, from_service, greet_service, key_of
from dicetown.server.workers.thinker_service import ThinkerService
from dicetown.server.workers.thinkers import Begun, Thinkers, tell_nobody

ANA = Asker("near", "ana")
KEY = key_of("a secret for tests")
POSITION = Snapshot.of(Game(seed=1))
HINT = wire.Hint(options=[], line=[])


class Told(Thinkers):
    """Thinks nothing, and answers what it is told to."""

    def __init__(self, *answers: Any) -> None:
        super().__init__()
        self.answers = list(answers)
        self.asked: list[AnyJob] = []
        self.compiles = False

    @property
    def is_preparing(self) -> bool:
        return self.compiles

    async def think(self, job: AnyJob, asker: Asker, begun: Begun = tell_nobody) -> Any:
        self.asked.append(job)
        begun(lambda: (0, 0))
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer


class Asking(RemoteThinkers):
    """Whoever is asked here at last says so."""

    def __init__(self, addresses: list[str]) -> None:
        super().__init__(addresses, KEY)
        self._quick.start = lambda: None  # type: ignore[method-assign]

    async def think(self, job: AnyJob, asker: Asker, begun: Begun = tell_nobody) -> Any:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Thinkers, "think", think_here)
            return await super().think(job, asker, begun)


async def think_here(self: Thinkers, job: AnyJob, asker: Asker, begun: Begun) -> Any:
    return b"here"


Meet = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


@asynccontextmanager
async def listening(meet: Meet) -> AsyncIterator[str]:
    with open_socket("127.0.0.1", 0) as found:
        async with await asyncio.start_server(meet, sock=found):
            yield "{}:{}".format(*found.getsockname())
        await settle()


@asynccontextmanager
async def asking(*meets: Meet) -> AsyncIterator[Asking]:
    """A service that has thinkers."""
    async with asyncio.timeout(PATIENCE):
        if meets:
            async with listening(meets[0]) as address, asking(*meets[1:]) as asked:
                asked.know([*asked._addresses, address])
                await until(lambda: asked.connected == len(meets))
                yield asked
        else:
            asked = Asking([])
            asked.warm_up()
            try:
                yield asked
            finally:
                asked.close()
                await settle()


def test_a_thinker_that_compiles_is_asked_last_and_no_hint_waits_for_it() -> None:
    async def scene() -> None:
        slow, ready = Told(b"slow"), Told(b"ready", b"ready")
        slow.compiles = True
        async with asking(ThinkerService(slow, KEY).meet) as asked:
            assert asked.is_warming("master")
            assert not asked.thinks_on(HINT)
            async with listening(ThinkerService(ready, KEY).meet) as address:
                asked.know([*asked._addresses, address])
                await until(lambda: asked.connected == 2)
                assert not asked.is_warming("master")
                assert asked.thinks_on(HINT)
                assert [await asked.odds(POSITION, 0, ANA) for _ in range(2)] == [b"ready"] * 2
                asked.know(list(asked._addresses)[:1])
                assert await asked.odds(POSITION, 0, ANA) == b"slow"
            slow.compiles = False
            await until(lambda: asked.thinks_on(HINT))  # it says so when it is ready

    asyncio.run(scene())


def test_what_is_lost_is_tried_elsewhere_twice_and_then_here_but_what_fails_is_not() -> None:
    async def scene() -> None:
        lost = [Told(WorkLost("It ended."), WorkLost("It ended.")) for _ in range(3)]
        async with asking(*(ThinkerService(one, KEY).meet for one in lost)) as asked:
            assert await asked.odds(POSITION, 0, ANA) == b"here"
            assert sum(len(one.asked) for one in lost) == 2
        failing = Told(WorkFailed("It stumbled."), TooMuchToDo("Too much."), "no odds at all")
        async with asking(ThinkerService(failing, KEY).meet) as asked:
            with pytest.raises(WorkFailed, match="stumbled"):
                await asked.odds(POSITION, 0, ANA)
            with pytest.raises(TooMuchToDo):
                await asked.odds(POSITION, 0, ANA)
            assert await asked.odds(POSITION, 0, ANA) == b"here"  # its answer made no sense

    asyncio.run(scene())


async def meet_and_be_silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """A thinker that listens, but never says anything again."""
    line = Line(reader, writer)
    await greet_service(line, KEY, (), preparing=False)
    heard: Ask | Cancel | Ping = Ping()
    while not isinstance(heard, Ask):
        heard = await line.hear(from_service)
    await reader.read()
    line.hang_up()


def test_a_thinker_that_says_nothing_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(colleague, "_PING", 0.02)

    async def scene() -> None:
        async with asking() as asked, listening(meet_and_be_silent) as address:
            asked.know([address])
            await until(lambda: asked.connected)
            assert await asked.odds(POSITION, 0, ANA) == b"here"

    asyncio.run(scene())


def test_an_answer_that_never_comes_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(colleague, "_SLACK", 0.0)
    monkeypatch.setattr(Odds, "longest", 0.05)

    class Forgetful(Told):
        async def think(self, job: AnyJob, asker: Asker, begun: Begun = tell_nobody) -> Any:
            begun(lambda: (0, 0))
            try:
                await asyncio.Event().wait()
            finally:
                self.asked.append(job)

    async def scene() -> None:
        forgetful = Forgetful()
        async with asking(ThinkerService(forgetful, KEY).meet) as asked:
            assert await asked.odds(POSITION, 0, ANA) == b"here"
            await until(lambda: forgetful.asked)  # and it is told that nobody waits

    asyncio.run(scene())


def test_what_is_too_long_to_be_sent_is_thought_about_here(monkeypatch: pytest.MonkeyPatch) -> None:
    async def scene() -> None:
        async with asking(ThinkerService(Told(b"x" * 2000), KEY).meet) as asked:
            monkeypatch.setattr(talk, "LONG", 200)
            assert await asked.odds(POSITION, 0, ANA) == b"here"
            monkeypatch.setattr(talk, "LONG", 1500)  # enough for the question, not for the answer
            assert await asked.odds(POSITION, 0, ANA) == b"here"
            assert asked.connected == 1

    asyncio.run(scene())


def test_a_service_without_thinkers_gets_ready_to_think_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remote_thinkers, "_ALONE", 0.02)
    prepared: list[Thinkers] = []

    def prepare(self: Thinkers) -> None:
        prepared.append(self)

    monkeypatch.setattr(Thinkers, "prepare", prepare)

    async def scene() -> None:
        async with asking(ThinkerService(Told(), KEY).meet) as asked:
            asked.prepare()
            await asyncio.sleep(0.2)
            assert prepared == []
            asked.know([])
            await until(lambda: prepared)

    asyncio.run(scene())
