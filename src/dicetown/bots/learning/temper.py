"""How somebody errs who could play like the champion: as people do, never by a move at random.

A temper changes what is seen before the network is asked, what it likes afterwards, and how freely one of
the actions it likes is taken. Its numbers are in the units of the network's scores.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from dicetown.bots.learning.champion import Champion, Floats, softmax
from dicetown.errors import BotError
from dicetown.sight.spec import Spec

_MOST = 100
#: More copies of a card make nobody fonder of it.
_MANY = 3


@dataclass(frozen=True)
class Temper:
    """What somebody is like."""

    temperature: float = 0.0  # how freely it strays from what it likes best
    fondness: float = 0.0  # for another copy of a card, by copies it has: it goes on with what it has begun
    caution: float = 0.0  # about two dice
    haste: float = 0.0  # to build something, rather than to save
    aside: bool = False  # it looks at its own city alone, and takes all others to be like it

    def __post_init__(self) -> None:
        for field in fields(self):
            if not 0 <= (value := getattr(self, field.name)) <= _MOST:
                raise BotError(f'The bot "champion" has a {field.name} of 0 to {_MOST}, not {value:g}.')

    def choose(
        self, champion: Champion, seen: NDArray[np.int16], masks: NDArray[np.int8], luck: NDArray[np.float64]
    ) -> NDArray[np.int64]:
        """An action in each of many positions; luck is a number from 0 up to 1 for each."""
        if self == STEADY:
            return champion.choose(seen, masks)
        leanings = _leanings_at(champion.spec)
        scores = champion.scores(seen[:, leanings.own] if self.aside else seen, masks)
        copies = np.minimum(seen[:, leanings.owned], _MANY)
        scores[:, leanings.builds] += np.float32(self.fondness) * copies
        scores -= np.float32(self.caution) * leanings.two_dice + np.float32(self.haste) * leanings.idle
        if self.temperature == 0:
            return np.asarray(scores.argmax(axis=1))
        reached = softmax(scores / np.float32(self.temperature)).cumsum(axis=1)
        return np.asarray((reached > luck[:, None] * reached[:, -1:]).argmax(axis=1))


#: Somebody who never errs.
STEADY = Temper()


@dataclass(frozen=True)
class _Leanings:
    """Where a table has what tempers are about."""

    own: NDArray[np.int64]  # for each number that is seen, the same of one's own city
    builds: NDArray[np.int64]  # actions that build cards, …
    owned: NDArray[np.int64]  # … and where one's copies of them are seen
    two_dice: Floats  # 1 for actions that roll them
    idle: Floats  # 1 for building nothing


@lru_cache(maxsize=64)
def _leanings_at(spec: Spec) -> _Leanings:
    seen = {name: place for place, name in enumerate(spec.names)}
    does = {name: number for number, name in enumerate(spec.action_names)}
    cards = [card.id for card in spec.ruleset.cards]
    return _Leanings(
        np.array([seen.get(_own(name), place) for name, place in seen.items()]),
        np.array([does[f"build {card}"] for card in cards]),
        np.array([seen[f"me.owned.{card}"] for card in cards]),
        np.array([name in ("roll 2", "reroll 2") for name in does], np.float32),
        np.array([name == "pass" for name in does], np.float32),
    )


def _own(name: str) -> str:
    """What is seen of another city, of one's own.

    >>> _own("player+1.owned.cafe"), _own("market.cafe")
    ('me.owned.cafe', 'market.cafe')
    """
    who, dot, what = name.partition(".")
    return f"me.{what}" if dot and who.startswith("player+") else name
