"""Fair dice that anybody can check: a secret is promised before a game and revealed after it.

Who deals keeps a secret of 32 random bytes and publishes its *commitment* when a table is made; the players
may then mix in a word each; secret and words give the *key*, and every die and every draw of the game follows
from the key. So the dealer cannot choose dice (the commitment holds them), nor can a player (the secret is
not known). After the game the secret is revealed, and :func:`verify` recomputes everything.

The algorithm, for who writes it again in another language (docs/fairness.md has an example to try it on):

- commitment: SHA-256 of the secret's 32 bytes, in lower-case hexadecimal.
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
import hmac
import os
import secrets
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import accumulate
from typing import Any, Literal

from dicetown.errors import IllegalAction
from dicetown.game import Game
from dicetown.notation import Outcome
from dicetown.record import Fair, GameRecord
from dicetown.rules.chance import find_outcomes
from dicetown.rules.layout import OUTCOMES, new

__all__ = ["Fair", "Verdict", "commitment", "draw", "mix", "new_secret", "verify"]

SECRET_BYTES = 32
_LENGTH_BYTES = 4
_DRAW_BYTES = 8
_RANGE = 1 << 8 * _DRAW_BYTES


def new_secret() -> bytes:
    """A secret that nobody can guess."""
    return secrets.token_bytes(SECRET_BYTES)


def commitment(secret: bytes) -> str:
    """What is published of a secret: it gives nothing away, and no other secret has the same.

    >>> commitment(bytes(32))[:16]
    '66687aadf862bd77'
    """
    return hashlib.sha256(secret).hexdigest()


def mix(secret: bytes, words: Sequence[str]) -> bytes:
    """The key of a game: the secret and the players' words, by seat.

    >>> mix(bytes(32), ["ab", ""]) == mix(bytes(32), ["a", "b"])
    False
    """
    mixed = hashlib.sha256(secret)
    for word in words:
        written = word.encode()
        mixed.update(len(written).to_bytes(_LENGTH_BYTES, "big") + written)
    return mixed.digest()


def draw(key: bytes, n: int, game: Game) -> Outcome:
    """What the ``n``-th chance event of a game brings, counted from 0; the game waits for it.

    >>> game = Game(chance="manual")
    >>> str(draw(mix(bytes(32), ["", ""]), 0, game))
    'draw sushi_bar'
    """
    outcomes = sorted(_weighed(game), key=lambda one: one[0].text)
    if not outcomes:
        raise IllegalAction("Neither dice nor a card are due now.")
    sums = list(accumulate(weight for _, weight in outcomes))
    return outcomes[bisect_right(sums, _below(key, n, sums[-1]))][0]


def _weighed(game: Game) -> Iterator[tuple[Outcome, int]]:
    """What chance may bring, with whole weights: a die's faces alike, a card by its copies."""
    found = new(OUTCOMES)
    find_outcomes(game.tables, game.state, found)
    for number, weight in zip(
        found.outcome[: found.count].tolist(), found.weight[: found.count].tolist(), strict=True
    ):
        yield game.notation.outcome(game.state.phase, number), weight


def _digest(key: bytes, message: bytes) -> bytes:
    # hmac.digest would let other threads run first, each time, and a service would wait for them.
    return hmac.new(key, message, "sha256").digest()


def _below(key: bytes, n: int, limit: int) -> int:
    """A number from 0 up to the limit, all exactly as likely: what would be uneven is thrown away."""
    even = _RANGE - _RANGE % limit
    k = 0
    while True:
        number = int.from_bytes(_digest(key, f"{n}:{k}".encode("ascii"))[:_DRAW_BYTES], "big")
        if number < even:
            return number % limit
        k += 1


# ------------------------------------------------------------------------------ checking

#: What is found out about a record. Only the first is good.
Finding = Literal[
    "holds",  # every die and draw follows from what was promised
    "no_promise",  # nothing was promised about its dice
    "not_revealed",  # the game is not over, or its secret has been kept back
    "wrong_commitment",  # the secret is not the one that was promised
    "wrong_chance",  # a die or draw is another one
    "missing_chance",  # a die or draw is due, but the record goes on without it
    "wrong_move",  # a decision that the rules do not allow
]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What :func:`verify` found: the first thing that does not hold, or that all does.

    ``move`` counts the moves of the record from 1, dice and draws included; ``chances`` is the number of dice
    and draws that were found right.
    """

    finding: Finding
    chances: int = 0
    move: int | None = None
    expected: str | None = None
    found: str | None = None

    @property
    def holds(self) -> bool:
        """Whether the dice are what was promised."""
        return self.finding == "holds"

    def as_dict(self) -> dict[str, Any]:
        """The verdict, for JSON."""
        return {"holds": self.holds, **asdict(self)}


def verify(source: GameRecord | str | os.PathLike[str]) -> Verdict:
    """Recompute every die and draw of a saved game; it must have its secret.

    >>> verify(Game(chance="manual").save()).finding
    'no_promise'
    """
    record = source if isinstance(source, GameRecord) else GameRecord.read(source)
    promise = record.fair
    if promise is None:
        return Verdict("no_promise")
    if promise.secret is None:
        return Verdict("not_revealed")
    secret = bytes.fromhex(promise.secret)
    if commitment(secret) != promise.commitment:
        return Verdict("wrong_commitment", expected=promise.commitment, found=commitment(secret))
    return _compare(record, mix(secret, promise.words))


def _compare(record: GameRecord, key: bytes) -> Verdict:
    """Go through a game, and draw every chance event again."""
    game = Game.of_record(record)
    chances = 0
    for number, text in enumerate(record.moves, start=1):
        if game.waits_for_chance:
            due, written = draw(key, chances, game), " ".join(text.lower().split())
            if written != due.text:
                possible = any(written == outcome.text for outcome, _ in _weighed(game))
                finding: Finding = "wrong_chance" if possible else "missing_chance"
                return Verdict(finding, chances, number, due.text, text)
            chances += 1
        try:
            game.play(text)
        except IllegalAction:
            return Verdict("wrong_move", chances, number, found=text)
    return Verdict("holds", chances)
