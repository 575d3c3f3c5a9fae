"""Files written in one step: whoever looks finds all of a file, old or new, and never half of it."""

from __future__ import annotations

import errno
import os
import secrets
import stat
from pathlib import Path


def write_whole(path: Path, content: bytes) -> None:
    """Write a file in one step; raises OSError, and then all is as it was.

    A link stays a link, and what it points to is written. What is there and no regular file (a device, a
    pipe) is refused: it would be replaced by a file.
    """
    place = Path(os.path.realpath(path))
    mode = _mode_of(place)
    draft = place.with_name(f".{secrets.token_hex(8)}.new")  # short: the name itself may be as long as can be
    try:
        with draft.open("xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        if mode is not None:
            draft.chmod(mode)
        draft.replace(place)
    finally:
        draft.unlink(missing_ok=True)


def _mode_of(place: Path) -> int | None:
    """Who may do what with the file that is there; None where nothing is, and the umask decides."""
    try:
        there = place.stat().st_mode
    except FileNotFoundError:
        return None
    if stat.S_ISDIR(there):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if not stat.S_ISREG(there):
        raise OSError(errno.EINVAL, "Not a regular file")
    return stat.S_IMODE(there)
