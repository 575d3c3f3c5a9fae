"""A fingerprint of the code that plays: only games of the same code may be counted together."""

from __future__ import annotations

import hashlib
import shlex
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import dicetown
from dicetown.bots.programs.pipe import PIPE
from dicetown.bots.roster import bots_of_others

_LARGEST = 1_000_000  # bytes of a file that is named in a command


def code_of(bots: Iterable[str]) -> str:
    """A fingerprint of the code that plays: half a tournament of one state and half of another means nothing.

    It is Dicetown's own code, the version of other packages, and the files that commands name.
    """
    fingerprint = hashlib.sha256(own_code())
    for spec in bots:
        name = spec.partition(":")[0]
        if spec.startswith(PIPE):
            for word in shlex.split(spec.removeprefix(PIPE)):
                fingerprint.update(_content(Path(word)))
        elif name in bots_of_others():
            entry = bots_of_others()[name]
            fingerprint.update(f"{entry.value} {entry.dist.version if entry.dist else ''}".encode())
    return fingerprint.hexdigest()[:16]


@cache
def own_code(*beside: str) -> bytes:
    """A fingerprint of Dicetown's own code and data, as they were when first asked for.

    It covers what plays games, and further folders of the package that are named.
    """
    fingerprint = hashlib.sha256()
    package = Path(dicetown.__file__).parent
    for folder in ("arena", "bots", "material", "playout", "rules", "sight", *beside):
        for source in sorted(package.glob(f"{folder}/**/*")):
            if source.is_file() and source.suffix != ".pyc":
                fingerprint.update(source.read_bytes())
    return fingerprint.digest()


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes() if path.is_file() and path.stat().st_size < _LARGEST else b""
    except OSError:
        return b""
