"""Scenarios: positions with expectations, as YAML files.

A scenario sets up a position, says what is rolled, chosen and drawn, and states what must come of it.
The rulings of ``docs/rules.md`` are shown this way, in ``tests/scenarios``.

>>> scenario, = read_scenarios('''
... name: A bakery pays its owner
... edition: ciudad
... sets: [base]
... seats: [{coins: 0}, {coins: 0}]
... play: [roll: [2]]
... expect: {coins: [1, 0]}
... ''')
>>> run_scenario(scenario).passed
True
"""

from dicetown.scenario.files import load_scenarios, read_scenarios
from dicetown.scenario.model import Scenario
from dicetown.scenario.playthrough import Result, run_scenario
from dicetown.scenario.report import describe_failure, run_files

__all__ = [
    "Result",
    "Scenario",
    "describe_failure",
    "load_scenarios",
    "read_scenarios",
    "run_files",
    "run_scenario",
]
