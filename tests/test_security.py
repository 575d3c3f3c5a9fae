"""SECURITY.md and what goes with the service name only things that there are."""

import re
from pathlib import Path

import pytest
from tests.running import Run

ROOT = Path(__file__).parents[1]
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]+")


def test_every_promise_names_a_test_that_there_is() -> None:
    text = (ROOT / "SECURITY.md").read_text()
    promises = [line for line in text.splitlines() if line.startswith("| ") and "|---" not in line]
    named = re.findall(r"`(tests/[\w/]+\.py)`", text)
    assert [name for name in named if not (ROOT / name).is_file()] == []
    heads = [line for line in promises if line.startswith("| threat ")]
    assert [line for line in promises if line not in heads and "`tests/" not in line] == []
    assert len(promises) - len(heads) > 20


UNITS = [path.name for path in sorted((ROOT / "deploy").glob("*.service"))]


@pytest.mark.parametrize("file", [*UNITS, "Containerfile", "Caddyfile", "nginx.conf"])
def test_options_of_the_service_in_deploy_are_its_own(dicetown: Run, file: str) -> None:
    known = set(OPTION.findall(dicetown("serve", "--help").out))
    lines = (ROOT / "deploy" / file).read_text().splitlines()
    ours = [line for line in lines if "dicetown serve" in line or "(--" in line or '"serve"' in line]
    used = {option for line in ours for option in OPTION.findall(line)}
    assert used
    assert used <= known
