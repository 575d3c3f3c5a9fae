"""A short run of the fault program on each database: every kind of fault once. `make faults` runs it long."""

import asyncio
import random

import pytest
from tests.faults.faults import faults_of
from tests.faults.run import plan, run

SEED = 11
FROZEN = 120.0  # seconds: however busy the machine is, a table that goes on goes on by then


@pytest.mark.slow
@pytest.mark.parametrize("database", ["sqlite", "postgres"])
def test_every_kind_of_fault_leaves_every_table_whole_and_going_on(database: str) -> None:
    rng = random.Random(f"{SEED} {database}")
    faults = plan(database, len(faults_of(database)), rng)
    outcome = asyncio.run(run(database, faults, 1200.0, rng, frozen=FROZEN))
    assert outcome.is_good, (outcome.rows, outcome.findings, outcome.troubles)
    assert outcome.faults == len(faults)
    assert outcome.acknowledged > outcome.faults  # they were played through, not waited out
