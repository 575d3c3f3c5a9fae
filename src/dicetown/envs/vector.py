"""Dicetown for Gymnasium, thousands of games in one compiled call: a native vector environment.

What follows a game that has ended is Gymnasium's `AutoresetMode`. The batch begins the next game at once, so
`SAME_STEP` shows what is there; the other modes keep showing the end until the next game is due.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import ArrayLike, DTypeLike, NDArray

from dicetown.envs import spaces
from dicetown.envs.core.batch import PATIENCE, Batch, Table
from dicetown.envs.core.one_game import TOO_SHORT
from dicetown.envs.core.steps import GIVEN_UP, GOES_ON, IS_OVER
from dicetown.errors import EnvError
from dicetown.rules.ruleset import Ruleset

Numbers = NDArray[Any]
Step = tuple[Numbers, NDArray[np.float32], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]
_SEEDS = 2**63


class DicetownVectorEnv(VectorEnv[Numbers, ArrayLike, NDArray[Any]]):
    """Many games in step, each of an agent against bots, or of agents among themselves.

    With ``opponents=None`` agents have all seats: the reward is that of who acted, ``info["seat"]`` says who
    is to act next, and ``info["rewards"]`` has what every seat got. An illegal action is an `EnvError`, and
    nothing happens in any game. With ``copy=False`` observations and masks are read-only views that the next
    step overwrites. Observations are whole numbers of 16 bits, or the same as ``dtype="float32"``.

    A game that has ended is followed by the next one in the same step, and what was seen last is in
    ``info["final_obs"]``; with ``autoreset_mode=AutoresetMode.NEXT_STEP`` in the next step, which takes no
    action there; with ``DISABLED`` when ``reset(options={"reset_mask": …})`` says so. Where a game's end is
    shown no action is legal: its mask is all zero.

    >>> envs = DicetownVectorEnv(num_envs=3, sets=["base"], opponents=["random"])
    >>> seen, info = envs.reset(seed=7)
    >>> seen, rewards, terminated, truncated, info = envs.step(info["action_mask"].argmax(axis=1))
    >>> seen.shape, rewards.tolist(), info["seat"].tolist(), info["game"].tolist()
    ((3, 102), [0.0, 0.0, 0.0], [0, 1, 0], [0, 1, 2])
    """

    metadata = {"autoreset_mode": AutoresetMode.SAME_STEP, "render_modes": []}  # noqa: RUF012 - as Gymnasium's

    def __init__(
        self,
        num_envs: int = 1,
        edition: str = "deluxe",
        sets: Sequence[str] | None = None,
        players: int = 2,
        house: dict[str, Any] | None = None,
        opponents: Sequence[str] | str | None = ("greedy",),
        seat: int | None = None,
        max_turns: int = PATIENCE,
        threads: int | None = None,
        copy: bool = True,
        autoreset_mode: AutoresetMode | str = AutoresetMode.SAME_STEP,
        dtype: DTypeLike = np.int16,
    ) -> None:
        table = Table.of(Ruleset(edition, sets, house), players, opponents, seat)
        self._dtype = spaces.read_dtype(dtype)
        self._mode = _read_mode(autoreset_mode)
        self.metadata = {**self.metadata, "autoreset_mode": self._mode}
        self.batch = Batch(table, num_envs, threads=threads, give_up=max_turns)
        self.num_envs = num_envs
        self.single_observation_space = spaces.observations(table.spec, self._dtype)
        self.single_action_space = spaces.actions(table.spec)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._among_agents = opponents is None
        self._everywhere = np.ones(num_envs, np.bool_)
        self._everywhere.flags.writeable = False
        self._copies = copy
        self._ends = _Ends(self.batch)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Numbers, dict[str, Any]]:
        """Begin all games anew: slot k plays games k, k + num_envs, k + 2·num_envs, … of a seed.

        ``options={"reset_mask": chosen}`` begins the next game in the chosen slots alone.
        """
        chosen = (options or {}).get("reset_mask")
        if chosen is None:
            super().reset(seed=seed)
            self.batch.reset(int(self.np_random.integers(_SEEDS)) if seed is None else seed)
            self._ends.shown[:] = False
        else:
            self._begin_next(chosen, seed)
        if not self._all_may_choose():
            raise EnvError(TOO_SHORT)
        self._ends.show()
        info = self._info()
        return self._observations(), info

    def _begin_next(self, chosen: Any, seed: int | None) -> None:
        """Begin the next game in some slots; where a game has ended, the batch has begun it already."""
        if not isinstance(chosen, np.ndarray) or chosen.dtype != np.bool_ or chosen.shape != (self.num_envs,):
            raise EnvError(f"The option reset_mask is an array of {self.num_envs} booleans, not {chosen!r}.")
        if not chosen.any():
            raise EnvError("The option reset_mask names no game to begin; let one be True.")
        if seed is not None:
            raise EnvError("A seed is that of all games; give none where only some are begun anew.")
        self.batch.begin_some(chosen & ~self._ends.shown)
        self._ends.shown[chosen] = False

    def step(self, actions: ArrayLike) -> Step:
        """Take an action in each game, and go on to the next choice of an agent."""
        batch = self.batch
        acted, played = batch.seats.copy(), batch.numbers.copy()
        self._take(actions)
        slots = np.flatnonzero(batch.ends)
        rewards = np.zeros(self.num_envs, np.float32)
        rewards[slots] = batch.payoffs[slots, acted[slots]]
        if self._mode is not AutoresetMode.SAME_STEP:
            self._ends.begin_to_show(acted, played)
        info = self._info()
        if self._among_agents:
            info["rewards"], info["_rewards"] = np.zeros_like(batch.payoffs), self._everywhere
            info["rewards"][slots] = batch.payoffs[slots]
        if len(slots) and self._mode is AutoresetMode.SAME_STEP:
            info |= self._final(slots, acted, played)
        terminated, truncated = batch.ends == IS_OVER, batch.ends == GIVEN_UP
        return self._observations(), rewards, terminated, truncated, info

    def _take(self, actions: ArrayLike) -> None:
        """Take the actions; where an end is shown, `NEXT_STEP` goes on to the next game instead."""
        ended = self._ends.shown
        if not ended.any():
            self.batch.step(actions)
        elif self._mode is AutoresetMode.DISABLED:
            raise EnvError(
                f"Game {int(ended.argmax())} of the batch has ended; "
                'begin the next one with reset(options={"reset_mask": …}).'
            )
        else:
            self.batch.step_some(actions, ~ended)

    def _observations(self) -> Numbers:
        if self._dtype != self.batch.observations.dtype:
            return self.batch.observations.astype(self._dtype)
        if self._copies:
            return self.batch.hand_over_observations()
        return _look_at(self.batch.observations)

    def _all_may_choose(self) -> bool:
        """Whether it is the agent's turn in every game, and there is something to choose."""
        turn = next(field for field in self.batch.spec.fields if field.name == "turn")
        return bool(self.batch.observations[:, turn.at].all() and self.batch.masks.any(axis=1).all())

    def _info(self) -> dict[str, Any]:
        """What Gymnasium wants beside every entry: in which games there is one."""
        batch, info = self.batch, dict[str, Any]()
        seats, games = self._ends.seats_and_games()
        shown = {
            "action_mask": batch.masks.copy() if self._copies else _look_at(batch.masks),
            "seat": seats,
            "game": games,
        }
        for name, numbers in shown.items():
            info[name], info[f"_{name}"] = numbers, self._everywhere
        return info

    def _final(self, slots: NDArray[np.intp], seats: NDArray[Any], games: NDArray[Any]) -> dict[str, Any]:
        """What was seen last in the games that have ended, and where their agents sat."""
        last = np.full(self.num_envs, None, dtype=object)
        for slot, seen in zip(slots, self.batch.finals[slots].astype(self._dtype, copy=False), strict=True):
            last[slot] = seen
        ended = self.batch.ends != GOES_ON
        told = {"seat": seats, "_seat": ended, "game": games, "_game": ended}
        return {"final_obs": last, "_final_obs": ended, "final_info": told, "_final_info": ended}

    def close_extras(self, **kwargs: Any) -> None:
        """Send the threads home."""
        self.batch.close()


