"""What follows a game that has ended: each of Gymnasium's modes, as its own vector does it."""

from functools import partial
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.wrappers.vector import RecordEpisodeStatistics
from numpy.typing import NDArray
from tests.envs.tables import any_legal

from dicetown.envs.gymnasium_env import DicetownEnv
from dicetown.envs.vector import DicetownVectorEnv
from dicetown.errors import EnvError

SLOTS, SEED = 5, 7
#: Short games, so that they end often, some of them by being cut off.
TABLE: dict[str, Any] = {
    "sets": ["base"],
    "players": 3,
    "opponents": ["random", "greedy"],
    "house": {"start_coins": 60, "landmarks_to_win": 3},
    "max_turns": 8,
}
MODES = list(AutoresetMode)


class InSlot(gymnasium.Wrapper):
    """A single environment that plays the games of a slot: k, k + slots, k + 2·slots, …"""

    def __init__(self, slot: int, **table: Any) -> None:
        super().__init__(DicetownEnv(**TABLE, **table))
        self._number = slot

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
        number, self._number = self._number, self._number + SLOTS
        return self.env.reset(seed=None if seed is None else SEED, options={"game": number})


def gymnasiums(mode: AutoresetMode, **table: Any) -> SyncVectorEnv:
    """Gymnasium's own vector, over the same games."""
    slots = [partial(InSlot, slot, **table) for slot in range(SLOTS)]
    return SyncVectorEnv(slots, autoreset_mode=mode)


def native(mode: AutoresetMode, **more: Any) -> DicetownVectorEnv:
    return DicetownVectorEnv(SLOTS, **TABLE, autoreset_mode=mode, **more)


def choose(info: dict[str, Any], step: int) -> NDArray[np.int64]:
    """A legal action in each slot; where none is legal, any."""
    return np.array(
        [any_legal(mask, step + slot) if mask.any() else 0 for slot, mask in enumerate(info["action_mask"])]
    )


def assert_same_info(ours: dict[str, Any], gymnasiums: dict[str, Any]) -> None:
    for name in ("action_mask", "seat", "game"):
        where = gymnasiums[f"_{name}"]
        assert ours[f"_{name}"][where].all()
        assert np.array_equal(ours[name][where], gymnasiums[name][where]), name
    assert ("final_obs" in ours) == ("final_obs" in gymnasiums)
    if "final_obs" in ours:
        assert np.array_equal(ours["_final_obs"], gymnasiums["_final_obs"])
        for one, other in zip(ours["final_obs"], gymnasiums["final_obs"], strict=True):
            assert (one is None and other is None) or np.array_equal(one, other)
        ended = ours["_final_obs"]
        for name in ("seat", "game"):
            assert np.array_equal(ours["final_info"][name][ended], gymnasiums["final_info"][name][ended])


@pytest.mark.parametrize("copy", [True, False])
@pytest.mark.parametrize("dtype", ["int16", "float32"])
@pytest.mark.parametrize("mode", MODES)
def test_every_mode_does_what_gymnasiums_own_vector_does(mode: AutoresetMode, dtype: str, copy: bool) -> None:
    ours = native(mode, dtype=dtype, copy=copy)
    theirs = gymnasiums(mode, dtype=dtype)
    assert ours.metadata["autoreset_mode"] is theirs.metadata["autoreset_mode"] is mode
    assert ours.single_observation_space == theirs.single_observation_space
    assert ours.action_space == theirs.action_space
    (seen, told), (expected, wanted) = ours.reset(seed=SEED), theirs.reset(seed=SEED)
    ends = {"won or lost": 0, "cut off": 0}
    for step in range(400):
        assert np.array_equal(seen, expected)
        assert (seen.dtype, seen.dtype) == (expected.dtype, np.dtype(dtype))
        assert_same_info(told, wanted)
        actions = choose(told, step)
        seen, *outcome, told = ours.step(actions)
        expected, *due, wanted = theirs.step(actions)
        for one, other in zip(outcome, due, strict=True):
            assert one == pytest.approx(other)
        terminated, truncated = (np.asarray(flags, np.bool_) for flags in outcome[1:])
        ends["won or lost"] += int(terminated.sum())
        ends["cut off"] += int(truncated.sum())
        if mode is AutoresetMode.DISABLED and (terminated | truncated).any():
            assert np.array_equal(seen, expected)
            assert_same_info(told, wanted)
            ended = terminated | truncated
            ended[step % SLOTS] = True  # games under way may be left, too
            seen, told = ours.reset(options={"reset_mask": ended.copy()})
            expected, wanted = theirs.reset(options={"reset_mask": ended.copy()})
    assert min(ends.values()) > SLOTS
    ours.close()


@pytest.mark.parametrize("make", [gymnasiums, native])
def test_the_mask_of_an_ended_slot_is_all_zero_and_its_action_is_not_looked_at(make: Any) -> None:
    envs = make(AutoresetMode.NEXT_STEP)
    _, info = envs.reset(seed=SEED)
    found = 0
    for step in range(200):
        actions = choose(info, step)
        before = info["action_mask"]
        actions[~before.any(axis=1)] = 3  # whatever it is
        _, rewards, terminated, truncated, info = envs.step(actions)
        ended = terminated | truncated
        assert not info["action_mask"][ended].any()
        assert info["action_mask"][~ended].any(axis=1).all()
        waited = ~before.any(axis=1)
        assert not rewards[waited].any()
        assert not ended[waited].any()
        found += int(waited.sum())
    assert found > SLOTS


