"""The bot `champion`: a network that learned by playing itself, at all tables of all editions."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from functools import lru_cache
from random import Random
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from dicetown.bots.bot import Bot, Option
from dicetown.bots.description import Description
from dicetown.bots.encode import decode, encode
from dicetown.bots.learning.champion import champion_at
from dicetown.bots.learning.temper import Temper
from dicetown.bots.rules.bots import RuleBot
from dicetown.bots.view import View
from dicetown.errors import BotError
from dicetown.game.notation import Action
from dicetown.sight.spec import Spec, spec_for

_log = logging.getLogger("dicetown.bots")


class ChampionBot(Bot):
    """Takes the action its network likes best; with a temper, one that it likes.

    Where there is another bot `instead`, that one plays at tables which the network refuses.
    """

    name = "champion"
    description: Mapping[str, str] = Description("champion")
    options: ClassVar[Mapping[str, Option]] = {
        "temperature": Option(0.0, "how freely it strays from what it likes best; 0 is never"),
        "fondness": Option(0.0, "how much it likes to go on with cards it has"),
        "caution": Option(0.0, "how much it dislikes two dice"),
        "haste": Option(0.0, "how much it dislikes to save its coins"),
        "aside": Option(False, "whether it looks at its own city alone"),
    }

    def __init__(self, instead: RuleBot | None = None, **temper: Any) -> None:
        self.temper = Temper(**temper)
        self.instead = instead

    def player_at(self, spec: Spec) -> Bot:
        """Who plays at a table: this bot, or the one instead of it."""
        return self.instead if self.instead is not None and is_refused(spec) else self

    def choose(self, view: View, rng: Random) -> Action:
        """An action that it likes; a single legal one needs no thought."""
        spec = spec_for(view.ruleset, view.players)
        if (player := self.player_at(spec)) is not self:
            return player.choose(view, rng)
        luck = np.array([rng.random()])
        if len(view.legal_actions) == 1:
            return view.legal_actions[0]
        observation, mask = encode(view)
        return decode(view, int(self.choose_many(spec, observation[None], mask[None], luck)[0]))

    def choose_many(
        self, spec: Spec, seen: NDArray[np.int16], masks: NDArray[np.int8], luck: NDArray[np.float64]
    ) -> NDArray[np.int64]:
        """An action in each of many positions; luck is a number from 0 up to 1 for each."""
        return self.temper.choose(champion_at(spec.ruleset, spec.players), seen, masks, luck)


@lru_cache(maxsize=64)
def is_refused(spec: Spec) -> bool:
    """Whether the network does not play at a table; the reason is logged, once."""
    try:
        champion_at(spec.ruleset, spec.players)
    except BotError as problem:
        _log.warning("%s Levels follow rules there instead.", problem)
        return True
    return False
