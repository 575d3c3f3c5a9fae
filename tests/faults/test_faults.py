"""A short run of the fault program: every kind of fault once. `make faults` runs it long."""

import asyncio
import random
from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.faults.faults import ONLY, PAGES, TOUCHES, faults_of
from tests.faults.fleet import Fleet
from tests.faults.run import Outcome, plan, run

SEED = 11
FROZEN = 120.0  # seconds: however busy the machine is, a table that goes on goes on by then


def outcome_of(
    database: str, faults: Sequence[str], rng: random.Random, folder: Path, at_once: int
) -> Outcome:
    """Do all of these, with as much patience as it takes; what explains a trouble is kept in the folder."""
    outcome = asyncio.run(run(database, faults, 1200.0, rng, frozen=FROZEN, kept_in=folder, at_once=at_once))
    explained = [file.read_text() for file in folder.glob("*.txt")]
    assert outcome.is_good, (outcome.rows, outcome.findings, outcome.troubles, explained)
    assert outcome.faults == len(faults)
    assert outcome.acknowledged > outcome.faults  # they were played through, not waited out
    return outcome


@pytest.mark.slow
@pytest.mark.parametrize("database", ["sqlite", "postgres"])
def test_every_kind_of_fault_leaves_every_table_whole_and_going_on(database: str, tmp_path: Path) -> None:
    rng = random.Random(f"{SEED} {database}")
    outcome_of(database, plan(database, len(faults_of(database)), rng), rng, tmp_path, at_once=1)


@pytest.mark.slow
def test_a_service_of_several_processes_survives_all_that_can_happen_between_them(tmp_path: Path) -> None:
    """What strangers and clocks do is done to one process; here several of the others happen at once."""
    rng = random.Random(f"{SEED} {Fleet.name}")
    kinds = [name for name in faults_of(Fleet.name) if name in ONLY or name in ("second service",)]
    assert not any(PAGES in TOUCHES[name] for name in kinds)
    outcome_of(Fleet.name, plan(Fleet.name, len(kinds), rng, kinds), rng, tmp_path, at_once=3)
