#!/usr/bin/env python3
"""Installs packages into the environment whose Python runs this: what a lock names, or Dicetown itself.

    .venv/bin/python .ci/install.py requirements.txt            all of it
    .venv/bin/python .ci/install.py requirements.txt NAME…      these of it alone
    .venv/bin/python .ci/install.py --editable                  Dicetown, from these sources

uv does it, in a fraction of pip's time; pip fetches uv, from the lock, hashes and all. Where there is no uv
for this machine, or uv does not succeed, pip does the whole. uv reads none of pip's settings, so they are
passed on.
"""

import os
import re
import subprocess
import sys
import tempfile
from ast import literal_eval
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PIP = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
# Wheels only: building a dependency would fetch things that no lock names.
LOCKED = ["--require-hashes", "--only-binary", ":all:"]
EDITABLE = ["--no-deps", "--no-build-isolation", "--editable", str(ROOT)]
#: What pip calls its settings, and by which variable uv is told of them.
SETTINGS = {
    "index-url": "UV_DEFAULT_INDEX",
    "extra-index-url": "UV_INDEX",
    "find-links": "UV_FIND_LINKS",
    "cert": "SSL_CERT_FILE",
}


def main(lock: str, *names: str) -> int:
    """Install, and say by the exit status whether that was possible."""
    if lock == "--editable":
        return install(EDITABLE)
    with tempfile.TemporaryDirectory() as folder:
        if not find_uv():
            fetch = [*PIP, "install", *LOCKED, *only(lock, ["uv"], folder)]
            subprocess.run(fetch, stderr=subprocess.DEVNULL, check=False)
        return install(LOCKED + (only(lock, list(names), folder) if names else ["-r", lock]))


def install(what: list[str]) -> int:
    """Let uv install it, or pip."""
    uv = find_uv()
    if uv:
        # pip asks every place for every package and takes the best; the hashes say that it is the right one.
        command = [str(uv), "pip", "install", "--quiet", "--index-strategy", "unsafe-best-match", *what]
        here = os.environ | pips_settings() | {"VIRTUAL_ENV": sys.prefix}
        if subprocess.run(command, env=here, check=False).returncode == 0:
            return 0
        print("uv did not install it; pip tries …", file=sys.stderr)
    return subprocess.run([*PIP, "install", *what], check=False).returncode


def find_uv() -> Path | None:
    """The uv of this environment, if it has one."""
    uv = Path(sys.prefix) / "bin" / "uv"
    return uv if uv.exists() else None


def only(lock: str, names: list[str], folder: str) -> list[str]:
    """The part of a lock that is about some packages, as a lock of its own."""
    entries = re.findall(r"^[\w.-]+==(?:.*\\\n)*.*\n", (ROOT / lock).read_text(encoding="utf-8"), re.M)
    part = Path(folder) / "part.txt"
    part.write_text("".join(entry for entry in entries if entry.split("==")[0] in names), encoding="utf-8")
    return ["--no-deps", "-r", str(part)]


def pips_settings() -> dict[str, str]:
    """What pip was told of places of packages, as uv wants to hear it; what uv was told itself stays."""
    ask = [sys.executable, "-m", "pip", "config", "list"]
    told = subprocess.run(ask, capture_output=True, text=True, check=False).stdout
    found: dict[str, str] = {}
    for line in sorted(told.splitlines(), key=strength):
        key, _, value = line.partition("=")
        variable = SETTINGS.get(key.rpartition(".")[2])
        if variable and variable not in os.environ:
            found[variable] = ("," if variable == "UV_FIND_LINKS" else " ").join(literal_eval(value).split())
    return found


def strength(line: str) -> int:
    """Which of pip's settings wins over which: one for all commands, one for installing, a variable."""
    return 2 if line.startswith(":env:.") else line.startswith("install.")


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
