"""Version 1 of the fair dice: words are mixed in as they are told, and all chance is numbered in one row.

Who deals and plays could read the others' words and look for one of their own that suits; and a draw more or
less moved all dice after it. So no game begins with it any more. It is here for those that have begun.

- key: SHA-256 of the secret's 32 bytes followed, for each seat in order, by its word: the number of its bytes
  in UTF-8 as four bytes, the most significant first, then these bytes. Who has no word has the empty one.
- the chance events of a game (dice, tuna dice, draws) are numbered from 0 as the record has them. Event ``n``
  chooses among its possible outcomes, sorted by their notation (``dice 1`` … ``dice 6``; ``dice 1 1``,
  ``dice 1 2`` … ``dice 6 6``; ``draw bakery``, ``draw cafe`` …). Each face of the dice has weight 1, a card
  as many as copies of it are left to be drawn there. With ``W`` for the sum of all weights:
  for ``k`` = 0, 1, 2 … let ``x`` be the first eight bytes, the most significant first, of HMAC-SHA256 with
  the key and the ASCII text ``n:k``. The first ``x`` below the greatest multiple of ``W`` that is not above
  2**64 counts; ``x mod W`` is the place. The outcome is the first for which the sum of the weights up to and
  with it is greater than the place.
"""

from __future__ import annotations

import hashlib
from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate

from dicetown.errors import IllegalAction
from dicetown.fair.numbers import below, joined, weighed
from dicetown.game import Game
from dicetown.game.notation import Outcome


def mix(secret: bytes, words: Sequence[str]) -> bytes:
    """The key of a game: the secret and the players' words, by seat.

    >>> mix(bytes(32), ["ab", ""]) == mix(bytes(32), ["a", "b"])
    False
    """
    return hashlib.sha256(secret + joined(list(words))).digest()


def draw(key: bytes, n: int, game: Game) -> Outcome:
    """What the ``n``-th chance event of a game brings, counted from 0; the game waits for it.

    >>> game = Game(chance="manual")
    >>> str(draw(mix(bytes(32), ["", ""]), 0, game))
    'draw sushi_bar'
    """
    outcomes = sorted(weighed(game), key=lambda one: one[0].text)
    if not outcomes:
        raise IllegalAction("Neither dice nor a card are due now.")
    sums = list(accumulate(weight for _, weight in outcomes))
    return outcomes[bisect_right(sums, below(key, str(n), sums[-1]))][0]


class FirstDice:
    """The dice of a game of version 1."""

    def __init__(self, secret: bytes, words: Sequence[str]) -> None:
        self._key = mix(secret, words)

    def fall(self, game: Game) -> Outcome:
        """What chance brings, in a game that waits for it and has been played from its beginning."""
        return draw(self._key, sum(isinstance(move, Outcome) for move in game.moves), game)
