"""Thinkers on other machines: whatever takes time is sent to the one that has least to do.

What is quick is done here, and so is what nobody elsewhere can do: when a thinker is lost, its jobs go to
another, and at last to the processes of this machine. So a game never waits for a machine that is gone.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping
from typing import Any

import structlog

from dicetown.bots.seats import is_own
from dicetown.server import wire
from dicetown.server.common.fair_line import Asker
from dicetown.server.common.settings import Limits
from dicetown.server.workers.colleague import Colleague
from dicetown.server.workers.jobs import AnyJob, Choose
from dicetown.server.workers.processes import WorkLost
from dicetown.server.workers.talk import read_address
from dicetown.server.workers.thinkers import Begun, Thinkers, tell_nobody

#: Thinkers that a job is sent to, one after the other, before it is done here: it may be the job's fault.
_ATTEMPTS = 2
#: Seconds without any thinker after which this machine gets ready to think by itself.
_ALONE = 15.0
_log: Any = structlog.get_logger("dicetown")


class RemoteThinkers(Thinkers):
    """Those who think for all tables, here and elsewhere."""

    def __init__(
        self,
        addresses: Collection[str],
        key: bytes,
        brought: Mapping[str, str] | None = None,
        limits: Limits | None = None,
    ) -> None:
        super().__init__(brought, limits)
        for address in addresses:
            read_address(address)  # what makes no sense is refused at once
        self._named = frozenset(addresses)
        self._addresses = addresses
        self._key = key
        self._colleagues: dict[str, Colleague] = {}
        self._standing_by: asyncio.Task[None] | None = None

    def meet(self, addresses: Collection[str]) -> None:
        """These have said that they are there; those that were named are asked, whatever they say."""
        self.know({*self._named, *addresses})

    def know(self, addresses: Collection[str]) -> None:
        """These are the thinkers there are; who was another is asked no longer."""
        self._addresses = addresses
        for address in set(self._colleagues) - set(addresses):
            self._colleagues.pop(address).leave()
        for address in addresses:
            if address not in self._colleagues:
                self._colleagues[address] = Colleague(address, self._key)

    @property
    def connected(self) -> int:
        """How many thinkers elsewhere can be asked."""
        return len(self._present)

    @property
    def _present(self) -> list[Colleague]:
        return [one for one in self._colleagues.values() if one.is_here]

    # -------------------------------------------------------------------------- asking

    async def think(self, job: AnyJob, asker: Asker, begun: Begun = tell_nobody) -> Any:
        """Have a job done elsewhere, or here."""
        tried: list[Colleague] = []
        while (colleague := self._next(job, tried)) is not None:
            tried.append(colleague)
            try:
                return await colleague.ask(job, asker, begun)
            except WorkLost as loss:
                _log.warning("thought lost", thinker=colleague.address, kind=job.kind, problem=str(loss))
        return await super().think(job, asker, begun)

    def _next(self, job: AnyJob, tried: Collection[Colleague]) -> Colleague | None:
        """Who is asked next: who is ready before who is not, then who has least to do; None if nobody is."""
        if len(tried) >= _ATTEMPTS or not self._takes_long(job):
            return None
        able = [one for one in self._present if one not in tried and self._is_able(one, job)]
        return min(able, key=lambda one: (one.preparing, one.outstanding), default=None)

    def _takes_long(self, job: AnyJob) -> bool:
        return not isinstance(job, Choose) or self.takes_time(job.bot)

    def _is_able(self, colleague: Colleague, job: AnyJob) -> bool:
        """A bot that was brought along here need not be there."""
        if not isinstance(job, Choose):
            return True
        return job.bot in colleague.bots or (job.bot not in self._brought and is_own(job.bot))

    # -------------------------------------------------------------------- what is known

    def is_warming(self, bot: str) -> bool:
        """Whether a bot has to be compiled before it can think."""
        if any(not one.preparing for one in self._present):
            return False
        return super().is_warming(bot)

    def thinks_on(self, first: wire.Hint) -> bool:
        """Whether there is more to say than was said at a glance."""
        if not self._present:
            return super().thinks_on(first)
        return first.meanwhile is None and any(not one.preparing for one in self._present)

    @property
    def waiting(self) -> dict[str, int]:
        """How many wait for what, here and elsewhere."""
        counts = super().waiting
        for one in self._colleagues.values():
            for kind, number in one.waiting.items():
                counts[kind] += number
        return counts

    # ------------------------------------------------------------------- coming, going

    def warm_up(self) -> None:
        """Look for the thinkers; where none was named, be ready to think here as well."""
        if self._named:
            self._quick.start()
        else:
            super().warm_up()
        self.know(self._addresses)

    def prepare(self) -> None:
        """Thinkers compile for themselves; here that is only done if there is none for a while."""
        self._standing_by = asyncio.create_task(self._stand_by())

    async def _stand_by(self) -> None:
        was_alone = False
        while not (was_alone and not self._present):
            was_alone = not self._present
            await asyncio.sleep(_ALONE)
        super().prepare()

    def close(self) -> None:
        """Ask nobody any longer, and end the processes here."""
        if self._standing_by is not None:
            self._standing_by.cancel()
        self.know(())
        super().close()
