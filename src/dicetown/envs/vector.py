"""Dicetown for Gymnasium, thousands of games in one compiled call: a native vector environment.

A game that has ended is followed by the next one in the same step (Gymnasium's `SAME_STEP`): the observation
is already the new game's, and what was seen last is in ``info["final_obs"]``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import ArrayLike, NDArray

from dicetown.envs import spaces
from dicetown.envs.batch import PATIENCE, Batch, Table
from dicetown.envs.one_game import TOO_SHORT
from dicetown.envs.stepping import GIVEN_UP, GOES_ON, IS_OVER
from dicetown.errors import EnvError
from dicetown.rules.ruleset import Ruleset

Numbers = NDArray[np.int16]
Step = tuple[Numbers, NDArray[np.float32], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]
_SEEDS = 2**63


class DicetownVectorEnv(VectorEnv[Numbers, ArrayLike, NDArray[Any]]):
    """Many games in step, each of an agent against bots, or of agents among themselves.

    With ``opponents=None`` agents have all seats: the reward is that of who acted, ``info["seat"]`` says who
    is to act next, and ``info["rewards"]`` has what every seat got. An illegal action is an `EnvError`, and
    nothing happens in any game. With ``copy=False`` observations and masks are read-only views that the next
    step overwrites.

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
        opponents: Sequence[str] | None = ("greedy",),
        seat: int | None = None,
        max_turns: int = PATIENCE,
        threads: int | None = None,
        copy: bool = True,
    ) -> None:
        table = Table.of(Ruleset(edition, sets, house), players, opponents, seat)
        self.batch = Batch(table, num_envs, threads=threads, give_up=max_turns)
        self.num_envs = num_envs
        self.single_observation_space = spaces.observations(table.spec)
        self.single_action_space = spaces.actions(table.spec)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._among_agents = opponents is None
        self._everywhere = np.ones(num_envs, np.bool_)
        self._everywhere.flags.writeable = False
        self._copies = copy

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Numbers, dict[str, Any]]:
        """Begin all games anew: slot k plays games k, k + num_envs, k + 2·num_envs, … of a seed."""
        super().reset(seed=seed)
        if "reset_mask" in (options or {}):
            raise EnvError("Single games cannot be begun anew: each is followed by the next one by itself.")
        self.batch.reset(int(self.np_random.integers(_SEEDS)) if seed is None else seed)
        if not self._all_may_choose():
            raise EnvError(TOO_SHORT)
        info = self._info()
        return self._observations(), info

    def step(self, actions: ArrayLike) -> Step:
        """Take an action in each game, and go on to the next choice of an agent."""
        batch = self.batch
        acted, played = batch.seats.copy(), batch.numbers.copy()
        batch.step(actions)
        slots = np.flatnonzero(batch.ends)
        rewards = np.zeros(self.num_envs, np.float32)
        rewards[slots] = batch.payoffs[slots, acted[slots]]
        info = self._info()
        if self._among_agents:
            info["rewards"], info["_rewards"] = np.zeros_like(batch.payoffs), self._everywhere
            info["rewards"][slots] = batch.payoffs[slots]
        if len(slots):
            info |= self._final(slots, acted, played)
        terminated, truncated = batch.ends == IS_OVER, batch.ends == GIVEN_UP
        return self._observations(), rewards, terminated, truncated, info

    def _observations(self) -> Numbers:
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
        shown = {
            "action_mask": batch.masks.copy() if self._copies else _look_at(batch.masks),
            "seat": batch.seats.copy(),
            "game": batch.numbers.copy(),
        }
        for name, numbers in shown.items():
            info[name], info[f"_{name}"] = numbers, self._everywhere
        return info

    def _final(self, slots: NDArray[np.intp], seats: NDArray[Any], games: NDArray[Any]) -> dict[str, Any]:
        """What was seen last in the games that have ended, and where their agents sat."""
        last = np.full(self.num_envs, None, dtype=object)
        for slot, seen in zip(slots, self.batch.finals[slots], strict=True):
            last[slot] = seen
        ended = self.batch.ends != GOES_ON
        told = {"seat": seats, "_seat": ended, "game": games, "_game": ended}
        return {"final_obs": last, "_final_obs": ended, "final_info": told, "_final_info": ended}

    def close_extras(self, **kwargs: Any) -> None:
        """Send the threads home."""
        self.batch.close()


def _look_at(numbers: NDArray[Any]) -> NDArray[Any]:
    """The same numbers, not to be written to."""
    view = numbers.view()
    view.flags.writeable = False
    return view
