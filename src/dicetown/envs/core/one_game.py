"""One game that stops at every choice of an agent: what environments of single games are built on.

It takes the steps that :class:`~dicetown.envs.core.batch.Batch` takes, with the same kernels and the same
random numbers, so game number n of a seed is the same game in both. But it stays where it ended, to be looked
at, and bots that think may play in it, too: they are asked one by one, between compiled steps.
"""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dicetown.bots import Bot, RuleBot
from dicetown.bots.rules.choose import choose_as
from dicetown.bots.rules.uniform import play_anything
from dicetown.bots.search import think
from dicetown.bots.search.bots import ThinkingBot
from dicetown.bots.seats import seat_bot
from dicetown.bots.view import View
from dicetown.envs.core.batch import PATIENCE, Table, compile_aloud, frame_of, opening_of
from dicetown.envs.core.desk import DESK, act_at_desk, begin_at_desk, see_at_desk
from dicetown.envs.core.steps import EVERYBODY, GIVEN_UP, GOES_ON, IN_TURN, IS_OVER
from dicetown.errors import BotFault, EnvError
from dicetown.game import Game
from dicetown.game.notation import Action
from dicetown.readiness import say_aside
from dicetown.rules.codes import OVER
from dicetown.rules.kernel import compiled
from dicetown.rules.layout import copy, record_class
from dicetown.rules.rng import halves, seeded
from dicetown.sight.spec import spec_for
from dicetown.sight.write import seen_from

#: What is said where house rules, or a limit of turns, leave an agent nothing to do.
TOO_SHORT = "The game ended before its agent had a choice; let it last longer."
_BITS = 64
_NOT_BEGUN = -1  # beside how games stand that have


