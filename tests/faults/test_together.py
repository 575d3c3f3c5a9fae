"""Faults that happen at once: all that were planned, and none that gets in another's way."""

import random

import pytest
from tests.faults.faults import TOUCHES, faults_of
from tests.faults.run import plan, together


@pytest.mark.parametrize("database", ["sqlite", "postgres", "fleet"])
def test_faults_at_once_are_those_planned_and_touch_different_things(database: str) -> None:
    planned = plan(database, 200, random.Random(3))
    groups = together(planned, 3)
    assert sorted(name for group in groups for name in group) == sorted(planned)
    assert max(map(len, groups)) > 1
    for group in groups:
        touched = [thing for name in group for thing in TOUCHES[name]]
        assert len(touched) == len(set(touched))


def test_one_at_a_time_keeps_the_order() -> None:
    planned = plan("fleet", 50, random.Random(3))
    assert together(planned, 1) == [[name] for name in planned]


def test_every_fault_touches_something() -> None:
    assert all(TOUCHES[name] for database in ("sqlite", "postgres", "fleet") for name in faults_of(database))
