"""Players that are no people: from one that plays anything to one that searches."""

from functools import partial

from dicetown.bots.bot import Bot, BotMaker, Option
from dicetown.bots.learning.champion_bot import ChampionBot
from dicetown.bots.levels import level_makers
from dicetown.bots.roster import BOTS, find_bot, known_bots, make_bot, minds_for, register
from dicetown.bots.rules.bots import GreedyBot, PlannerBot, RandomBot, RuleBot, ScriptBot
from dicetown.bots.rules.scripts import load_scripts
from dicetown.bots.search.bots import SearchBot
from dicetown.bots.view import View

__all__ = [
    "BOTS",
    "Bot",
    "BotMaker",
    "ChampionBot",
    "Option",
    "RuleBot",
    "View",
    "find_bot",
    "known_bots",
    "make_bot",
    "minds_for",
]

register(
    *(BotMaker.of(kind) for kind in (RandomBot, GreedyBot, PlannerBot, SearchBot, ChampionBot)),
    *level_makers(),
    *(
        BotMaker(name, script.description, {}, partial(ScriptBot, name, script))
        for name, script in load_scripts().items()
    ),
)
