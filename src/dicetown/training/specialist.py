"""A specialist: who studies the champion at one table, with the champion's own weights to begin with.

What it wins against champions that stay as they are tells how far the champion can be exploited: nobody can
study it harder than by playing nothing else.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from dicetown.bots.learning.champion import weights_of
from dicetown.envs.core.batch import Table
from dicetown.rules.ruleset import Ruleset
from dicetown.training.network import POLICY, Network
from dicetown.training.playouts import measure
from dicetown.training.ppo import Learner, Manner
from dicetown.training.pytorch import need_pytorch
from dicetown.training.selfplay import Arena, Collector
from dicetown.training.tables import FORMER, Group, games, specs_of

#: Seconds between two reports.
_SPEAK = 15.0
#: Logits times this are as good as always taking the best.
_SHARP = 1e4
#: It knows how to play already.
_GENTLY = Manner(rate=4e-4, curiosity=0.02)


@dataclass(frozen=True)
class Studies:
    """What a specialist studies, and for how long."""

    ruleset: Ruleset
    players: int
    minutes: float
    games: int = 32_768
    seed: int = 1
    device: str = "cuda"
    manner: Manner = _GENTLY


def study(studies: Studies, say: Callable[[str], None]) -> tuple[int, int]:
    """Learn to beat champions; games won and played in the end, the specialist's seat moving on."""
    need_pytorch()
    device, manner = studies.device, studies.manner
    network = Network.holding(weights_of(studies.ruleset.edition.game), device)
    rivals = _decided(network.copy())
    groups = [Group(Table.of(studies.ruleset, studies.players), studies.games, FORMER)]
    widest = [spec for game in games() for spec in specs_of(game)]
    learner = Learner(network, manner)
    collector = Collector(
        Arena(network.outlook, groups, device, studies.seed, widest),
        network.outlook,
        manner.steps,
        manner.smoothing,
    )
    begun, spoken, seconds = time.perf_counter(), 0.0, studies.minutes * 60
    while (spent := time.perf_counter() - begun) < seconds:
        curiosity = learner.pace(1 - spent / seconds)
        learner.learn(collector.play(network, rivals), collector.arena, curiosity)
        if spent - spoken > _SPEAK:
            spoken = spent
            say(f"{spent:5.0f} s, won {collector.wins()[0]:.1%} while learning")
    return measure(network, groups, device, widest, studies.seed + 1, rivals)[0][1:]


def _decided(layers: dict[str, Any]) -> dict[str, Any]:
    """Layers that always take the action they like best, as the champion does."""
    last = f"policy{len(POLICY)}"
    return {name: layer * _SHARP if name.startswith(last) else layer for name, layer in layers.items()}
