"""Guests: nobody has an account; everybody has a random identity in a signed cookie."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

from itsdangerous import BadSignature, Signer

from dicetown.errors import DicetownError
from dicetown.server.common.private_files import keep_private

COOKIE = "dicetown_guest"
_ID_BYTES = 12
_KEY_BYTES = 32
_YEAR = 365 * 24 * 3600


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
    """The key that cookies are signed with, kept in a file that only its owner can read."""
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        keep_private(path)
        try:
            with open(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "w") as file:
                file.write(secrets.token_hex(_KEY_BYTES))
        except FileExistsError:
            pass
        return path.read_text().strip()
    except OSError as problem:
        raise DicetownError(
            f"{path}: the key for guests' cookies cannot be kept there ({problem.strerror})."
        ) from None
