"""What happens at a table by itself: bots play, time runs out, and who is gone too long is stood in for.

All of it rests while nobody is looking: a game that everybody has left waits for them. And none of it is
ever lost: what could not be stored, or thought of, is tried again until it is done or wanted no longer.
"""

from __future__ import annotations

import asyncio
import weakref
from collections.abc import Callable, Coroutine, Hashable
from functools import partial
from typing import NamedTuple

from dicetown.errors import IllegalAction
from dicetown.server import wire
from dicetown.server.common.backoff import Backoff
from dicetown.server.common.clock import Alarm, pause
from dicetown.server.common.settings import PACES, TIMERS
from dicetown.server.journal.entries import Away, Back, Joined, Reopened, Replaced
from dicetown.server.table import shared_dice
from dicetown.server.table.table import Table
from dicetown.server.wire.refusals import Refused
from dicetown.server.wire.texts import USUAL, say
from dicetown.server.workers.processes import WorkFailed
from dicetown.server.workers.snapshot import Snapshot
from dicetown.server.workers.thinkers import STAND_IN

Work = Callable[[], Coroutine[None, None, None]]


class _Due(NamedTuple):
    """What the table waits for: somebody's decision at a moment of the game, by a bot or by a person."""

    moment: int
    seat: int
    bot: str | None


