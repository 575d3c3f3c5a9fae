"""Players that are no people: from one that plays anything to one that searches."""

from dicetown.bots.bot import Bot, BotMaker, Option, RuleBot
from dicetown.bots.roster import BOTS, find_bot, known_bots, make_bot, minds_for
from dicetown.bots.view import View

__all__ = [
    "BOTS",
    "Bot",
    "BotMaker",
    "Option",
    "RuleBot",
    "View",
    "find_bot",
    "known_bots",
    "make_bot",
    "minds_for",
]
