"""Stable-Baselines3: MaskablePPO of sb3-contrib, over the native vector.

    pip install 'dicetown[envs,sb3]'
    python examples/recipes/maskable_ppo.py --steps 1000000

It learns against `random`: who never wins has nothing to learn from. Then let it meet `greedy`.
"""

from __future__ import annotations

import argparse
import sys

from dicetown.envs.sb3 import DicetownVecEnv
from dicetown.errors import MissingExtra
from dicetown.extras import need

try:
    need("sb3", "sb3_contrib", "stable_baselines3", what="This recipe")
except MissingExtra as missing:
    sys.exit(str(missing))

from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.evaluation import evaluate_policy
from stable_baselines3.common.vec_env import VecMonitor


def main() -> None:
    """Learn against random, and say how it went in games played afterwards."""
    words = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    words.add_argument("--steps", type=int, default=1_000_000, help="choices to learn from")
    words.add_argument("--envs", type=int, default=64, help="games in step")
    words.add_argument("--games", type=int, default=200, help="games to play afterwards")
    chosen = words.parse_args()

    envs = VecMonitor(DicetownVecEnv(chosen.envs, sets=["base"], opponents=["random"]))
    agent = MaskablePPO("MlpPolicy", envs, n_steps=128, batch_size=1024, gamma=1.0, seed=1)
    agent.learn(chosen.steps)
    reward, _ = evaluate_policy(agent, envs, n_eval_episodes=chosen.games, deterministic=False)
    print(f"{agent.num_timesteps} choices; reward against random: {reward:+.2f} on average")


if __name__ == "__main__":
    main()
