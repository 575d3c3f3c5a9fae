"""Many games in step, compiled, for bots whose network chooses in all of them at once.

Each game runs on until a bot with a network has something to choose, and waits there; then each such bot is
asked once for all games that wait for it. Game `g` under a seed is the same in any order and in any company:
dice and bots that follow rules draw from (seed, g) as in :mod:`dicetown.playout.whole_game`, and the luck of
bots with a network comes from numbers of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from dicetown.bots import Bot, make_bot
from dicetown.bots.learning.champion_bot import ChampionBot
from dicetown.bots.mind import MIND, Minds
from dicetown.bots.roster import mind_of
from dicetown.bots.rules.choose import choose_as
from dicetown.playout.whole_game import RESULT
from dicetown.rules.chance import draw_outcome, waits_for_chance
from dicetown.rules.codes import OVER
from dicetown.rules.kernel import compiled, kernel
from dicetown.rules.layout import CHOICES, LOG, STATE, Choices, Log, States, Tables, new
from dicetown.rules.rng import RNG, below, halves
from dicetown.rules.rng import start as start_rng
from dicetown.rules.ruleset import Ruleset
from dicetown.rules.step import befall, settle, take
from dicetown.rules.turn import set_up
from dicetown.sight.spec import spec_for
from dicetown.sight.write import Sight, flags, mark_legal, meant_by, see, shorts

#: Turns after which a game is given up, since all others wait for the last; champions need a hundred.
TOO_LONG = 5_000
#: Games that wait together; more would hardly be quicker.
AT_ONCE = 1024
#: Mixed into the seed, for numbers that have nothing to do with the dice.
_LUCK = 0x5DEECE66D
_BEGIN, _NOTHING = -1, -2  # in place of an action
FINE = 1 << 24  # how finely luck is told apart

Rngs: TypeAlias = Any  # random numbers for each game
ints: TypeAlias = Any

#: Games by their place, and what was chosen in each, as agents number actions.
Tell: TypeAlias = Callable[[NDArray[np.int64], NDArray[np.int64]], None]


@kernel(apart=True)
def go_on(
    t: Tables,
    sight: Sight,
    states: States,
    log: Log,
    choices: Choices,
    dice: Rngs,
    fortunes: Rngs,
    minds: Minds,
    asked: flags,
    seatings: ints,
    actions: ints,
    decisions: ints,
    sheets: shorts,
    masks: flags,
    luck: ints,
) -> None:
    """Begin each game, or take its action, and play on until a seat that is `asked` has a choice.

    `minds` and `asked` have a row for each seating; who is not asked follows rules. Of a choice it is
    written down what is seen, what is legal, and a number below `FINE`.
    """
    players = int(t.players)
    for k in range(len(actions)):
        s = states[k]
        if actions[k] == _NOTHING:
            continue
        if actions[k] == _BEGIN:
            set_up(t, s, log)
        else:
            take(t, s, log, meant_by(t, sight, int(s.turn), int(actions[k])))
            decisions[k] += 1
        settle(t, s, log, choices)
        while s.phase != OVER and s.turns < TOO_LONG:
            if waits_for_chance(s):
                befall(t, s, log, draw_outcome(t, s, dice[k]))
            elif not asked[int(seatings[k]) * players + int(s.turn)]:
                mind = minds[int(seatings[k]) * players + int(s.turn)]
                take(t, s, log, choose_as(mind, t, s, choices, dice[k]))
                decisions[k] += 1
            elif choices.count == 1:
                take(t, s, log, int(choices.action[0]))
                decisions[k] += 1
            else:
                see(t, sight, s, int(s.turn), sheets, k * int(sight.size))
                mark_legal(t, sight, int(s.turn), choices, masks, k * int(sight.actions))
                luck[k] = below(fortunes[k], FINE)
                break
            settle(t, s, log, choices)


@kernel
def start_all(rngs: Rngs, seed_low: int, seed_high: int, numbers: ints) -> None:
    """Begin the random numbers of each game."""
    for k in range(len(rngs)):
        start_rng(rngs[k], seed_low, seed_high, int(numbers[k]))


class TableInStep:
    """Bots of which some have a network, in one or several seatings; for one thread."""

    def __init__(self, ruleset: Ruleset, seatings: Sequence[Sequence[str]], seed: int) -> None:
        self.spec, self.seed = spec_for(ruleset, len(seatings[0])), seed
        texts = list(dict.fromkeys(text for bots in seatings for text in bots))
        self._bots = [self._sit_down(text) for text in texts]
        minds = np.zeros(len(texts), MIND)
        for place, bot in enumerate(self._bots):
            if not isinstance(bot, ChampionBot):
                minds[place] = mind_of(bot, ruleset).array[0]
        #: Which of the bots sits where, a row for each seating.
        self.places = np.array([[texts.index(text) for text in bots] for bots in seatings])
        self.minds = minds[self.places]
        self.asked = np.array([isinstance(bot, ChampionBot) for bot in self._bots], np.int8)[self.places]

    def _sit_down(self, text: str) -> Bot:
        bot = make_bot(text)
        return bot.player_at(self.spec) if isinstance(bot, ChampionBot) else bot

    def play(self, first: int, games: int, tell: Tell | None = None) -> NDArray[Any]:
        """Play the games from a number on, in the first seating; see :meth:`play_seated`."""
        return self.play_seated(np.arange(first, first + games), np.zeros(games, np.int64), tell)

    def play_seated(
        self, numbers: NDArray[np.int64], seatings: NDArray[np.int64], tell: Tell | None = None
    ) -> NDArray[Any]:
        """Play games by their numbers, each in a seating; `tell` hears every choice of a network."""
        parts = []
        for at in range(0, len(numbers), AT_ONCE):
            some = slice(at, at + AT_ONCE)
            parts.append(self._play(_Hall(self, numbers[some], seatings[some]), at, tell))
        return np.concatenate(parts)

    def _play(self, hall: _Hall, at: int, tell: Tell | None) -> NDArray[Any]:
        while len(waiting := hall.go_on()):
            whose = self.places[hall.seatings[waiting], hall.states["turn"][waiting]]
            for place in np.unique(whose):
                rows, bot = waiting[whose == place], self._bots[place]
                assert isinstance(bot, ChampionBot)
                luck = hall.luck[rows] / FINE
                hall.actions[rows] = bot.choose_many(self.spec, hall.sheets[rows], hall.masks[rows], luck)
            if tell is not None:
                tell(waiting + at, hall.actions[waiting])
        return hall.results()


class _Hall:
    """Some games that are on, side by side."""

    def __init__(self, table: TableInStep, numbers: NDArray[np.int64], seatings: NDArray[np.int64]) -> None:
        spec, games = table.spec, len(numbers)
        self._table, self.seatings = table, seatings
        self.states = np.zeros(games, STATE)
        self.sheets = np.zeros((games, spec.size), np.int16)
        self.masks = np.zeros((games, spec.actions), np.int8)
        self.luck, self.actions = np.zeros(games, np.int64), np.full(games, _BEGIN)
        self._decisions = np.zeros(games, np.int64)
        self._dice, self._fortunes = np.zeros(games, RNG), np.zeros(games, RNG)
        for rngs, seed in ((self._dice, table.seed), (self._fortunes, table.seed ^ _LUCK)):
            compiled(start_all)(rngs, *halves(seed), numbers)
        self._log, self._choices = new(LOG).array[0], new(CHOICES).array[0]

    def go_on(self) -> NDArray[np.int64]:
        """Take all actions; the games that wait for the next."""
        table = self._table
        compiled(go_on)(
            *(table.spec.tables.array[0], table.spec.sight.array[0], self.states, self._log, self._choices),
            *(self._dice, self._fortunes, table.minds.reshape(-1), table.asked.reshape(-1)),
            *(self.seatings, self.actions, self._decisions),
            *(self.sheets.reshape(-1), self.masks.reshape(-1), self.luck),
        )
        on = (self.states["phase"] != OVER) & (self.states["turns"] < TOO_LONG)
        self.actions[~on] = _NOTHING
        return np.flatnonzero(on)

    def results(self) -> NDArray[Any]:
        """How the games went."""
        results = np.zeros(len(self.states), RESULT)
        results["decisions"], results["turns"] = self._decisions, self.states["turns"]
        results["winner"], results["endless"] = self.states["winner"], self.states["phase"] != OVER
        return results
