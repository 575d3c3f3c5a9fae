"""One source of rules, two ways to run it: interpreted and compiled games are the same, field for field."""

from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from hypothesis import given, note
from hypothesis import strategies as st
from tests.properties.effort import examples

from dicetown.rules import rng as rng_module
from dicetown.rules.chance import draw_outcome, find_outcomes, waits_for_chance
from dicetown.rules.choices import find_choices
from dicetown.rules.kernel import compiled
from dicetown.rules.layout import CHOICES, OUTCOMES, STATE, listening_log, new
from dicetown.rules.rng import RNG, below, seeded
from dicetown.rules.step import decide, happen, start
from dicetown.rules.tables import tables_for
from dicetown.testing import Setup, differing_fields, seeds, setups


class Twins:
    """The same game twice: one steps interpreted, the other compiled, and every record is compared."""

    def __init__(self, setup: Setup, seed: int) -> None:
        self.tables = tables_for(setup.ruleset, setup.players)
        self.interpreted = self._records(seed)
        self.compiled = self._records(seed)

    @staticmethod
    def _records(seed: int) -> dict[str, Any]:
        return {
            "state": new(STATE),
            "log": listening_log(),
            "choices": new(CHOICES),
            "outcomes": new(OUTCOMES),
            "rng": seeded(seed),
        }

    def run(self, kernel: Callable[..., Any], names: str, *numbers: int) -> Any:
        """Run a kernel both ways on the records named; both must answer and leave behind the same."""
        slow = kernel(self.tables, *(self.interpreted[name] for name in names.split()), *numbers)
        fast = compiled(kernel)(
            self.tables.array[0], *(self.compiled[name].array[0] for name in names.split()), *numbers
        )
        assert slow == fast, kernel.__name__
        for name in names.split():
            one, other = self.interpreted[name], self.compiled[name]
            assert differing_fields(one, other) == [], f"{name} after {kernel.__name__}{numbers}"
        return slow

    def forget_log(self) -> None:
        self.interpreted["log"].count = self.compiled["log"].count = 0


@examples(100)
@given(setups(), seeds())
def test_interpreted_and_compiled_games_are_the_same_in_every_field(setup: Setup, seed: int) -> None:
    note(f"{setup}, seed {seed}")
    twins, rng = Twins(setup, seed), Random(seed)
    twins.run(start, "state log choices")
    for _ in range(150):
        twins.forget_log()
        if waits_for_chance(twins.interpreted["state"]):
            twins.run(find_outcomes, "state outcomes")
            outcome = twins.run(draw_outcome, "state rng")
            found = twins.interpreted["outcomes"]
            assert outcome in found.outcome[: found.count].tolist()
            twins.run(happen, "state log choices", outcome)
        elif twins.interpreted["choices"].count:
            choices = twins.interpreted["choices"]
            action = rng.choice(choices.action[: choices.count].tolist())
            twins.run(decide, "state log choices", action)
            twins.run(find_choices, "state choices")
        else:
            break


@given(seeds(), st.integers(0, 2**63 - 1), st.lists(st.integers(1, 2**31), min_size=1, max_size=20))
def test_random_numbers_are_the_same_interpreted_and_compiled(
    seed: int, game: int, bounds: list[int]
) -> None:
    slow, fast = seeded(seed, game), new(RNG)
    compiled(rng_module.start)(fast.array[0], seed & 0xFFFFFFFF, seed >> 32, game)
    for bound in bounds:
        assert below(slow, bound) == compiled(below)(fast.array[0], bound)
        assert differing_fields(slow, fast) == []


def test_what_is_no_kernel_cannot_be_compiled() -> None:
    with pytest.raises(TypeError, match="@kernel"):
        compiled(len)
