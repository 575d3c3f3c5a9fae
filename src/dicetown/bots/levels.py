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
from dicetown.bots.learning.champion_bot import ChampionBot
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


#: How the levels below `hard` err; what each of these words means is said in `bots/learning/temper.py`.
NORMAL = {"temperature": 6.5, "fondness": 2.0}
EASY = {"temperature": 10.0, "fondness": 3.0, "caution": 5.0, "aside": True}
BEGINNER = {"temperature": 16.0, "fondness": 4.0, "caution": 15.0, "haste": 8.0, "aside": True}

#: Where the network does not play, bots that follow rules go on instead.
LEVELS = (
    Level("beginner", ChampionBot, {**BEGINNER, "instead": GreedyBot(slips=600)}),
    Level("easy", ChampionBot, {**EASY, "instead": GreedyBot(slips=250)}),
    Level("normal", ChampionBot, {**NORMAL, "instead": GreedyBot(slips=50)}),
    Level("hard", ChampionBot, {"instead": PlannerBot(slips=20)}),
    Level("master", SearchBot, {"seconds": 1.0, "enough": 8_000, "instead": PlannerBot()}),
)


def level_makers() -> list[BotMaker]:
    """The levels as bots that can be asked for by name; they have no options, or they would be no levels."""
    return [BotMaker(level.name, level.description, {}, partial(Level.make, level)) for level in LEVELS]
