"""Learning from what was played: proximal policy optimisation, and the winners' cross entropy."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from dicetown.training.luck import pick
from dicetown.training.network import Network
from dicetown.training.pytorch import torch
from dicetown.training.selfplay import Arena, Lessons

#: The towers of a network, by how the names of their layers begin.
POLICY, VALUE = ("policy",), ("value", "luck")


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
    foretelling: float = 0.5  # the worth of telling what dice do, beside telling who wins


class Learner:
    """A network and its optimiser. Who learns to tell chances alone leaves the other tower as it is."""

    def __init__(
        self, network: Network, manner: Manner, towers: tuple[tuple[str, ...], ...] = (POLICY, VALUE)
    ) -> None:
        self.network, self.manner, self.towers = network, manner, towers
        fused = {"fused": True} if network.device == "cuda" else {}
        layers = [layer for tower in towers for layer in network.parameters(tower)]
        self.optimiser = torch.optim.Adam(layers, manner.rate, eps=1e-5, **fused)

    def pace(self, left: float) -> float:
        """Set the rate for when so much of the time is left; what an open mind is worth then."""
        for group in self.optimiser.param_groups:
            group["lr"] = self.manner.rate * max(left, self.manner.least)
        return self.manner.curiosity * max(left, 0.1)

    def learn(self, lessons: Lessons, arena: Arena, curiosity: float) -> tuple[float, float]:
        """Some epochs over what was seen; the entropy of choices and of winners."""
        manner, rows = self.manner, len(lessons.actions)
        lessons = replace(lessons, gains=_comparable(lessons, len(arena.groups)))
        told: list[Any] = []
        for _ in range(manner.epochs):
            order = torch.randperm(rows, device=arena.device)
            for chosen in order.split(manner.minibatch):
                told.append(self._learn_from(lessons, arena, chosen, curiosity))
        entropy, surprise = torch.stack(told).mean(dim=0).tolist()
        return entropy, surprise

    def _learn_from(self, lessons: Lessons, arena: Arena, chosen: Any, curiosity: float) -> Any:
        mine = lessons.mine[chosen].float()
        weight = mine / mine.sum().clamp(min=1)
        inputs = self.network.look(lessons.seen[chosen], arena.traits[lessons.group[chosen]])
        surprise, loss = self._tell_chances(lessons, arena, chosen, inputs, weight)
        entropy = torch.zeros_like(surprise)
        if POLICY in self.towers:
            better, entropy = self._choose_better(lessons, chosen, inputs, weight)
            loss = loss - better - curiosity * entropy
        self.optimiser.zero_grad(set_to_none=True)
        loss.backward()
        for tower in self.towers:
            torch.nn.utils.clip_grad_norm_(self.network.parameters(tower), 0.5)
        self.optimiser.step()
        return torch.stack((entropy, surprise)).detach()

    def _tell_chances(
        self, lessons: Lessons, arena: Arena, chosen: Any, inputs: Any, weight: Any
    ) -> tuple[Any, Any]:
        """How surprising it was who won; and what is to be made less, what dice did counted in."""
        group, throws = lessons.group[chosen], lessons.throws[chosen]
        now, thrown = self.network.value(inputs, arena.among_equals[group], arena.players_of[group])
        surprise = -(lessons.targets[chosen] * now.clamp(min=-30)).sum(dim=1)
        foretold = pick(thrown, throws.clamp(min=0)).clamp(min=-30)
        astonishing = -(lessons.thrown[chosen] * foretold).sum(dim=1) * (throws >= 0)
        surprised = (surprise * weight).sum()
        return surprised, surprised + self.manner.foretelling * (astonishing * weight).sum()

    def _choose_better(self, lessons: Lessons, chosen: Any, inputs: Any, weight: Any) -> tuple[Any, Any]:
        """What is to be made more: what went better than expected, with care; and the entropy of choices."""
        clip, gains = self.manner.clip, lessons.gains[chosen]
        chances = self.network.policy(inputs, lessons.masks[chosen])
        taken = chances.gather(1, lessons.actions[chosen, None]).squeeze(1)
        ratio = (taken - lessons.before[chosen]).exp()
        better = torch.minimum(ratio * gains, ratio.clamp(1 - clip, 1 + clip) * gains)
        entropy = -(chances.exp() * chances.clamp(min=-30)).sum(dim=1)
        return (better * weight).sum(), (entropy * weight).sum()


def _comparable(lessons: Lessons, groups: int) -> Any:
    """Gains less their mean, over their spread, in each group of games by itself.

    A choice among two players moves chances further than one among five, and a long game has many small
    ones: without this the loud tables would drown out the others.
    """
    mine = lessons.mine.float()

    def mean(figures: Any) -> Any:
        sums = torch.zeros(groups, device=mine.device).index_add_(0, lessons.group, figures * mine)
        counts = torch.zeros_like(sums).index_add_(0, lessons.group, mine)
        return (sums / counts.clamp(min=1))[lessons.group]

    gains = lessons.gains - mean(lessons.gains)
    return gains / (mean(gains.pow(2)).sqrt() + 1e-8)
