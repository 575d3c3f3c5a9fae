"""Mutants: which there are, that planting one changes what runs, and a tiny run."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.mutants.__main__ import chosen, explained
from tests.mutants.planting import RULES, find_mutants, plant, sources

ROOT = Path(__file__).parents[2]

SNIPPET = '''
"""A module of rules."""
LIMIT = 3


def settle(s, log, card: int = 7):
    """Settle."""
    left = s.left - 1
    if left >= LIMIT and not s.over:
        s.left = left
        tell(log, 1, 0)
    return True
'''


def test_comparisons_numbers_operators_and_statements_are_changed(tmp_path: Path) -> None:
    (tmp_path / "snippet.py").write_text(SNIPPET, encoding="utf-8")
    assert [(one.line, one.change) for one in find_mutants(tmp_path / "snippet.py")] == [
        (8, "s.left - 1 → s.left + 1"),
        (8, "1 → 2"),
        (8, "1 → 0"),
        (9, "without: if left >= LIMIT and (not s.over):"),
        (9, "left >= LIMIT and (not s.over) → left >= LIMIT or not s.over"),
        (9, "left >= LIMIT → left > LIMIT"),
        (9, "not s.over → not not s.over"),
        (10, "without: s.left = left"),
        (11, "without: tell(log, 1, 0)"),
        (11, "1 → 2"),
        (11, "1 → 0"),
        (12, "True → False"),
    ]


def test_mutants_have_names_of_their_own() -> None:
    keys = [mutant.key for path in sources() for mutant in find_mutants(path)]
    assert len(set(keys)) == len(keys) > 2_000


def test_a_sample_is_the_same_for_the_same_seed() -> None:
    assert chosen(sample=5, seed=3) == chosen(sample=5, seed=3) != chosen(sample=5, seed=4)
    assert {mutant.module for mutant in chosen(only="city")} == {"city"}
    assert {mutant.function for mutant in chosen(only="city.bits")} == {"bits"}


def test_what_is_explained_is_still_there_to_be_planted() -> None:
    there = {mutant.key for mutant in chosen()}
    assert set(explained()) <= there


def test_whoever_has_imported_a_function_runs_the_planted_one() -> None:
    """In a process of its own: what is planted stays planted."""
    mutant = next(one for one in find_mutants(RULES / "city.py") if one.change == "count += 1 → count -= 1")
    process = os.fork()
    if process == 0:
        from dicetown.rules.city import bits

        planted = plant(RULES / "city.py", mutant)  # also in its twin, if another test has compiled it
        os._exit(0 if planted >= 1 and bits(0b101) == -2 else 1)
    assert os.waitpid(process, 0)[1] == 0


@pytest.mark.slow
def test_a_tiny_run_tells_who_was_noticed_and_goes_on_from_what_it_knows(tmp_path: Path) -> None:
    out = tmp_path / "mutants.jsonl"
    command = [sys.executable, "-m", "tests.mutants", "--only", "ledger.reopen", "--out", str(out)]
    first = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    told = first.stdout.splitlines()[-1]
    assert told == "3 mutants: 3 noticed, 0 explained, 0 unnoticed.", first.stdout + first.stderr
    assert first.returncode == 0
    known = out.read_text(encoding="utf-8")
    again = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert again.stdout.splitlines()[-1] == told
    assert out.read_text(encoding="utf-8") == known
