"""Files written in one step: whoever looks finds all of a file, old or new, and never half of it."""

from __future__ import annotations

import errno
import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_USUAL = 0o666  # less what the umask takes away


def write_whole(path: Path, content: bytes) -> None:
    """Write a file in one step; raises OSError, and then all is as it was.

    A link stays a link, and what it points to is written. What is there and no regular file (a device, a
    pipe) is refused: it would be replaced by a file.
    """
    place = Path(os.path.realpath(path))
    mode = _mode_of(place)
    with _drafted(place, content, _USUAL) as draft:
        if mode is not None:
            draft.chmod(mode)
        draft.replace(place)


def write_new(path: Path, content: bytes, mode: int = _USUAL) -> None:
    """The same for a file that must not be there yet; else raises FileExistsError.

    Of two who do so at once one fails, and nobody ever has more rights than ``mode`` gives.
    """
    with _drafted(path, content, mode) as draft:
        try:
            os.link(draft, path)
        except FileExistsError:
            raise
        except OSError:  # a file system without second names, as of a memory card: there nobody is that quick
            if path.exists():
                raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST)) from None
            draft.replace(path)


@contextmanager
def _drafted(place: Path, content: bytes, mode: int) -> Iterator[Path]:
    """What is to stand somewhere, on the disk already under another name beside it."""
    draft = place.with_name(f".{secrets.token_hex(8)}.new")  # short: the name itself may be as long as can be
    try:
        with open(os.open(draft, os.O_CREAT | os.O_EXCL | os.O_WRONLY, mode), "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        yield draft
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
