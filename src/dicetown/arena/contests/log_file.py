"""Where the log of a tournament is kept, and what must be the same for it to be continued."""

from __future__ import annotations

import hashlib
from typing import Any

from dicetown.arena.contests.log import ArenaLog
from dicetown.arena.contests.tournament import Tournament
from dicetown.arena.fingerprint import code_of
from dicetown.errors import ArenaError


def header_of(tournament: Tournament) -> dict[str, Any]:
    """What defines the games of a tournament; how many of them are played may change."""
    bots = [contestant.spec for contestant in tournament.contestants]
    return {
        **tournament.ruleset.as_dict(),
        "players": tournament.players,
        "bots": bots,
        "seconds": tournament.contestants[0].seconds,
        "seed": tournament.seed,
        "code": code_of(bots),
    }


def own_log(tournament: Tournament) -> ArenaLog | None:
    """The log that is kept until a tournament is finished, where nobody names another.

    None where it cannot be kept, or where the very same tournament is being played elsewhere. When it can no
    longer be kept later on, play goes on without it.
    """
    import msgspec
    import platformdirs

    header = header_of(tournament)
    key = hashlib.sha256(msgspec.json.encode(header, order="deterministic")).hexdigest()[:16]
    folder = platformdirs.user_state_path("dicetown", appauthor=False) / "arena"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        return ArenaLog(folder / f"{key}.jsonl", header, needed=False)
    except (OSError, ArenaError):
        return None
