"""Where tables were made: what keeps one address from filling the service. It is never stored."""

from __future__ import annotations

from dataclasses import dataclass

from dicetown.server.common.clock import Clock
from dicetown.server.common.fair_line import Asker
from dicetown.server.common.settings import Limits
from dicetown.server.store.store import Store, Unfinished
from dicetown.server.wire.rate_limits import RateLimit
from dicetown.server.wire.refusals import Refused

_MOST = 50_000  # tables that are remembered
_EVERYBODY = ""
#: Seconds. Who stops in the middle of a game leaves it behind for weeks, and is no reason to refuse others.
_A_DAY = 24 * 3600.0


@dataclass(frozen=True, slots=True)
class _Making:
    address: str
    public: bool
    at: float


class Quotas:
    """Who has made how many tables; those of before the last start are not known."""

    def __init__(self, limits: Limits, store: Store, clock: Clock) -> None:
        self._limits = limits
        self._store = store
        self._clock = clock
        self._rate = RateLimit(limits.tables_made, clock.steady)
        self._rate_in_all = RateLimit(limits.tables_made_in_all, clock.steady)
        self._made: dict[str, _Making] = {}  # by the table's code, the oldest first
        self._unfinished: dict[str, set[str]] = {}  # by address, as far as is known
        self._on_the_way: set[str] = set()  # codes of tables that the store does not know yet

    async def admit(self, code: str, asker: Asker, public: bool, held: Unfinished) -> None:
        """Let a table be made, unless its maker holds too many or they are made too quickly.

        It counts at once; who has stored it says so to :meth:`confirm`, and who could not, to :meth:`forget`.
        """
        await self._look_at(asker.address)
        limits, here = self._limits, self._unfinished.get(asker.address, set())
        shown_here = sum(self._made[one].public for one in here)
        for count, most, refusal in (
            (held.tables, limits.tables, "too_many_tables"),
            (len(here), limits.tables_of_address, "too_many_tables_here"),
            (held.public if public else 0, limits.public_of_guest, "too_many_public"),
            (shown_here if public else 0, limits.public_of_address, "too_many_public_here"),
        ):
            if count >= most:
                raise Refused(refusal, most=most)
        self._rate.check(asker.address)
        self._rate_in_all.check(_EVERYBODY)
        self._note(code, _Making(asker.address, public, self._clock.steady()))  # before others ask

    async def _look_at(self, address: str) -> None:
        """Forget those tables of an address whose games are over or forsaken, where that may matter."""
        codes = set(self._unfinished.get(address, ()))
        # One that is not stored yet is not over: the store must not be asked about it.
        stored = codes - self._on_the_way
        if len(codes) >= min(self._limits.tables_of_address, self._limits.public_of_address):
            unfinished = await self._store.unfinished(stored)
            yesterday = self._clock.steady() - _A_DAY
            for code in stored:
                if code in self._made and (code not in unfinished or self._made[code].at < yesterday):
                    self.forget(code)

    def _note(self, code: str, making: _Making) -> None:
        while len(self._made) >= _MOST:
            self.forget(next(iter(self._made)))
        self._made[code] = making
        self._on_the_way.add(code)
        self._unfinished.setdefault(making.address, set()).add(code)

    def confirm(self, code: str) -> None:
        """A table that was let in is stored now."""
        self._on_the_way.discard(code)

    def forget(self, code: str) -> None:
        """A table is over, or was not made after all."""
        self._on_the_way.discard(code)
        making = self._made.pop(code, None)
        if making is None:
            return
        codes = self._unfinished[making.address]
        codes.discard(code)
        if not codes:
            del self._unfinished[making.address]

    def address_of(self, code: str) -> str | None:
        """Where a table was made, if that is known."""
        making = self._made.get(code)
        return making.address if making is not None else None
