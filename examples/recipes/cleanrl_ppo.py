"""CleanRL: PPO in one file, as CleanRL writes it, with masked actions and the native vector.

    pip install 'dicetown[envs]' torch
    python examples/recipes/cleanrl_ppo.py --total-timesteps 1000000

CleanRL's `ppo.py` with three changes: the games come from the vector, the mask goes with the observation, and
the last observation is that of the next game already (`SAME_STEP`), so that no step is lost.
"""

from __future__ import annotations

import argparse
import sys
from importlib.util import find_spec
from typing import Any

import numpy as np

from dicetown.envs import DicetownVectorEnv

if find_spec("torch") is None:
    sys.exit("This recipe needs PyTorch: pip install torch")

import torch
from torch import Tensor, nn, optim
from torch.distributions import Categorical

GAMMA, GAE_LAMBDA, CLIP, ENTROPY, VALUE, MOST = 1.0, 0.95, 0.2, 0.01, 0.5, 0.5
NEVER = -1e8  # the logit of what is not legal


def layer_init(layer: nn.Linear, std: float = np.sqrt(2)) -> nn.Linear:
    """As CleanRL begins."""
    nn.init.orthogonal_(layer.weight, std)
    nn.init.zeros_(layer.bias)
    return layer


class Agent(nn.Module):
    """What it expects, and what it likes."""

    def __init__(self, envs: DicetownVectorEnv) -> None:
        super().__init__()
        size, actions = envs.batch.spec.size, envs.batch.spec.actions
        self.register_buffer("scale", torch.as_tensor(envs.batch.spec.scale, dtype=torch.float32))
        body = [layer_init(nn.Linear(size, 128)), nn.Tanh(), layer_init(nn.Linear(128, 128)), nn.Tanh()]
        self.body = nn.Sequential(*body)
        self.actor = layer_init(nn.Linear(128, actions), std=0.01)
        self.critic = layer_init(nn.Linear(128, 1), std=1.0)

    def forward(self, seen: Tensor, mask: Tensor) -> tuple[Categorical, Tensor]:
        """How likely each action is, and how the game is expected to end."""
        hidden = self.body(seen * self.scale)
        logits = torch.where(mask, self.actor(hidden), torch.tensor(NEVER))
        return Categorical(logits=logits), self.critic(hidden).squeeze(-1)


def advantages_of(rewards: Tensor, dones: Tensor, values: Tensor, last: Tensor) -> Tensor:
    """By how much each choice came out better than expected (GAE)."""
    found, ahead, following = torch.zeros_like(rewards), torch.zeros_like(last), last
    for t in reversed(range(len(rewards))):
        goes_on = 1.0 - dones[t]
        delta = rewards[t] + GAMMA * following * goes_on - values[t]
        ahead = delta + GAMMA * GAE_LAMBDA * goes_on * ahead
        found[t], following = ahead, values[t]
    return found


def learn(agent: Agent, optimizer: optim.Optimizer, kept: dict[str, Tensor], parts: int, epochs: int) -> None:
    """Go through what was played, some times, in random parts."""
    for _ in range(epochs):
        for part in torch.randperm(len(kept["action"])).chunk(parts):
            choice, value = agent(kept["seen"][part], kept["mask"][part])
            ratio = (choice.log_prob(kept["action"][part]) - kept["log_prob"][part]).exp()
            advantage = kept["advantage"][part]
            advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-8)
            gain = torch.min(advantage * ratio, advantage * ratio.clamp(1 - CLIP, 1 + CLIP)).mean()
            wrong = 0.5 * ((value - kept["return"][part]) ** 2).mean()
            loss = -gain + VALUE * wrong - ENTROPY * choice.entropy().mean()
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(agent.parameters(), MOST)
            optimizer.step()


def main() -> None:
    """Learn against random, and say how it goes now and then."""
    words = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    words.add_argument("--total-timesteps", type=int, default=1_000_000)
    words.add_argument("--num-envs", type=int, default=128)
    words.add_argument("--num-steps", type=int, default=64)
    chosen = words.parse_args()

    torch.manual_seed(1)
    envs = DicetownVectorEnv(chosen.num_envs, sets=["base"], opponents=["random"], dtype=np.float32)
    agent = Agent(envs)
    optimizer = optim.Adam(agent.parameters(), lr=1e-3, eps=1e-5)
    seen, info = envs.reset(seed=1)
    lessons = max(1, chosen.total_timesteps // (chosen.num_envs * chosen.num_steps))
    for lesson in range(lessons):
        rows: list[dict[str, Any]] = []
        for _ in range(chosen.num_steps):
            looked, mask = torch.as_tensor(seen), torch.as_tensor(info["action_mask"] != 0)
            with torch.no_grad():
                choice, value = agent(looked, mask)
            action = choice.sample()
            seen, reward, terminated, truncated, info = envs.step(action.numpy())
            done = torch.as_tensor((terminated | truncated).astype(np.float32))
            row = {"seen": looked, "mask": mask, "action": action, "log_prob": choice.log_prob(action)}
            rows.append(row | {"value": value, "reward": torch.as_tensor(reward), "done": done})
        kept = {name: torch.stack([row[name] for row in rows]) for name in rows[0]}
        with torch.no_grad():
            _, last = agent(torch.as_tensor(seen), torch.as_tensor(info["action_mask"] != 0))
        kept["advantage"] = advantages_of(kept["reward"], kept["done"], kept["value"], last)
        kept["return"] = kept["advantage"] + kept["value"]
        learn(agent, optimizer, {name: rows.flatten(0, 1) for name, rows in kept.items()}, parts=4, epochs=4)
        ended = kept["done"].sum().item()
        mean = kept["reward"].sum().item() / max(1, ended)
        steps = (lesson + 1) * chosen.num_envs * chosen.num_steps
        print(f"{steps} choices: {ended:.0f} games, reward against random {mean:+.2f} on average")
    envs.close()


if __name__ == "__main__":
    main()
