"""Every scenario of ``tests/scenarios`` is a test of its own; they are the rulebook with its answers."""

from pathlib import Path

import pytest

from dicetown.scenario import Scenario, describe_failure, load_scenarios, run_scenario

FOLDER = Path(__file__).parent / "scenarios"
SCENARIOS = [
    pytest.param(scenario, id=f"{file.stem}: {scenario.name}")
    for file in sorted(FOLDER.rglob("*.yaml"))
    for scenario in load_scenarios(file)
]


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_scenario_comes_out_as_stated(scenario: Scenario) -> None:
    result = run_scenario(scenario)
    assert result.passed, "\n" + describe_failure(result)


def test_every_scenario_has_a_name_of_its_own() -> None:
    names = [scenario.name for scenario in load_scenarios(FOLDER)]
    assert sorted(name for name in set(names) if names.count(name) > 1) == []


def test_every_scenario_checks_something() -> None:
    idle = [
        scenario.name
        for scenario in load_scenarios(FOLDER)
        if not scenario.expect.wanted
        and all(step.word not in ("expect", "illegal") for step in scenario.play)
    ]
    assert idle == []
