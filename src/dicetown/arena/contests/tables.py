"""How the games of a tournament are played: in bulk, or at a table where bots of any kind are asked."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import cache, partial
from itertools import product
from random import Random
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from dicetown.arena.contests.contestants import Contestant
from dicetown.arena.contests.match import Match, Played
from dicetown.arena.contests.schedule import Entry, Schedule
from dicetown.bots import Bot, View
from dicetown.bots.programs.pipe import PipeBot
from dicetown.bots.programs.process import CalledOff
from dicetown.errors import DicetownError
from dicetown.game import Game
from dicetown.playout.in_step import AT_ONCE, TableInStep
from dicetown.playout.table import BotTable, has_network, ready
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


Pile: TypeAlias = tuple[Bulk, ...]  # that are played in one task


def pile_up(bulks: Iterable[Bulk], games: int) -> Iterator[Pile]:
    """Bulks in piles of at least so many games.

    >>> [len(pile) for pile in pile_up([Bulk(0, 0, 0, 10), Bulk(0, 1, 0, 10), Bulk(1, 0, 0, 10)], 20)]
    [2, 1]
    """
    pile: list[Bulk] = []
    for bulk in bulks:
        pile.append(bulk)
        if sum(one.games for one in pile) >= games:
            yield tuple(pile)
            pile = []
    if pile:
        yield tuple(pile)


@dataclass(frozen=True)
class QuickJob:
    """Bots that follow rules, at thousands of games a second, and such as choose for many games at once."""

    setting: Setting

    def prepare(self) -> None:
        """Compile."""
        ready()

    @property
    def games_at_once(self) -> int:
        """How many games a task wants: a network is asked for all of them together."""
        return AT_ONCE if self._has_network else 1

    @property
    def _has_network(self) -> bool:
        return has_network([contestant.spec for contestant in self.setting.contestants])

    @contextmanager
    def open(self, stop: threading.Event) -> Iterator[Callable[[Pile], list[NDArray[Any]]]]:
        """What plays some games, compiled; that is short, so that nobody asks whether to stop."""
        if self._has_network:
            yield partial(self._play_together, self._hall())
        else:
            table = cache(self._table)
            yield lambda pile: [
                table(bulk.lineup, bulk.rotation).play(bulk.first, bulk.games) for bulk in pile
            ]

    def _seats(self, lineup: int, rotation: int) -> list[str]:
        seats = self.setting.schedule.seats(Entry(lineup, rotation, 0))
        return [self.setting.contestants[one].spec for one in seats]

    def _table(self, lineup: int, rotation: int) -> BotTable:
        return BotTable(self.setting.ruleset, self._seats(lineup, rotation), self.setting.seed)

    def _hall(self) -> TableInStep:
        """A table of all line-ups in all rotations."""
        schedule = self.setting.schedule
        places = product(range(len(schedule.lineups)), range(schedule.players))
        return TableInStep(self.setting.ruleset, [self._seats(*place) for place in places], self.setting.seed)

    def _play_together(self, hall: TableInStep, pile: Pile) -> list[NDArray[Any]]:
        players, sizes = self.setting.schedule.players, [bulk.games for bulk in pile]
        numbers = np.concatenate([np.arange(bulk.first, bulk.first + bulk.games) for bulk in pile])
        seatings = np.repeat([bulk.lineup * players + bulk.rotation for bulk in pile], sizes)
        return np.split(hall.play_seated(numbers, seatings), np.cumsum(sizes)[:-1])


@dataclass(frozen=True)
class SteppedJob:
    """Bots of any kind, move by move."""

    setting: Setting

    def prepare(self) -> None:
        """Compile, and let bots that think in this process think once: that is on nobody's clock."""
        ready()
        view = _first_choice(self.setting)
        for contestant in self.setting.contestants:
            if contestant.is_own and not contestant.in_bulk:
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
        with closing(ContestTable(self.setting, stop)) as table:
            yield table.play


def _first_choice(setting: Setting) -> View:
    game = Game(setting.ruleset, setting.schedule.players, seed=0)
    while len(game.legal_actions()) == 1:  # nobody thinks about those
        game.play(game.legal_actions()[0])
    return View.of(game)


class ContestTable:
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
