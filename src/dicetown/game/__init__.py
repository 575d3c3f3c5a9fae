"""A game and its text forms: moves, events, positions, saved games.

:class:`Game` is the friendly face of the engine; everything a person or a program reads of a game is written,
and read back, by the modules beside it.
"""

from dicetown.game.game import PHASES, Game

__all__ = ["PHASES", "Game"]
