"""A batch of games in step, without any library of environments: what all of them are built on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise
from numbers import Integral
from operator import index
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dicetown.bots import minds_for
from dicetown.cores import usable_cores
from dicetown.envs.core.steps import EVERYBODY, FRAME, IN_TURN, NEXT_GAME, STAY, begin_games, step_games
from dicetown.errors import EnvError
from dicetown.readiness import get_ready, say_aside
from dicetown.rules.kernel import compiled
from dicetown.rules.layout import CHOICES, LOG, STATE, new
from dicetown.rules.rng import RNG, halves
from dicetown.rules.ruleset import Ruleset
from dicetown.rules.step import settle
from dicetown.rules.turn import set_up
from dicetown.sight.spec import Spec, spec_for

#: After so many turns without a winner a game is given up; ordinary ones take some hundred.
PATIENCE = 2_000
_ABOUT_SECONDS = 30


@dataclass(frozen=True)
class Table:
    """Who sits at the tables of a batch: agents everywhere, or one agent among bots.

    >>> Table.of(Ruleset("deluxe", sets=["base"]), players=4, opponents=["greedy"]).opponents
    ('greedy', 'greedy', 'greedy')
    """

    spec: Spec
    opponents: tuple[str, ...]  # clockwise from the agent; none if agents play each other
    learner: int  # the agent's seat, IN_TURN, or EVERYBODY
    position: Any = field(default=None, compare=False)  # where games begin, if not as the rules have it

    @property
    def opening(self) -> NDArray[Any]:
        """Where every game begins."""
        return opening_of(self.spec) if self.position is None else np.asarray(self.position).reshape(1)

    @classmethod
    def of(
        cls,
        ruleset: Ruleset,
        players: int,
        opponents: Sequence[str] | str | None = None,
        seat: int | None = None,
    ) -> Table:
        """A table of agents only, or of one agent in a seat (the next one in each game if none is named).

        One opponent, by itself or as a list of one, sits in all other seats.
        """
        spec = spec_for(ruleset, players)
        if opponents is None:
            if seat is not None:
                raise EnvError(
                    "A seat is only chosen where there are opponents; without, agents have all seats."
                )
            return cls(spec, (), EVERYBODY)
        named = (opponents,) if isinstance(opponents, str) else tuple(opponents)
        others = named * (players - 1) if len(named) == 1 else named
        if len(others) != players - 1:
            raise EnvError(
                f"{len(others)} opponents are named for {players} players; "
                f"name one for each of {players - 1} seats, or one for all."
            )
        if seat is not None and not 0 <= seat < players:
            raise EnvError(f"There is no seat {seat}; {players} players sit in seats 0 to {players - 1}.")
        return cls(spec, others, IN_TURN if seat is None else seat)

    def minds(self) -> NDArray[Any]:
        """The bots, clockwise from the agent, whose own place is taken by a dummy."""
        return minds_for(
            ["random", *(self.opponents or ["random"] * (self.spec.players - 1))], self.spec.ruleset
        )


def compile_aloud(*kernels: Callable[..., Any]) -> None:
    """Compile what all steps of an environment need, at once, so that none of them waits without a word."""
    get_ready("the environment", _ABOUT_SECONDS, *kernels, say=say_aside)


def opening_of(spec: Spec) -> NDArray[Any]:
    """The position in which every game begins, up to the first choice or chance."""
    state = new(STATE)
    set_up(spec.tables, state, new(LOG))
    settle(spec.tables, state, new(LOG), new(CHOICES))
    return np.asarray(state.array)


def read_action(action: object) -> int:
    """The number of an action; half an action is none, and is not taken for the one below."""
    try:
        return index(action)  # type: ignore[arg-type]  # what it cannot read it says
    except TypeError:
        raise EnvError(f"The action is {action!r}; it must be one whole number.") from None


def at_least_one(name: str, number: object) -> int:
    """A number that was asked for, if it can be."""
    if isinstance(number, bool) or not isinstance(number, Integral) or number < 1:
        raise EnvError(f"{name} is {number}; it must be a whole number, at least 1.")
    return int(number)


def frame_of(spec: Spec, learner: int, give_up: int) -> NDArray[Any]:
    """What is the same in all games of a table; the seed is filled in when they begin."""
    frame = np.zeros(1, FRAME)
    frame["tables"], frame["sight"] = spec.tables.array, spec.sight.array
    frame["learner"], frame["give_up"] = learner, at_least_one("max_turns", give_up)
    return frame


class Batch:
    """So many games in step. Slot k plays games k, k + games, k + 2·games, … of a seed.

    All arrays are the batch's own and written anew by each step.

    >>> batch = Batch(Table.of(Ruleset("deluxe", sets=["base"]), 2), games=3, seed=1)
    >>> batch.reset()
    >>> batch.step(batch.masks.argmax(axis=1))
    >>> batch.observations.shape, batch.ends.tolist()
    ((3, 102), [0, 0, 0])
    """

    def __init__(
        self,
        table: Table,
        games: int,
        seed: int = 0,
        threads: int | None = None,
        give_up: int = PATIENCE,
    ) -> None:
        if games < 1:
            raise EnvError(f"The number of games is {games}; it must be at least 1.")
        self.table, self.spec, self.games, self.seed = table, table.spec, games, seed
        self.observations = np.zeros((games, self.spec.size), np.int16)
        self.masks = np.zeros((games, self.spec.actions), np.int8)
        self.seats = np.zeros(games, np.int8)  # whose choice it is
        self.payoffs = np.zeros((games, self.spec.players), np.float32)  # of the game that has just ended
        self.ends = np.zeros(games, np.int8)  # GOES_ON, IS_OVER or GIVEN_UP
        self.finals = np.zeros((games, self.spec.size), np.int16)  # what was seen when a game ended
        self.dice = np.zeros(
            games, np.int8
        )  # the first thrown after the action: 1 to 6, 11 to 66, 0 for none
        self.numbers = np.arange(games, dtype=np.int64)  # which game a slot plays
        self._states = np.zeros(games + 1, STATE)
        self._states[-1:] = table.opening
        self._rngs = np.zeros(games, RNG)
        self._frame, self._minds = frame_of(self.spec, table.learner, give_up), table.minds()
        crew = usable_cores() if threads is None else at_least_one("threads", threads)
        self._crew = _Crew(min(crew, games), games)
        self._rows = np.arange(games)

    def reset(self, seed: int | None = None) -> None:
        """Begin all games anew, under another seed if one is given."""
        compile_aloud(begin_games, step_games)
        if seed is not None:
            self.seed = seed
        self.numbers[:] = np.arange(self.games)
        self.ends[:] = 0
        self.payoffs[:] = 0
        self._run(begin_games)

    def step(self, actions: ArrayLike) -> None:
        """Take one action in each game; if one is not legal, nothing happens in any."""
        wanted = _read_actions(actions)
        self._check_shape(wanted)
        self._check(wanted, self._are_legal(wanted))
        self._step(wanted)

    def step_some(self, actions: ArrayLike, chosen: NDArray[np.bool_]) -> None:
        """Take one action in each chosen game; in the others nothing happens, whatever is wanted there."""
        wanted = _read_actions(actions)
        self._check_shape(wanted)
        self._check(wanted, self._are_legal(wanted) | ~chosen)
        self._step(np.where(chosen, wanted, STAY))

    def begin_some(self, chosen: NDArray[np.bool_]) -> None:
        """Leave each chosen game and begin the next one in its slot; the others stay as they are."""
        self._step(np.where(chosen, NEXT_GAME, STAY))

    def hand_over_observations(self) -> NDArray[np.int16]:
        """The observations, for good: the batch takes a new array, which the next step fills.

        As each step writes all of it, this costs less than a copy.
        """
        handed_over, self.observations = self.observations, np.empty_like(self.observations)
        return handed_over

    def close(self) -> None:
        """Send the threads home."""
        self._crew.close()

    def _check_shape(self, wanted: NDArray[np.int64]) -> None:
        if wanted.shape != (self.games,):
            raise EnvError(
                f"{self.games} games want {self.games} actions, not an array of shape {wanted.shape}."
            )

    def _are_legal(self, wanted: NDArray[np.int64]) -> NDArray[np.bool_]:
        inside = (wanted >= 0) & (wanted < self.spec.actions)
        legal: NDArray[np.bool_] = inside & (self.masks[self._rows, np.where(inside, wanted, 0)] != 0)
        return legal

    def _check(self, wanted: NDArray[np.int64], allowed: NDArray[np.bool_]) -> None:
        if not allowed.all():
            slot = int(np.argmin(allowed))
            if not self.masks[slot].any():
                raise EnvError(f"Nothing can be done in game {slot} of the batch; reset begins it.")
            names = [self.spec.action_names[number] for number in np.flatnonzero(self.masks[slot])]
            raise EnvError(
                f"Action {int(wanted[slot])} is not legal in game {slot} of the batch; "
                f"legal are: {', '.join(names)}."
            )

    def _step(self, wanted: NDArray[np.int64]) -> None:
        self._run(step_games, self.ends, self.payoffs, self.finals, self.dice, wanted)

    def _run(self, kernel: Any, *rest: NDArray[Any]) -> None:
        """Run a kernel over all slots, on all threads."""
        frame, play = self._frame, compiled(kernel)
        frame["seed_low"], frame["seed_high"] = halves(self.seed)
        arrays: list[NDArray[Any]] = [self.observations, self.masks, self.seats, *rest]
        written = [array.reshape(-1) for array in arrays]

        def work(menu: NDArray[Any], first: int, last: int) -> None:
            play(frame, self._minds, menu, self._states, self._rngs, self.numbers, first, last, *written)

        self._crew.run(work)


def _read_actions(actions: ArrayLike) -> NDArray[np.int64]:
    """The numbers of actions; what is no whole number is not rounded to another action."""
    given = np.asarray(actions)
    if given.dtype.kind not in "iu":
        raise EnvError(f"The actions are of the kind {given.dtype}; they must be whole numbers.")
    return np.ascontiguousarray(given, np.int64)


class _Crew:
    """Threads that each take a range of the slots, with choices of their own."""

    def __init__(self, threads: int, games: int) -> None:
        ends = [games * k // threads for k in range(threads + 1)]
        self._shifts = [(np.zeros(1, CHOICES), first, last) for first, last in pairwise(ends)]
        # The thread that asks works, too.
        self._pool = ThreadPoolExecutor(threads - 1) if threads > 1 else None

    def run(self, work: Any) -> None:
        others = []
        if self._pool is not None:
            others = [self._pool.submit(partial(work, *shift)) for shift in self._shifts[1:]]
        work(*self._shifts[0])
        for other in others:
            other.result()

    def close(self) -> None:
        if self._pool is not None:
            self._pool.shutdown()
            # Who plays on all the same does so alone.
            self._pool, self._shifts = None, [(np.zeros(1, CHOICES), 0, self._shifts[-1][2])]
