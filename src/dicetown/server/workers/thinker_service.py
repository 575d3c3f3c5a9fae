"""A thinker: it listens for services that ask, and thinks for all of them.

On whose behalf something is asked is told with it, so that whoever waits has a turn among all who wait,
whichever service they are guests of. When a connection ends, nobody waits for what was asked over it.
"""

from __future__ import annotations

import asyncio
import signal
import socket
from collections.abc import Collection
from contextlib import suppress
from typing import Any

import msgspec
import structlog

from dicetown.bots.seats import is_own
from dicetown.server.common.fair_line import Asker
from dicetown.server.workers.jobs import Choose
from dicetown.server.workers.processes import HowFar, TooMuchToDo, WorkFailed, WorkLost
from dicetown.server.workers.talk import (
    GREETING_SECONDS,
    Answer,
    Ask,
    Begun,
    Cancel,
    Failure,
    Line,
    Ping,
    Pong,
    TalkError,
    Unfit,
    from_service,
    greet_service,
)
from dicetown.server.workers.thinkers import Thinkers

#: Connections at once, those of strangers included.
_SERVICES = 64
#: Seconds without a word after which a service is gone: it says something every second.
_SILENCE = 15.0
#: Jobs of one service at once; what may wait is limited by who asks, too.
_JOBS = 50_000
_log: Any = structlog.get_logger("dicetown")


class ThinkerService:
    """Thinks for services that know the secret."""

    def __init__(self, thinkers: Thinkers, key: bytes, bots: Collection[str] = ()) -> None:
        self._thinkers = thinkers
        self._key = key
        self._bots = tuple(bots)
        self._open = 0

    async def meet(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Get to know somebody, and think for them until they go."""
        line, who = Line(reader, writer), str(writer.get_extra_info("peername"))
        if self._open >= _SERVICES:
            line.hang_up()
            return
        self._open += 1
        end = line.hang_up
        try:
            async with asyncio.timeout(GREETING_SECONDS):
                await greet_service(line, self._key, self._bots, self._thinkers.is_preparing)
            _log.info("thinks for a service", service=who)
            await _Client(line, self._thinkers, self._bots).attend()
        except Unfit as problem:
            _log.warning("service refused", service=who, problem=str(problem))
            end = line.say_farewell  # it is told why
        except (TalkError, TimeoutError, EOFError, OSError) as problem:
            _log.info("service gone", service=who, problem=str(problem) or type(problem).__name__)
        finally:
            self._open -= 1
            end()


class _Client:
    """A service that asks, and what is thought about for it."""

    def __init__(self, line: Line, thinkers: Thinkers, bots: Collection[str]) -> None:
        self._line = line
        self._thinkers = thinkers
        self._bots = bots
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self._far: dict[int, HowFar] = {}  # of those that are begun

    async def attend(self) -> None:
        """Do what is asked until the service has gone; then nobody waits for anything."""
        try:
            while True:
                async with asyncio.timeout(_SILENCE):
                    message = await self._line.hear(from_service)
                self._hear(message)
        finally:
            for task in self._tasks.values():
                task.cancel()

    def _hear(self, message: Ask | Cancel | Ping) -> None:
        match message:
            case Ask(number=number):
                if number in self._tasks or len(self._tasks) >= _JOBS:
                    raise TalkError("A service asks for more than makes sense.")
                task = self._tasks[number] = asyncio.create_task(self._think(message))
                task.add_done_callback(lambda _: self._forget(number))
            case Cancel(number=number):
                if (given_up := self._tasks.get(number)) is not None:
                    given_up.cancel()
            case Ping():
                told = {number: far for number, how_far in self._far.items() if (far := how_far())[1]}
                self._line.send(Pong(self._thinkers.is_preparing, told))

    def _forget(self, number: int) -> None:
        self._tasks.pop(number, None)
        self._far.pop(number, None)

    async def _think(self, ask: Ask) -> None:
        """Think about a job, and say what came of it, or why nothing did."""
        number = ask.number

        def begun(how_far: HowFar) -> None:
            self._far[number] = how_far
            self._line.send(Begun(number))

        try:
            self._check(ask)
            found = await self._thinkers.think(ask.job, Asker(ask.address, ask.name), begun)
            answer: Answer | Failure = Answer(number, msgspec.msgpack.encode(found))
        except TooMuchToDo as full:
            answer = Failure(number, "busy", str(full))
        except WorkLost as loss:
            answer = Failure(number, "lost", str(loss))
        except WorkFailed as failure:
            answer = Failure(number, "failed", str(failure))
        try:
            self._line.send(answer)
        except TalkError as problem:
            self._line.send(Failure(number, "lost", str(problem)))

    def _check(self, ask: Ask) -> None:
        """A program is only started if it was brought along here."""
        if isinstance(ask.job, Choose) and ask.job.bot not in self._bots and not is_own(ask.job.bot):
            raise WorkLost(f'The bot "{ask.job.bot}" was not brought along here.')


async def think_until_told(found: socket.socket, service: ThinkerService, thinkers: Thinkers) -> None:
    """Think for whoever comes, until a signal ends it; what is under way is then done elsewhere."""
    told = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, told.set)
    server = await asyncio.start_server(service.meet, sock=found)
    try:
        await told.wait()
    finally:
        server.close()
        thinkers.close()
        with suppress(RuntimeError):
            for number in (signal.SIGINT, signal.SIGTERM):
                loop.remove_signal_handler(number)
