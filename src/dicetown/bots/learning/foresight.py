"""Foresight: everybody's chance to win in any position, as the champion sees it.

The champion has learned to tell chances where somebody has something to choose. Anywhere else the game is
played on by itself until somebody has (`unfold.py`), and all positions that were reached are shown to the
network together. Nothing has to be compiled for that; where it has been, it goes ten times as fast.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dicetown.bots.learning.champion import Champion, champion_at
from dicetown.bots.learning.unfold import Unfolding
from dicetown.bots.view import View
from dicetown.rules.chance import find_outcomes
from dicetown.rules.layout import CHOICES, LOG, OUTCOMES, copy, new
from dicetown.rules.step import happen

Chances = tuple[float, ...]


def chances_at(view: View) -> Chances:
    """Everybody's chance to win, by seat; of a game that ended without a winner nobody has one.

    >>> from dicetown import Game, Ruleset
    >>> told = chances_at(View.of(Game(Ruleset("deluxe", sets=["base"]), players=2, seed=7)))
    >>> len(told), round(sum(told), 4)
    (2, 1.0)
    """
    return chances_of_all([view])[0]


def chances_of_all(views: Sequence[View]) -> list[Chances]:
    """The same for many positions of one table: the network is asked about all together."""
    if not views:
        return []
    weighing = _Weighing(views[0], len(views))
    for number, view in enumerate(views):
        weighing.add(view, None, number)
    return weighing.chances()


def after_each(view: View) -> dict[int, Chances]:
    """Everybody's chances after each legal action, by its number in the engine.

    >>> from dicetown import Game, Ruleset
    >>> list(after_each(View.of(Game(Ruleset("deluxe", sets=["base"]), players=2, seed=7))))
    [0]
    """
    return after_each_of_all([view])[0]


def after_each_of_all(views: Sequence[View]) -> list[dict[int, Chances]]:
    """The same for many positions of one table: the network is asked about all together."""
    if not views:
        return []
    actions = [sorted(view.choices.action[: view.choices.count].tolist()) for view in views]
    pairs = [(view, action) for view, legal in zip(views, actions, strict=True) for action in legal]
    weighing = _Weighing(views[0], len(pairs))
    for number, (view, action) in enumerate(pairs):
        weighing.add(view, action, number)
    told = iter(weighing.chances())
    return [{action: next(told) for action in legal} for legal in actions]


def luck_of_each(view: View) -> dict[int, Chances]:
    """How much more than on average everybody gets by each outcome of chance that is due, by its number.

    Times how likely they are, these add up to nothing, however wrong the network is. So who takes the luck
    off how games came out has the same mean, and far less scatter.

    >>> from dicetown import Game, Ruleset
    >>> game = Game(Ruleset("deluxe", sets=["base"]), players=2, seed=7, chance="manual")
    >>> _ = game.play("roll 1")
    >>> luck = luck_of_each(View.of(game))
    >>> sorted(luck), round(abs(sum(one[0] for one in luck.values())), 9)
    ([1, 2, 3, 4, 5, 6], 0.0)
    """
    outcomes, quiet, choices = new(OUTCOMES), new(LOG), new(CHOICES)
    find_outcomes(view.tables, view.state, outcomes)
    numbers = outcomes.outcome[: outcomes.count].tolist()
    after = [View(view.ruleset, view.players, copy(view.state)) for _ in numbers]
    for one, outcome in zip(after, numbers, strict=True):
        happen(view.tables, one.state, quiet, choices, outcome)
    told = np.array(chances_of_all(after))
    usual = np.average(told, axis=0, weights=outcomes.weight[: outcomes.count])
    return {number: tuple(row) for number, row in zip(numbers, (told - usual).tolist(), strict=True)}


class _Weighing:
    """Chances added up: so many positions, each of which unfolds into others that are weighed."""

    def __init__(self, view: View, many: int) -> None:
        self._champion = champion_at(view.ruleset, view.players)
        self._unfolding = Unfolding(self._champion.spec)
        self._found = np.zeros((many, view.players))

    def add(self, view: View, action: int | None, number: int) -> None:
        """Unfold a position, or what follows an action there."""
        if self._unfolding.is_full:
            self._weigh()
        self._unfolding.unfold(view, action, number)

    def chances(self) -> list[Chances]:
        """Everybody's chances for each of the positions."""
        self._weigh()
        return [tuple(row) for row in self._found.tolist()]

    def _weigh(self) -> None:
        sheets, tips = self._unfolding.take()
        told = chances_at_tips(self._champion, sheets, tips)
        np.add.at(self._found, tips["number"], told * tips["weight"][:, None])


def chances_at_tips(champion: Champion, sheets: NDArray[np.int16], tips: NDArray[Any]) -> NDArray[np.float64]:
    """Everybody's chances, by seat, where somebody has a choice or all is over."""
    told = by_seat(champion.chances(sheets), tips["seat"])
    over = np.flatnonzero(tips["over"])
    told[over] = 0
    won = over[tips["winner"][over] >= 0]
    told[won, tips["winner"][won]] = 1
    return told


def by_seat(chances: NDArray[np.float32], seats: NDArray[np.int64]) -> NDArray[np.float64]:
    """Chances that were told from seats on clockwise, by seat; each row adds up to 1 exactly.

    >>> by_seat(np.array([[0.5, 0.25, 0.25]], np.float32), np.array([2])).tolist()
    [[0.25, 0.25, 0.5]]
    """
    told = chances.astype(np.float64)
    told /= told.sum(axis=1, keepdims=True)
    players = told.shape[1]
    places = (np.arange(players) - np.asarray(seats)[:, None]) % players
    return np.take_along_axis(told, places, axis=1)
