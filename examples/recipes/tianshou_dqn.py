"""Tianshou: DQN with masked actions, over vectors of single games.

    pip install 'dicetown[envs]' 'tianshou>=2' torch
    python examples/recipes/tianshou_dqn.py --steps 200000

Each game is an environment of its own here; Tianshou masks by itself what is not legal.
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

if not all(map(find_spec, ("tianshou", "torch"))):
    sys.exit("This recipe needs Tianshou and PyTorch: pip install 'tianshou>=2' torch")

from tianshou.algorithm import DQN
from tianshou.algorithm.modelfree.dqn import DiscreteQLearningPolicy
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.data import Collector, CollectStats, VectorReplayBuffer
from tianshou.env import DummyVectorEnv
from tianshou.trainer import OffPolicyTrainerParams
from tianshou.utils.net.common import Net


class MaskedGame(gymnasium.Wrapper):
    """The game as Tianshou wants it: `obs` is what is seen, and `mask` what is legal."""

    def __init__(self, **options: Any) -> None:
        super().__init__(DicetownEnv(**options, dtype=np.float32))
        mask = Box(0, 1, (flatdim(self.action_space),), np.bool_)  # type: ignore[arg-type]
        self.observation_space = Dict({"obs": self.env.observation_space, "mask": mask})

    def reset(self, **options: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begin a game."""
        seen, info = self.env.reset(**options)
        return {"obs": seen, "mask": info["action_mask"].astype(np.bool_)}, {}

    def step(self, action: int) -> Any:
        """Take an action."""
        seen, *outcome, info = self.env.step(action)
        return {"obs": seen, "mask": info["action_mask"].astype(np.bool_)}, *outcome, {}


def main() -> None:
    """Learn against random, and say how it went in games played afterwards."""
    words = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    words.add_argument("--steps", type=int, default=200_000, help="choices to learn from")
    words.add_argument("--envs", type=int, default=16, help="games in step")
    words.add_argument("--games", type=int, default=200, help="games to play afterwards")
    chosen = words.parse_args()

    options = {"sets": ["base"], "opponents": ["random"]}
    training, testing = (DummyVectorEnv([lambda: MaskedGame(**options)] * chosen.envs) for _ in range(2))
    game = MaskedGame(**options)
    size, actions = game.env.observation_space.shape, flatdim(game.action_space)
    network = Net(state_shape=size, action_shape=actions, hidden_sizes=[128, 128])
    policy = DiscreteQLearningPolicy(
        model=network, action_space=game.action_space, eps_training=0.1, eps_inference=0.0
    )
    student = DQN(
        policy=policy,
        optim=AdamOptimizerFactory(lr=1e-3),
        gamma=1.0,
        target_update_freq=500,
        n_step_return_horizon=3,
    )
    collector = Collector[CollectStats](student, training, VectorReplayBuffer(20_000, chosen.envs))
    tester = Collector[CollectStats](student, testing)
    epochs = max(1, chosen.steps // 10_000)
    found = student.run_training(
        OffPolicyTrainerParams(
            training_collector=collector,
            test_collector=tester,
            max_epochs=epochs,
            epoch_num_steps=chosen.steps // epochs,
            collection_step_num_env_steps=chosen.envs * 4,
            test_step_num_episodes=chosen.games,
            update_step_num_gradient_steps_per_sample=0.1,
            batch_size=128,
            verbose=False,
            show_progress=False,
        )
    )
    print(f"{found.train_step} choices; best reward against random: {found.best_reward:+.2f} on average")


if __name__ == "__main__":
    main()
