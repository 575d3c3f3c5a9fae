#!/usr/bin/env python3
"""Whether what would be released works: builds it into dist/, installs it elsewhere, tries every command.

The wheel is made from the sdist, as installers do, and installed with all it asks for into an environment
where nothing else is, in a home where nothing ran before. Run by `make release-check`.
"""

import os
import re
import shutil
import signal
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

from plays import find_address, visit

ROOT = Path(__file__).resolve().parents[1]
GAME = ROOT / "examples" / "game.json"
SMALL = ["--sets", "base", "--players", "2"]
#: What each command is asked; what it prints holds the word.
TRIALS: dict[str, tuple[list[str], str]] = {
    "play": (["--players", "Ana,greedy"], "Ana"),
    "scenario": ([str(ROOT / "tests" / "scenarios" / "business_center.yaml")], "0 failed"),
    "simulate": ([*SMALL, "--games", "200", "--json"], '"wins"'),
    "arena": ([*SMALL, "--bots", "greedy,random", "--games", "20", "--json"], '"results"'),
    "ladder": (
        ["--bots", "greedy,random", "--editions", "ciudad", "--players", "2", "--games", "20"],
        "greedy",
    ),
    "lab": (["balance", *SMALL, "--games", "200"], "Bakery"),
    "doctor": (["http://127.0.0.1:9"], "127.0.0.1"),
    "backup": (["tables.backup", "--db", "tables.db"], "1"),
    "restore": (["tables.backup", "--db", "again.db"], "1"),
    "erase": (["{code}", "Guest", "--db", "again.db"], "Erased at 1 tables"),
    "tune": ([*SMALL, "--generations", "1", "--games", "40"], ""),
    "bench": (["--seconds", "0.01", "--json"], "decisions"),
    "replay": ([str(GAME)], "Ana"),
    "advise": ([str(GAME), "--move", "9", "--playouts", "20"], "%"),
    "review": ([str(GAME), "--playouts", "4"], "Ana"),
    "verify": ([str(GAME)], "nothing to verify"),
    "cards": ([], "Bakery"),
    "bots": ([], "greedy"),
    "train": (["judge", "base", "--positions", "1000"], "Kept in"),
    "languages": ([], "Deutsch"),
}
STATUS = {"verify": 1, "doctor": 1}  # of a game without promises, and where nobody answers


def main() -> None:
    """Build, install, try; whatever goes wrong is raised."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        wheel = build(folder)
        program = install(wheel, folder)
        home = folder / "home"
        home.mkdir()
        version = run(program, home, "--version").stdout.split()[-1]
        assert f"-{version}-" in wheel.name, (version, wheel.name)
        code = serve(program, home)
        commands = re.findall(r"^│ ([a-z]+) {2,}\S", run(program, home, "--help").stdout, re.MULTILINE)
        assert set(commands) - {"serve"} == set(TRIALS), "A command without a trial, or the other way round."
        for command in TRIALS:
            attempt(program, home, command, code)
    print(f"release-check: {wheel.name} and its sdist are in dist/, and every command of it works.")


def build(folder: Path) -> Path:
    """The sdist and the wheel, in dist/, where nothing else is afterwards."""
    dist = ROOT / "dist"
    shutil.rmtree(dist, ignore_errors=True)
    hatchling = [sys.executable, "-m", "hatchling", "build", "-d", str(dist), "-t"]
    subprocess.run([*hatchling, "sdist"], cwd=ROOT, check=True)
    (sdist,) = dist.glob("*.tar.gz")
    with tarfile.open(sdist) as files:
        files.extractall(folder, filter="data")
    subprocess.run([*hatchling, "wheel"], cwd=folder / sdist.name.removesuffix(".tar.gz"), check=True)
    (wheel,) = dist.glob("*.whl")
    return wheel


def install(wheel: Path, folder: Path) -> Path:
    """The command of an environment of its own, with what two of the commands need."""
    subprocess.run([sys.executable, "-m", "venv", folder / "env"], check=True)
    pip = [str(folder / "env" / "bin" / "python"), "-m", "pip", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, "install", "--only-binary", ":all:", f"{wheel}[lab,tune]"], check=True)
    return folder / "env" / "bin" / "dicetown"


def surroundings(home: Path) -> dict[str, str]:
    """Those of somebody who has never run it."""
    ours = ("PYTHON", "VIRTUAL_ENV", "XDG_", "NUMBA_", "MAKE")
    others = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    return others | {"HOME": str(home), "LC_ALL": "C.UTF-8", "COLUMNS": "160", "BROWSER": "true"}


def run(program: Path, home: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a command to its end, in the home."""
    return subprocess.run(
        [str(program), *arguments],
        cwd=home,
        env=surroundings(home),
        input="\n1\n",
        capture_output=True,
        text=True,
        check=False,
    )


def serve(program: Path, home: Path) -> str:
    """Serve the page, make a table, and tell its code."""
    command = [str(program), "serve", "--port", "0", "--db", "tables.db"]
    with subprocess.Popen(
        command, cwd=home, env=surroundings(home), stdout=subprocess.PIPE, text=True
    ) as served:
        assert served.stdout is not None
        try:
            address = next(filter(None, map(find_address, served.stdout)), None)
            assert address, "It ended before it said where the table is."
            code = visit(address)
        finally:
            served.send_signal(signal.SIGINT)
    assert served.returncode in (0, 130), served.returncode
    return code


def attempt(program: Path, home: Path, command: str, code: str) -> None:
    """Try a command."""
    arguments, word = TRIALS[command]
    ran = run(program, home, command, *(argument.replace("{code}", code) for argument in arguments))
    assert ran.returncode == STATUS.get(command, 0), (command, ran.returncode, ran.stdout, ran.stderr)
    assert word in ran.stdout + ran.stderr, (command, ran.stdout, ran.stderr)
    assert "Traceback" not in ran.stderr, (command, ran.stderr)
    print(f"  dicetown {command}: as it should be")


if __name__ == "__main__":
    main()
