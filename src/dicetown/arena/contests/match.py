"""One game between bots of any kind, and what becomes of a bot that fails.

A bot that answers illegally, late, with garbage or not at all has lost the game. Another bot plays on in its
seat, so that the others have a game to win; should that one win, nobody has. When only one seat is left
without a fault, it has won: so a game of two ends at once.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random

from dicetown.bots import Bot, RuleBot, make_bot
from dicetown.bots.programs.pipe import PipeBot, latest
from dicetown.bots.seats import stand_in
from dicetown.errors import BotFault, DicetownError
from dicetown.game.notation import Action
from dicetown.playout.stepwise import SteppedGame
from dicetown.playout.whole_game import ENDLESS
from dicetown.rules.codes import NOBODY
from dicetown.rules.rng import seeded
from dicetown.rules.ruleset import Ruleset

#: Turns after which a game with a bot that thinks is given up as drawn; ordinary games take a hundred.
TOO_LONG = 5_000
#: Seconds more for bots that think in this process. They watch the clock themselves and share it with all
#: other games; on a busy machine they wake up late, which says nothing about them.
GRACE = 1.0
_BITS = 64


@dataclass(frozen=True)
class Fault:
    """What a bot did wrong, in a word and in a sentence."""

    seat: int
    kind: str
    reason: str


@dataclass
class Played:
    """How a game went; the winner is NOBODY where it was drawn, or won by a bot that had taken over."""

    players: int
    winner: int = NOBODY
    turns: int = 0
    faults: list[Fault] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)  # that each seat thought
    choices: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.seconds = self.seconds or [0.0] * self.players
        self.choices = self.choices or [0] * self.players

    @property
    def faulty(self) -> set[int]:
        """The seats whose bots failed."""
        return {fault.seat for fault in self.faults}


class Match:
    """Bots at a table, for one game."""

    def __init__(self, ruleset: Ruleset, bots: Sequence[Bot], seed: int, game: int) -> None:
        self.bots = list(bots)
        self.played = Played(len(bots))
        self._seed, self._number = seed, game
        self._ruleset = ruleset
        self._game = SteppedGame(ruleset, len(bots), seed, game)
        self._minds = [self._mind(bot) for bot in bots]
        # Among themselves, bots that follow rules share the numbers of the dice, as in compiled play; beside
        # a bot that thinks everybody has numbers of their own, so that nobody's choices change the dice.
        self._shared = all(isinstance(bot, RuleBot) for bot in bots)
        self._longest = ENDLESS if self._shared else TOO_LONG
        self._moves = 0

    def play(self, stopped: Callable[[], bool] = lambda: False) -> Played | None:
        """Play to the end; None if that is not wanted any more."""
        game = self._game
        while not game.over and game.turns < self._longest and self._contested():
            if stopped():
                return None
            self._step(game.seat)
        self.played.turns = game.turns
        self.played.winner = self._winner()
        return self.played

    def _mind(self, bot: Bot) -> object:
        return bot.mind(self._ruleset).array[0] if isinstance(bot, RuleBot) else None

    def _contested(self) -> bool:
        return len(self.bots) - len(self.played.faulty) > 1

    def _winner(self) -> int:
        faulty = self.played.faulty
        if not self._contested():
            return next((seat for seat in range(len(self.bots)) if seat not in faulty), NOBODY)
        winner = int(self._game.state.winner) if self._game.over else NOBODY
        return NOBODY if winner in faulty else winner

    # -------------------------------------------------------------------- a choice

    def _step(self, seat: int) -> None:
        """One choice; a bot that fails is replaced, and its successor is asked next."""
        rng = Random(f"{self._seed} {self._number} {seat} {self._moves}")
        if seat in self.played.faulty:
            action = self._ask(seat, rng)
        else:
            begun = time.perf_counter()
            try:
                action = self._ask(seat, rng)
                self._check_time(seat, time.perf_counter() - begun)
            except DicetownError as problem:
                self._replace(seat, problem)
                return
            finally:
                self.played.seconds[seat] += time.perf_counter() - begun
                self.played.choices[seat] += 1
        self._moves += 1
        self._game.take(action)

    def _ask(self, seat: int, rng: Random) -> int:
        """The number of the action that the bot at a seat wants to take."""
        if (mind := self._minds[seat]) is not None:
            numbers = self._game.dice if self._shared else seeded(rng.getrandbits(_BITS))
            return self._game.choose_by_rules(mind, numbers)
        action: object = self.bots[seat].choose(self._game.view, rng)
        if not isinstance(action, Action) or not self._game.is_legal(action.number):
            raise BotFault("illegal", f'It chose "{action}", which is not possible now.')
        return action.number

    def _check_time(self, seat: int, taken: float) -> None:
        """A program is stopped at its limit; whoever thinks in this process can only be told afterwards."""
        bot, budget = self.bots[seat], self.bots[seat].budget
        if budget is None or isinstance(bot, PipeBot):
            return
        if taken > (limit := latest(budget) + GRACE):
            raise BotFault("late", f"It did not choose within {limit:.2f} s.")

    def _replace(self, seat: int, problem: DicetownError) -> None:
        kind = problem.kind if isinstance(problem, BotFault) else "failed"
        self.played.faults.append(Fault(seat, kind, str(problem)))
        self.bots[seat] = make_bot(stand_in())
        self._minds[seat] = self._mind(self.bots[seat])
