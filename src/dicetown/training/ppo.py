"""Learning from what was played: proximal policy optimisation, and the winners' cross entropy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from dicetown.training.network import Network
from dicetown.training.pytorch import torch
from dicetown.training.selfplay import Arena, Lessons


@dataclass(frozen=True)
class Manner:
    """How to learn."""

    rate: float = 6e-4
    curiosity: float = 0.04  # the worth of an open mind: entropy
    smoothing: float = 0.95
    clip: float = 0.2
    epochs: int = 2
    minibatch: int = 65_536
    steps: int = 32  # of each game between two lessons
    least: float = 0.02  # of the rate, at the end


class Learner:
    """A network and its optimiser."""

    def __init__(self, network: Network, manner: Manner) -> None:
        self.network, self.manner = network, manner
        fused = {"fused": True} if network.device == "cuda" else {}
        self.optimiser = torch.optim.Adam(network.parameters(), manner.rate, eps=1e-5, **fused)

    def pace(self, left: float) -> float:
        """Set the rate for when so much of the time is left; what an open mind is worth then."""
        for group in self.optimiser.param_groups:
            group["lr"] = self.manner.rate * max(left, self.manner.least)
        return self.manner.curiosity * max(left, 0.1)

    def learn(self, lessons: Lessons, arena: Arena, curiosity: float) -> tuple[float, float]:
        """Some epochs over what was seen; the entropy of choices and of winners."""
        manner, rows = self.manner, len(lessons.actions)
        told: list[Any] = []
        for _ in range(manner.epochs):
            order = torch.randperm(rows, device=arena.device)
            for chosen in order.split(manner.minibatch):
                told.append(self._learn_from(lessons, arena, chosen, curiosity))
        entropy, surprise = torch.stack(told).mean(dim=0).tolist()
        return entropy, surprise

    def _learn_from(self, lessons: Lessons, arena: Arena, chosen: Any, curiosity: float) -> Any:
        network, clip = self.network, self.manner.clip
        group, mine = lessons.group[chosen], lessons.mine[chosen].float()
        gains = lessons.gains[chosen]
        weight = mine / mine.sum().clamp(min=1)
        mean = (gains * weight).sum()
        gains = (gains - mean) / (((gains - mean).pow(2) * weight).sum().sqrt() + 1e-8)
        inputs = network.look(lessons.seen[chosen], arena.traits[group])
        masks = lessons.masks[chosen]
        chances = network.policy(inputs, masks)
        taken = chances.gather(1, lessons.actions[chosen, None]).squeeze(1)
        ratio = (taken - lessons.before[chosen]).exp()
        better = torch.minimum(ratio * gains, ratio.clamp(1 - clip, 1 + clip) * gains)
        entropy = -(chances.exp() * chances.clamp(min=-30)).sum(dim=1)
        players = arena.players_of[group]
        told = network.value(inputs, arena.among_equals[group], players)
        surprise = -(lessons.targets[chosen] * told.clamp(min=-30)).sum(dim=1)
        loss = -((better + curiosity * entropy) * weight).sum() + (surprise * weight).sum()
        self.optimiser.zero_grad(set_to_none=True)
        loss.backward()
        for tower in ("policy", "value"):
            layers = [layer for name, layer in network.layers.items() if name.startswith(tower)]
            torch.nn.utils.clip_grad_norm_(layers, 0.5)
        self.optimiser.step()
        return torch.stack(((entropy * weight).sum(), (surprise * weight).sum())).detach()