def test_agents_among_themselves_may_see_the_end_too() -> None:
    table = {**TABLE, "opponents": None, "num_envs": SLOTS}
    envs, reference = (
        DicetownVectorEnv(**table, autoreset_mode=mode)
        for mode in (AutoresetMode.DISABLED, AutoresetMode.SAME_STEP)
    )
    (seen, info), (same, told) = envs.reset(seed=1), reference.reset(seed=1)
    for step in range(100):
        actions = choose(told, step)
        seen, rewards, *ends, info = envs.step(actions)
        same, expected, *reached, told = reference.step(actions)
        assert np.array_equal(rewards, expected)
        assert np.array_equal(info["rewards"], told["rewards"])
        assert np.array_equal(ends, reached)
        if (ended := ends[0] | ends[1]).any():
            assert np.array_equal(seen[ended], np.stack(told["final_obs"][ended]))
            assert np.array_equal(info["seat"][ended], told["final_info"]["seat"][ended])
            assert np.array_equal(info["game"][ended], told["final_info"]["game"][ended])
            seen, info = envs.reset(options={"reset_mask": ended})
        assert np.array_equal(seen, same)
        assert np.array_equal(info["seat"], told["seat"])


def test_an_ended_game_that_nobody_begins_anew_cannot_be_stepped() -> None:
    envs = native(AutoresetMode.DISABLED)
    _, info = envs.reset(seed=SEED)
    ended, step = np.zeros(SLOTS, np.bool_), 0
    while not ended.any():
        seen, _, terminated, truncated, info = envs.step(choose(info, step))
        ended, step = terminated | truncated, step + 1
    slot = int(ended.argmax())
    with pytest.raises(EnvError, match=rf"Game {slot} of the batch has ended; begin the next one with reset"):
        envs.step(choose(info, step))
    others = ~ended
    later, told = envs.reset(options={"reset_mask": others})  # the end stays to be seen
    assert np.array_equal(later[ended], seen[ended])
    assert not told["action_mask"][ended].any()
    assert (told["game"][others] == info["game"][others] + SLOTS).all()
    assert np.array_equal(told["game"][ended], info["game"][ended])
    _, told = envs.reset(seed=SEED)
    assert told["game"].tolist() == list(range(SLOTS))
    envs.step(choose(told, 0))


@pytest.mark.parametrize("mode", MODES)
def test_gymnasiums_statistics_count_the_games_in_every_mode(mode: AutoresetMode) -> None:
    envs = RecordEpisodeStatistics(native(mode))
    _, info = envs.reset(seed=SEED)
    ended = 0
    for step in range(200):
        _, rewards, terminated, truncated, info = envs.step(choose(info, step))
        if (over := terminated | truncated).any():
            ended += int(over.sum())
            assert info["episode"]["r"][over] == pytest.approx(rewards[over])
            if mode is AutoresetMode.DISABLED:
                _, info = envs.reset(options={"reset_mask": over})
    assert envs.episode_count == ended > SLOTS


@pytest.mark.parametrize("mode", MODES)
def test_the_mode_can_be_named_when_a_vector_is_made(mode: AutoresetMode) -> None:
    envs = gymnasium.make_vec(
        "dicetown/Dicetown-v0",
        num_envs=2,
        vectorization_mode="vector_entry_point",
        sets=["base"],
        autoreset_mode=mode.value,
        dtype=np.float32,
    )
    assert envs.metadata["autoreset_mode"] is mode
    assert DicetownVectorEnv.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    assert envs.reset(seed=1)[0].dtype == np.float32
    envs.close()


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"reset_mask": [True, False]}, "is an array of 2 booleans, not"),
        ({"reset_mask": np.array([True])}, "is an array of 2 booleans, not"),
        ({"reset_mask": np.array([1, 0])}, "is an array of 2 booleans, not"),
        ({"reset_mask": np.array([False, False])}, "names no game to begin"),
    ],
)
def test_resets_that_cannot_be_are_refused_in_a_sentence(options: dict[str, Any], sentence: str) -> None:
    envs = DicetownVectorEnv(2, sets=["base"])
    envs.reset(seed=1)
    with pytest.raises(EnvError, match=sentence):
        envs.reset(options=options)
    with pytest.raises(EnvError, match="A seed is that of all games"):
        envs.reset(seed=1, options={"reset_mask": np.array([True, False])})


@pytest.mark.parametrize("mode", AutoresetMode)
def test_modes_may_be_named_in_either_way(mode: AutoresetMode) -> None:
    for name in (mode, mode.value, mode.name):
        envs = DicetownVectorEnv(2, sets=["base"], autoreset_mode=name)
        assert envs.metadata["autoreset_mode"] is mode


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ({"autoreset_mode": "never"}, "'never' is not known; it is one of: NEXT_STEP, SAME_STEP, DISABLED"),
        ({"dtype": "float64"}, "cannot be made of 'float64'; dtype is int16 or float32"),
        ({"dtype": "numbers"}, "cannot be made of 'numbers'; dtype is int16 or float32"),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(asked: dict[str, Any], sentence: str) -> None:
    with pytest.raises(EnvError, match=sentence):
        DicetownVectorEnv(2, sets=["base"], **asked)
