"""What is shipped: the wheel made from the sdist, installed away from the checkout, serves the table."""

import os
import re
import subprocess
import sys
import sysconfig
import tarfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from urllib.parse import urljoin

import httpx
import pytest
from tests.test_project import PROJECT

ROOT = Path(__file__).parent.parent
SOURCE = PROJECT["project"]["urls"]["Source"]


def build(target: str, source: Path, folder: Path) -> Path:
    """An sdist or a wheel, made with what is installed: `python -m build` would fetch it."""
    command = [sys.executable, "-m", "hatchling", "build", "-t", target, "-d", str(folder)]
    subprocess.run(command, cwd=source, check=True, capture_output=True)
    (made,) = folder.glob("*.tar.gz" if target == "sdist" else "*.whl")
    return made


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What is in the sdist."""
    folder = tmp_path_factory.mktemp("sdist")
    with tarfile.open(build("sdist", ROOT, folder)) as sdist:
        sdist.extractall(folder, filter="data")
    (top,) = (entry for entry in folder.iterdir() if entry.is_dir())
    return top


@pytest.fixture(scope="module")
def wheel(unpacked: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel made from the sdist, as installers and `python -m build` do."""
    return build("wheel", unpacked, tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def described(wheel: Path) -> EmailMessage:
    """What a package index is told."""
    with zipfile.ZipFile(wheel) as files:
        (name,) = (name for name in files.namelist() if name.endswith(".dist-info/METADATA"))
        told = message_from_bytes(files.read(name), policy=policy.default)
    assert isinstance(told, EmailMessage)
    return told


# -------------------------------------------------------------------------- what is inside


def test_the_wheel_carries_the_material_the_types_the_page_and_the_licence(wheel: Path) -> None:
    shipped = set(zipfile.ZipFile(wheel).namelist())
    package = ROOT / "src" / "dicetown"
    wanted = [*package.rglob("*.toml"), *(package / "server" / "static").rglob("*.*"), package / "py.typed"]
    assert {f"dicetown/{file.relative_to(package).as_posix()}" for file in wanted} <= shipped
    assert {"dicetown/material/editions.toml", "dicetown/server/static/index.html"} <= shipped
    for name in ["LICENSE", "NOTICE"]:
        assert any(entry.endswith(f".dist-info/licenses/{name}") for entry in shipped), name


def test_the_sdist_carries_what_the_tests_need(unpacked: Path) -> None:
    for name in ["Makefile", "requirements-dev.txt", ".ci/run", "tests/conftest.py", "web/package-lock.json"]:
        assert (unpacked / name).is_file(), name
    assert not (unpacked / "web" / "node_modules").exists()


def test_without_the_page_nothing_is_built_for_others(unpacked: Path, tmp_path: Path) -> None:
    page = unpacked / "src" / "dicetown" / "server" / "static" / "index.html"
    kept = page.rename(tmp_path / "index.html")
    try:
        with pytest.raises(subprocess.CalledProcessError) as refused:
            build("wheel", unpacked, tmp_path)
    finally:
        kept.rename(page)
    assert refused.value.stderr == b"The browser client is not built yet: `make page` does that.\n"


# ------------------------------------------------------------------- what an index shows


def test_an_index_is_told_what_there_is(described: EmailMessage) -> None:
    summary = described["Summary"]
    assert len(summary) < 512  # longer ones are refused
    for part in ["engine", "browser", "terminal", "bots", "lab", "environments"]:
        assert part in summary
    assert described["Project-URL"] == f"Source, {SOURCE}"
    assert described["Description-Content-Type"] == "text/markdown"


def test_every_link_and_picture_an_index_shows_is_a_whole_address_of_a_file(described: EmailMessage) -> None:
    text = described.get_content()
    pictures = re.findall(r"!\[[^\]]*\]\(([^)]+)\)", text)
    links = re.findall(r"(?<!!)\[[^\]]*\]\(([^)]+)\)", text)
    assert pictures
    assert len(links) > 10
    for way, found in [("raw", pictures), ("blob", links)]:
        for address in found:
            path = address.removeprefix(f"{SOURCE}/{way}/HEAD/")
            assert path != address, address
            assert (ROOT / path).is_file(), path


# ------------------------------------------------------------------------ what it does


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs of an environment with the wheel in it, and nothing else of Dicetown.

    What it depends on is lent by the environment of the tests, by a line in a .pth file: nothing is fetched.
    Python does not follow the .pth files it finds that way, such as the one that leads to the checkout.
    """
    folder = tmp_path_factory.mktemp("environment")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    python = folder / "bin" / "python"
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--python", str(python)]
    subprocess.run([*pip, "install", "--quiet", "--no-index", "--no-deps", str(wheel)], check=True)
    (own,) = folder.glob("lib/python*/site-packages")
    (own / "lent.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return folder / "bin"


@contextmanager
def serving(programs: Path, folder: Path) -> Iterator[str]:
    """The address of a service of that environment."""
    env = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    command = [str(programs / "dicetown"), "serve", "--port", "0", "--db", str(folder / "tables.db")]
    with (
        (folder / "log").open("w") as log,
        subprocess.Popen(
            command, cwd=folder, env=env, stdout=subprocess.PIPE, stderr=log, text=True
        ) as service,
    ):
        try:
            assert service.stdout is not None
            said = service.stdout.readline()
            found = re.search(r"http://\S+", said)
            assert found, said + (folder / "log").read_text()
            yield found[0]
        finally:
            service.terminate()
            service.wait(30)


@pytest.mark.slow
def test_the_wheel_made_from_the_sdist_serves_the_page(installed: Path, tmp_path: Path) -> None:
    with serving(installed, tmp_path) as address:
        page = httpx.get(address, timeout=60)
        assert page.status_code == 200
        parts = re.findall(r'(?:src|href)="([^"]+\.(?:js|css))"', page.text)
        assert parts
        for part in parts:
            assert httpx.get(urljoin(address, part), timeout=60).status_code == 200, part
    where = "import dicetown; print(dicetown.__file__)"
    asked = subprocess.run(
        [installed / "python", "-I", "-c", where], capture_output=True, text=True, check=True
    )
    assert Path(asked.stdout.strip()).is_relative_to(installed.parent)
