"""Every block of code in the documentation runs, and every link in it leads somewhere.

A page's blocks run one after the other, as a reader would: Python in one session, commands in an empty folder
with the examples at hand, scenarios, TOML and JSON as what they are. Above a block may stand

    <!-- in tests: 20000 → 200 -->      so that it takes no minutes
    <!-- file: baker.py -->             it is a file that later blocks use
    <!-- not run: needs a GPU -->       and why; commands must still exist, with these options

Nothing of that is shown on the site.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import typer
from tests.running import Run

from dicetown import Game
from dicetown.cli import app
from dicetown.scenario import read_scenarios, run_scenario

ROOT = Path(__file__).parent.parent
PAGES = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / "SECURITY.md",
    *sorted((ROOT / "docs").rglob("*.md")),
]
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
BLOCK = re.compile(r"(?:^<!-- ([^\n]+) -->\n)?^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\((?!\w+:|#)([^)\s#]+)[^)]*\)")
LANGUAGES = {"python", "sh", "yaml", "toml", "json", "text", "mermaid"}
#: Pages whose Python is run elsewhere, by tests that look at what comes out.
PYTHON_RUN_BY = {
    "README.md": "tests/test_readme.py",
    "docs/arena.md": "tests/arena/test_tournament.py",
    "docs/bots.md": "tests/bots/test_pipe.py",
    "docs/envs.md": "tests/envs/test_envs_page.py",
    "docs/fairness.md": "tests/fair/test_document.py",
    "docs/lab.md": "tests/lab/test_lab_page.py",
}
#: Pages that are made at every build of the site.
MADE = re.compile(r"docs/(?:cards/\w+|reference/(?:commands|wire))\.md")


@dataclass(frozen=True)
class Block:
    page: str
    language: str
    text: str
    note: str

    @property
    def is_run(self) -> bool:
        return not self.note.startswith("not run:")

    @property
    def file(self) -> str:
        return self.note.removeprefix("file: ") if self.note.startswith("file: ") else ""

    @property
    def small(self) -> str:
        """As it is run: what a note says is replaced."""
        text = self.text
        if self.note.startswith("in tests: "):
            for change in self.note.removeprefix("in tests: ").split(", "):
                old, new = change.split(" → ")
                assert old in text, f"{self.page} has no {old!r} to replace"
                text = text.replace(old, new)
        return text


def name_of(page: Path) -> str:
    return str(page.relative_to(ROOT))


def blocks_of(page: Path) -> list[Block]:
    found = BLOCK.findall(page.read_text(encoding="utf-8"))
    return [Block(name_of(page), language, text, note) for note, language, text in found]


WITH_BLOCKS = [page for page in PAGES if blocks_of(page)]


@pytest.mark.parametrize("page", WITH_BLOCKS, ids=name_of)
def test_every_block_says_what_it_is(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert len(re.findall(r"^```", text, re.MULTILINE)) == 2 * len(blocks_of(page))
    notes = re.findall(r"^<!-- (.+) -->$", text, re.MULTILINE)
    assert notes == [block.note for block in blocks_of(page) if block.note], (
        "a note stands right above its block"
    )
    for block in blocks_of(page):
        assert block.language in LANGUAGES, block.text
        assert re.fullmatch(r"|not run: .+|in tests: .+ → .+|file: [\w.]+", block.note), block.note


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_every_link_leads_to_a_file(page: Path) -> None:
    prose = BLOCK.sub("", page.read_text(encoding="utf-8"))
    for target in LINK.findall(prose):
        path = (page.parent / target).resolve()
        made = MADE.fullmatch(str(path.relative_to(ROOT)))
        assert path.exists() or made, f"{name_of(page)} links to {target}"


def test_who_runs_python_elsewhere_names_the_page() -> None:
    for page, test in PYTHON_RUN_BY.items():
        assert Path(page).name in (ROOT / test).read_text(encoding="utf-8")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where blocks run: like a checkout to read from, but nothing in it can be harmed."""
    for name in ("examples", "tests"):
        (tmp_path / name).symlink_to(ROOT / name)
    saved = json.loads((ROOT / "examples" / "game.json").read_text(encoding="utf-8"))
    (tmp_path / "game.json").write_text(
        json.dumps(saved | {"moves": saved["moves"][:78]})
    )  # Caro is to build
    (tmp_path / "docs").mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("PYTHONPATH", str(ROOT / "src"))
    return tmp_path


@pytest.mark.parametrize("page", WITH_BLOCKS, ids=name_of)
def test_every_block_runs(page: Path, folder: Path, dicetown: Run) -> None:
    session: dict[str, Any] = {"__name__": "__page__"}
    for block in blocks_of(page):
        if block.file:
            (folder / block.file).write_text(block.text, encoding="utf-8")
        match block.language:
            case "python":
                code = compile(block.small, block.page, "exec")
                if block.is_run and block.page not in PYTHON_RUN_BY:
                    exec(code, session)
            case "sh":
                for line in block.small.splitlines():
                    run_line(line.split("  #")[0].strip(), block.is_run, dicetown)
            case "yaml":
                for scenario in read_scenarios(block.text, block.page):
                    assert run_scenario(scenario).passed
            case "toml":
                tomllib.loads(block.text)
            case "json":
                text = block.text.strip()
                read = json.loads(text if text[0] == "{" else f"{{{text}}}")
                if read.get("format") == "dicetown/1":
                    Game.load(text)


def run_line(line: str, is_run: bool, dicetown: Run) -> None:
    """Run a line of a shell, or see that what it says exists."""
    said = ""
    for command in re.split(r" \| (?=dicetown)", line):
        program, *words = [word for word in shlex.split(command) if not re.fullmatch(r"[A-Z_]+=\S+", word)]
        match Path(program).name:
            case "make":
                assert re.search(rf"^{words[0]}:", MAKEFILE, re.MULTILINE), line
            case "pip":
                (extras,) = re.findall(r"dicetown\[(.+)\]", words[-1])
                assert set(extras.split(",")) <= PROJECT["optional-dependencies"].keys(), line
            case "dicetown" if is_run and words[0] != "serve":
                ran = dicetown(*[word for word in words if word != "--open"], lines=said or "q\n")
                assert ran.status == 0, f"{line}\n{ran.out}\n{ran.err}"
                said = ran.out
            case "dicetown":
                context: Any = typer.main.get_command(app)
                context.commands[words[0]].make_context(words[0], words[1:])
            case "python" | "python3":
                assert (ROOT / words[0]).is_file(), line
            case _:
                assert not is_run, f"nothing here knows how to run {line}"
