"""Dicetown for PettingZoo: every player is an agent, and whoever has a real choice is asked.

Players may have several choices in a row, or none in a round. :mod:`dicetown.envs.dicetown_v0` is the way in.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete
from numpy.typing import NDArray
from pettingzoo import AECEnv  # type: ignore[import-untyped]

from dicetown.envs import spaces
from dicetown.envs.core.batch import PATIENCE, Table, read_action
from dicetown.envs.core.one_game import OneGame
from dicetown.envs.rendering.modes import RENDER_MODES, check_mode, render
from dicetown.rules.ruleset import Ruleset
from dicetown.sight.spec import VERSION

SEED_BITS = 63


class PlayersInTurn(AECEnv):  # type: ignore[misc]  # it says nothing about its types
    """A game among agents; see :func:`dicetown.envs.dicetown_v0.env`."""

    metadata: ClassVar[dict[str, Any]] = {
        "name": f"dicetown_v{VERSION}",
        "render_modes": [*RENDER_MODES],
        "render_fps": 2,
        "is_parallelizable": False,
    }

    def __init__(
        self,
        edition: str = "deluxe",
        sets: Sequence[str] | None = None,
        players: int = 2,
        house: dict[str, Any] | None = None,
        max_turns: int = PATIENCE,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self.render_mode = check_mode(render_mode)
        self.game = OneGame(Table.of(Ruleset(edition, sets, house), players), max_turns)
        self.possible_agents = [f"player_{seat}" for seat in range(players)]
        self.agents: list[str] = []
        spec = self.game.spec
        self.state_space: Box = spaces.observations(spec)
        self.observation_spaces = {agent: spaces.masked_observations(spec) for agent in self.possible_agents}
        self.action_spaces = {agent: spaces.actions(spec) for agent in self.possible_agents}
        self._seed = secrets.randbits(SEED_BITS)
        self._next_game = 0

    def observation_space(self, agent: str) -> Dict:
        """What an agent sees: the same for all."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Discrete:
        """What an agent may do: the same for all."""
        return self.action_spaces[agent]

    # ------------------------------------------------------------------------ playing

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin the first game of a seed; without one, the next game of the seed before."""
        if seed is not None:
            self._seed, self._next_game = seed, 0
        self.game.begin(self._seed, self._next_game)
        self._next_game += 1
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._turn_to_who_chooses()

    def step(self, action: int | None) -> None:
        """Take the choice of the agent selected, and go on to the next choice of anybody."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        assert action is not None
        self.game.take(read_action(action))
        self._cumulative_rewards[agent] = 0.0
        if not self.game.goes_on:
            self._end()
        self._turn_to_who_chooses()
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def _turn_to_who_chooses(self) -> None:
        self.agent_selection = self.possible_agents[self.game.seat]
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.infos[self.agent_selection]["action_mask"] = self.game.mask.copy()

    def _end(self) -> None:
        payoffs = self.game.payoffs.tolist()
        self.rewards = dict(zip(self.possible_agents, payoffs, strict=True))
        if self.game.given_up:
            self.truncations = dict.fromkeys(self.agents, True)
        else:
            self.terminations = dict.fromkeys(self.agents, True)

    # ------------------------------------------------------------------------ looking

    def observe(self, agent: str) -> dict[str, NDArray[Any]]:
        """What an agent sees from its seat; where it is not asked, no action is legal."""
        seat = self.possible_agents.index(agent)
        asked = seat == self.game.seat
        mask = self.game.mask.copy() if asked else np.zeros_like(self.game.mask)
        return {"observation": self.game.seen_by(seat), "action_mask": mask}

    def state(self) -> NDArray[np.int16]:
        """The whole table, as player_0 sees it: nothing is hidden from anybody."""
        return self.game.seen_by(0)

    def render(self) -> str | NDArray[np.uint8] | None:
        """The table as text, as a picture, or printed."""
        return render(self.game.as_game(), self.possible_agents, self.render_mode)

    def close(self) -> None:
        """Nothing is held."""
