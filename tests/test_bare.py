"""Machines unlike this: where nothing ran before, as `.ci/bare` makes one of it, or where paths are long."""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SETTINGS = [".config/pip/pip.conf", ".npmrc"]
LOOK = """
import json, os, tempfile
def files(top):
    return [os.path.join(folder, name) for folder, _, names in os.walk(top) for name in names]
home, temporary = os.path.expanduser("~"), tempfile.gettempdir()
seen = {"cwd": os.getcwd(), "home": home, "in home": files(home), "temporary": files(temporary)}
print(json.dumps(seen | {"cache": os.environ.get("NUMBA_CACHE_DIR")}))
with open(os.path.join(temporary, "left-behind"), "w"):
    pass
"""


@pytest.fixture
def someone(tmp_path: Path) -> dict[str, str]:
    """The environment of somebody who has run much, and has told pip and npm where packages are."""
    home = tmp_path / "home"
    for name in [*SETTINGS, ".cache/dicetown/kernels/old", ".ray/token", "notes.txt"]:
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).touch()
    others = {name: os.environ[name] for name in os.environ if not name.startswith(("XDG_", "PIP_", "NPM_"))}
    return others | {"HOME": str(home), "NUMBA_CACHE_DIR": str(home), "PYTHON": sys.executable}


def bare(env: dict[str, str], *command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [ROOT / ".ci" / "bare", *command], cwd=ROOT, env=env, capture_output=True, text=True, check=False
    )


def without_mounts(env: dict[str, str], folder: Path) -> dict[str, str]:
    """As where nobody may mount anything."""
    refusing = folder / "refusing" / "unshare"
    refusing.parent.mkdir()
    refusing.write_text("#!/bin/sh\nexit 1\n")
    refusing.chmod(0o755)
    return env | {"PATH": f"{refusing.parent}:{env['PATH']}"}


def check_that_nothing_is_there(said: str, env: dict[str, str]) -> None:
    seen = json.loads(said.splitlines()[-1])
    assert seen["cwd"] == str(ROOT)
    assert sorted(os.path.relpath(file, seen["home"]) for file in seen["in home"]) == SETTINGS
    # The home and the checkout may themselves be in the folder for temporary files.
    strange = {file for file in seen["temporary"] if not Path(file).is_relative_to(ROOT)}
    assert strange <= set(seen["in home"])
    assert seen["cache"] is None
    assert not Path(tempfile.gettempdir(), "left-behind").exists()
    assert Path(env["HOME"], "notes.txt").exists()


def test_programs_find_nothing_but_the_settings_of_package_clients(someone: dict[str, str]) -> None:
    ran = bare(someone, "python3", "-c", LOOK)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.startswith("Bare: ")
    check_that_nothing_is_there(ran.stdout, someone)


def test_where_nothing_can_be_mounted_variables_lead_to_empty_folders(
    someone: dict[str, str], tmp_path: Path
) -> None:
    ran = bare(without_mounts(someone, tmp_path), "python3", "-c", LOOK)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.startswith("Bare: nothing can be mounted here")
    check_that_nothing_is_there(ran.stdout, someone)


def test_how_a_command_ends_is_passed_on(someone: dict[str, str], tmp_path: Path) -> None:
    for env in (someone, without_mounts(someone, tmp_path)):
        assert bare(env, "sh", "-c", "exit 3").returncode == 3
    assert bare(someone).returncode == 2


@pytest.mark.slow
def test_the_tests_run_where_temporary_files_have_long_paths() -> None:
    """PostgreSQL's socket is in there."""
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)  # the database runs as somebody else
        deep = Path(folder, "deep" * 25)
        deep.mkdir()
        test = "tests/server/test_store.py::test_a_journal_is_read_as_it_was_written"
        ran = subprocess.run(
            [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", test],
            cwd=ROOT,
            env=os.environ | {"TMPDIR": str(deep)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert ran.returncode == 0, ran.stdout
