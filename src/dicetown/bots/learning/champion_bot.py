"""The bot `champion`: a network that learned by playing itself, at all tables of all editions."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import ClassVar

import numpy as np

from dicetown.bots.bot import Bot, Option
from dicetown.bots.description import Description
from dicetown.bots.encode import decode, encode
from dicetown.bots.learning.champion import champion_at
from dicetown.bots.view import View
from dicetown.errors import BotError
from dicetown.game.notation import Action


class ChampionBot(Bot):
    """Takes the action its network likes best; with a temperature, one that it likes."""

    name = "champion"
    description: Mapping[str, str] = Description("champion")
    options: ClassVar[Mapping[str, Option]] = {
        "temperature": Option(0.0, "how freely it strays from what it likes best; 0 is never"),
    }

    def __init__(self, temperature: float = 0.0) -> None:
        if not 0 <= temperature <= 100:
            raise BotError(f'The bot "{self.name}" has a temperature of 0 to 100, not {temperature:g}.')
        self.temperature = temperature

    def choose(self, view: View, rng: Random) -> Action:
        """The best action, or one drawn; a single legal one needs no thought."""
        luck = rng.random()
        if len(view.legal_actions) == 1:
            return view.legal_actions[0]
        observation, mask = encode(view)
        scores = champion_at(view.ruleset, view.players).scores(observation[None], mask[None])[0]
        if self.temperature == 0:
            return decode(view, int(scores.argmax()))
        legal = np.flatnonzero(mask)
        chances = np.exp((scores[legal].astype(np.float64) - scores[legal].max()) / self.temperature)
        drawn = np.searchsorted(np.cumsum(chances / chances.sum()), luck, side="right")
        return decode(view, int(legal[min(int(drawn), len(legal) - 1)]))
