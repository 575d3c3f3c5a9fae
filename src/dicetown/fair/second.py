"""Version 2 of the fair dice: every die has a label of its own, so that none depends on what is played.

- key: HKDF-SHA256 with the salt ``dicetown dice 2`` and the info ``key``, 32 bytes long, from the secret's 32
  bytes followed, for each seat in order, by its word: the number of its bytes in UTF-8 as four bytes, the
  most significant first, then these bytes. Who has no word, or has kept it back, has the empty one.
- number: for a label and a limit ``W``, for ``k`` = 0, 1, 2 … let ``x`` be the first eight bytes, the most
  significant first, of HMAC-SHA256 with the key and the ASCII text of the label, a colon and ``k``. The first
  ``x`` below the greatest multiple of ``W`` that is not above 2**64 counts; the number is ``x mod W``.
- a die shows one more than the number for ``W`` = 6 and the label ``dice:turn:roll:die``: turns are counted
  from 0 over the whole game (start rounds, in which nobody rolls, aside), ``roll`` is 0 or, when dice are
  rolled again, 1, and ``die`` is 0 for the first and 1 for the second. A tuna die has the label
  ``tuna:turn:n:die``, where ``n`` counts the tuna rolls of that turn from 0.
- a card is drawn from one of the decks of the market, which are numbered from 0, with the label
  ``draw:deck:n``, where ``n`` counts what has been drawn from that deck, from 0, and ``W`` is the number of
  cards left in it. Lay these out sorted by their ids, copies beside each other: the card at the number
  (from 0) is drawn. As the number depends on nothing else, a deck lies in one order from the beginning.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from dicetown.errors import IllegalAction
from dicetown.fair.numbers import below, digest, joined
from dicetown.game import Game
from dicetown.game.notation import Action, Outcome, notation_for
from dicetown.rules import codes as c
from dicetown.rules.market import row_to_refill
from dicetown.rules.ruleset import Ruleset
from dicetown.rules.tables import tables_for

_SALT = b"dicetown dice 2"
_INFO = b"key"


def key_of(secret: bytes, words: Sequence[str]) -> bytes:
    """The key of a game: the secret and the players' words, by seat.

    >>> key_of(bytes(32), ["ab", ""]) == key_of(bytes(32), ["a", "b"])
    False
    """
    extracted = digest(_SALT, secret + joined(list(words)))
    return digest(extracted, _INFO + b"\x01")  # HKDF: the one block that is needed


class SecondDice:
    """The dice of a game of version 2."""

    def __init__(self, secret: bytes, words: Sequence[str]) -> None:
        self._key = key_of(secret, words)

    def fall(self, game: Game) -> Outcome:
        """What chance brings, in a game that waits for it and has been played from its beginning.

        >>> str(SecondDice(bytes(32), ["", ""]).fall(Game(chance="manual")))
        'draw furniture_factory'
        """
        match game.state.phase:
            case c.DICE:
                return self._throw(game, f"dice:{game.turns}:{game.state.rerolled}", game.state.dice)
            case c.TUNA:
                return self._throw(game, f"tuna:{game.turns}:{_tuna_rolls(game)}", 2)
            case c.DRAW:
                return self._draw(game)
        raise IllegalAction("Neither dice nor a card are due now.")

    def _throw(self, game: Game, label: str, dice: int) -> Outcome:
        faces = [1 + below(self._key, f"{label}:{die}", 6) for die in range(dice)]
        number = faces[0] if dice == 1 else faces[0] * c.TWO_DICE_BASE + faces[1]
        return game.notation.outcome(game.state.phase, number)

    def _draw(self, game: Game) -> Outcome:
        row = int(row_to_refill(game.tables, game.state))
        cards, dealt = _deck_of(game.ruleset, game.players, row)
        copies = game.state.deck.tolist()
        left = sum([copies[card.number] for card in cards])
        place = below(self._key, f"draw:{row}:{dealt - left}", left)
        for card in cards:
            place -= copies[card.number]
            if place < 0:
                return card
        raise AssertionError("A number lies beyond its limit.")


def _tuna_rolls(game: Game) -> int:
    """How often tuna dice have fallen in this turn."""
    rolls = 0
    for move in reversed(game.moves):
        if isinstance(move, Action) and move.number in (c.ROLL_DICE, c.ROLL_DICE + 1):
            break
        rolls += isinstance(move, Outcome) and move.text.startswith("tuna")
    return rolls


@lru_cache(maxsize=256)
def _deck_of(ruleset: Ruleset, players: int, row: int) -> tuple[tuple[Outcome, ...], int]:
    """What can ever be drawn from the deck of a row, by id, and how many cards it had before the first was.

    None ever returns to it.
    """
    tables, notation = tables_for(ruleset, players), notation_for(ruleset, players)
    numbers = [number for number in notation.things if tables.row_of[number] == row]
    cards = sorted((notation.outcome(c.DRAW, number) for number in numbers), key=lambda card: card.text)
    return tuple(cards), sum(int(tables.supply[number]) for number in numbers)
