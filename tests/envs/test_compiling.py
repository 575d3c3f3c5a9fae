"""Whoever waits for an environment to be compiled is told so; where nothing is compiled, nothing is said."""

from collections.abc import Callable
from typing import Any

import pytest

from dicetown import Ruleset, readiness
from dicetown.envs import dicetown_v0
from dicetown.envs.core.batch import Batch, Table
from dicetown.envs.core.tree import tree_for
from dicetown.envs.gymnasium_env import DicetownEnv
from dicetown.envs.open_spiel import DicetownGame
from dicetown.envs.vector import DicetownVectorEnv

BASE = Ruleset("deluxe", sets=["base"])
SAID = "Compiling the environment (once, about 30 s) …\n"

#: How each framework begins, by its name.
BEGINNINGS: dict[str, Callable[[], Any]] = {
    "batch": lambda: Batch(Table.of(BASE, 2), games=2).reset(),
    "Gymnasium": lambda: DicetownEnv(sets=["base"]).reset(seed=1),
    "Gymnasium's vector": lambda: DicetownVectorEnv(2, sets=["base"]).reset(seed=1),
    "PettingZoo": lambda: dicetown_v0.env(sets=["base"]).reset(seed=1),
    "PettingZoo in cycles": lambda: dicetown_v0.parallel_env(sets=["base"]).reset(seed=1),
    "OpenSpiel": lambda: DicetownGame({"sets": "base", "max_turns": 77}).new_initial_state(),
}


@pytest.mark.parametrize("framework", BEGINNINGS)
def test_the_first_reset_says_what_it_waits_for_and_others_say_nothing(
    framework: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as machine:
        machine.setattr(readiness, "is_on_disk", lambda kernel: False)
        tree_for.cache_clear()
        BEGINNINGS[framework]()
    assert capsys.readouterr() == ("", SAID)
    tree_for.cache_clear()
    BEGINNINGS[framework]()
    assert capsys.readouterr() == ("", "")


def test_a_bot_that_thinks_is_announced_too(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from dicetown.envs.core.one_game import OneGame

    game = OneGame(Table.of(BASE, 2, ["search:playouts=4:threads=1"], seat=0))
    monkeypatch.setattr(readiness, "is_on_disk", lambda kernel: False)
    monkeypatch.setattr(readiness, "compiled", lambda kernel: None)  # the search alone takes half a minute
    monkeypatch.setattr(readiness, "is_kept", lambda kernel: True)
    game.begin(seed=1, number=0)
    assert capsys.readouterr().err == SAID + "Compiling the search (once, about 30 s) …\n"


def test_all_steps_are_compiled_by_the_first_reset(monkeypatch: pytest.MonkeyPatch) -> None:
    from dicetown.rules import kernel

    batch = Batch(Table.of(BASE, 2), games=2)
    batch.reset()
    monkeypatch.setattr(kernel, "_compile", None)  # nothing more can be compiled
    batch.step(batch.masks.argmax(axis=1))
