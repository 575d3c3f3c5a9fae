"""RLlib: PPO with RLlib's own module for masked actions.

    pip install 'dicetown[envs]' 'ray[rllib]' torch
    python examples/recipes/rllib_ppo.py --lessons 50

Each game is an environment of its own here; the mask goes with the observation, as the module wants it.
"""

from __future__ import annotations

import argparse
import sys
from importlib.util import find_spec
from typing import Any

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Dict, flatdim

from dicetown.envs import DicetownEnv

if not all(map(find_spec, ("ray", "torch", "tree"))):  # RLlib's extra brings `tree`, plain Ray does not
    sys.exit("This recipe needs RLlib and PyTorch: pip install 'ray[rllib]' torch")

import ray
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule


class MaskedGame(gymnasium.Wrapper):
    """The game as RLlib's module wants it: what is seen, and beside it what is legal."""

    def __init__(self, options: dict[str, Any]) -> None:
        super().__init__(DicetownEnv(**options, dtype=np.float32))
        mask = Box(0, 1, (flatdim(self.action_space),), np.float32)
        self.observation_space = Dict({"action_mask": mask, "observations": self.env.observation_space})

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begin a game."""
        seen, info = self.env.reset(seed=seed, options=options)
        return self._beside_mask(seen, info), {}

    def step(self, action: int) -> Any:
        """Take an action."""
        seen, *outcome, info = self.env.step(action)
        return self._beside_mask(seen, info), *outcome, {}

    def _beside_mask(self, seen: Any, info: dict[str, Any]) -> dict[str, Any]:
        return {"action_mask": info["action_mask"].astype(np.float32), "observations": seen}


def main() -> None:
    """Learn against random, and say how it goes after each lesson."""
    words = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    words.add_argument("--lessons", type=int, default=50, help="times to learn")
    words.add_argument("--choices", type=int, default=4000, help="choices to learn from in each lesson")
    chosen = words.parse_args()

    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    config = (
        PPOConfig()
        .environment(MaskedGame, env_config={"sets": ["base"], "opponents": ["random"]})
        .env_runners(num_env_runners=0, num_envs_per_env_runner=8)
        .training(train_batch_size=chosen.choices, gamma=1.0)
        .rl_module(rl_module_spec=RLModuleSpec(module_class=ActionMaskingTorchRLModule))
    )
    learner = config.build_algo()
    for lesson in range(chosen.lessons):
        found = learner.train()["env_runners"]
        mean = found.get("episode_return_mean", float("nan"))  # none, if no game has ended yet
        print(f"lesson {lesson + 1}: reward against random {mean:+.2f} on average")
    learner.stop()
    ray.shutdown()


if __name__ == "__main__":
    main()
