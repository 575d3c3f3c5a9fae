"""Guests: nobody has an account; everybody has a random identity in a signed cookie."""

from __future__ import annotations

import secrets
from contextlib import suppress
from pathlib import Path
from typing import Any

import structlog
from itsdangerous import BadSignature, Signer

from dicetown.errors import DicetownError
from dicetown.server.common.private_files import PRIVATE, keep_private
from dicetown.whole_files import write_new, write_whole

COOKIE = "dicetown_guest"
_ID_BYTES = 12
_KEY_BYTES = 32
_YEAR = 365 * 24 * 3600
_log: Any = structlog.get_logger("dicetown")


class Guests:
    """Signs identities and knows them again.

    >>> guests = Guests("a secret")
    >>> ana = guests.new()
    >>> guests.read(guests.sign(ana)) == ana, guests.read("forged.signature")
    (True, None)
    """

    def __init__(self, secret: str) -> None:
        self._signer = Signer(secret, salt="dicetown.guest")

    def new(self) -> str:
        """An identity for somebody who has none."""
        return secrets.token_hex(_ID_BYTES)

    def sign(self, guest: str) -> str:
        """What is kept in the cookie."""
        return self._signer.sign(guest).decode()

    def read(self, signed: str | None) -> str | None:
        """The identity of a cookie; None if we have not signed it."""
        try:
            return self._signer.unsign(signed).decode() if signed else None
        except (BadSignature, UnicodeError):
            return None

    def cookie(self, guest: str, secure: bool) -> str:
        """The header that sets a guest's cookie: for no script to read and no other site to send."""
        safe = "; Secure" if secure else ""
        return f"{COOKIE}={self.sign(guest)}; Path=/; Max-Age={_YEAR}; HttpOnly; SameSite=Lax{safe}"


def keep_secret(path: Path) -> str:
    """The key that cookies are signed with, kept in a file that only its owner can read.

    With an empty key anybody could sign: one that a full disk has left behind is made anew.
    """
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        keep_private(path)
        new = secrets.token_hex(_KEY_BYTES).encode()
        if not path.exists():
            with suppress(FileExistsError):  # somebody who starts at the same moment was first
                write_new(path, new, PRIVATE)
        elif not _read(path):
            _log.warning("the key for guests' cookies is empty, and made anew", file=path.name)
            write_whole(path, new)
        return _read(path)
    except OSError as problem:
        reason = problem.strerror
    except UnicodeDecodeError:
        reason = "it is no text"
    raise DicetownError(f"{path}: the key for guests' cookies cannot be kept there ({reason}).")


def _read(path: Path) -> str:
    """The key in a file, if there is one; a power cut can leave bytes of nothing."""
    return path.read_text(encoding="utf-8").strip("\0 \t\r\n")
