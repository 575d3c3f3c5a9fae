"""Dicetown for PettingZoo, version 0: `env`, as its classic games have it, and `parallel_env`.

>>> from dicetown.envs import dicetown_v0
>>> env = dicetown_v0.env(edition="deluxe", sets=["base"], players=3)
>>> env.reset(seed=7)
>>> for agent in env.agent_iter():
...     seen, reward, terminated, truncated, info = env.last()
...     over = terminated or truncated
...     env.step(None if over else env.action_space(agent).sample(seen["action_mask"]))
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dicetown.extras import need

if TYPE_CHECKING:
    from pettingzoo import AECEnv, ParallelEnv  # type: ignore[import-untyped]

#: What an illegal action costs; the game is over then, and nobody else gets anything.
ILLEGAL_REWARD = -1


def env(max_cycles: int | None = None, **table: Any) -> AECEnv[str, Any, int]:
    """A game in which each player is an agent: ``player_0`` begins.

    `table` says what is played: ``edition``, ``sets`` (all of the edition's if not given), ``players``,
    ``house`` (house rules by name), ``max_turns`` (the game is cut off then), and ``render_mode`` (human,
    ansi or rgb_array).

    Whoever makes an illegal move loses, as in PettingZoo's classic games. With `max_cycles` the game is
    played in cycles, as by :func:`parallel_env`, but the agents hand their actions in one after the other.
    """
    need("envs", "gymnasium", "pettingzoo", what="This environment")
    from pettingzoo.utils import parallel_to_aec, wrappers  # type: ignore[import-untyped]

    if max_cycles is not None:
        return parallel_to_aec(parallel_env(max_cycles, **table))
    game = raw_env(**table)
    game = wrappers.TerminateIllegalWrapper(game, illegal_reward=ILLEGAL_REWARD)
    game = wrappers.AssertOutOfBoundsWrapper(game)
    return wrappers.OrderEnforcingWrapper(game)


def raw_env(**table: Any) -> AECEnv[str, Any, int]:
    """The same without the wrappers of the classic games: an illegal action is an `EnvError`."""
    need("envs", "gymnasium", "pettingzoo", what="This environment")
    from dicetown.envs.pettingzoo_env import PlayersInTurn

    return PlayersInTurn(**table)


def parallel_env(max_cycles: int | None = None, **table: Any) -> ParallelEnv[str, Any, int]:
    """The same game in cycles: all hand in an action, and only that of the player who has a choice counts.

    An illegal one is replaced by a legal one, by chance. After `max_cycles` the game is cut off.
    """
    need("envs", "gymnasium", "pettingzoo", what="This environment")
    from dicetown.envs.pettingzoo_cycles import PlayersAtOnce

    return PlayersAtOnce(max_cycles, **table)
