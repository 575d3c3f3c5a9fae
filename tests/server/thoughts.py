"""Thinking that a test steers: what is begun is noted in a folder, and goes on when the test lets it."""

import os
import time
from pathlib import Path
from typing import Any

from dicetown.server import wire
from dicetown.server.workers import thinkers
from dicetown.server.workers.processes import tell_progress
from dicetown.server.workers.snapshot import Snapshot

#: The folder, and who thinks: both are the environment's, which processes inherit.
FOLDER, WHO = "DICETOWN_TEST_FOLDER", "DICETOWN_TEST_WHO"
REVIEW: dict[str, Any] = {"players": [], "moments": [], "turning_points": [], "ahead_without_luck": None}
_choose = thinkers.choose


def noted(folder: Path) -> list[str]:
    """What was begun, in order: who, and what."""
    file = folder / "begun"
    return file.read_text().splitlines() if file.exists() else []


def let_go_on(folder: Path, what: str) -> None:
    """Let everything of a kind go on."""
    (folder / f"{what} goes on").touch()


def _note(what: str, of: str) -> Path:
    folder = Path(os.environ[FOLDER])
    with (folder / "begun").open("a") as file:
        file.write(f"{os.environ[WHO]} {what} {of}\n")
    return folder / f"{what} goes on"


def _begin(what: str, of: str) -> None:
    sign = _note(what, of)
    while not sign.exists():
        time.sleep(0.01)


def move(bot: str, position: Snapshot, seed: int) -> str:
    """What a bot does, when the test lets it."""
    _begin("move", bot)
    return _choose("greedy", position, 1)


def hint(position: Snapshot, language: str) -> wire.Hint:
    """A hint, when the test lets it."""
    _begin("hint", language)
    return wire.Hint(options=[], line=[language], thought=True)


def first_review(record: str) -> dict[str, Any]:
    """A first picture, at once."""
    _note("picture", record)
    return REVIEW | {"exact": False}


def review(record: str) -> dict[str, Any]:
    """A review, which tells how far it is until the test lets it end."""
    sign = _note("review", record)
    while not sign.exists():
        tell_progress(4, 9)
        time.sleep(0.01)
    return REVIEW | {"exact": True}


#: Instead of what a thinker does.
STEERED = {"choose": move, "hint": hint, "first_review": first_review, "review": review}
