"""The levels for people: how strong an opponent shall be, without knowing what is behind it.

Each is a setting of another bot. That they ascend, in every edition and for every number of players, is
measured: ``dicetown ladder`` makes the table in the documentation.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

from dicetown.bots.bot import Bot, BotMaker
from dicetown.bots.description import Description
from dicetown.bots.rules.bots import GreedyBot, PlannerBot
from dicetown.bots.search.bots import SearchBot


@dataclass(frozen=True)
class Level:
    """A named setting of a bot."""

    name: str
    kind: type[Bot]
    settings: dict[str, Any]

    @property
    def description(self) -> Description:
        """What it is, in a sentence."""
        return Description(self.name)

    def make(self) -> Bot:
        """The bot, going by the level's name."""
        bot = self.kind(**self.settings)
        bot.name, bot.description = self.name, self.description
        return bot


LEVELS = (
    Level("beginner", GreedyBot, {"slips": 600}),
    Level("easy", GreedyBot, {"slips": 250}),
    Level("normal", GreedyBot, {"slips": 50}),
    Level("hard", PlannerBot, {"slips": 20}),
    Level("master", SearchBot, {"seconds": 1.0, "enough": 8_000}),
)


def level_makers() -> list[BotMaker]:
    """The levels as bots that can be asked for by name; they have no options, or they would be no levels."""
    return [BotMaker(level.name, level.description, {}, partial(Level.make, level)) for level in LEVELS]
