"""Recording games in bulk: they are played compiled, and watched while they are.

Game `g` of a sample is a function of the seed and of `g`, and so are its rows: the loop is that of
:mod:`dicetown.playout.whole_game`, with somebody who looks on. Games in which a network chooses are played
before, many in step, and then once more as they went, to be watched.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from dicetown.bots.mind import Minds
from dicetown.bots.rules.choose import choose_as
from dicetown.lab.record.rows import (
    GAME_ROW,
    PLAYER_ROW,
    PURCHASE_ROW,
    WATCH,
    WORTHS,
    GameRows,
    PlayerRows,
    Purchases,
    Watch,
    ints,
)
from dicetown.lab.record.sample import Sample
from dicetown.lab.record.watch import begin_watch, watch_choice, watch_step, write_rows
from dicetown.playout.in_step import TOO_LONG
from dicetown.playout.table import BotTable, table_for
from dicetown.playout.whole_game import ENDLESS
from dicetown.rules.chance import draw_outcome, waits_for_chance
from dicetown.rules.codes import OVER
from dicetown.rules.kernel import compiled, kernel
from dicetown.rules.layout import CHOICES, STATE, Choices, Log, States, Tables, listening_log, new
from dicetown.rules.rng import RNG, Rng, halves
from dicetown.rules.rng import start as start_rng
from dicetown.rules.step import befall, settle, take
from dicetown.rules.turn import set_up
from dicetown.sight.spec import spec_for
from dicetown.sight.write import Sight, flags, meant_by

#: Purchases of a game that there is room for at first; where it is not enough, more room is made.
_USUAL_PURCHASES = 64

Records: TypeAlias = NDArray[Any]


@dataclass(frozen=True)
class Rows:
    """What was recorded of some games."""

    games: Records
    players: Records
    purchases: Records

    @classmethod
    def joined(cls, rows: list[Rows]) -> Rows:
        """The rows of games that follow each other."""
        if len(rows) == 1:
            return rows[0]
        tables = ([getattr(one, name) for one in rows] for name in ("games", "players", "purchases"))
        return cls(*(np.concatenate(table) for table in tables))


@kernel
def record_games(
    t: Tables,
    sight: Sight,
    states: States,
    log: Log,
    choices: Choices,
    rng: Rng,
    minds: Minds,
    asked: flags,
    told: ints,
    begins: ints,
    longest: int,
    seed_low: int,
    seed_high: int,
    first: int,
    w: Watch,
    worths: ints,
    games: GameRows,
    players: PlayerRows,
    purchases: Purchases,
) -> int:
    """Play the games from number `first` on, as many as there are rows for them, and write their rows.

    Seats that are `asked` do what was `told`: of each game from where it `begins` on, for choices between
    several actions. Returns how many were played: fewer where there is no room for all their purchases.
    """
    for k in range(len(games)):
        states[0] = states[1]
        s = states[0]
        at = int(begins[k])
        start_rng(rng, seed_low, seed_high, first + k)
        begin_watch(w, t, first + k)
        set_up(t, s, log)
        settle(t, s, log, choices)
        watch_step(w, t, s, log, worths, purchases)
        while s.phase != OVER and s.turns < longest:
            if waits_for_chance(s):
                befall(t, s, log, draw_outcome(t, s, rng))
            else:
                if not asked[int(s.turn)]:
                    action = choose_as(minds[int(s.turn)], t, s, choices, rng)
                elif choices.count == 1:
                    action = int(choices.action[0])
                else:
                    action = meant_by(t, sight, int(s.turn), int(told[at]))
                    at += 1
                watch_choice(w, s, choices, action)
                take(t, s, log, action)
            settle(t, s, log, choices)
            watch_step(w, t, s, log, worths, purchases)
        if w.overflow:
            w.rows = w.rows_before
            return k
        write_rows(w, t, s, worths, games, players, purchases, k)
    return len(games)


class RecordingTable:
    """Seats taken by bots that play in bulk, with somebody who writes everything down; for one thread."""

    def __init__(self, sample: Sample) -> None:
        self._spec = spec_for(sample.ruleset, sample.players)
        self._table = table_for(sample.ruleset, sample.bots, sample.seed)
        self._players = sample.players
        self._seed = halves(sample.seed)
        self._states = np.zeros(2, STATE)
        self._log, self._choices, self._rng = listening_log(), new(CHOICES), new(RNG)
        self._watch, self._worths = new(WATCH), np.zeros(WORTHS, np.int64)
        self._room = _USUAL_PURCHASES

    def record(self, first: int, games: int) -> Rows:
        """Play some games, compiled, and write them down; the interpreter's lock is free meanwhile."""
        told, begins = self._play_networks(first, games)
        done: list[Rows] = []
        while games > 0:
            rows = self._record(first, games, told, begins[-games:])
            if len(rows.games):
                done.append(rows)
            else:
                self._room *= 2  # not even one game has found room
            first, games = first + len(rows.games), games - len(rows.games)
        return Rows.joined(done)

    def _play_networks(self, first: int, games: int) -> tuple[Records, Records]:
        """What networks choose in some games, game after game, and where each game begins."""
        if isinstance(self._table, BotTable):
            return np.zeros(0, np.int64), np.zeros(games, np.int64)
        heard: list[tuple[Records, Records]] = [(np.zeros(0, np.int64), np.zeros(0, np.int64))]
        self._table.play(first, games, lambda places, actions: heard.append((places, actions)))
        places, actions = (np.concatenate(part) for part in zip(*heard, strict=True))
        order = places.argsort(kind="stable")
        return actions[order], np.searchsorted(places[order], np.arange(games))

    def _record(self, first: int, most: int, told: Records, begins: Records) -> Rows:
        """As many of the games as there is room for."""
        games, players = np.zeros(most, GAME_ROW), np.zeros(most * self._players, PLAYER_ROW)
        purchases = np.zeros(most * self._room, PURCHASE_ROW)
        self._watch.rows = 0
        records = (one.array[0] for one in (self._log, self._choices, self._rng))
        fixed = (self._spec.tables.array[0], self._spec.sight.array[0], self._states, *records)
        played = compiled(record_games)(
            *(*fixed, *self._bots(), told, begins, self._longest, *self._seed, first),
            *(self._watch.array[0], self._worths, games, players, purchases),
        )
        return Rows(games[:played], players[: played * self._players], purchases[: self._watch.rows])

    def _bots(self) -> tuple[Records, Records]:
        """The minds of bots that follow rules, and which seats are asked instead."""
        if isinstance(self._table, BotTable):
            return self._table.minds, np.zeros(self._players, np.int8)
        return self._table.minds[0], self._table.asked[0]

    @property
    def _longest(self) -> int:
        return ENDLESS if isinstance(self._table, BotTable) else TOO_LONG
