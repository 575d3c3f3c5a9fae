"""Dicetown in cycles, for whoever wants an action of every agent at once.

In each cycle all agents hand in an action, and only that of the player who has a choice counts; if it is not
legal, a legal one is taken by chance instead. Machi Koro itself has no such cycles; PettingZoo's tools for
parallel environments count them.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from gymnasium.spaces import Dict, Discrete
from numpy.typing import NDArray
from pettingzoo import ParallelEnv  # type: ignore[import-untyped]

from dicetown.envs.core.batch import read_action
from dicetown.envs.pettingzoo_env import PlayersInTurn
from dicetown.errors import EnvError
from dicetown.sight.spec import VERSION

Seen = dict[str, NDArray[Any]]


class PlayersAtOnce(ParallelEnv):  # type: ignore[misc]  # it says nothing about its types
    """A game among agents in cycles; see :func:`dicetown.envs.dicetown_v0.parallel_env`."""

    metadata: ClassVar[dict[str, Any]] = {
        **PlayersInTurn.metadata,
        "name": f"dicetown_parallel_v{VERSION}",
        "is_parallelizable": True,
    }

    def __init__(self, max_cycles: int | None = None, **table: Any) -> None:
        self.max_cycles = max_cycles
        self._table = PlayersInTurn(**table)
        self.render_mode = self._table.render_mode
        self.possible_agents = self._table.possible_agents
        self.agents: list[str] = []
        self._cycles = 0

    def observation_space(self, agent: str) -> Dict:
        """What an agent sees: the same for all."""
        return self._table.observation_space(agent)

    def action_space(self, agent: str) -> Discrete:
        """What an agent may do: the same for all."""
        return self._table.action_space(agent)

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Seen], dict[str, dict[str, Any]]]:
        """Begin the first game of a seed; without one, the next game of the seed before."""
        self._table.reset(seed, options)
        self._cycles = 0
        self.agents = self._table.agents[:]
        return self._seen(), self._table.infos

    def step(
        self, actions: dict[str, int]
    ) -> tuple[
        dict[str, Seen], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]
    ]:
        """Take the action of the player who has a choice; what the others hand in is not looked at."""
        game = self._table.game
        agent = self._table.agent_selection
        if agent not in actions:
            raise EnvError(f"{agent} is to choose, but no action of theirs was handed in.")
        wanted = read_action(actions[agent])
        self._table.step(wanted if game.allows(wanted) else game.any_action())
        self._cycles += 1
        rewards, terminations = dict(self._table.rewards), dict(self._table.terminations)
        truncations = dict(self._table.truncations)
        if self._cycles == self.max_cycles and game.goes_on:
            truncations = dict.fromkeys(self.agents, True)
        if any(terminations.values()) or any(truncations.values()):
            self.agents = []
        return self._seen(), rewards, terminations, truncations, self._table.infos

    def _seen(self) -> dict[str, Seen]:
        return {agent: self._table.observe(agent) for agent in self.possible_agents}

    def state(self) -> NDArray[np.int16]:
        """The whole table, as player_0 sees it."""
        return self._table.state()

    def render(self) -> str | NDArray[np.uint8] | None:
        """The table as text, as a picture, or printed."""
        return self._table.render()

    def close(self) -> None:
        """Nothing is held."""
