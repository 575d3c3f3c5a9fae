"""Files that commands write: looked at before the work, which may take hours, and written whole after it."""

from __future__ import annotations

import os
from pathlib import Path

from dicetown.commands.inputs import UsageProblem
from dicetown.whole_files import write_whole


def check_place(place: Path, what: str) -> None:
    """Refuse a file that something cannot be written to, before anything is done for it."""
    folder = place.absolute().parent
    if place.is_dir():
        raise UsageProblem(f"{place} is a folder; name a file to write {what} to.")
    if not folder.is_dir():
        raise UsageProblem(f"{place}: there is no such folder to write {what} to.")
    if not os.access(place if place.exists() else folder, os.W_OK):
        raise UsageProblem(f"{place}: {what} cannot be written there (permission denied).")


def write_text(place: Path, text: str, what: str) -> None:
    """Write a file, or say why that is not possible; one that was there is then as it was."""
    try:
        if place.exists() and not place.is_file():
            place.write_text(text, encoding="utf-8")  # a pipe or a device takes it as it comes
        else:
            write_whole(place, text.encode())
    except OSError as problem:
        raise UsageProblem(f"{place}: {what} cannot be written there ({problem.strerror}).") from None
