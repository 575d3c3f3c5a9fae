"""A short run of the fault program: every kind of fault once on each database, and those between processes.

`make faults` runs it long, and does to several processes whatever can be done to one.
"""

import asyncio
import random

import pytest
from tests.faults.faults import ONLY, faults_of
from tests.faults.fleet import Fleet
from tests.faults.run import plan, run

SEED = 11
FROZEN = 120.0  # seconds: however busy the machine is, a table that goes on goes on by then


@pytest.mark.slow
@pytest.mark.parametrize("database", ["sqlite", "postgres"])
def test_every_kind_of_fault_leaves_every_table_whole_and_going_on(database: str) -> None:
    _try_each(database, faults_of(database))


@pytest.mark.slow
def test_whatever_happens_between_processes_leaves_every_table_whole_and_going_on() -> None:
    _try_each(Fleet.name, [name for name in faults_of(Fleet.name) if ONLY.get(name) == Fleet.name])


def _try_each(database: str, kinds: list[str]) -> None:
    rng = random.Random(f"{SEED} {database}")
    faults = plan(database, len(kinds), rng, kinds)
    outcome = asyncio.run(run(database, faults, 1200.0, rng, frozen=FROZEN))
    assert outcome.is_good, (outcome.rows, outcome.findings, outcome.troubles)
    assert outcome.faults == len(faults)
    assert outcome.acknowledged > outcome.faults  # they were played through, not waited out
