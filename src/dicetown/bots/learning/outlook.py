"""The common view: all tables of a game seen by one pair of eyes.

Every table has observations and actions of its own (:class:`~dicetown.sight.spec.Spec`). An outlook is
the union of many: each number is known by its name (``player+1.owned.cafe``), each action by its notation
(``build cafe``), and a table's own are found in it by these names. What stays the same throughout a game, the
cards and landmarks that are in it, the number of players, the edition and its rules, are its *traits*.

Beside what is seen a network is given what it would find hard to make of it: *steps*, since what can be
bought and what a total pays are questions of thresholds (``me.coins >= 5``, ``total >= 7``), and *products*
(``me.owned.cheese_factory * me.owned.ranch``, `products.py`).

What was learned with an outlook is kept together with its names, so that a card added to the game later does
not move anything.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dicetown.bots.learning.products import factors_of, products_of
from dicetown.errors import BotError
from dicetown.material import load
from dicetown.sight.spec import Spec

#: More of anything is not told apart.
MOST = 100
#: What any number is divided by before the first layer of a network that learns.
_USUAL, _OF_COINS, _OF_PRODUCTS = 3.0, 10.0, 9.0
_AT_LEAST = " >= "
#: From how many coins on a city has one more of these inputs.
_COINS = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 16, 18, 20, 22, 26, 30, 36, 42, 50)
_DICE = {"die": range(1, 7), "other_die": range(1, 7), "total": range(1, 15)}


@dataclass(frozen=True)
class Outlook:
    """The names of all that can be seen and reckoned, of what tables are, and of all that can be done."""

    sees: tuple[str, ...]
    steps: tuple[str, ...]
    products: tuple[str, ...]
    traits: tuple[str, ...]
    does: tuple[str, ...]

    @classmethod
    def over(cls, specs: Iterable[Spec]) -> Outlook:
        """The union of what these tables have, in the order in which it is first met."""
        sees: dict[str, None] = {}
        products: dict[str, None] = {}
        traits: dict[str, None] = {}
        does: dict[str, None] = {}
        for spec in specs:
            sees |= dict.fromkeys(spec.names)
            products |= dict.fromkeys(products_of(load().games[spec.ruleset.edition.game]))
            traits |= dict.fromkeys(traits_of(spec))
            does |= dict.fromkeys(spec.action_names)
        steps = [f"{name}{_AT_LEAST}{least}" for name in sees for least in _steps_of(name)]
        return cls(*map(tuple, (sees, steps, products, traits, does)))

    @property
    def inputs(self) -> tuple[str, ...]:
        """The names of all numbers that a network is given."""
        return (*self.sees, *self.steps, *self.products, *self.traits)

    def scale(self) -> NDArray[np.float32]:
        """Factors that bring all inputs to the order of 1."""
        sizes = (
            *(_OF_COINS if "coins" in name else _USUAL for name in self.sees),
            *(1.0 for _ in self.steps),
            *(_OF_PRODUCTS for _ in self.products),
            *(1.0 for _ in self.traits),
        )
        return np.float32(1) / np.array(sizes, np.float32)

    def place(self, spec: Spec) -> Placed:
        """Where a table's observations, traits and actions are found here.

        What is seen but not known counts for nothing; an action that is not known makes the table unplayable.
        """
        sees, traits, does = (numbered(names) for names in (self.sees, self.traits, self.does))
        if strange := [name for name in spec.action_names if name not in does]:
            more = f" and {len(strange) - 1} more" if len(strange) > 1 else ""
            raise BotError(f'The champion has not learned "{strange[0]}"{more}, which this table has.')
        return Placed(
            np.array([sees.get(name, -1) for name in spec.names]),
            Reckoning.of(self, spec.names),
            np.array([traits[name] for name in traits_of(spec) if name in traits]),
            np.array([does[name] for name in spec.action_names]),
        )


def _steps_of(name: str) -> Iterable[int]:
    if name.endswith(".coins"):
        return _COINS
    return (1,) if name.startswith("market.") else _DICE.get(name, ())


@dataclass(frozen=True)
class Reckoning:
    """How steps and products are reckoned of numbers that are seen; those that always are 0 are left out."""

    inputs: NDArray[np.int64]  # places among the inputs of the outlook: of steps, then of products
    columns: NDArray[np.int64]  # for each step, where what it asks about is seen
    least: NDArray[np.int16]
    factors: tuple[NDArray[np.float32], NDArray[np.float32]]  # from what is seen to either side of products

    @classmethod
    def of(cls, outlook: Outlook, seen: tuple[str, ...]) -> Reckoning:
        """How to reckon them of numbers that have these names."""
        at, inputs = numbered(seen), numbered(outlook.inputs)
        steps = [(step, *step.split(_AT_LEAST)) for step in outlook.steps]
        here = [(step, at[name], int(least)) for step, name, least in steps if name in at]
        products = [
            product for product in outlook.products if all(_known(side, at) for side in factors_of(product))
        ]
        factors = np.zeros((2, len(seen), len(products)), np.float32)
        for column, product in enumerate(products):
            for side, names in zip(factors, factors_of(product), strict=True):
                side[_known(names, at), column] = 1
        return cls(
            np.array([inputs[name] for name in (*(step for step, _, _ in here), *products)]),
            np.array([column for _, column, _ in here]),
            np.array([least for _, _, least in here], np.int16),
            (factors[0], factors[1]),
        )

    def reckon(self, seen: NDArray[np.float32]) -> NDArray[np.float32]:
        """Steps and products, a row for each row of what is seen."""
        one, other = self.factors
        steps = seen[:, self.columns] >= self.least
        return np.concatenate((steps, (seen @ one) * (seen @ other)), axis=1, dtype=np.float32)


def _known(names: Iterable[str], at: dict[str, int]) -> list[int]:
    return [at[name] for name in names if name in at]


@dataclass(frozen=True)
class Placed:
    """A table within an outlook: places of what it shows (-1 for unknown), is and offers."""

    sees: NDArray[np.int64]
    reckoning: Reckoning
    traits: NDArray[np.int64]
    does: NDArray[np.int64]


def traits_of(spec: Spec) -> list[str]:
    """What stays the same throughout a game at a table, by name.

    >>> from dicetown.sight.spec import Spec
    >>> from dicetown.rules.ruleset import Ruleset
    >>> traits = traits_of(Spec(Ruleset("deluxe", sets=["base"]), 2))
    >>> traits[:2], "has.cafe" in traits, "has.harbor" in traits
    (['edition.deluxe', 'players.2'], True, False)
    """
    ruleset = spec.ruleset
    rules: Any = ruleset.rules
    return [
        f"edition.{ruleset.edition.id}",
        f"players.{spec.players}",
        *(f"has.{card.id}" for card in ruleset.cards),
        *(f"has.{landmark.id}" for landmark in ruleset.landmarks),
        *(f"rule.{switch}={getattr(rules, switch)}" for switch in rules.__struct_fields__),
    ]


def numbered(names: Iterable[str]) -> dict[str, int]:
    """The place of each name."""
    return {name: number for number, name in enumerate(names)}
