"""Train a PPO agent with everything on one GPU: games, network and learning, nothing copied.

    python examples/ppo_gpu.py --opponents greedy --players 4 --minutes 4 --save agent.npz

Games are stepped by `dicetown.envs.gpu.batch.GpuBatch`; PyTorch reads its arrays where they are. The agent
sits among the opponents named; with `--self-play 0.5`, half of the games are its own against itself. The
network sees the observation as `Spec.scale` scales it. It is saved as plain arrays; `examples/my_agent.py`
plays it. Needs PyTorch with CUDA and `pip install 'dicetown[cuda]'`.
"""

from __future__ import annotations

import argparse
import json
import time

import numpy as np
import torch
from torch import nn

from dicetown import Ruleset
from dicetown.envs.core.batch import Table
from dicetown.envs.gpu.batch import GpuBatch
from dicetown.sight.spec import VERSION, Spec

SHOWN = ("observations", "masks", "seats", "payoffs", "ends")


class Agent(nn.Module):
    """Two hidden layers for what to do, two for what it is worth."""

    def __init__(self, spec: Spec, hidden: int) -> None:
        super().__init__()
        self.register_buffer("scale", torch.as_tensor(spec.scale))
        self.policy = _layers(spec.size, hidden, spec.actions)
        self.value = _layers(spec.size, hidden, 1)
        nn.init.orthogonal_(self.policy[-1].weight, 0.01)
        nn.init.zeros_(self.policy[-1].bias)

    def forward(self, seen: torch.Tensor, masks: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Log probabilities of the actions, and the payoff to expect."""
        x = seen.float() * self.scale
        logits = self.policy(x).masked_fill(masks == 0, -1e9)
        return torch.log_softmax(logits, dim=1), self.value(x).squeeze(1)

    def save(self, path: str, ruleset: Ruleset, players: int) -> None:
        """Plain arrays: the layers, and which game they have learned."""
        layers = {name.replace(".", "_"): one.cpu().numpy() for name, one in self.state_dict().items()}
        game = {"edition": ruleset.edition.id, "sets": ruleset.set_ids, "players": players}
        np.savez(path, about=np.array(json.dumps({"version": VERSION, **game})), **layers)

    def load(self, path: str) -> None:
        """Go on from what was saved before."""
        saved = np.load(path)
        names = self.state_dict()
        self.load_state_dict({name: torch.as_tensor(saved[name.replace(".", "_")]) for name in names})


def _layers(seen: int, hidden: int, out: int) -> nn.Sequential:
    parts = [nn.Linear(seen, hidden), nn.ReLU(), nn.Linear(hidden, hidden), nn.ReLU()]
    return nn.Sequential(*parts, nn.Linear(hidden, out))


def on_gpu(batch: GpuBatch) -> dict[str, torch.Tensor]:
    """The batch's own arrays as tensors, which each step writes anew."""
    return {name: torch.as_tensor(getattr(batch, name), device="cuda") for name in SHOWN}


class Collector:
    """Steps a batch and remembers what is needed to learn from it."""

    def __init__(self, batch: GpuBatch, steps: int) -> None:
        self.batch, self.steps, self.now = batch, steps, on_gpu(batch)
        games, spec, room = batch.games, batch.spec, {"device": "cuda"}
        self.seen = torch.zeros((steps, games, spec.size), dtype=torch.int16, **room)
        self.masks = torch.zeros((steps, games, spec.actions), dtype=torch.int8, **room)
        self.seats = torch.zeros((steps, games), dtype=torch.long, **room)
        self.actions = torch.zeros((steps, games), dtype=torch.long, **room)
        self.chances = torch.zeros((steps, games), **room)
        self.values = torch.zeros((steps, games), **room)
        self.ends = torch.zeros((steps, games), dtype=torch.bool, **room)
        self.payoffs = torch.zeros((steps, games, spec.players), **room)
        self.won = self.over = 0.0
        batch.reset()

    @torch.no_grad()
    def play(self, agent: Agent) -> None:
        """Take the steps; the games and the agent stay on the GPU."""
        for t in range(self.steps):
            self.seen[t], self.masks[t] = self.now["observations"], self.now["masks"]
            self.seats[t] = self.now["seats"].long()
            chances, self.values[t] = agent(self.seen[t], self.masks[t])
            gumbel = -torch.log(-torch.log(torch.rand_like(chances).clamp_(1e-10, 1 - 1e-7)))
            self.actions[t] = (chances + gumbel).argmax(dim=1)
            self.chances[t] = chances.gather(1, self.actions[t][:, None]).squeeze(1)
            self.batch.step(self.actions[t], check=False)
            self.ends[t], self.payoffs[t] = self.now["ends"] != 0, self.now["payoffs"]
        paid = self.payoffs.gather(2, self.seats[:, :, None]).squeeze(2)[self.ends]
        self.over, self.won = float(len(paid)), float((paid > 0.5).sum())

    @torch.no_grad()
    def advantages(self, smoothing: float) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """GAE for whoever acted: a seat's step is followed by that seat's next; and which are known yet."""
        games, players = self.batch.games, self.batch.spec.players
        ahead = torch.zeros((games, players), device="cuda")  # what the seat's next position is worth
        carried = torch.zeros((games, players), device="cuda")
        known = torch.zeros((games, players), dtype=torch.bool, device="cuda")
        advantages, certain = torch.zeros_like(self.values), torch.zeros_like(self.ends)
        for t in reversed(range(self.steps)):
            over, seat = self.ends[t][:, None], self.seats[t][:, None]
            ahead = torch.where(over, self.payoffs[t], ahead)
            carried = torch.where(over, 0.0, carried)
            known = known | over
            advantage = ahead.gather(1, seat).squeeze(1) - self.values[t]
            advantages[t] = advantage + smoothing * carried.gather(1, seat).squeeze(1)
            certain[t] = known.gather(1, seat).squeeze(1)
            ahead = ahead.scatter(1, seat, self.values[t][:, None])
            carried = carried.scatter(1, seat, (advantages[t] * certain[t])[:, None])
            known = known.scatter(1, seat, True)
        return advantages, advantages + self.values, certain


def learn(
    agent: Agent,
    optimiser: torch.optim.Optimizer,
    collector: Collector,
    asked: argparse.Namespace,
    curiosity: float,
) -> float:
    """PPO over what a collector has seen; the entropy of what the agent does."""
    advantages, returns, certain = (part.flatten() for part in collector.advantages(asked.smoothing))
    seen, masks = collector.seen.flatten(0, 1), collector.masks.flatten(0, 1)
    actions, before = collector.actions.flatten(), collector.chances.flatten()
    usable = certain.nonzero().squeeze(1)
    entropies = []
    for _ in range(asked.epochs):
        for chosen in usable[torch.randperm(len(usable), device="cuda")].split(asked.minibatch):
            gain = advantages[chosen]
            gain = (gain - gain.mean()) / (gain.std() + 1e-8)
            chances, values = agent(seen[chosen], masks[chosen])
            ratio = (chances.gather(1, actions[chosen, None]).squeeze(1) - before[chosen]).exp()
            clipped = ratio.clamp(1 - asked.clip, 1 + asked.clip)
            loss = -torch.minimum(ratio * gain, clipped * gain).mean()
            entropy = -(chances.exp() * chances.clamp(min=-30)).sum(dim=1).mean()
            off = (values - returns[chosen]).pow(2).mean()
            optimiser.zero_grad(set_to_none=True)
            (loss + off - curiosity * entropy).backward()
            nn.utils.clip_grad_norm_(agent.parameters(), 0.5)
            optimiser.step()
            entropies.append(entropy.detach())
    return float(torch.stack(entropies).mean())


@torch.no_grad()
def evaluate(agent: Agent, batch: GpuBatch, steps: int, seed: int) -> tuple[int, int]:
    """Games won and played, always with the likeliest action: the first game of each slot."""
    batch.reset(seed=seed)
    now = on_gpu(batch)
    unfinished = torch.ones(batch.games, dtype=torch.bool, device="cuda")
    won = torch.zeros(batch.games, device="cuda")
    for _ in range(steps):
        chances, _ = agent(now["observations"], now["masks"])
        seat = now["seats"].long()
        batch.step(chances.argmax(dim=1), check=False)
        over = unfinished & (now["ends"] != 0)
        won += over * (now["payoffs"].gather(1, seat[:, None]).squeeze(1) > 0.5)
        unfinished &= ~over
        if not unfinished.any():
            break
    return int(won.sum()), int((~unfinished).sum())


def read_wishes() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--edition", default="deluxe")
    parser.add_argument("--sets", default="base", help="with commas; 'all' for all of the edition's")
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--opponents", default="greedy", help="with commas; one for all seats")
    parser.add_argument("--minutes", type=float, default=4.0)
    parser.add_argument("--games", type=int, default=32_768)
    parser.add_argument("--self-play", type=float, default=0.0, help="share of games without opponents")
    parser.add_argument("--steps", type=int, default=64, help="of each game between two lessons")
    parser.add_argument("--hidden", type=int, default=512)
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--minibatch", type=int, default=32_768)
    parser.add_argument("--rate", type=float, default=7e-4)
    parser.add_argument("--entropy", type=float, default=0.05)
    parser.add_argument("--smoothing", type=float, default=0.95)
    parser.add_argument("--clip", type=float, default=0.2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--start", help="go on from an agent saved before")
    parser.add_argument("--save", default="agent.npz")
    return parser.parse_args()


def train(agent: Agent, batches: list[GpuBatch], asked: argparse.Namespace) -> None:
    """Play and learn in turns until the time is up; rate and curiosity fade away."""
    collectors = [Collector(batch, asked.steps) for batch in batches]
    optimiser = torch.optim.Adam(agent.parameters(), asked.rate, eps=1e-5)
    begun, spoken, steps, won, over = time.perf_counter(), 0.0, 0, 0.0, 0.0
    while (spent := time.perf_counter() - begun) < asked.minutes * 60:
        left = 1 - spent / (asked.minutes * 60)
        for group in optimiser.param_groups:
            group["lr"] = asked.rate * max(left, 0.02)
        for collector in collectors:
            collector.play(agent)
            entropy = learn(agent, optimiser, collector, asked, asked.entropy * max(left, 0.1))
            steps += collector.steps * collector.batch.games
        won, over = 0.9 * won + collectors[0].won, 0.9 * over + collectors[0].over
        if spent - spoken > 10:
            spoken = spent
            share = won / max(over, 1)
            print(f"{spent:5.0f} s {steps / 1e6:8.1f} M steps, wins {share:.3f}, entropy {entropy:.3f}")


def main() -> None:
    """Train, save, and see how good it is."""
    asked = read_wishes()
    torch.manual_seed(asked.seed)
    torch.set_float32_matmul_precision("high")
    ruleset = Ruleset(asked.edition, sets=None if asked.sets == "all" else asked.sets.split(","))
    table = Table.of(ruleset, asked.players, asked.opponents.split(","))
    own = int(asked.games * asked.self_play)
    batches = [GpuBatch(table, asked.games - own, asked.seed)] if own < asked.games else []
    if own:
        batches.append(GpuBatch(Table.of(ruleset, asked.players), own, asked.seed))
    agent = Agent(table.spec, asked.hidden).cuda()
    if asked.start:
        agent.load(asked.start)
    train(agent, batches, asked)
    agent.save(asked.save, ruleset, asked.players)
    wins, games = evaluate(agent, GpuBatch(table, 65_536), steps=400, seed=99)
    print(f"against {asked.opponents}: {wins} of {games} games, {wins / max(games, 1):.2%}")


if __name__ == "__main__":
    main()
