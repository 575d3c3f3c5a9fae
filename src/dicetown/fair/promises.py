"""What is promised before a game: fingerprints of the dealer's secret and of the players' words."""

from __future__ import annotations

import hashlib
import secrets

SECRET_BYTES = 32
_WORD = "dicetown word 2"


def new_secret() -> bytes:
    """A secret that nobody can guess."""
    return secrets.token_bytes(SECRET_BYTES)


def commitment(secret: bytes) -> str:
    """What is published of a secret: it gives nothing away, and no other secret has the same.

    >>> commitment(bytes(32))[:16]
    '66687aadf862bd77'
    """
    return hashlib.sha256(secret).hexdigest()


def commit_to_word(seat: int, word: str) -> str:
    """What is published of a player's word; another seat's is another one, so that none can be copied.

    >>> commit_to_word(0, "Hafen")[:16], commit_to_word(1, "Hafen")[:16]
    ('e1c72c3f5fff8e1e', '850f1fbe64718ff8')
    """
    return hashlib.sha256(f"{_WORD}:{seat}:{word}".encode()).hexdigest()


def has_forfeited(committed: str | None, word: str) -> bool:
    """Whether somebody was bound to a word and kept it back.

    >>> has_forfeited(commit_to_word(0, "Hafen"), ""), has_forfeited(None, "")
    (True, False)
    """
    return committed is not None and not word
