"""The dice of a game, whichever version of the promise it was begun under."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, Protocol

from dicetown.fair.first import FirstDice
from dicetown.fair.second import SecondDice
from dicetown.game import Game
from dicetown.game.notation import Outcome

#: How new games are dealt.
VERSION: Literal[2] = 2


class Dice(Protocol):
    """Chance, as it was promised."""

    def fall(self, game: Game) -> Outcome:
        """What chance brings, in a game that waits for it and has been played from its beginning."""


def dice_of(version: int, secret: bytes, words: Sequence[str]) -> Dice:
    """The dice that follow from a secret and the players' words, by seat.

    >>> str(dice_of(2, bytes(32), ["", ""]).fall(Game(chance="manual")))
    'draw furniture_factory'
    """
    return FirstDice(secret, words) if version == 1 else SecondDice(secret, words)
