"""Where a service keeps its tables, and the key of the guests' cookies beside them."""

from __future__ import annotations

from pathlib import Path

from platformdirs import user_data_path

from dicetown.commands.inputs import UsageProblem
from dicetown.whole_files import write_new


def usual_place() -> str:
    """Where tables are kept if nobody says otherwise."""
    return str(_home() / "tables.db")


def _home() -> Path:
    return user_data_path("dicetown", appauthor=False)


def with_folder(place: str) -> str:
    """The place of the database; the folder of a file is made if it is missing, for its owner alone."""
    if "://" not in place:
        folder = Path(place).expanduser().absolute().parent
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as problem:
            raise UsageProblem(f"{folder}: the folder cannot be made ({problem.strerror}).") from None
    return place


def key_file(place: str) -> Path:
    """Where the key of the cookies is kept: beside the database, if that is a file."""
    return _home() / "guests.key" if "://" in place else Path(f"{Path(place).expanduser()}.key")


def key_beside(backup: Path) -> Path:
    """Where the key is kept in a backup."""
    return Path(f"{backup}.key")


def copy_key(source: Path, target: Path) -> None:
    """Copy a key, whole or not at all; only its owner can read it from the first moment on."""
    from dicetown.server.common.private_files import PRIVATE

    try:
        write_new(target, source.read_bytes(), PRIVATE)
    except OSError as problem:
        raise UsageProblem(f"{target}: the key cannot be written there ({problem.strerror}).") from None
