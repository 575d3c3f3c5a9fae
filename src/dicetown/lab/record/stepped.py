"""Recording bots of any kind: games are played move by move, and watched while they are.

Who thinks chooses as in the arena, from the same random numbers: game `g` of a seed is the same game there.
"""

from __future__ import annotations

import threading
from random import Random
from typing import Any

import numpy as np

from dicetown.arena.contests.match import TOO_LONG
from dicetown.bots import Bot, RuleBot
from dicetown.bots.programs.pipe import PipeBot
from dicetown.bots.programs.process import CalledOff
from dicetown.bots.seats import seat_bot
from dicetown.errors import DicetownError, LabError
from dicetown.game.notation import Action
from dicetown.lab.record.bulk import Rows
from dicetown.lab.record.rows import GAME_ROW, PLAYER_ROW, PURCHASE_ROW, WATCH, WORTHS
from dicetown.lab.record.sample import Sample
from dicetown.lab.record.watch import begin_watch, watch_choice, watch_step, write_rows
from dicetown.playout.stepwise import SteppedGame
from dicetown.rules.chance import draw_outcome, waits_for_chance
from dicetown.rules.kernel import compiled
from dicetown.rules.layout import new
from dicetown.rules.rng import seeded
from dicetown.rules.step import befall, settle

_BITS = 64
#: At most one thing is built in a turn.
_MOST_PURCHASES = TOO_LONG + 1000


class Notebook:
    """What one thread needs to watch one game after another."""

    def __init__(self) -> None:
        self.watch = new(WATCH)
        self.worths = np.zeros(WORTHS, np.int64)
        self.purchases = np.zeros(_MOST_PURCHASES, PURCHASE_ROW)


class WatchedGame(SteppedGame):
    """A game that is watched at every step."""

    def __init__(self, sample: Sample, number: int, notebook: Notebook) -> None:
        self._notes = notebook
        self._number = number
        self._begun = False
        super().__init__(sample.ruleset, sample.players, sample.seed, number)

    def take(self, action: int) -> None:
        """Take a legal action and go on to the next decision."""
        choices = self._choices.array[0]
        compiled(watch_choice)(self._notes.watch.array[0], self._place[1], choices, action)
        super().take(action)

    def rows(self) -> Rows:
        """What was seen, when the game is over or given up."""
        games, players = np.zeros(1, GAME_ROW), np.zeros(self.players, PLAYER_ROW)
        notes = self._notes
        state = (self._tables, self._place[1], notes.worths)
        compiled(write_rows)(notes.watch.array[0], *state, games, players, notes.purchases, 0)
        return Rows(games, players, notes.purchases[: notes.watch.rows].copy())

    def _go_on(self) -> None:
        """The same steps, with a look at each."""
        if not self._begun:
            self._begin()
        tables, state, log = self._place
        compiled(settle)(tables, state, log, self._choices.array[0])
        self._look()
        while waits_for_chance(self.state):
            outcome = compiled(draw_outcome)(tables, state, self.dice.array[0])
            compiled(befall)(tables, state, log, outcome)
            compiled(settle)(tables, state, log, self._choices.array[0])
            self._look()

    def _begin(self) -> None:
        self._begun = True
        log = self._place[2]
        log["capacity"] = len(log["rows"])  # from now on it is listened to
        self._notes.watch.rows = 0
        compiled(begin_watch)(self._notes.watch.array[0], self._tables, self._number)

    def _look(self) -> None:
        notes = self._notes
        compiled(watch_step)(notes.watch.array[0], *self._place, notes.worths, notes.purchases)


class SteppedTable:
    """Bots of any kind at a table, with somebody who writes everything down; for one thread."""

    def __init__(self, sample: Sample, stop: threading.Event) -> None:
        self._sample, self._stop = sample, stop
        self._notebook = Notebook()
        self._bots: list[Bot] = [seat_bot(bot) for bot in sample.bots]
        self._minds: list[Any] = [
            bot.mind(sample.ruleset).array[0] if isinstance(bot, RuleBot) else None for bot in self._bots
        ]

    def record(self, first: int, games: int) -> Rows | None:
        """Play some games and write them down; None if all stops meanwhile."""
        done: list[Rows] = []
        for number in range(first, first + games):
            try:
                rows = self._play(number)
            except CalledOff:
                return None
            if rows is None:
                return None
            done.append(rows)
        return Rows.joined(done)

    def close(self) -> None:
        """Send all bots home."""
        for bot in self._bots:
            bot.close()

    def _play(self, number: int) -> Rows | None:
        for bot in self._bots:
            if isinstance(bot, PipeBot):
                bot.called_off = self._stop.is_set
                bot.prepare()
        game = WatchedGame(self._sample, number, self._notebook)
        moves = 0
        while not game.over and game.turns < TOO_LONG:
            if self._stop.is_set():
                return None
            rng = Random(f"{self._sample.seed} {number} {game.seat} {moves}")
            game.take(self._choose(game, number, rng))
            moves += 1
        return game.rows()

    def _choose(self, game: WatchedGame, number: int, rng: Random) -> int:
        """The number of the action that the bot to move wants to take."""
        seat = game.seat
        if (mind := self._minds[seat]) is not None:
            return game.choose_by_rules(mind, seeded(rng.getrandbits(_BITS)))
        bot = self._sample.bots[seat]
        try:
            action: object = self._bots[seat].choose(game.view, rng)
        except DicetownError as problem:
            raise LabError(f'The bot "{bot}" failed in game {number}: {problem}') from None
        if not isinstance(action, Action) or not game.is_legal(action.number):
            raise LabError(f'The bot "{bot}" chose "{action}" in game {number}, which was not possible.')
        return action.number
