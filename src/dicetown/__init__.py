"""Dicetown: Machi Koro, every edition, as software.

>>> from dicetown import Game, Ruleset
>>> game = Game(Ruleset("deluxe", sets=["base", "harbor"]), players=4, seed=7)
>>> events = game.play("roll 1")
>>> game.to_move
0
"""

from dicetown.errors import DicetownError, IllegalAction, NotationError, RulesetError
from dicetown.game import Game
from dicetown.game.notation import Action, Outcome
from dicetown.rules.ruleset import Ruleset

__version__ = "0.1.0"
__all__ = [
    "Action",
    "DicetownError",
    "Game",
    "IllegalAction",
    "NotationError",
    "Outcome",
    "Ruleset",
    "RulesetError",
]
