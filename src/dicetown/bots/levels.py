"""The levels for people: how strong an opponent shall be, without knowing what is behind it.

Each is a setting of another bot. That they ascend, in every edition and for every number of players, is
measured: ``dicetown ladder`` makes the table in the documentation.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

from dicetown.bots.bot import Bot, BotMaker
from dicetown.bots.rule_bots import GreedyBot
from dicetown.bots.search import FlatBot, SearchBot


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
    Level("hard", FlatBot, {"seconds": 0.15}, {
        "en": "Tries its moves out before it makes them; hard to beat.",
        "es": "Prueba sus jugadas antes de hacerlas; difícil de vencer.",
        "de": "Probiert seine Züge aus, bevor er sie macht; schwer zu schlagen.",
    }),
    Level("master", SearchBot, {"seconds": 1.0}, {
        "en": "Thinks for a second about every choice: the strongest there is.",
        "es": "Piensa un segundo cada decisión: el más fuerte que hay.",
        "de": "Denkt über jede Wahl eine Sekunde nach: der stärkste, den es gibt.",
    }),
)  # fmt: skip


def level_makers() -> list[BotMaker]:
    """The levels as bots that can be asked for by name; they have no options, or they would be no levels."""
    return [BotMaker(level.name, level.description, {}, partial(Level.make, level)) for level in LEVELS]
