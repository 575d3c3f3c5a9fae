"""Files that only their owner can read: they hold the secrets of the dice and the key of the cookies."""

from __future__ import annotations

import errno
import os
import secrets
import stat
from pathlib import Path
from typing import Any

import structlog

_OTHERS = 0o077
_log: Any = structlog.get_logger("dicetown")


def keep_private(path: Path) -> None:
    """Take from everybody else what they may do with a file, if it is there; the log says so."""
    try:
        if not stat.S_IMODE(path.stat().st_mode) & _OTHERS:
            return
        path.chmod(0o600)
    except FileNotFoundError:
        return
    except PermissionError:
        _log.warning("others can read this file, and it is not ours to change that", file=path.name)
        return
    _log.warning("others could read this file, and cannot any more", file=path.name)


def make_private(path: Path) -> None:
    """Make a file that nobody else can read, if it is not there; if it is, take it from them."""
    os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
    keep_private(path)


def write_private(path: Path, content: bytes, *, replace: bool = False) -> None:
    """Write a file that nobody else can read; whoever looks finds all of it, or none.

    Raises FileExistsError if there is one already and it is not to be replaced.
    """
    draft = path.with_name(f".{secrets.token_hex(8)}.new")
    try:
        with open(os.open(draft, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        if replace:
            draft.replace(path)
        else:
            _put_if_missing(draft, path)
    finally:
        draft.unlink(missing_ok=True)


def _put_if_missing(draft: Path, path: Path) -> None:
    """Give a file its name, unless another one has it: of two who do so at once, one fails."""
    try:
        os.link(draft, path)
    except FileExistsError:
        raise
    except OSError:  # a file system without second names, as of a memory card: there nobody is that quick
        if path.exists():
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST)) from None
        draft.replace(path)