class _Ends:
    """Games whose end is still shown, though the batch has begun the next one in their slots."""

    def __init__(self, batch: Batch) -> None:
        self._batch = batch
        self.shown = np.zeros(batch.games, np.bool_)
        self._seats, self._games = batch.seats.copy(), batch.numbers.copy()

    def begin_to_show(self, seats: NDArray[Any], games: NDArray[Any]) -> None:
        """Show the ends of this step, and no others; where agents sat, and which games were played."""
        self.shown = self._batch.ends != GOES_ON
        self._seats, self._games = seats, games
        self.show()

    def show(self) -> None:
        """Write what was seen last, and that nothing can be done, over what the next game shows.

        The batch writes the next game's numbers again when they are due.
        """
        slots = np.flatnonzero(self.shown)
        self._batch.observations[slots] = self._batch.finals[slots]
        self._batch.masks[slots] = 0

    def seats_and_games(self) -> tuple[NDArray[Any], NDArray[Any]]:
        """The agent's seat, and the number of the game, as shown in each slot."""
        batch = self._batch
        if not self.shown.any():
            return batch.seats.copy(), batch.numbers.copy()
        shown = self.shown
        return np.where(shown, self._seats, batch.seats), np.where(shown, self._games, batch.numbers)


def _read_mode(mode: AutoresetMode | str) -> AutoresetMode:
    for known in AutoresetMode:
        if mode in (known, known.value, known.name):
            return known
    names = ", ".join(known.name for known in AutoresetMode)
    raise EnvError(f"The autoreset_mode {mode!r} is not known; it is one of: {names}.")


def _look_at(numbers: NDArray[Any]) -> NDArray[Any]:
    """The same numbers, not to be written to."""
    view = numbers.view()
    view.flags.writeable = False
    return view