class OneGame:
    """A game at a table, from choice to choice.

    >>> from dicetown import Ruleset
    >>> game = OneGame(Table.of(Ruleset("deluxe", sets=["base"]), players=2, opponents=["greedy"], seat=1))
    >>> game.begin(seed=7, number=0)
    >>> game.seat, game.goes_on, [game.spec.action_names[one] for one in np.flatnonzero(game.mask)][:2]
    (1, True, ['pass', 'build wheat_field'])
    """

    def __init__(self, table: Table, max_turns: int = PATIENCE) -> None:
        self.table, self.spec, self.max_turns = table, table.spec, max_turns
        self.seed = self.number = 0
        #: The mask of the agent's legal actions; all zero when the game has ended.
        self.mask: NDArray[np.int8] = np.zeros(self.spec.actions, np.int8)
        #: What each seat has got in the end; nothing while the game goes on.
        self.payoffs: NDArray[np.float32] = np.zeros(self.spec.players, np.float32)
        self._end = np.full(1, _NOT_BEGUN, np.int8)
        self._bots = [seat_bot(name) for name in table.opponents]
        self._by_hand = not all(isinstance(bot, RuleBot) for bot in self._bots)
        self._asked = 0  # choices of bots that think
        self._make_records()

    def _make_records(self) -> None:
        self._opening = opening_of(self.spec)
        self._desk = np.zeros(1, DESK)
        self.state, self._choices, self._rng = (
            record_class(DESK[name])(self._desk[name]) for name in ("state", "choices", "rng")
        )
        self._sheet = np.zeros(self.spec.size, np.int16)
        self._turn = np.zeros(1, np.int8)
        # Bots that think are asked from here; then compiled play stops wherever anybody has a choice.
        self._minds = Table(self.spec, (), EVERYBODY).minds() if self._by_hand else self.table.minds()
        learner = EVERYBODY if self._by_hand else self.table.learner
        self._desk["frame"] = frame_of(self.spec, learner, self.max_turns)
        self._shown = self._sheet, self.mask, self._turn

    # What is kept when a game is copied or pickled, and goes on from there; records point into each other,
    # so they are made anew and filled.

    def __getstate__(self) -> dict[str, Any]:
        ruleset, players = self.spec.ruleset, self.spec.players
        return {
            "made": (ruleset, players, self.table.opponents, self.table.learner, self.max_turns),
            "counts": (self.seed, self.number, self._asked),
            "arrays": [array.copy() for array in self._arrays()],
        }

    def __setstate__(self, kept: dict[str, Any]) -> None:
        ruleset, players, opponents, learner, max_turns = kept["made"]
        OneGame.__init__(self, Table(spec_for(ruleset, players), opponents, learner), max_turns)
        self.seed, self.number, self._asked = kept["counts"]
        for array, before in zip(self._arrays(), kept["arrays"], strict=True):
            array[:] = before

    def _arrays(self) -> list[NDArray[Any]]:
        records = self.state.array, self._choices.array, self._rng.array
        return [*records, self.mask, self.payoffs, self._sheet, self._turn, self._end]

    # ------------------------------------------------------------------------ where it stands

    @property
    def goes_on(self) -> bool:
        """Whether an agent has a choice."""
        return bool(self._end[0] == GOES_ON)

    @property
    def given_up(self) -> bool:
        """Whether the game was cut off after too many turns."""
        return bool(self._end[0] == GIVEN_UP)

    @property
    def seat(self) -> int:
        """Where the agent sits; if agents have all seats, whose choice it is or was last."""
        return int(self._turn[0]) if self._agent is None else self._agent

    @property
    def _agent(self) -> int | None:
        learner = self.table.learner
        if learner == EVERYBODY:
            return None
        return self.number % self.spec.players if learner == IN_TURN else learner

    def seen_by(self, seat: int) -> NDArray[np.int16]:
        """What is seen from a seat, as a new array."""
        if self.goes_on and seat == self._turn[0]:
            return self._sheet.copy()  # whoever has a choice has been shown the table already
        sheet = np.empty(self.spec.size, np.int16)
        compiled(see_at_desk)(self._desk, seat, sheet)
        return sheet

    def as_game(self) -> Game:
        """A copy of the game for people: with names, notation and all; its history begins here."""
        return Game.from_state(self.spec.ruleset, self.spec.players, self.state, chance="manual")

    # ------------------------------------------------------------------------ playing

    def begin(self, seed: int, number: int) -> None:
        """Begin game `number` of a seed."""
        self._get_ready()
        self.seed, self.number, self._asked = seed, number, 0
        self.state.array[:] = self._opening
        self.payoffs[:] = 0
        self._desk["frame"]["seed_low"], self._desk["frame"]["seed_high"] = halves(seed)
        compiled(begin_at_desk)(self._desk, self._minds, number, *self._shown)
        self._end[0] = IS_OVER if self.state.phase == OVER or self.state.turns >= self.max_turns else GOES_ON
        self._let_bots_choose()
        if not self.goes_on:
            raise EnvError(TOO_SHORT)

    def _get_ready(self) -> None:
        compile_aloud(begin_at_desk, act_at_desk, see_at_desk)
        if any(isinstance(bot, ThinkingBot) for bot in self._bots):
            think.ready(say_aside)

    def take(self, action: int) -> None:
        """Take the agent's action and go on to its next choice; if it is not legal, nothing happens."""
        if self._end[0] == _NOT_BEGUN:
            raise EnvError("No game has begun; reset begins one.")
        if not self.goes_on:
            raise EnvError("The game has ended; begin another one.")
        if not self.allows(action):
            names = [self.spec.action_names[one] for one in np.flatnonzero(self.mask)]
            raise EnvError(f"Action {action} is not legal now; legal are: {', '.join(names)}.")
        self._take(action)
        self._let_bots_choose()

    def allows(self, action: int) -> bool:
        """Whether an action is legal now."""
        return 0 <= action < self.spec.actions and bool(self.mask[action])

    def any_action(self) -> int:
        """A legal action, each equally likely, from the random numbers of the game."""
        records = (record.array[0] for record in (self.spec.tables, self.state, self._choices, self._rng))
        action = compiled(play_anything)(*records)
        return self._numbered(int(action))

    def close(self) -> None:
        """Send the bots home."""
        for bot in self._bots:
            bot.close()

    def _take(self, action: int) -> None:
        written = *self._shown, self._end, self.payoffs
        compiled(act_at_desk)(self._desk, self._minds, self.number, action, *written)
        if not self.goes_on:
            self.mask[:] = 0

    def _numbered(self, action: int) -> int:
        """The agents' number of an engine's action."""
        return int(self.spec.sight.number[seen_from(self.spec.tables, int(self.state.turn), action)])

    # ------------------------------------------------------------------------ bots that think

    def _let_bots_choose(self) -> None:
        """Where a bot that thinks is at the table, ask the bots in turn until the agent has a choice."""
        agent = self._agent
        if not self._by_hand or agent is None:
            return
        while self.goes_on and self._turn[0] != agent:
            seat = int(self._turn[0])
            bot = self._bots[(seat - agent - 1) % self.spec.players]
            # Everybody has random numbers of their own, so that nobody's choices change the dice.
            self._take(
                self._numbered(self._ask(bot, Random(f"{self.seed} {self.number} {seat} {self._asked}")))
            )
            self._asked += 1

    def _ask(self, bot: Bot, rng: Random) -> int:
        if isinstance(bot, RuleBot):
            mind, numbers = bot.mind(self.spec.ruleset), seeded(rng.getrandbits(_BITS))
            records = (mind, self.spec.tables, self.state, self._choices, numbers)
            return int(compiled(choose_as)(*(record.array[0] for record in records)))
        action: Any = bot.choose(View(self.spec.ruleset, self.spec.players, copy(self.state)), rng)
        legal = self._choices.action[: self._choices.count].tolist()
        if not isinstance(action, Action) or action.number not in legal:
            raise BotFault("illegal", f'The bot "{bot.name}" chose "{action}", which is not possible now.')
        return action.number
