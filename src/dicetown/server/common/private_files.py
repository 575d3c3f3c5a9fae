"""Files that only their owner can read: they hold the secrets of the dice and the key of the cookies."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import Any

import structlog

#: What only their owner may do with them, and what nobody else may.
PRIVATE, _OTHERS = 0o600, 0o077
_log: Any = structlog.get_logger("dicetown")


def keep_private(path: Path) -> None:
    """Take from everybody else what they may do with a file, if it is there; the log says so."""
    try:
        if not stat.S_IMODE(path.stat().st_mode) & _OTHERS:
            return
        path.chmod(PRIVATE)
    except FileNotFoundError:
        return
    except PermissionError:
        _log.warning("others can read this file, and it is not ours to change that", file=path.name)
        return
    _log.warning("others could read this file, and cannot any more", file=path.name)


def make_private(path: Path) -> None:
    """Make a file that nobody else can read, if it is not there; if it is, take it from them."""
    os.close(os.open(path, os.O_CREAT | os.O_RDWR, PRIVATE))
    keep_private(path)
