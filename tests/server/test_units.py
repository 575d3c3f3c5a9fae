"""The units of `deploy/` for systemd: systemd understands all of them, and Dicetown what they say to it."""

import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from tests.programs import program
from tests.server.test_deployed import commands
from typer.main import get_command

from dicetown.cli import app

UNITS = sorted((Path(__file__).parents[2] / "deploy").glob("*.service"))


def settings(unit: Path) -> dict[str, str]:
    """What stands in a unit; nothing stands in two of its sections."""
    lines = unit.read_text(encoding="utf-8").splitlines()
    pairs = [line.partition("=") for line in lines if line and line[0] not in "#["]
    read = {name: value for name, _, value in pairs}
    assert len(read) == len(pairs)
    return read


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.stem)
def test_systemd_understands_it(unit: Path, tmp_path: Path) -> None:
    # It wants to see the program, which here is elsewhere; and a template with what it is for.
    shown = unit.read_text(encoding="utf-8").replace("/opt/dicetown/bin/dicetown", sys.executable)
    written = tmp_path / unit.name.replace("@.", "@8001.")
    written.write_text(shown, encoding="utf-8")
    command = [program("systemd-analyze", "systemd"), "verify", str(written)]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (0, "")


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.stem)
def test_dicetown_understands_what_a_unit_says(unit: Path) -> None:
    program, *words = shlex.split(settings(unit)["ExecStart"].replace("%i", "8001"))
    assert program == "/opt/dicetown/bin/dicetown"
    assert words[0] == "serve"
    read(words[1:])


@pytest.mark.parametrize("part", commands())
def test_dicetown_understands_what_a_container_says(part: str) -> None:
    read(commands()[part])


def read(words: list[str]) -> None:
    """Read the options of `dicetown serve`; what it does not know is an error."""
    command = get_command(app).commands["serve"]  # type: ignore[attr-defined]
    command.make_context("serve", words)


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.stem)
def test_parts_on_one_machine_do_not_get_in_each_others_way(unit: Path) -> None:
    """They share what is compiled, so they are one user: else it belongs to whoever has started last."""
    service = settings(unit)
    assert (service["DynamicUser"], service["User"]) == ("yes", "dicetown")
    assert service["Environment"] == f"XDG_CACHE_HOME=/var/cache/{service['CacheDirectory']}"


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.stem)
def test_systemd_does_not_give_up(unit: Path) -> None:
    """A database that comes later than the service is waited for, however quickly each attempt fails."""
    found = settings(unit)
    assert (found["Restart"], found["StartLimitIntervalSec"]) == ("always", "0")
