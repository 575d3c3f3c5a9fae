"""Every ruling of ``docs/rules.md`` is shown by a scenario or a test, and nothing cites one that is none."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from dicetown.scenario import load_scenarios

TESTS = Path(__file__).parent
RULES = TESTS.parent / "docs" / "rules.md"
HEADING = re.compile(r"^#+ R(\d+)\b", re.MULTILINE)
CITATION = re.compile(r"(?<![A-Za-z0-9])R(\d+)(?!\d)")
IN_A_NAME = re.compile(r"(?:^|_)[rR](\d+)(?=_|$)")


def rulings() -> set[int]:
    """The numbers of the rulings there are."""
    return {int(number) for number in HEADING.findall(RULES.read_text(encoding="utf-8"))}


def cited_in_scenarios() -> Iterator[tuple[int, str]]:
    for scenario in load_scenarios(TESTS / "scenarios"):
        for rule in scenario.rules:
            for number in CITATION.findall(rule):
                yield int(number), f"{scenario.place} {scenario.name!r}"


def cited_in_tests() -> Iterator[tuple[int, str]]:
    """Rulings in the names and docstrings of test functions; a comment elsewhere shows nothing."""
    for file in sorted(TESTS.rglob("test_*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                numbers = IN_A_NAME.findall(node.name) + CITATION.findall(ast.get_docstring(node) or "")
                yield from ((int(number), f"{file.name}::{node.name}") for number in numbers)


def test_the_rulings_are_numbered_without_gaps() -> None:
    assert rulings() == set(range(1, len(rulings()) + 1))
    assert len(rulings()) >= 72


def test_every_ruling_is_shown() -> None:
    shown = {number for number, _ in (*cited_in_scenarios(), *cited_in_tests())}
    missing = sorted(rulings() - shown)
    assert not missing, f"nothing shows {', '.join(f'R{n}' for n in missing)}: add a scenario with `rule: R…`"


def test_nothing_cites_a_ruling_that_does_not_exist() -> None:
    known = rulings()
    strangers = [
        f"R{n} in {where}" for n, where in (*cited_in_scenarios(), *cited_in_tests()) if n not in known
    ]
    assert strangers == []


def test_every_scenario_names_rulings_by_number() -> None:
    odd = [
        f"{rule} in {scenario.place}"
        for scenario in load_scenarios(TESTS / "scenarios")
        for rule in scenario.rules
        if not re.fullmatch(r"R[1-9]\d*", rule)
    ]
    assert odd == []
