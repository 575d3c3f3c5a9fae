"""Chores: what the service does again and again. Each is watched, and none ends in silence."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from dicetown.server.common.backoff import Backoff
from dicetown.server.common.clock import Clock, pause
from dicetown.server.common.metrics import Metrics

Work = Callable[[], Coroutine[None, None, None]]
_FIRST, _LONGEST = 1.0, 120.0  # seconds until a chore that failed is tried again


class Background:
    """Does chores until it is closed; one that fails is done again after a pause that grows."""

    def __init__(self, clock: Clock, metrics: Metrics, log: Any) -> None:
        self._clock = clock
        self._metrics = metrics
        self._log = log
        self._tasks: list[asyncio.Task[None]] = []
        self._every: dict[str, float] = {}
        self._done_at: dict[str, float] = {}  # by the steady clock; until then when it was begun
        metrics.follow_each(
            "background_every_seconds", "How often a chore is to be done.", lambda: self._every, "task"
        )
        metrics.follow_each(
            "background_age_seconds", "How long ago a chore was last done, or begun.", self._ages, "task"
        )

    def begin(self, name: str, every: float, work: Work) -> None:
        """Do a chore now, and again so many seconds after it was done."""
        self._every[name], self._done_at[name] = every, self._clock.steady()
        self._tasks.append(asyncio.create_task(self._repeat(name, every, work), name=name))

    def _ages(self) -> dict[str, float]:
        now = self._clock.steady()
        return {name: now - done for name, done in self._done_at.items()}

    async def _repeat(self, name: str, every: float, work: Work) -> None:
        backoff, failures = Backoff(_FIRST, _LONGEST), 0
        while True:
            problem = await outcome(work())
            if problem is not None:
                failures += 1
                self._tell_failure(name, problem, failures)
                await pause(self._clock, backoff.next())
                continue
            if failures:
                self._log.info("chore goes on", chore=name, failures=failures)
            failures = 0
            backoff.reset()
            self._done_at[name] = self._clock.steady()
            self._metrics.chore_was_done(name, self._clock.now())
            await pause(self._clock, every)

    def _tell_failure(self, name: str, problem: BaseException, failures: int) -> None:
        """Where it happened is told once; then only that it goes on."""
        self._metrics.count_chore_failure(name)
        if failures == 1:
            self._log.error("chore failed", chore=name, exc_info=problem)
        else:
            self._log.warning("chore failed again", chore=name, failures=failures, problem=str(problem))

    def close(self) -> None:
        """Do nothing more."""
        for task in self._tasks:
            task.cancel()


async def outcome(work: Coroutine[Any, Any, Any]) -> BaseException | None:
    """What a work ended with, if it failed, whatever that was."""
    ended: tuple[Any, ...] = await asyncio.gather(work, return_exceptions=True)
    return ended[0] if isinstance(ended[0], BaseException) else None
