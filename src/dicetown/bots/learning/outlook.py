"""The common view: all tables of a game seen by one pair of eyes.

Every table has observations and actions of its own (:class:`~dicetown.sight.spec.Spec`). An outlook is
the union of many: each number is known by its name (``player+1.owned.cafe``), each action by its notation
(``build cafe``), and a table's own are found in it by these names. What stays the same throughout a game, the
cards and landmarks that are in it, the number of players, the edition and its rules, are its *traits*.

What was learned with an outlook is kept together with its names, so that a card added to the game later does
not move anything.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dicetown.errors import BotError
from dicetown.rules.codes import MAX_PLAYERS
from dicetown.sight.spec import Spec

#: From so many coins on a city has one more of these inputs: what can be bought is a question of thresholds.
STAIRS = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 16, 18, 20, 22, 26, 30, 36, 42, 50)
#: More of anything is not told apart.
MOST = 100
#: What any number is divided by before the first layer of a network that learns.
_USUAL, _OF_COINS = 3.0, 10.0
_COINS = tuple(f"{'me' if seat == 0 else f'player+{seat}'}.coins" for seat in range(MAX_PLAYERS))


@dataclass(frozen=True)
class Outlook:
    """The names of all that can be seen, of what tables are, and of all that can be done."""

    sees: tuple[str, ...]
    traits: tuple[str, ...]
    does: tuple[str, ...]

    @classmethod
    def over(cls, specs: Iterable[Spec]) -> Outlook:
        """The union of what these tables have, in the order in which it is first met."""
        sees: dict[str, None] = {}
        traits: dict[str, None] = {}
        does: dict[str, None] = {}
        for spec in specs:
            sees |= dict.fromkeys(spec.names)
            traits |= dict.fromkeys(traits_of(spec))
            does |= dict.fromkeys(spec.action_names)
        return cls(tuple(sees), tuple(traits), tuple(does))

    @property
    def inputs(self) -> int:
        """How many numbers a network is given: what is seen, the stairs of coins, and the traits."""
        return len(self.sees) + MAX_PLAYERS * len(STAIRS) + len(self.traits)

    def scale(self) -> NDArray[np.float32]:
        """Factors that bring everything that is seen to the order of 1."""
        return np.array([1 / (_OF_COINS if "coins" in name else _USUAL) for name in self.sees], np.float32)

    def coins(self) -> NDArray[np.int64]:
        """Where each city's coins are among what is seen; MAX_PLAYERS of them."""
        return np.array([self.sees.index(name) for name in _COINS])

    def place(self, spec: Spec) -> Placed:
        """Where a table's observations, traits and actions are found here.

        What is seen but not known counts for nothing; an action that is not known makes the table unplayable.
        """
        sees, traits, does = (_numbered(names) for names in (self.sees, self.traits, self.does))
        if strange := [name for name in spec.action_names if name not in does]:
            more = f" and {len(strange) - 1} more" if len(strange) > 1 else ""
            raise BotError(f'The champion has not learned "{strange[0]}"{more}, which this table has.')
        return Placed(
            np.array([sees.get(name, -1) for name in spec.names]),
            np.array([traits[name] for name in traits_of(spec) if name in traits]),
            np.array([does[name] for name in spec.action_names]),
        )


@dataclass(frozen=True)
class Placed:
    """A table within an outlook: places of what it shows (-1 for unknown), is and offers."""

    sees: NDArray[np.int64]
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


def _numbered(names: Iterable[str]) -> dict[str, int]:
    return {name: number for number, name in enumerate(names)}
