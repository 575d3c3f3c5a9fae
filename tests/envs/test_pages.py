"""The pages about the environments say what the code says."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from dicetown.envs.pages import COMMAND, HISTORY, page_of, write_pages
from dicetown.errors import EnvError
from dicetown.material import load
from dicetown.rules.ruleset import Ruleset
from dicetown.sight.spec import VERSION, spec_for

PAGES = Path(__file__).parents[2] / "docs" / "envs"
EDITIONS = list(load().editions)


def rows(page: str, section: str) -> list[list[str]]:
    """The cells of the tables in a section, without heads and rules."""
    text = page.split(f"\n## {section}\n")[1].split("\n## ", maxsplit=1)[0]
    lines = [line for line in text.splitlines() if line.startswith("|")]
    ruled = [number for number, line in enumerate(lines) if line.startswith("| ---")]
    return [
        line.strip("| ").split(" | ")
        for number, line in enumerate(lines)
        if number not in ruled and number + 1 not in ruled
    ]


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_page_in_the_documentation_is_the_one_the_code_makes(edition: str) -> None:
    kept = (PAGES / f"{edition}.md").read_text(encoding="utf-8")
    assert kept == page_of(edition), (
        f"docs/envs/{edition}.md is not what the code says; make the pages anew: {COMMAND}\n"
        "If what agents see or do means something else now, raise VERSION in sight/spec.py."
    )


def test_there_is_a_page_for_each_edition_and_no_other() -> None:
    assert sorted(page.stem for page in PAGES.glob("*.md")) == sorted(EDITIONS)


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_action_and_every_number_seen_is_on_the_page(edition: str) -> None:
    page, ruleset = page_of(edition), Ruleset(edition)
    for column, players in enumerate(range(ruleset.min_players, ruleset.max_players + 1), start=1):
        spec = spec_for(ruleset, players)
        spans = [re.findall(r"\d+", row[column]) for row in rows(page, "The actions")]
        named = [number for span in spans for number in range(int(span[0]), int(span[-1]) + 1)]
        assert named == list(range(spec.actions))
        seen = {row[0].strip("`"): row for row in rows(page, "The observation") if row[0].startswith("`")}
        for field in spec.fields:
            who, _, name = field.name.rpartition(".")
            if who == "me":
                assert seen[name][1:3] == [str(field.at), str(field.size)]
            elif not who:
                assert seen[name][column] == str(field.at)


def test_the_history_ends_with_the_version_that_is_played() -> None:
    versions = [version for version, _ in HISTORY]
    assert versions == list(range(VERSION + 1))


def test_pages_are_written_into_a_folder_that_is_there(tmp_path: Path) -> None:
    assert [path.name for path in write_pages(tmp_path)] == [f"{edition}.md" for edition in EDITIONS]
    with pytest.raises(EnvError, match=r"There is no folder .* to write the pages into"):
        write_pages(tmp_path / "nowhere")


def test_the_command_says_what_it_wants() -> None:
    asked = subprocess.run(
        [sys.executable, "-m", "dicetown.envs.pages"], capture_output=True, text=True, check=False
    )
    assert (asked.returncode, asked.stderr.strip()) == (2, f"Name the folder for the pages: {COMMAND}")
