"""At a glance: what the champion's network sees in positions, before anybody thinks about them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from dicetown.bots.encode import decode, encode
from dicetown.bots.learning.champion import champion_at
from dicetown.bots.learning.foresight import Chances, after_each_of_all
from dicetown.bots.view import View
from dicetown.game.notation import Action
from dicetown.intervals import Z
from dicetown.review.advice import Option
from dicetown.rules.layout import CHOICES, new

#: How far a chance seen at a glance is off, as a standard error: measured, ``docs/thinking.md`` says how.
ERROR = 0.01
#: So many actions that the network likes are compared with what was done.
FAVOURITES = 2


@dataclass(frozen=True, eq=False)
class Few(View):
    """A position in which only some of the legal actions are compared."""

    compared: tuple[Action, ...]

    @classmethod
    def of_view(cls, view: View, actions: Sequence[Action]) -> Few:
        """The position of a view."""
        return cls(view.ruleset, view.players, view.state, tuple(actions))

    @cached_property
    def choices(self) -> Any:
        """These actions as kernels read them."""
        choices = new(CHOICES)
        choices.action[: len(self.compared)] = [action.number for action in self.compared]
        choices.count = len(self.compared)
        return choices


def glance_at(view: View) -> list[Option]:
    """Every legal action of a position, the best first; a table the network does not know is refused."""
    return glance_at_all([view])[0]


def glance_at_all(views: Sequence[View]) -> list[list[Option]]:
    """The same for many positions of one table."""
    return [_options(view, told) for view, told in zip(views, after_each_of_all(views), strict=True)]


def favourites_and(views: Sequence[View], taken: Sequence[Action | None]) -> list[View]:
    """The same positions, in which only what was done and what the network likes best is compared."""
    if not views:
        return []
    seen, masks = zip(*map(encode, views), strict=True)
    scores = champion_at(views[0].ruleset, views[0].players).scores(np.stack(seen), np.stack(masks))
    found: list[View] = []
    for view, liked, done in zip(views, np.argsort(-scores, axis=1, kind="stable"), taken, strict=True):
        best = [decode(view, int(number)) for number in liked[: min(FAVOURITES, view.choices.count)]]
        actions = best if done is None or done in best else [*best, done]
        found.append(Few.of_view(view, actions))
    return found


def _options(view: View, told: dict[int, Chances]) -> list[Option]:
    options = [
        seen_option(view.notation.action(number), chances, view.seat) for number, chances in told.items()
    ]
    return sorted(options, key=lambda option: -option.chances[view.seat])


def seen_option(action: Action, chances: Chances, seat: int) -> Option:
    """An action as it looks at a glance to who decides."""
    reach = Z * ERROR
    return Option(
        action, chances, max(0.0, chances[seat] - reach), min(1.0, chances[seat] + reach), ERROR, visits=0
    )
