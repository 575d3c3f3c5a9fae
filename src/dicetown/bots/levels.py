"""The levels for people: how strong an opponent shall be, without knowing what is behind it.

Each is a setting of another bot. That they ascend, in every edition and for every number of players, is
measured: ``dicetown ladder`` makes the table in the documentation.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

from dicetown.bots.bot import Bot, BotMaker
from dicetown.bots.rules.bots import GreedyBot, PlannerBot
from dicetown.bots.search.bots import SearchBot


@dataclass(frozen=True)
class Level:
    """A named setting of a bot."""

    name: str
    kind: type[Bot]
    settings: dict[str, Any]
    description: dict[str, str]

    def make(self) -> Bot:
        """The bot, going by the level's name."""
        bot = self.kind(**self.settings)
        bot.name, bot.description = self.name, self.description
        return bot


LEVELS = (
    Level("beginner", GreedyBot, {"slips": 600}, {
        "en": "For the first games: most of what it does is chance.",
        "es": "Para las primeras partidas: casi todo lo que hace es azar.",
        "de": "Für die ersten Partien: Das meiste, was er tut, ist Zufall.",
    }),
    Level("easy", GreedyBot, {"slips": 250}, {
        "en": "Knows what pays, but is often careless.",
        "es": "Sabe qué conviene, pero se descuida a menudo.",
        "de": "Weiß, was sich lohnt, passt aber oft nicht auf.",
    }),
    Level("normal", GreedyBot, {"slips": 50}, {
        "en": "Plays soundly and at once, with a slip now and then.",
        "es": "Juega con solidez y al instante, con algún descuido.",
        "de": "Spielt solide und sofort, mit einem Patzer dann und wann.",
    }),
    Level("hard", PlannerBot, {"slips": 20}, {
        "en": "Plans its city with what many games have taught, and seldom slips.",
        "es": "Planea su ciudad con lo que muchas partidas le enseñaron y rara vez se descuida.",
        "de": "Plant seine Stadt mit dem, was viele Partien lehrten, und patzt selten.",
    }),
    Level("master", SearchBot, {"seconds": 1.0, "enough": 8_000}, {
        "en": "Tries its choices out in thousands of games, for up to a second: the strongest there is.",
        "es": "Prueba sus opciones en miles de partidas, hasta un segundo cada vez: el más fuerte que hay.",
        "de": "Probiert seine Züge in Tausenden Partien aus, bis zu einer Sekunde lang: der stärkste.",
    }),
)  # fmt: skip


def level_makers() -> list[BotMaker]:
    """The levels as bots that can be asked for by name; they have no options, or they would be no levels."""
    return [BotMaker(level.name, level.description, {}, partial(Level.make, level)) for level in LEVELS]
