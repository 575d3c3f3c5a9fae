"""Dicetown for Stable-Baselines3: its `VecEnv` over the native vector of games.

    from sb3_contrib import MaskablePPO
    from dicetown.envs.sb3 import DicetownVecEnv

    envs = DicetownVecEnv(256, sets=["base"], opponents=["greedy"])
    MaskablePPO("MlpPolicy", envs).learn(1_000_000)

Masks come through ``env_method("action_masks")``, as MaskablePPO asks for them. Stable-Baselines3 brings
PyTorch and is not installed with the environments: ``pip install 'dicetown[sb3]'``.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dicetown.envs.vector import DicetownVectorEnv
from dicetown.errors import EnvError
from dicetown.extras import need

# Without Stable-Baselines3 the module can be imported, but no vector be made.
_INSTALLED = find_spec("stable_baselines3") is not None
_VecEnv: Any = import_module("stable_baselines3.common.vec_env").VecEnv if _INSTALLED else object
_MASKS = "action_masks"


class DicetownVecEnv(_VecEnv):  # type: ignore[misc]  # it may be missing
    """Many games in step as Stable-Baselines3 wants them: an ended game is followed by the next one at once.

    The options are those of :class:`~dicetown.envs.vector.DicetownVectorEnv`; observations are ``float32``
    unless told otherwise. What was seen last in a game that has ended is in its ``info``, as
    ``terminal_observation``.
    """

    def __init__(self, num_envs: int = 1, dtype: Any = np.float32, **table: Any) -> None:
        need("sb3", "stable_baselines3", what="This environment")
        if chosen := {"autoreset_mode", "copy"} & set(table):
            raise EnvError(f"{min(chosen)} cannot be chosen here: Stable-Baselines3 wants it as it is.")
        if table.get("opponents", ()) is None:
            raise EnvError("Name opponents; Stable-Baselines3 knows of no agents that play each other.")
        self.envs = DicetownVectorEnv(num_envs, dtype=dtype, **table)
        self.render_mode = None
        self._wanted = np.zeros(num_envs, np.int64)
        self._masks = np.zeros((num_envs, self.envs.batch.spec.actions), np.bool_)
        super().__init__(num_envs, self.envs.single_observation_space, self.envs.single_action_space)

    def reset(self) -> NDArray[Any]:
        """Begin all games anew; under a seed, if :meth:`seed` has set one."""
        seen, info = self.envs.reset(seed=self._seeds[0])
        self._reset_seeds()
        self._reset_options()
        self._masks = info["action_mask"].astype(np.bool_)
        self.reset_infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        return seen

    def step_async(self, actions: NDArray[Any]) -> None:
        """Keep the actions; they are taken at once when they are waited for."""
        self._wanted = actions

    def step_wait(self) -> tuple[NDArray[Any], NDArray[np.float32], NDArray[np.bool_], list[dict[str, Any]]]:
        """Take an action in each game, and go on to the agent's next choice."""
        seen, rewards, terminated, truncated, info = self.envs.step(self._wanted)
        self._masks = info["action_mask"].astype(np.bool_)
        told: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        over = terminated | truncated
        for slot in np.flatnonzero(over):
            told[slot] = {
                "terminal_observation": info["final_obs"][slot],
                "TimeLimit.truncated": bool(truncated[slot]),
                "game": int(info["final_info"]["game"][slot]),
                "seat": int(info["final_info"]["seat"][slot]),
            }
        return seen, rewards, over, told

    def action_masks(self) -> NDArray[np.bool_]:
        """Which actions are legal now, in each game."""
        return self._masks

    def close(self) -> None:
        """Send the threads home."""
        self.envs.close()

    # ------------------------------------------------------------------------ what is asked of single games

    def env_method(self, method_name: str, *args: Any, indices: Any = None, **kwargs: Any) -> list[Any]:
        """The masks of the games; nothing else can be asked of a single one."""
        if method_name != _MASKS:
            raise AttributeError(f"Single games of the native vector have no method {method_name}.")
        return [self._masks[slot] for slot in self._slots(indices)]

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """What all games have in common, once for each of them."""
        return [getattr(self, attr_name) for _ in self._slots(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Single games cannot be changed."""
        raise AttributeError(f"{attr_name} cannot be set in single games of the native vector.")

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        """No game is wrapped: wrap the whole, with Stable-Baselines3's VecMonitor and others."""
        return [False for _ in self._slots(indices)]

    def _slots(self, indices: Any) -> Sequence[int]:
        if indices is None:
            return range(self.num_envs)
        return [indices] if isinstance(indices, int) else list(indices)
