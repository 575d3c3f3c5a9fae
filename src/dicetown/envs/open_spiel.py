"""Machi Koro as a game of OpenSpiel, ``python_dicetown``: for its searches, solvers and learners.

    import pyspiel
    import dicetown.envs.open_spiel  # makes the game known

    game = pyspiel.load_game("python_dicetown(edition=deluxe,sets=base+harbor,players=4)")

Dice, tuna dice and draws are chance nodes with their exact probabilities; everything else is public, so it is
a game of perfect information. Who wins gets 1, the others share the loss; a game that nobody has won after
`max_turns` turns is given up and pays nobody. Observations and actions are numbered as in all environments,
on the pages in `docs/envs`. Rolling is a move even with one die only, and so is turning up a further card
while the market is filled (`draw`, the last action): searches that count moves come to their end that way.

House rules are written ``house=start_coins:5;without_cards:stadium+park``, since OpenSpiel keeps commas and
equals signs to itself.

The searches in ``open_spiel.python`` run on it; ``pyspiel.MCTSBot``, which is written in C++, crashes on
games that are written in Python, its own too, as of OpenSpiel 2.0.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dicetown.envs.core.batch import PATIENCE, at_least_one
from dicetown.envs.core.tree import Node, Tree, tree_for
from dicetown.envs.core.tree_steps import CHANCE, ENDED
from dicetown.errors import EnvError
from dicetown.extras import need
from dicetown.rules.ruleset import Ruleset
from dicetown.rules.typed_rules import read_rules
from dicetown.sight.spec import VERSION

(pyspiel,) = need("envs", "pyspiel", what="The OpenSpiel game")
_Game: Any = pyspiel.Game
_State: Any = pyspiel.State

NAME = "python_dicetown"
_DEFAULTS: dict[str, Any] = {
    "edition": "deluxe",
    "sets": "",
    "players": 2,
    "house": "",
    "max_turns": PATIENCE,
}
_KIND = pyspiel.GameType(
    short_name=NAME,
    long_name=f"Machi Koro (Dicetown, version {VERSION})",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.PERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=5,
    min_num_players=2,
    provides_information_state_string=False,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification=_DEFAULTS,
)


def read_parameters(edition: str, sets: str, house: str) -> Ruleset:
    """The ruleset that a game's parameters name; no sets are all sets.

    >>> read_parameters("deluxe", "base+harbor", "start_coins:5;without_cards:stadium+cafe")
    Ruleset('deluxe', sets=['base', 'harbor'], house={'start_coins': 5, 'without_cards': ['stadium', 'cafe']})
    """
    rules = [rule.replace(":", "=", 1).replace("+", ",") for rule in house.split(";") if rule]
    return Ruleset(edition, sets=sets.split("+") if sets else None, house=read_rules(rules))


class DicetownGame(_Game):  # type: ignore[misc]
    """A ruleset for a number of players.

    >>> game = DicetownGame({"sets": "base", "players": 3})
    >>> game.num_players(), game.num_distinct_actions(), game.observation_tensor_shape()
    (3, 72, [124])
    """

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        chosen = _DEFAULTS | (params or {})
        at_least_one("max_turns", chosen["max_turns"])
        ruleset = read_parameters(*(str(chosen[name]) for name in ("edition", "sets", "house")))
        self.tree: Tree = tree_for(ruleset, chosen["players"], chosen["max_turns"])
        players = self.tree.spec.players
        scope = pyspiel.GameInfo(
            num_distinct_actions=self.tree.actions,
            max_chance_outcomes=len(self.tree.chances),
            num_players=players,
            min_utility=-1 / (players - 1),
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=self.tree.most_choices,
        )
        super().__init__(_KIND, scope, chosen)

    def new_initial_state(self) -> DicetownState:
        """The beginning of a game."""
        return DicetownState(self)

    def max_chance_nodes_in_history(self) -> int:
        """At least as many rolls and draws as any game can have."""
        return self.tree.most_chances

    def make_py_observer(self, kind: Any = None, params: Any = None) -> TableObserver:
        """Who shows the table to a player: all of it, whatever is asked for, since nothing is hidden."""
        if params:
            raise EnvError(f"The table can be shown in one way only, without parameters like {params}.")
        return TableObserver(self.tree)


class DicetownState(_State):  # type: ignore[misc]
    """A game in progress.

    >>> state = DicetownGame({"sets": "base"}).new_initial_state()
    >>> state.apply_action(state.legal_actions()[0])  # roll
    >>> state.is_chance_node(), state.chance_outcomes()[5]
    (True, (5, 0.16666666666666666))
    >>> state.apply_action(5)
    >>> state.current_player(), [state.action_to_string(action) for action in state.legal_actions()][:2]
    (0, ['pass', 'build wheat_field'])
    """

    def __init__(self, game: DicetownGame) -> None:
        super().__init__(game)
        # All that OpenSpiel copies and keeps of a state is in here, beside its history.
        self.node: Node = game.tree.root

    def current_player(self) -> int:
        """The seat that chooses, or who stands for chance or the end."""
        return self.node.player

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.node.player == ENDED

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """What chance may bring, and how likely."""
        return self.node.outcomes()

    def returns(self) -> list[float]:
        """What the game has paid so far: nothing before its end."""
        return self.node.payoffs()

    def _legal_actions(self, player: int) -> list[int]:
        return self.node.legal

    def _apply_action(self, action: int) -> None:
        self.node = self.node.after(action)

    def _action_to_string(self, player: int, action: int) -> str:
        tree = self.node.tree
        return tree.chance_names[action] if player == CHANCE else tree.action_name(player, action)

    def __str__(self) -> str:
        return self.node.position()


class TableObserver:
    """What a player sees, as OpenSpiel wants it told: a tensor, its parts by name, and a text."""

    def __init__(self, tree: Tree) -> None:
        self.tensor: NDArray[np.float32] = np.zeros(tree.spec.size, np.float32)
        self.dict = {field.name: self.tensor[field.at : field.at + field.size] for field in tree.spec.fields}

    def set_from(self, state: DicetownState, player: int) -> None:
        """Look at the table from a seat."""
        self.tensor[:] = state.node.seen_by(player)

    def string_from(self, state: DicetownState, player: int) -> str:
        """The position as one line of text; it is the same for all."""
        return state.node.position()


pyspiel.register_game(_KIND, DicetownGame)
