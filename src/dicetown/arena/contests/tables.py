"""How the games of a tournament are played: in bulk, or at a table where bots of any kind are asked."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any

from numpy.typing import NDArray

from dicetown.arena.contests.contestants import Contestant
from dicetown.arena.contests.match import Match, Played
from dicetown.arena.contests.schedule import Entry, Schedule
from dicetown.bots import Bot, View
from dicetown.bots.programs.pipe import PipeBot
from dicetown.bots.programs.process import CalledOff
from dicetown.errors import DicetownError
from dicetown.game import Game
from dicetown.playout.table import BotTable, ready
from dicetown.rules.ruleset import Ruleset

#: How often a program may fail to start; after that its games are lost without waiting for it.
STARTS = 3


@dataclass(frozen=True)
class Bulk:
    """Games of one line-up in one rotation: so many from a game number on."""

    lineup: int
    rotation: int
    first: int
    games: int


@dataclass(frozen=True)
class Setting:
    """What all tables of a tournament have in common."""

    ruleset: Ruleset
    schedule: Schedule
    contestants: Sequence[Contestant]
    seed: int


@dataclass(frozen=True)
class QuickJob:
    """Bots that follow rules, at thousands of games a second."""

    setting: Setting

    def prepare(self) -> None:
        """Compile."""
        ready()

    @contextmanager
    def open(self, stop: threading.Event) -> Iterator[Callable[[Bulk], NDArray[Any]]]:
        """What plays some games, compiled; that is short, so that nobody asks whether to stop."""
        table = cache(self._table)
        yield lambda bulk: table(bulk.lineup, bulk.rotation).play(bulk.first, bulk.games)

    def _table(self, lineup: int, rotation: int) -> BotTable:
        setting = self.setting
        seats = setting.schedule.seats(Entry(lineup, rotation, 0))
        return BotTable(setting.ruleset, [setting.contestants[one].spec for one in seats], setting.seed)


@dataclass(frozen=True)
class SteppedJob:
    """Bots of any kind, move by move."""

    setting: Setting

    def prepare(self) -> None:
        """Compile, and let bots that think in this process think once: that is on nobody's clock."""
        ready()
        view = _first_choice(self.setting)
        for contestant in self.setting.contestants:
            if contestant.is_own and not contestant.follows_rules:
                bot = contestant.sit_down()
                try:
                    bot.choose(view, Random(0))
                except DicetownError:
                    pass  # its games will tell
                finally:
                    bot.close()

    @contextmanager
    def open(self, stop: threading.Event) -> Iterator[Callable[[int], Played | None]]:
        """What plays a game; it is broken off when all stops."""
        with closing(SteppedTable(self.setting, stop)) as table:
            yield table.play


def _first_choice(setting: Setting) -> View:
    game = Game(setting.ruleset, setting.schedule.players, seed=0)
    while len(game.legal_actions()) == 1:  # nobody thinks about those
        game.play(game.legal_actions()[0])
    return View.of(game)


class SteppedTable:
    """The seats of one thread, and the bots that are kept for them from game to game."""

    def __init__(self, setting: Setting, stop: threading.Event) -> None:
        self._setting, self._stop = setting, stop
        self._bots: dict[tuple[int, int], Bot] = {}  # by contestant, and which of its copies
        self._failed_starts: Counter[tuple[int, int]] = Counter()

    def play(self, number: int) -> Played | None:
        """Play a game of the schedule; None if all stops meanwhile."""
        setting = self._setting
        entry = setting.schedule.entry(number)
        places = self._places(setting.schedule.seats(entry))
        try:
            bots = [self._seat(place) for place in places]
            played = Match(setting.ruleset, bots, setting.seed, entry.game).play(self._stop.is_set)
        except CalledOff:
            return None
        for seat in sorted(played.faulty) if played else ():
            self._send_out(places[seat])
        return played

    def close(self) -> None:
        """Send all bots home."""
        for bot in self._bots.values():
            bot.close()
        self._bots.clear()

    def _send_out(self, place: tuple[int, int]) -> None:
        """Who failed begins the next game anew; who fails to start again and again is not waited for."""
        bot = self._bots[place]
        if isinstance(bot, PipeBot) and bot.failed_to_start:
            self._failed_starts[place] += 1
            if self._failed_starts[place] >= STARTS:
                return
        self._bots.pop(place).close()

    def _places(self, seats: Sequence[int]) -> list[tuple[int, int]]:
        copies: Counter[int] = Counter()
        places = []
        for contestant in seats:
            places.append((contestant, copies[contestant]))
            copies[contestant] += 1
        return places

    def _seat(self, place: tuple[int, int]) -> Bot:
        if place not in self._bots:
            self._bots[place] = self._setting.contestants[place[0]].sit_down()
        bot = self._bots[place]
        if isinstance(bot, PipeBot):
            bot.called_off = self._stop.is_set
            bot.prepare()
        return bot
