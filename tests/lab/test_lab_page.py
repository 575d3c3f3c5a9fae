"""What the page about the lab shows works as shown, with fewer games."""

import re
import shlex
from pathlib import Path
from typing import Any

import pytest
from tests.running import Run

PAGE = (Path(__file__).parent.parent.parent / "docs" / "lab.md").read_text(encoding="utf-8")
COMMANDS, FILES, QUESTION, STUDY = re.findall(r"```\w+\n(.*?)```", PAGE, re.DOTALL)
FEW = 200


def run(example: str) -> dict[str, Any]:
    shared: dict[str, Any] = {}
    exec(compile(example, "docs/lab.md", "exec"), shared)
    return shared


@pytest.fixture
def results(dicetown: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder that the page's command leaves; nothing is opened in a browser."""
    monkeypatch.chdir(tmp_path)
    install, command = COMMANDS.splitlines()
    assert install == "pip install 'dicetown[lab]'"
    program, *words = shlex.split(command)
    words.remove("--open")
    ran = dicetown(*words, "--games", FEW)
    assert (program, ran.status) == ("dicetown", 0), ran.err
    return tmp_path / words[words.index("--out") + 1]


def test_the_command_leaves_the_files_that_are_listed(results: Path) -> None:
    assert [line for line in FILES.splitlines() if not (results.parent / line).is_file()] == []


def test_the_question_in_sql_prints_its_answer(results: Path, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    run(QUESTION)
    printed = capsys.readouterr().out
    assert re.search(r"thing\W+bought\W+coins_per_coin\W+won", printed), printed
    assert len(printed.splitlines()) > 10


def test_the_study_prints_its_answer_and_writes_a_report(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    small = STUDY.replace("games=20_000", f"games={FEW}")
    assert small != STUDY
    shared = run(small)
    assert capsys.readouterr().out == f"{shared['section'].answer}\n"
    assert (tmp_path / "results" / "report.html").is_file()
