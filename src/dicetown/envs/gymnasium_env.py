"""Dicetown for Gymnasium: you against named bots.

An observation is the table as numbers (a `Box`), and ``info["action_mask"]`` says which actions are legal,
as in Gymnasium's own Taxi. The mask is not part of the observation: learners feed that to a network as it is,
and those that mask actions ask for the mask apart (MaskablePPO calls :meth:`DicetownEnv.action_masks`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, SupportsIndex, get_args

import numpy as np
from gymnasium import Env
from numpy.typing import DTypeLike, NDArray

from dicetown.envs import spaces
from dicetown.envs.core.batch import PATIENCE, Table, read_action
from dicetown.envs.core.one_game import OneGame
from dicetown.envs.rendering.modes import RENDER_MODES, check_mode, render
from dicetown.errors import EnvError
from dicetown.rules.ruleset import Ruleset

#: What becomes of an illegal action: the game is lost, a legal one is taken by chance, or it is refused.
Illegal = Literal["lose", "random", "error"]
ILLEGAL_REWARD = -1.0


class DicetownEnv(Env[NDArray[Any], np.int64]):
    """A game of an agent against bots, from one of its choices to the next.

    `opponents` names the bots clockwise from the agent, or one for all seats: any of ``dicetown bots``, with
    options (``greedy:slips=50``); those that think are asked one by one, which is slow. `seat` is the
    agent's; without one it sits in the next seat in each game. `illegal` says what becomes of an illegal
    action: ``lose`` (the game is over, the reward -1), ``random`` (a legal one is taken by chance) or
    ``error`` (it is refused). Observations are whole numbers of 16 bits, or the same as
    ``dtype="float32"``.

    >>> env = DicetownEnv(sets=["base"], players=4, opponents=["greedy", "random", "greedy"], seat=0)
    >>> seen, info = env.reset(seed=7)
    >>> seen.shape, info["action_mask"].shape, info["seat"], info["game"]
    ((146,), (73,), 0, 0)
    """

    metadata = {"render_modes": [*RENDER_MODES], "render_fps": 2}  # noqa: RUF012 - as Gymnasium declares it

    def __init__(
        self,
        edition: str = "deluxe",
        sets: Sequence[str] | None = None,
        players: int = 2,
        house: dict[str, Any] | None = None,
        opponents: Sequence[str] | str = ("greedy",),
        seat: int | None = None,
        illegal: Illegal = "lose",
        max_turns: int = PATIENCE,
        dtype: DTypeLike = np.int16,
        render_mode: str | None = None,
    ) -> None:
        if illegal not in get_args(Illegal):
            raise EnvError(f'illegal="{illegal}" is not known; it is one of: {", ".join(get_args(Illegal))}.')
        if opponents is None:
            raise EnvError("Name opponents; agents that play each other meet in dicetown.envs.dicetown_v0.")
        self.render_mode = check_mode(render_mode)
        self.game = OneGame(Table.of(Ruleset(edition, sets, house), players, opponents, seat), max_turns)
        self._dtype = spaces.read_dtype(dtype)
        self.observation_space = spaces.observations(self.game.spec, self._dtype)
        self.action_space = spaces.actions(self.game.spec)
        self._illegal = illegal
        self._lost = False
        self._seed: int | None = None
        self._next_game = 0

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[Any], dict[str, Any]]:
        """Begin the first game of a seed; without one, the next game of the seed before.

        ``options={"game": n}`` begins game n instead. Slot k of a vector of m games plays k, k + m, k + 2m, …
        """
        super().reset(seed=seed)
        if seed is not None or self._seed is None:
            self._seed, self._next_game = self.np_random_seed, 0
        number = int((options or {}).get("game", self._next_game))
        self.game.begin(self._seed, number)
        self._next_game = number + 1
        self._lost = False
        self._show()
        return self._seen(), self._info()

    def step(self, action: SupportsIndex) -> tuple[NDArray[Any], float, bool, bool, dict[str, Any]]:
        """Take an action, and go on through dice and bots to the agent's next choice, or to the end."""
        if self._lost:
            raise EnvError("The game is lost; begin another one.")
        game, wanted = self.game, read_action(action)
        if game.goes_on and self._illegal != "error" and not game.allows(wanted):
            if self._illegal == "lose":
                self._lost = True
                return self._seen(), ILLEGAL_REWARD, True, False, self._info()
            wanted = game.any_action()
        game.take(wanted)
        self._show()
        over = not game.goes_on
        reward = float(game.payoffs[game.seat]) if over else 0.0
        return self._seen(), reward, over and not game.given_up, game.given_up, self._info()

    def _seen(self) -> NDArray[Any]:
        return self.game.seen_by(self.game.seat).astype(self._dtype, copy=False)

    def action_masks(self) -> NDArray[np.bool_]:
        """Which actions are legal now."""
        return self.game.mask.astype(np.bool_)

    def _info(self) -> dict[str, Any]:
        mask = np.zeros_like(self.game.mask) if self._lost else self.game.mask.copy()
        return {"action_mask": mask, "seat": self.game.seat, "game": self.game.number}

    # ------------------------------------------------------------------------ looking

    def render(self) -> Any:
        """The table as text, as a picture, or printed."""
        return render(self.game.as_game(), self._names(), self.render_mode)

    def close(self) -> None:
        """Send the bots home."""
        self.game.close()

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()

    def _names(self) -> list[str]:
        names = ["agent", *self.game.table.opponents]
        seats = range(self.game.spec.players)
        return [names[(seat - self.game.seat) % len(names)] for seat in seats]
