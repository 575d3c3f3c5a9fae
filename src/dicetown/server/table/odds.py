"""What the next roll may bring, for pages that show it: worked out aside, and told when it is known."""

from __future__ import annotations

import asyncio
import weakref

from dicetown.server.table.members import Listener
from dicetown.server.table.table import Table
from dicetown.server.workers.processes import TooMuchToDo
from dicetown.server.workers.snapshot import Snapshot

#: Seconds that a moment must last for its odds to be worth working out: bots at their usual pace are quicker.
_AFTER, _AFTER_BOT = 0.2, 0.8


class TableOdds:
    """The odds of a table; moments that come in quick succession share one answer."""

    def __init__(self, table: Table) -> None:
        self._find_table = weakref.ref(table)  # the table has the odds, not the other way round
        self._moment = 0  # counts changes of the game: after an undo, moves are counted twice
        self._known: tuple[int, bytes] | None = None
        self._task: asyncio.Task[None] | None = None
        self._lasts = False  # long enough already: somebody waits
        self._is_worked_out = False  # or waits for that; else the moment must last a little first

    @property
    def _table(self) -> Table:
        table = self._find_table()
        assert table is not None
        return table

    def game_changed(self) -> None:
        """What was known is old, and so is what is asked for; let it be worked out anew."""
        self._moment += 1
        self._lasts = False
        if self._is_worked_out:
            self.stop()
        self._want()

    def show(self, listener: Listener) -> None:
        """Tell a page that has just come."""
        if self._is_known and self._known is not None and self._table.is_played:
            listener.send(self._known[1])
        else:
            self._want()

    def show_soon(self, listener: Listener) -> None:
        """Tell a page on which somebody has just begun to look at them, however short the moment may be."""
        if not self._is_known and not self._is_worked_out:
            self.stop()
            self._lasts = True
        self.show(listener)

    @property
    def _is_known(self) -> bool:
        return self._known is not None and self._known[0] == self._moment

    def _want(self) -> None:
        table = self._table
        is_seen = any(listener.sees_odds for listener in table.listeners)
        if is_seen and table.is_played and self._task is None:
            self._task = asyncio.create_task(self._find())
            self._task.add_done_callback(self._found)

    async def _find(self) -> None:
        position = None
        while position is None:
            moment = self._moment
            await asyncio.sleep(self._delay())
            table = self._table
            async with table.lock:  # what is being stored may come to nothing, and nobody has seen it yet
                if not table.is_played:
                    return
                if moment == self._moment:
                    play = table.playing()
                    position, moves = Snapshot.of(play.game), play.moves
        self._is_worked_out = True
        odds = await table.resources.thinkers.odds(position, moves, table.asker)
        self._known = moment, odds
        for listener in table.listeners:
            if listener.sees_odds:
                listener.send(odds)

    def _delay(self) -> float:
        if self._lasts:
            self._lasts = False
            return 0.0
        summary = self._table.state.summary
        is_bot = summary.asked is not None and summary.chairs[summary.asked].player is not None
        return _AFTER_BOT if is_bot else _AFTER

    def _found(self, task: asyncio.Task[None]) -> None:
        if task.cancelled():
            return
        if task is self._task:  # else the game went on a moment before this was heard of
            self._task, self._is_worked_out = None, False
        if isinstance(problem := task.exception(), TooMuchToDo):
            return  # the next moment may have more luck
        if problem is not None:
            self._table.resources.log.warning("no odds", table=self._table.code, problem=str(problem))

    def stop(self) -> None:
        """Nobody wants to know any more."""
        if self._task is not None:
            self._task.cancel()
            self._task, self._is_worked_out = None, False
