"""A bot of another package: installed, it is known everywhere, and plays in a process of its own."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]

PROJECT = """
[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"

[project]
name = "lucky-bots"
version = "1.2"

[project.entry-points."dicetown.bots"]
lucky = "lucky_bots:LuckyBot"
raising = "lucky_bots:RaisingBot"
hanging = "lucky_bots:HangingBot"
printing = "lucky_bots:PrintingBot"
nowhere = "lucky_bots:NoSuchBot"
nothing = "lucky_bots:CALLS"

[tool.hatch.build.targets.wheel]
packages = ["lucky_bots"]
"""

MODULE = """
import time
from dicetown.bots import Bot, Option

CALLS = 0

class LuckyBot(Bot):
    name = "lucky"
    description = {"en": "Trusts its luck."}
    options = {"charm": Option(7, "its lucky number")}
    budget = 5.0

    def __init__(self, charm=7):
        self.charm = charm

    def choose(self, view, rng):
        return view.legal_actions[(self.charm * rng.randrange(1000)) % len(view.legal_actions)]

class RaisingBot(LuckyBot):
    name = "raising"

    def choose(self, view, rng):
        raise ZeroDivisionError("out of luck")

class HangingBot(LuckyBot):
    name = "hanging"
    budget = 0.2

    def choose(self, view, rng):
        while True:
            time.sleep(1)

class PrintingBot(LuckyBot):
    name = "printing"

    def choose(self, view, rng):
        print("I am thinking!")
        return super().choose(view, rng)
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the package was installed, as anybody would install it."""
    source = tmp_path_factory.mktemp("lucky")
    (source / "pyproject.toml").write_text(PROJECT)
    (source / "lucky_bots").mkdir()
    (source / "lucky_bots" / "__init__.py").write_text(MODULE)
    target = tmp_path_factory.mktemp("site")
    offline = ["--no-deps", "--no-build-isolation", "--no-index", "--disable-pip-version-check"]
    command = [sys.executable, "-m", "pip", "install", "--quiet", *offline, "--target", str(target), "."]
    subprocess.run(command, cwd=source, check=True, capture_output=True)
    return target


def dicetown(site: Path, tmp_path: Path, *arguments: str, lines: str = "") -> subprocess.CompletedProcess:
    paths = os.pathsep.join([str(site), str(ROOT / "src")])
    return subprocess.run(
        [sys.executable, "-m", "dicetown", *arguments],
        input=lines,
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"PYTHONPATH": paths, "XDG_STATE_HOME": str(tmp_path), "LC_ALL": "C.UTF-8"},
    )


def arena(site: Path, tmp_path: Path, bots: str, games: int = 4) -> list[dict[str, Any]]:
    ran = dicetown(site, tmp_path, "arena", "--bots", bots, "--games", str(games), "--sets", "base", "--json")
    assert ran.returncode == 0, ran.stderr
    results: list[dict[str, Any]] = json.loads(ran.stdout)["results"]
    return results


def test_an_installed_bot_is_listed_with_its_options(site: Path, tmp_path: Path) -> None:
    listed = json.loads(dicetown(site, tmp_path, "bots", "--json").stdout)
    assert listed["lucky"] == {
        "description": "Trusts its luck.",
        "options": {"charm": {"usual": 7, "meaning": "its lucky number"}},
        "package": "lucky-bots",
    }
    assert listed["greedy"]["package"] is None
    assert "cannot be loaded" in listed["nowhere"]["description"]
    assert "is no subclass" in listed["nothing"]["description"]
    said = dicetown(site, tmp_path, "bots", "--lang", "de").stdout
    assert "Trusts its luck. [lucky-bots]" in said
    assert "charm=7: its lucky number" in said


def test_an_installed_bot_plays_in_the_arena(site: Path, tmp_path: Path) -> None:
    lucky, greedy = arena(site, tmp_path, "lucky:charm=3,greedy")
    assert lucky["bot"] == "lucky:charm=3"
    assert lucky["faults"] == {}
    assert lucky["games"] == greedy["games"] == 4
    assert lucky["wins"] + greedy["wins"] == 4


@pytest.mark.parametrize(
    ("bot", "reason"),
    [
        ("raising", "It ended with status 1: ZeroDivisionError: out of luck"),
        ("hanging", "It did not say choice within 0.30 s."),
    ],
)
def test_an_installed_bot_that_fails_harms_nobody(bot: str, reason: str, site: Path, tmp_path: Path) -> None:
    failed, greedy = arena(site, tmp_path, f"{bot},greedy", games=2)
    assert (failed["losses_by_fault"], greedy["wins"]) == (2, 2)
    assert any(reason in said for said in failed["faults"])


@pytest.mark.parametrize(
    ("bot", "reason"),
    [
        ("nowhere", 'The bot "nowhere" (lucky_bots:NoSuchBot) cannot be loaded'),
        ("lucky:size=3", 'The bot "lucky" has no option "size"; it has: charm.'),
        ("lucky:charm=big", 'must be a whole number, not "big".'),
    ],
)
def test_an_installed_bot_that_cannot_be_made_is_refused(
    bot: str, reason: str, site: Path, tmp_path: Path
) -> None:
    ran = dicetown(site, tmp_path, "arena", "--bots", f"{bot},greedy")
    assert ran.returncode == 2
    assert ran.stderr.count("\n") == 1
    assert reason in ran.stderr


def test_what_a_bot_prints_disturbs_nobody(site: Path, tmp_path: Path) -> None:
    assert arena(site, tmp_path, "printing,greedy", games=2)[0]["faults"] == {}


def test_at_a_table_a_bot_that_fails_is_replaced_and_everybody_is_told(site: Path, tmp_path: Path) -> None:
    ran = dicetown(
        site, tmp_path, "play", "--players", "Ana,raising", "--sets", "base", "--seed", "1", lines="\n1\n"
    )
    assert ran.returncode == 0, ran.stderr
    assert "Raising is not running any more. From now on the bot " in ran.stdout
