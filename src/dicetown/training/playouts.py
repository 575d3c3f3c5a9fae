"""Whole games of a network, many at a time: what it wins against others, and how a position comes out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dicetown.envs.core.batch import Table
from dicetown.rules.codes import MAX_PLAYERS
from dicetown.sight.spec import Spec
from dicetown.training.network import Network
from dicetown.training.pytorch import torch
from dicetown.training.selfplay import Arena
from dicetown.training.tables import ITSELF, Group

#: No game of ours has ever had so many choices.
_LONGEST = 4_000
_LOOK = 50  # steps between two looks whether any game is left


class _Played(NamedTuple):
    ended: Any  # whether a slot's first game has come to its end
    outcomes: Any  # 1 for who won, by seat
    seats: Any  # where the network sat, or who chose last if it had all seats


def play(network: Network, arena: Arena, rivals: dict[str, Any] | None = None, first: Any = None) -> _Played:
    """The first game of each slot, all players taking what they like best; what comes first can be said."""
    rows = torch.arange(arena.games, device=arena.device)
    ended = torch.zeros(arena.games, dtype=torch.bool, device=arena.device)
    outcomes = torch.zeros((arena.games, MAX_PLAYERS), device=arena.device)
    seats = torch.zeros_like(rows)
    with torch.no_grad():
        for step in range(_LONGEST):
            seen, masks = arena.see()
            inputs = network.look(seen, arena.traits[arena.group])
            likes = network.policy(inputs, masks)
            if rivals is not None:
                likes = torch.where(arena.is_mine[:, None], likes, network.policy(inputs, masks, rivals))
            seat = torch.where(arena.mine < 0, arena.seats, arena.mine)
            ends, came_out = arena.step(likes.argmax(dim=1) if first is None or step else first)
            over = ends & ~ended
            outcomes = torch.where(over[:, None], came_out, outcomes)
            seats = torch.where(over, seat, seats)
            ended |= over
            if step % _LOOK == 0 and bool(ended.all()):
                break
    return _Played(ended, outcomes, seats)


def measure(
    network: Network,
    groups: list[Group],
    device: str,
    widest: list[Spec],
    seed: int,
    rivals: dict[str, Any] | None = None,
) -> list[tuple[Spec, int, int]]:
    """Games won and played by a network, against bots or against other layers of its kind."""
    arena = Arena(network.outlook, groups, device, seed, widest)
    arena.batch.reset(seed)
    played = play(network, arena, rivals)
    won = played.outcomes.gather(1, played.seats[:, None]).squeeze(1) > 0.9
    wins, games = (_by_group(part, arena) for part in (won & played.ended, played.ended))
    return [(group.table.spec, int(wins[k]), int(games[k])) for k, group in enumerate(groups)]


def play_out(
    network: Network,
    positions: list[Table],
    games: int,
    device: str,
    widest: list[Spec],
    seed: int,
    first: Sequence[int] | None = None,
) -> NDArray[np.float64]:
    """How often each seat wins if the network plays on for all, so many times from each position.

    What comes first in each can be said: an action, by its number at that table.
    """
    groups = [Group(table, games, ITSELF) for table in positions]
    arena = Arena(network.outlook, groups, device, seed, widest)
    arena.batch.reset(seed)
    taken = None
    if first is not None:
        does = [
            network.outlook.place(table.spec).does[number]
            for table, number in zip(positions, first, strict=True)
        ]
        taken = torch.as_tensor(np.array(does), device=device)[arena.group]
    played = play(network, arena, first=taken)
    wins = np.stack([_by_group(played.outcomes[:, seat] > 0.9, arena) for seat in range(MAX_PLAYERS)], axis=1)
    return np.asarray(wins / wins.sum(axis=1, keepdims=True))


def _by_group(marked: Any, arena: Arena) -> NDArray[np.float64]:
    counts = torch.zeros(len(arena.groups), device=arena.device).index_add_(0, arena.group, marked.float())
    return np.asarray(counts.double().cpu().numpy())
