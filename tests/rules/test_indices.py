"""Kernels count from the front: on a GPU a negative index would be taken as it is, and miss its array."""

from importlib import import_module
from pkgutil import iter_modules
from typing import Any

import numpy as np
import pytest

import dicetown.bots
from dicetown import Ruleset
from dicetown.bots import minds_for
from dicetown.bots.mind import MIND
from dicetown.bots.rules.choose import choose_as
from dicetown.rules.chance import draw_outcome, waits_for_chance
from dicetown.rules.codes import OVER
from dicetown.rules.layout import CHOICES, LOG, STATE, TABLES, record_class
from dicetown.rules.rng import RNG, seeded
from dicetown.rules.step import decide, happen, start
from dicetown.rules.tables import tables_for

BOTS = ["greedy", "planner", "random", "fleet"]


class FromTheFront(np.ndarray):
    """An array without negative indices."""

    def __getitem__(self, index: Any) -> Any:
        refuse_negative(index)
        return super().__getitem__(index)

    def __setitem__(self, index: Any, value: Any) -> None:
        refuse_negative(index)
        super().__setitem__(index, value)


def refuse_negative(index: Any) -> None:
    for one in index if isinstance(index, tuple) else (index,):
        if isinstance(one, int | np.integer) and one < 0:
            raise IndexError(f"{index} counts from the end")


def strict(layout: Any, array: Any = None) -> Any:
    return record_class(layout)((np.zeros(1, layout) if array is None else array).view(FromTheFront))


def test_the_strict_array_is_strict() -> None:
    state = strict(STATE)
    state.owned[3, 5] = 2
    assert state.owned[3, 5] == 2
    for index in ((3, -1), (-1, 5)):
        with pytest.raises(IndexError, match="counts from the end"):
            state.owned[index]
        with pytest.raises(IndexError, match="counts from the end"):
            state.owned[index] = 1


@pytest.mark.parametrize("edition", ["ciudad", "deluxe", "grossstadt", "neue_stadt"])
def test_no_kernel_counts_from_the_end(edition: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in iter_modules(dicetown.bots.__path__, "dicetown.bots."):
        names = vars(import_module(module.name))
        for name in [name for name, value in names.items() if type(value) is np.ndarray]:
            monkeypatch.setitem(names, name, names[name].view(FromTheFront))
    ruleset = Ruleset(edition, house={"max_turns": 120})
    t = strict(TABLES, tables_for(ruleset, len(BOTS)).array)
    minds = minds_for(BOTS, ruleset)
    all_minds = [strict(MIND, minds[seat : seat + 1]) for seat in range(len(BOTS))]
    decisions = sum(play(t, all_minds, seed) for seed in range(6))
    assert decisions > 400


def play(t: Any, minds: list[Any], seed: int) -> int:
    """A game to its end; how many decisions there were."""
    s, log, choices, rng = strict(STATE), strict(LOG), strict(CHOICES), strict(RNG, seeded(seed).array)
    start(t, s, log, choices)
    decisions = 0
    while s.phase != OVER:
        if waits_for_chance(s):
            happen(t, s, log, choices, draw_outcome(t, s, rng))
        else:
            decide(t, s, log, choices, choose_as(minds[s.turn], t, s, choices, rng))
            decisions += 1
    return decisions
