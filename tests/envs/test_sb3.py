"""The vector for Stable-Baselines3; a stand-in for its base class shows that it does what is asked.

`make recipes` installs the real one and runs MaskablePPO on it.
"""

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from tests.envs.tables import any_legal

from dicetown.envs import sb3
from dicetown.envs.vector import DicetownVectorEnv
from dicetown.errors import EnvError, MissingExtra

TABLE: dict[str, Any] = {
    "sets": ["base"],
    "opponents": ["random"],
    "house": {"start_coins": 60, "landmarks_to_win": 3},
    "max_turns": 8,
}

#: What the vector uses of Stable-Baselines3 2.9, and all that a VecEnv must be able to do.
STAND_IN = """
    from abc import ABC, abstractmethod

    class VecEnv(ABC):
        def __init__(self, num_envs, observation_space, action_space):
            self.num_envs, self.observation_space = num_envs, observation_space
            self.action_space = action_space
            self._reset_seeds()
            self._reset_options()
            self.render_mode = self.get_attr("render_mode")[0]

        def _reset_seeds(self):
            self._seeds = [None] * self.num_envs

        def _reset_options(self):
            self._options = [{}] * self.num_envs

        def seed(self, seed):
            self._seeds = [seed + slot for slot in range(self.num_envs)]
            return self._seeds

        def step(self, actions):
            self.step_async(actions)
            return self.step_wait()

        def has_attr(self, name):
            try:
                self.get_attr(name)
            except AttributeError:
                return False
            return True

        reset = step_async = step_wait = close = get_attr = set_attr = env_method = env_is_wrapped = (
            abstractmethod(lambda self: None)
        )
"""


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    """The module as it is where Stable-Baselines3 is installed."""
    package = tmp_path / "stable_baselines3" / "common"
    package.mkdir(parents=True)
    for folder in (package.parent, package):
        (folder / "__init__.py").touch()
    (package / "vec_env.py").write_text(dedent(STAND_IN))
    monkeypatch.syspath_prepend(tmp_path)
    yield importlib.reload(sb3)
    monkeypatch.undo()
    for name in ("", ".common", ".common.vec_env"):
        sys.modules.pop(f"stable_baselines3{name}", None)
    importlib.reload(sb3)


def test_it_plays_what_the_native_vector_plays(module: ModuleType) -> None:
    ours, vector = module.DicetownVecEnv(4, **TABLE), DicetownVectorEnv(4, **TABLE, dtype="float32")
    assert ours.observation_space == vector.single_observation_space
    ours.seed(7)
    seen, (expected, info) = ours.reset(), vector.reset(seed=7)
    ended = 0
    for step in range(60):
        assert np.array_equal(seen, expected)
        masks = np.stack(ours.env_method("action_masks"))
        assert np.array_equal(masks, info["action_mask"].astype(np.bool_))
        actions = np.array([any_legal(mask, step) for mask in masks])
        seen, rewards, dones, told = ours.step(actions)
        expected, due, terminated, truncated, info = vector.step(actions)
        assert np.array_equal(rewards, due)
        assert np.array_equal(dones, terminated | truncated)
        for slot, entry in enumerate(told):
            assert bool(entry) == dones[slot]
            if entry:
                ended += 1
                assert np.array_equal(entry["terminal_observation"], info["final_obs"][slot])
                assert entry["TimeLimit.truncated"] == truncated[slot]
    assert ended > 4
    ours.close()


def test_masks_are_found_and_other_things_of_single_games_are_not(module: ModuleType) -> None:
    envs = module.DicetownVecEnv(3, **TABLE)
    envs.reset()
    assert envs.has_attr("action_masks")
    assert not envs.has_attr("colour")
    assert len(envs.env_method("action_masks", indices=[0, 2])) == len(envs.get_attr("num_envs", 1)) + 1 == 2
    assert envs.env_is_wrapped(object) == [False] * 3
    with pytest.raises(AttributeError, match="have no method jump"):
        envs.env_method("jump")
    with pytest.raises(AttributeError, match="cannot be set"):
        envs.set_attr("colour", "blue")


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [({"copy": False}, "copy cannot be chosen here"), ({"opponents": None}, "Name opponents")],
)
def test_what_cannot_be_is_refused_in_a_sentence(
    module: ModuleType, asked: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(EnvError, match=sentence):
        module.DicetownVecEnv(2, **asked)


def test_without_stable_baselines_a_sentence_says_what_brings_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "stable_baselines3", None)
    with pytest.raises(
        MissingExtra, match=r"needs the package stable_baselines3: pip install 'dicetown\[sb3\]'"
    ):
        sb3.DicetownVecEnv(2)