class Automation:
    """Keeps a table going."""

    def __init__(self, table: Table) -> None:
        # The table has the automation, not the other way round: a table that is put away is gone at once.
        self._find_table = weakref.ref(table)
        self._clock = table.resources.clock
        self._stopped = False
        self._due: _Due | None = None
        self._alarm: Alarm | None = None  # the deadline of a person
        self._ends: float | None = None  # when that is, by the steady clock
        self._bot: asyncio.Task[None] | None = None
        self._looks_at_pace: asyncio.Event | None = None  # by which a bot that keeps the pace is woken
        #: What is under way that nobody waits for, by what it is.
        self._works: dict[Hashable, asyncio.Task[None]] = {}
        #: Since when the holders of seats who are not here are gone, and the alarm for the next of them.
        self._gone: dict[str, float] = {}
        self._grace: Alarm | None = None
        self._words: Alarm | None = None  # until when words for the dice are waited for

    @property
    def _table(self) -> Table:
        table = self._find_table()
        assert table is not None
        return table

    # ----------------------------------------------------------------- what is due next

    def go_on(self) -> None:
        """Look at where the table stands, and set in motion what comes next."""
        if not self._stopped:
            self.go_on_playing()
            self._wait_for_words()
            self._watch_for_the_gone()

    def go_on_playing(self) -> None:
        """The same after nothing but a move or a remark: nobody has come, gone or changed seats."""
        due = None if self._stopped else self._find_due()
        if due == self._due:
            return
        self._call_off()
        self._due = due
        if due is not None and due.bot is not None:
            self._bot = asyncio.create_task(self._let_bot_play(due, due.bot))
            self._bot.add_done_callback(self._look_at_end)
        elif due is not None:
            self._set_deadline(due)

    def look_after(self) -> None:
        """Whatever the reason: what should be under way and is not, is set in motion again."""
        due = self._due
        waits = due is not None and (due.bot is not None or self._ends is not None)
        if waits and self._bot is None and self._alarm is None and not self._works:
            table = self._table
            table.resources.metrics.count_standstill()
            table.resources.log.warning("table stood still", table=table.code, number=table.state.last)
            self._due = None
        self.go_on()

    def _find_due(self) -> _Due | None:
        table = self._table
        if not table.is_played or not table.listeners:
            return None
        play = table.playing()
        seat = play.asked_seat
        if seat is None:
            return None
        return _Due(table.state.moment, seat, table.state.summary.chairs[seat].player)

    def _call_off(self) -> None:
        self._due = self._ends = None
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None
        if self._bot is not None:
            self._bot.cancel()
            self._bot = None

    def stop(self) -> None:
        """Rest for good."""
        self._stopped = True
        self._call_off()
        for alarm in (self._grace, self._words):
            if alarm is not None:
                alarm.cancel()
        for task in self._works.values():
            task.cancel()

    # ----------------------------------------------------------------------------- bots

    async def _let_bot_play(self, due: _Due, bot: str) -> None:
        """Think, and wait for the pace at the same time; then act."""
        paced = asyncio.create_task(self._keep_pace())
        try:
            action = await self._choose(due, bot)
            await paced
        finally:
            paced.cancel()
        # From here on it happens, whatever else does: a write must not be broken off.
        self._bot = None
        if action is None:
            self._run(("replace", due), partial(self._replace, due.seat, bot))
        else:
            self._run(("act", due), partial(self._act, due, bot, action))

    async def _keep_pace(self) -> None:
        """Wait until the next move is due, as the pace has it by then."""
        while (left := self._left_to_wait()) > 0:
            self._looks_at_pace = woken = asyncio.Event()
            alarm = self._clock.ring(left, woken.set)
            try:
                await woken.wait()
            finally:
                alarm.cancel()

    def _left_to_wait(self) -> float:
        pace = PACES[self._table.state.summary.settings.pace]
        return self._table.written_at + pace - self._clock.steady()

    def change_pace(self) -> None:
        """The pace is another one now: a bot that waits looks at it anew."""
        if self._looks_at_pace is not None:
            self._looks_at_pace.set()

    async def _choose(self, due: _Due, bot: str) -> str | None:
        """What a bot does; None if it fails. Nobody stands in for the stand-in: that one tries again."""
        backoff = Backoff()
        while (action := await self._think(due, bot)) is None and bot == STAND_IN and self._due == due:
            await pause(self._clock, backoff.next())
        return action

    async def _think(self, due: _Due, bot: str) -> str | None:
        """What the bot does; None if it fails, or the game has gone on."""
        thinkers, table = self._table.resources.thinkers, self._table
        async with table.lock:  # what is being stored may come to nothing
            if self._due != due:
                return None
            position = Snapshot.of(table.playing().game)
        if thinkers.takes_time(bot):
            table.tell_all(wire.Thinking(seat=due.seat, warming=thinkers.is_warming(bot)))
        try:
            with table.resources.metrics.thinking(bot):
                return await thinkers.choose(bot, position, table.asker)
        except WorkFailed as failure:
            table.resources.log.warning("bot failed", table=table.code, bot=bot, problem=str(failure))
            return None

    async def _act(self, due: _Due, bot: str, action: str) -> None:
        try:
            await self._table.act_as_bot(due.seat, action, due.moment)
        except IllegalAction:
            await self._replace(due.seat, bot)

    async def _replace(self, seat: int, failed: str) -> None:
        """Another bot takes over, and everybody is told."""
        table = self._table
        async with table.lock:
            summary = table.state.summary
            if summary.chairs[seat].player == failed != STAND_IN and not summary.has_ended:
                await table.write(Replaced(seat, STAND_IN, failed))

    # --------------------------------------------------------------------------- timers

    @property
    def deadline(self) -> float | None:
        """When who is asked is out of time, in seconds since 1970 as the clock has it now."""
        return self.deadline_from(self._clock.now())

    def deadline_from(self, now: float) -> float | None:
        """The same, as a page reads it that is told what the time is."""
        return None if self._ends is None else now + max(0.0, self._ends - self._clock.steady())

    def _set_deadline(self, due: _Due) -> None:
        seconds = TIMERS[self._table.state.summary.settings.timer]
        if seconds is not None:
            self._ends = self._clock.steady() + seconds
            self._alarm = self._clock.ring(seconds, partial(self._time_is_up, due))

    def _time_is_up(self, due: _Due) -> None:
        self._alarm = None
        self._run(("decide", due), partial(self._decide_for, due))

    async def _decide_for(self, due: _Due) -> None:
        """Time is up: a bot decides once."""
        action = await self._choose(due, STAND_IN)
        if action is not None:
            await self._act(due, STAND_IN, action)

    # ------------------------------------------------------------------------ beginning

    def _wait_for_words(self) -> None:
        """While a game starts, give pages some seconds to reveal their words for the dice."""
        if not (self._table.state.summary.is_starting and self._table.listeners):
            if self._words is not None:
                self._words.cancel()
                self._words = None
        elif self._words is None:
            self._words = self._clock.ring(self._table.resources.settings.reveal, self._begin_without_missing)

    def _begin_without_missing(self) -> None:
        self._words = None
        self._run("begin", partial(shared_dice.begin_without_missing, self._table))

    # --------------------------------------------------------------------- coming, going

    async def somebody_came(self, guest: str | None) -> None:
        """A guest is here: they get the seat that was kept for them, or take over from their stand-in.

        A table that was closed because nobody came is open again.

        The lock of the table is held.
        """
        if guest is None:
            return
        self._gone.pop(guest, None)
        try:
            await self._give_back(guest)
        except Refused:  # they are here all the same, and get it as soon as it can be stored
            self._run(("back", guest), partial(self._give_back_later, guest))

    async def _give_back(self, guest: str) -> None:
        summary = self._table.state.summary
        if summary.forsaken is not None and (guest == summary.host or guest in summary.holders):
            await self._table.write(Reopened(summary.name_of(guest) or say(USUAL, "seat.guest")), guest=guest)
        for seat, chair in enumerate(list(summary.chairs)):
            if chair.kind == "open" and chair.kept_for == guest and summary.stage == "lobby":
                await self._table.write(Joined(seat, guest, chair.name), guest=guest)
            elif chair.guest == guest and chair.stand_in is not None:
                await self._table.write(Back(seat))

    async def _give_back_later(self, guest: str) -> None:
        async with self._table.lock:
            if self._table.is_here(guest):
                await self._give_back(guest)

    def somebody_went(self, guest: str | None) -> None:
        """A page was closed, or lost its connection."""
        if guest in self._table.state.summary.holders and not self._table.is_here(guest):
            assert guest is not None
            self._gone[guest] = self._clock.steady()
        self.go_on()

    def is_given_up(self, guest: str) -> bool:
        """Whether a guest has been gone for longer than the grace time, while others waited."""
        gone = self._gone.get(guest)
        return gone is not None and self._clock.steady() - gone >= self._table.resources.settings.grace

    def grace_left(self, seat: int) -> float | None:
        """Seconds until a bot plays for who holds a seat and is gone; None if none will."""
        chair, table = self._table.state.summary.chairs[seat], self._table
        if chair.guest not in self._gone or chair.stand_in is not None or table.is_here(chair.guest):
            return None
        if not table.is_played:
            return None
        return max(0.0, self._gone[chair.guest] + table.resources.settings.grace - self._clock.steady())

    def _watch_for_the_gone(self) -> None:
        """Set an alarm for the next one whose grace ends; if it has ended, let a bot stand in."""
        if self._grace is not None:
            self._grace.cancel()
            self._grace = None
        summary, now = self._table.state.summary, self._clock.steady()
        holders, here = summary.holders, self._table.guests_here
        if here.isdisjoint(holders):
            # Nobody waits, so nobody need stand in; their grace begins when somebody comes.
            self._gone.clear()
            return
        for guest in {*holders, summary.host} - here:
            self._gone.setdefault(guest, now)
        if not self._gone or not self._table.is_played:
            return
        ends = []
        for seat in range(len(summary.chairs)):
            left = self.grace_left(seat)
            if left is None:
                continue
            if left <= 0:
                self._run(("away", seat), partial(self._stand_in, seat))
            else:
                ends.append(left)
        if ends:
            self._grace = self._clock.ring(min(ends), self._watch_for_the_gone)

    async def _stand_in(self, seat: int) -> None:
        table = self._table
        async with table.lock:
            chair = table.state.summary.chairs[seat]
            if (
                table.is_played
                and chair.guest is not None
                and chair.stand_in is None
                and not table.is_here(chair.guest)
            ):
                await table.write(Away(seat, STAND_IN))

    # ---------------------------------------------------------------------------- works

    def _run(self, what: Hashable, work: Work) -> None:
        """Let something happen that nobody waits for, unless it is under way already."""
        if self._stopped or what in self._works:
            return
        task = self._works[what] = asyncio.create_task(self._see_through(work))
        task.add_done_callback(self._look_at_end)
        task.add_done_callback(lambda _: self._works.pop(what))

    async def _see_through(self, work: Work) -> None:
        """Do something; what could not be stored is tried again. It finds out itself when it is too late."""
        backoff = Backoff()
        while True:
            try:
                return await work()
            except Refused as refused:
                if refused.code != "not_stored":  # the game has gone elsewhere in the meantime
                    return None
            await pause(self._clock, backoff.next())

    def _look_at_end(self, task: asyncio.Task[None]) -> None:
        """Whatever nobody has thought of: the table is to be mended."""
        if task is self._bot:
            self._bot = None
        if not task.cancelled() and (problem := task.exception()) is not None:
            self._table.mend(problem)
