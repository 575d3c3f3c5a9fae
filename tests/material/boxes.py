"""Copies of the boxes that a test may scribble in."""

from __future__ import annotations

import shutil
from importlib.resources import as_file, files
from pathlib import Path

TEA_HOUSE = """
game = "classic"

[[establishment]]
id = "tea_house"
set = "base"
name = { en = "Tea House", es = "Casa de té", de = "Teehaus" }
colour = "red"
icon = "cup"
rolls = [4, 5]
cost = 3
copies = 6
effect = { kind = "fee", amount = 2 }
"""

LIGHTHOUSE = """
game = "classic"

[[landmark]]
id = "lighthouse"
set = "harbor"
name = { en = "Lighthouse", es = "Faro", de = "Leuchtturm" }
cost = [12]
effect = { kind = "bonus", icons = ["boat"], amount = 1 }
"""


def copy_of_the_boxes(folder: Path) -> Path:
    """All files of the boxes, in a folder of the test's own."""
    return _copy_of("dicetown.material", folder)


def copy_of_the_languages(folder: Path) -> Path:
    """All files of all languages, in a folder of the test's own."""
    return _copy_of("dicetown.languages", folder)


def _copy_of(package: str, folder: Path) -> Path:
    with as_file(files(package)) as source:
        for file in source.rglob("*.toml"):
            target = folder / file.relative_to(source)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, target)
    return folder


def rewrite(file: Path, old: str, new: str) -> None:
    """Replace the one place where ``old`` stands."""
    text = file.read_text(encoding="utf-8")
    assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in {file.name}"
    file.write_text(text.replace(old, new), encoding="utf-8")


def written(folder: Path, name: str, text: str) -> Path:
    """A new file in the folder."""
    file = folder / name
    file.write_text(text, encoding="utf-8")
    return file
