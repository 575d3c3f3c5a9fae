"""Appraisal: the second tower alone learns on, from games as they are played in earnest.

While the first tower learns, it draws its actions, plays bots, and changes all the time. What people are told
is something else: everybody's chance to win if champions play on who always take what they like best. So in
the end the first tower stays as it is, and the second learns from nothing but such games. Half of them begin
with some choices as people of all kinds make them, so that it also knows what becomes of positions a champion
would never have got into; from those choices themselves nothing is learned.
"""

from __future__ import annotations

from typing import Any

from dicetown.bots.learning.outlook import Outlook
from dicetown.envs.core.batch import Table
from dicetown.sight.spec import Spec
from dicetown.training.network import Network
from dicetown.training.pytorch import torch
from dicetown.training.selfplay import Arena, Collector, draw, temper
from dicetown.training.tables import ITSELF, Group, part_of

#: So many choices they make on average, where they stray at all.
_STRAYING = 40.0


def groups_in_earnest(specs: list[Spec], games: int) -> list[Group]:
    """About so many games, all among champions; more where there is more to know: of cards, and of cities."""
    shares = [len(spec.ruleset.cards) ** 2 * spec.players / part_of(spec) for spec in specs]
    return [
        Group(Table.of(spec.ruleset, spec.players), max(1, int(games * share / sum(shares))), ITSELF)
        for spec, share in zip(specs, shares, strict=True)
    ]


class Appraiser(Collector):
    """Plays in earnest, after some choices as people make them."""

    def __init__(self, arena: Arena, outlook: Outlook, steps: int, smoothing: float) -> None:
        super().__init__(arena, outlook, steps, smoothing)
        device = arena.device
        self._straying = torch.zeros(arena.games, device=device)  # choices until it is in earnest
        self._temperature = torch.ones(arena.games, device=device)
        self._begin(torch.ones(arena.games, dtype=torch.bool, device=device))

    def _begin(self, anew: Any) -> None:
        """Decide for new games how they begin."""
        long = torch.empty_like(self._straying).exponential_(1 / _STRAYING).ceil()
        at_once = torch.rand_like(self._straying) < 0.5
        self._straying = torch.where(anew, torch.where(at_once, 0.0, long), self._straying)
        self._temperature = torch.where(anew, temper(self.arena.games, self.arena.device), self._temperature)

    def _step(self, t: int, network: Network, former: dict[str, Any] | None) -> None:
        super()._step(t, network, former)
        self._straying = (self._straying - 1).clamp(min=0)
        self._begin(self.ends[t])

    def _counts(self) -> Any:
        return self._straying == 0

    def _choose(self, chances: Any) -> Any:
        strayed = draw(chances / self._temperature[:, None])
        return torch.where(self._straying > 0, strayed, chances.argmax(dim=1))
