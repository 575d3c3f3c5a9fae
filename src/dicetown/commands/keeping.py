"""``dicetown backup``, ``restore`` and ``erase``: for those who keep a service's tables."""

from __future__ import annotations

import shutil
from pathlib import Path

from dicetown.commands.inputs import UsageProblem
from dicetown.commands.serve import key_file, usual_place, with_folder
from dicetown.server.store import erase
from dicetown.server.store.backup import back_up, restore


def run_backup(file: Path, db: str | None) -> None:
    """Make a backup, with the key of the guests' cookies beside it."""
    place = db or usual_place()
    copied = back_up(place, file)
    key = key_file(place)
    if key.is_file():
        _copy_private(key, _beside(file))
    print(f"{file}: {copied.tables} tables with {copied.entries} entries.")


def run_restore(file: Path, db: str | None) -> None:
    """Bring a backup back, and the key that lies beside it."""
    place = with_folder(db or usual_place())
    copied = restore(file, place)
    key = key_file(place)
    if _beside(file).is_file() and not key.exists():
        _copy_private(_beside(file), key)
    print(f"{copied.tables} tables with {copied.entries} entries are back.")


def run_erase(code: str, name: str, db: str | None) -> None:
    """Erase a guest."""
    erased = erase.erase(db or usual_place(), code, name)
    print(f"Erased at {erased.tables} tables, with {erased.remarks} remarks.")


def _beside(file: Path) -> Path:
    return Path(f"{file}.key")


def _copy_private(source: Path, target: Path) -> None:
    """Copy a key; only its owner can read it from the first moment on."""
    try:
        target.touch(mode=0o600, exist_ok=False)
        shutil.copyfile(source, target)
    except OSError as problem:
        raise UsageProblem(f"{target}: the key cannot be written there ({problem.strerror}).") from None
