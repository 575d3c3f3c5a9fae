"""The pictures in the documentation: what is shown can be taken anew, in every window and edition."""

import importlib.util
import re
import sys
from pathlib import Path
from types import ModuleType

import pytest

from dicetown.material import load

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def script() -> ModuleType:
    """docs/make_screenshots.py, without taking any."""
    spec = importlib.util.spec_from_file_location("make_screenshots", ROOT / "docs" / "make_screenshots.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # its dataclasses look themselves up there
    spec.loader.exec_module(module)
    return module


def names(script: ModuleType) -> list[str]:
    return [name for window in script.WINDOWS for _, name in script.names_of(window)]


def test_every_picture_that_a_page_shows_is_taken_and_there(script: ModuleType) -> None:
    pages = [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]
    shown = {name for page in pages for name in re.findall(r"screenshots/([\w-]+)\.png", page.read_text())}
    assert shown
    assert shown <= set(names(script))
    assert all((ROOT / "docs" / "screenshots" / f"{name}.png").is_file() for name in shown)


def test_no_two_pictures_have_the_same_name_and_there_are_not_too_many(script: ModuleType) -> None:
    assert len(names(script)) == len(set(names(script))) <= 40


def test_every_edition_is_shown_and_its_moments_come(script: ModuleType) -> None:
    shown = {window.many for window in script.WINDOWS} | {window.trade for window in script.WINDOWS}
    assert shown == set(load().editions)
    for edition in {window.trade for window in script.WINDOWS}:
        assert script.is_to_trade(script.trading(edition))
    for edition in {window.many for window in script.WINDOWS}:
        assert script.is_to_build(script.many(edition))


def test_old_pictures_go_away_and_those_of_others_never(
    script: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old, new = tmp_path / "old.png", tmp_path / "new.png"
    for path in (old, new):
        path.write_bytes(b"")
    script.forget_others(tmp_path, {new})
    assert (old.exists(), new.exists()) == (True, True)
    monkeypatch.setattr(script, "PICTURES", tmp_path)
    script.forget_others(tmp_path, {new})
    assert (old.exists(), new.exists()) == (False, True)
