"""Numbers that follow from a key: all exactly as likely, each for one label only."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256

from dicetown.game import Game
from dicetown.game.notation import Outcome
from dicetown.rules.chance import find_outcomes
from dicetown.rules.layout import OUTCOMES, new

_BYTES = 8
_RANGE = 1 << 8 * _BYTES
_BLOCK = 64  # bytes that SHA-256 works on at a time
_INNER, _OUTER = (bytes(byte ^ pad for byte in range(256)) for pad in (0x36, 0x5C))


def digest(key: bytes, message: bytes) -> bytes:
    """HMAC-SHA256, of a key of 64 bytes at most.

    >>> import hmac
    >>> digest(b"key", b"message") == hmac.digest(b"key", b"message", "sha256")
    True
    """
    # As RFC 2104 has it: hmac.digest would let other threads run first, each time, and a service would wait
    # for them, and hmac.new takes three times as long.
    padded = key.ljust(_BLOCK, b"\0")
    inner = sha256(padded.translate(_INNER) + message).digest()
    return sha256(padded.translate(_OUTER) + inner).digest()


def below(key: bytes, label: str, limit: int) -> int:
    """A number from 0 up to the limit, all exactly as likely: what would be uneven is thrown away."""
    even = _RANGE - _RANGE % limit
    k = 0
    while True:
        number = int.from_bytes(digest(key, f"{label}:{k}".encode("ascii"))[:_BYTES], "big")
        if number < even:
            return number % limit
        k += 1


def joined(words: list[str]) -> bytes:
    """Words in a row, such that no others look the same: each after the number of its bytes."""
    written = [word.encode() for word in words]
    return b"".join(len(word).to_bytes(4, "big") + word for word in written)


def weighed(game: Game) -> Iterator[tuple[Outcome, int]]:
    """What chance may bring, with whole weights: a die's faces alike, a card by its copies."""
    found = new(OUTCOMES)
    find_outcomes(game.tables, game.state, found)
    for number, weight in zip(
        found.outcome[: found.count].tolist(), found.weight[: found.count].tolist(), strict=True
    ):
        yield game.notation.outcome(game.state.phase, number), weight
