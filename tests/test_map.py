"""The map is true: every path, function and target that the guides name is there."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
GUIDES = {name: (ROOT / name).read_text(encoding="utf-8") for name in ("docs/design.md", "CONTRIBUTING.md")}
#: A path in backticks: with a slash, or with an ending that files of ours have.
PATH = re.compile(r"`((?:[\w.-]+/)+[\w.-]*|[\w.-]+\.(?:py|toml|md|ts|yml|txt|svelte))`")
#: Functions named after the file that has them.
FUNCTIONS = re.compile(r"`([\w/]+\.py)`: ((?:`\w+`(?:, )?)+)")
ROOTS = (ROOT, ROOT / "src" / "dicetown")


def find(path: str) -> Path | None:
    return next((root / path for root in ROOTS if (root / path).exists()), None)


@pytest.mark.parametrize("guide", GUIDES)
def test_every_path_it_names_is_there(guide: str) -> None:
    named = set(PATH.findall(GUIDES[guide]))
    assert len(named) > 20
    assert sorted(path for path in named if not find(path)) == []


@pytest.mark.parametrize("guide", GUIDES)
def test_every_function_it_names_is_in_its_file(guide: str) -> None:
    for path, names in FUNCTIONS.findall(GUIDES[guide]):
        file = find(path)
        assert file is not None, path
        text = file.read_text(encoding="utf-8")
        for name in re.findall(r"`(\w+)`", names):
            assert re.search(rf"def {name}\b", text), f"{path} has no {name}"


def test_every_room_is_on_the_map() -> None:
    source = ROOT / "src" / "dicetown"
    rooms = {str(file.parent.relative_to(source)) for file in source.rglob("__init__.py")} - {"."}
    unnamed = [
        room for room in rooms if f"`{room}/`" not in GUIDES["docs/design.md"] and "migrations/" not in room
    ]
    assert sorted(unnamed) == []


def test_the_arrows_are_drawn_as_they_are() -> None:
    drawn = subprocess.run(
        [sys.executable, ROOT / "docs" / "draw_arrows.py"], capture_output=True, text=True, check=True
    ).stdout
    assert drawn.strip() in GUIDES["docs/design.md"]


RECIPES = [
    "card",
    "effect",
    "house rule",
    "edition",
    "language",
    "bot",
    "event",
    "page of the client",
    "lab study",
]


@pytest.mark.parametrize("thing", RECIPES)
def test_there_is_a_recipe_that_names_its_files(thing: str) -> None:
    recipe = re.search(
        rf"^### … an? {thing}\n(.*?)(?=^##)", GUIDES["CONTRIBUTING.md"], re.MULTILINE | re.DOTALL
    )
    assert recipe, f"how does one add a {thing}?"
    assert len(set(PATH.findall(recipe[1]))) >= 3


def test_the_recipe_for_effects_names_every_file_that_has_to_know_them() -> None:
    """Wherever an effect's number or structure is asked for, a new one may have to be."""
    recipe = GUIDES["CONTRIBUTING.md"].partition("### … an effect")[2].partition("\n### ")[0]
    source = ROOT / "src" / "dicetown"
    for file in [*source.glob("rules/*.py"), *source.glob("material/*.py"), *source.glob("bots/rules/*.py")]:
        if re.search(
            r"\b(?:effect == SHARE|m\.Share|SHARE = |class Share|\"share\")", file.read_text("utf-8")
        ):
            assert f"`{file.relative_to(source)}`" in recipe, file
