"""A thinker elsewhere, as a service sees it: who it is, whether it is there, and what it was asked."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import msgspec
import structlog

from dicetown.server.common.backoff import Backoff
from dicetown.server.common.fair_line import Asker
from dicetown.server.workers.jobs import AnyJob
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
    Welcome,
    from_thinker,
    greet_thinker,
    read_address,
)

_CONNECT_SECONDS = 3.0
#: Seconds between questions whether it is there, and how many without any word mean that it is not.
_PING, _UNANSWERED = 1.0, 5
#: Seconds that an answer may be late: the thinker itself gives up before.
_SLACK = 10.0
_FIRST_PAUSE, _LONGEST_PAUSE = 0.25, 5.0  # seconds until the next attempt to reach it
_FAILURES = {"failed": WorkFailed, "lost": WorkLost, "busy": TooMuchToDo}
_log: Any = structlog.get_logger("dicetown")


@dataclass(eq=False, slots=True)
class _Asked:
    """A job that the thinker has, and who waits for it."""

    job: AnyJob
    tell_begun: Callable[[HowFar], None]
    answer: asyncio.Future[Any]
    alarm: asyncio.TimerHandle | None = None  # once it is begun
    far: tuple[int, int] = (0, 0)

    def fail(self, why: WorkFailed) -> None:
        """Let who waits know that it was not done."""
        if not self.answer.done():
            self.answer.set_exception(why)


class Colleague:
    """A thinker elsewhere; it is looked for until :meth:`leave`."""

    def __init__(self, address: str, key: bytes) -> None:
        self.address = address
        self._key = key
        self._line: Line | None = None
        self._asked: dict[int, _Asked] = {}
        self._number = 0
        self._unanswered = 0
        self._told = ""  # why it is not used, as the log has it already
        self.preparing = False  # whether it still compiles what thinks
        self.bots: tuple[str, ...] = ()  # brought along there
        self._touch = asyncio.create_task(self._keep_in_touch())

    @property
    def is_here(self) -> bool:
        """Whether it can be asked."""
        return self._line is not None

    @property
    def outstanding(self) -> int:
        """How much it was asked and has not answered."""
        return len(self._asked)

    @property
    def waiting(self) -> Counter[str]:
        """How many jobs of each kind it has not begun."""
        return Counter(asked.job.kind for asked in self._asked.values() if asked.alarm is None)

    async def ask(self, job: AnyJob, asker: Asker, begun: Callable[[HowFar], None]) -> Any:
        """Have a job done there; a :class:`WorkLost` if it may be done elsewhere."""
        line = self._line
        if line is None:
            raise WorkLost(_gone(self.address))
        self._number = number = self._number + 1
        asked = self._asked[number] = _Asked(job, begun, asyncio.get_running_loop().create_future())
        try:
            line.send(Ask(number, job, asker.address, asker.name))
            return await asked.answer
        except TalkError as problem:
            raise WorkLost(str(problem)) from None
        finally:
            if asked.alarm is not None:
                asked.alarm.cancel()
            if self._asked.pop(number, None) is not None and self._line is line:
                line.send(Cancel(number))  # nobody waits for it any longer

    def leave(self) -> None:
        """Look for it no longer."""
        self._touch.cancel()

    # ------------------------------------------------------------------------ in touch

    async def _keep_in_touch(self) -> None:
        backoff = Backoff(_FIRST_PAUSE, _LONGEST_PAUSE)
        while True:
            try:
                await self._work_together(backoff)
            except Unfit as problem:
                self._note(f"{problem} It is not used.")
            except (TalkError, TimeoutError, EOFError, OSError) as problem:
                self._note(str(problem) or _gone(self.address))
            await asyncio.sleep(backoff.next())

    async def _work_together(self, backoff: Backoff) -> None:
        """Be connected, and hear what it says, until one of both ends it."""
        async with asyncio.timeout(_CONNECT_SECONDS):
            line = Line(*await asyncio.open_connection(*read_address(self.address)))
        try:
            async with asyncio.timeout(GREETING_SECONDS):
                welcome = await greet_thinker(line, self._key)
            self._begin(line, welcome)
            backoff.reset()
            pinging = asyncio.create_task(self._ping(line))
            try:
                while True:
                    self._hear(await line.hear(from_thinker))
            finally:
                pinging.cancel()
        finally:
            self._line = None
            line.hang_up()
            for asked in self._asked.values():
                asked.fail(WorkLost(_gone(self.address)))
            self._asked.clear()

    def _begin(self, line: Line, welcome: Welcome) -> None:
        self._line, self._unanswered, self._told = line, 0, ""
        self.bots, self.preparing = welcome.bots, welcome.preparing
        _log.info("thinker there", thinker=self.address)

    def _note(self, problem: str) -> None:
        """Say once why it is not there."""
        if problem != self._told:
            self._told = problem
            _log.warning("thinker away", thinker=self.address, problem=problem)

    async def _ping(self, line: Line) -> None:
        """Ask whether it is there. What is counted is questions, not time: this side may be slow itself."""
        while self._unanswered < _UNANSWERED:
            line.send(Ping())
            self._unanswered += 1
            await asyncio.sleep(_PING)
        line.hang_up()

    def _hear(self, message: Begun | Answer | Failure | Pong) -> None:
        self._unanswered = 0
        if isinstance(message, Pong):
            self.preparing = message.preparing
            for number, far in message.progress.items():
                if number in self._asked:
                    self._asked[number].far = far
        elif isinstance(message, Begun):
            if (asked := self._asked.get(message.number)) is not None:
                self._note_begun(asked)
        elif (asked := self._asked.pop(message.number, None)) is not None:
            _settle(asked, message)

    def _note_begun(self, asked: _Asked) -> None:
        seconds = asked.job.longest + _SLACK
        late = WorkLost(f"The thinker at {self.address} took longer than {seconds:g} s.")
        if asked.alarm is not None:
            asked.alarm.cancel()
        asked.alarm = asyncio.get_running_loop().call_later(seconds, asked.fail, late)
        asked.tell_begun(lambda: asked.far)


def _settle(asked: _Asked, message: Answer | Failure) -> None:
    """Give who waits what came of a job."""
    if asked.answer.done():
        return
    if isinstance(message, Failure):
        asked.fail(_FAILURES[message.why](message.sentence))
        return
    try:
        asked.answer.set_result(asked.job.answer.decode(message.body))
    except msgspec.DecodeError:
        asked.fail(WorkLost("The answer of a thinker made no sense."))


def _gone(address: str) -> str:
    return f"The thinker at {address} does not answer."
