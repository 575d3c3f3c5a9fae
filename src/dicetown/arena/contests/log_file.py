"""Where the log of a tournament is kept, and what must be the same for it to be continued."""

from __future__ import annotations

import hashlib
import shlex
from functools import cache
from pathlib import Path
from typing import Any

import dicetown
from dicetown.arena.contests.contestants import Contestant
from dicetown.arena.contests.log import ArenaLog
from dicetown.arena.contests.tournament import Tournament
from dicetown.bots.programs.pipe import PIPE
from dicetown.bots.roster import bots_of_others
from dicetown.errors import ArenaError

_LARGEST = 1_000_000  # bytes of a file that is named in a command


def header_of(tournament: Tournament) -> dict[str, Any]:
    """What defines the games of a tournament; how many of them are played may change."""
    return {
        **tournament.ruleset.as_dict(),
        "players": tournament.players,
        "bots": [contestant.spec for contestant in tournament.contestants],
        "seconds": tournament.contestants[0].seconds,
        "seed": tournament.seed,
        "code": code_of(tournament.contestants),
    }


def code_of(contestants: tuple[Contestant, ...]) -> str:
    """A fingerprint of the code that plays: half a tournament of one state and half of another means nothing.

    It is Dicetown's own code, the version of other packages, and the files that commands name.
    """
    fingerprint = hashlib.sha256(own_code())
    for contestant in contestants:
        name = contestant.spec.partition(":")[0]
        if contestant.spec.startswith(PIPE):
            for word in shlex.split(contestant.spec.removeprefix(PIPE)):
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
    for folder in ("arena", "bots", "material", "playout", "rules", *beside):
        for source in sorted(package.glob(f"{folder}/**/*")):
            if source.is_file() and source.suffix != ".pyc":
                fingerprint.update(source.read_bytes())
    return fingerprint.digest()


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes() if path.is_file() and path.stat().st_size < _LARGEST else b""
    except OSError:
        return b""


def own_log(tournament: Tournament) -> ArenaLog | None:
    """The log that is kept until a tournament is finished, where nobody names another.

    None where it cannot be kept, or where the very same tournament is being played elsewhere.
    """
    import msgspec
    import platformdirs

    header = header_of(tournament)
    key = hashlib.sha256(msgspec.json.encode(header, order="deterministic")).hexdigest()[:16]
    folder = platformdirs.user_state_path("dicetown", appauthor=False) / "arena"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        return ArenaLog(folder / f"{key}.jsonl", header)
    except (OSError, ArenaError):
        return None
