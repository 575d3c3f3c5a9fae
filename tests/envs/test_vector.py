"""Gymnasium's vector environment: thousands of games in one call, the same as one by one."""

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers.vector import DictInfoToList, RecordEpisodeStatistics
from numpy.typing import NDArray
from tests.envs.tables import any_legal

from dicetown.envs.gymnasium_env import DicetownEnv
from dicetown.envs.vector import DicetownVectorEnv
from dicetown.errors import BotError, EnvError

TABLE: dict[str, Any] = {"sets": ["base"], "players": 3, "opponents": ["random", "greedy"]}


def choose(info: dict[str, Any], step: int) -> NDArray[np.int64]:
    return np.array([any_legal(mask, step) for mask in info["action_mask"]])


def make(games: int, **table: Any) -> DicetownVectorEnv:
    envs = gymnasium.make_vec("dicetown/Dicetown-v0", games, "vector_entry_point", **table)
    assert isinstance(envs, DicetownVectorEnv)
    return envs


def test_the_id_makes_a_native_vector_that_says_how_it_goes_on() -> None:
    envs = make(4, **TABLE)
    assert envs.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    assert envs.num_envs == 4
    assert envs.single_observation_space.shape == (124,)
    assert envs.observation_space.shape == (4, 124)
    assert envs.action_space.shape == (4,)
    envs.close()
    envs.close()


def test_each_slot_plays_the_games_that_single_environments_play() -> None:
    games = 3
    envs, singles = make(games, **TABLE), [DicetownEnv(**TABLE) for _ in range(games)]
    seen, info = envs.reset(seed=6)
    for slot, env in enumerate(singles):
        assert np.array_equal(env.reset(seed=6, options={"game": slot})[0], seen[slot])
    ended = 0
    for step in range(150):
        assert envs.observation_space.contains(seen)
        actions = choose(info, step)
        assert envs.action_space.contains(actions)
        seen, rewards, terminated, truncated, info = envs.step(actions)
        for slot, env in enumerate(singles):
            alone, reward, over, cut, told = env.step(actions[slot])
            assert (rewards[slot], terminated[slot], truncated[slot]) == (pytest.approx(reward), over, cut)
            if over or cut:
                ended += 1
                assert np.array_equal(info["final_obs"][slot], alone)
                assert info["final_info"]["seat"][slot] == told["seat"]
                assert info["final_info"]["game"][slot] == told["game"]
                alone, told = env.reset(options={"game": told["game"] + games})
            assert np.array_equal(seen[slot], alone)
            assert np.array_equal(info["action_mask"][slot], told["action_mask"])
            assert (info["seat"][slot], info["game"][slot]) == (told["seat"], told["game"])
    assert ended > games


def test_what_was_seen_last_is_there_for_the_games_that_ended_and_no_other() -> None:
    envs = make(16, sets=["base"], opponents=["random"], max_turns=30)
    _, info = envs.reset(seed=1)
    found = 0
    for step in range(60):
        _, _, terminated, truncated, info = envs.step(choose(info, step))
        ended = terminated | truncated
        assert ("final_obs" in info) == bool(ended.any())
        if ended.any():
            assert np.array_equal(info["_final_obs"], ended)
            assert [seen is not None for seen in info["final_obs"]] == ended.tolist()
            assert all(envs.single_observation_space.contains(seen) for seen in info["final_obs"][ended])
            found += int(truncated.sum())
    assert found


def test_agents_among_themselves_are_told_what_every_seat_got() -> None:
    envs = make(8, sets=["base"], players=3, opponents=None)
    _, info = envs.reset(seed=3)
    won = 0
    for step in range(200):
        acted = info["seat"]
        _, rewards, terminated, _, info = envs.step(choose(info, step))
        assert info["rewards"].shape == (8, 3)
        assert info["rewards"].sum(axis=1) == pytest.approx(np.zeros(8), abs=1e-6)
        assert np.array_equal(rewards, info["rewards"][np.arange(8), acted])
        assert not info["rewards"][~terminated].any()
        assert (rewards[terminated] == 1).all()  # who builds the last landmark has acted last
        won += int(terminated.sum())
    assert won


def test_what_a_step_gave_stays_as_it_was() -> None:
    envs = make(4, **TABLE)
    seen, info = envs.reset(seed=1)
    before = seen.copy(), info["action_mask"].copy()
    later = info
    for step in range(5):
        later = envs.step(choose(later, step))[-1]
    assert np.array_equal(seen, before[0])
    assert np.array_equal(info["action_mask"], before[1])
    seen[:] = 0  # whose they are may do what they like with them
    assert envs.batch.observations.any()


def test_without_copies_everybody_looks_at_the_same_numbers_and_cannot_write_there() -> None:
    envs = make(4, copy=False, **TABLE)
    seen, info = envs.reset(seed=1)
    assert np.shares_memory(seen, envs.batch.observations)
    assert np.shares_memory(info["action_mask"], envs.batch.masks)
    before = seen.copy()
    envs.step(choose(info, 0))
    assert not np.array_equal(seen, before)
    with pytest.raises(ValueError, match="read-only"):
        seen[0, 0] = 1


def test_seeds_give_the_same_games_and_no_seed_gives_others() -> None:
    envs = make(32, edition="ciudad", opponents=["random"])
    first, again = envs.reset(seed=2)[0], envs.reset(seed=2)[0]
    assert np.array_equal(first, again)
    after = [envs.reset()[0] for _ in range(2)]
    assert not np.array_equal(after[0], after[1])
    envs.reset(seed=2)
    assert np.array_equal(envs.reset()[0], after[0])


def test_if_one_action_is_not_legal_nothing_happens() -> None:
    envs, others = make(3, **TABLE), make(3, **TABLE)
    others.reset(seed=1)
    _, info = envs.reset(seed=1)
    legal = choose(info, 0)
    with pytest.raises(EnvError, match="Action 0 is not legal in game 2"):
        envs.step([*legal[:2], 0])
    for _ in range(2):
        seen, *_, info = envs.step(legal)
        expected, *_ = others.step(legal)
        assert np.array_equal(seen, expected)
        legal = choose(info, 1)


def test_gymnasiums_wrappers_count_the_games() -> None:
    envs = RecordEpisodeStatistics(make(4, sets=["base"], opponents=["random"]))
    _, info = envs.reset(seed=1)
    lengths = np.zeros(4, np.int64)
    for step in range(100):
        _, rewards, terminated, _, info = envs.step(choose(info, step))
        lengths += 1
        if terminated.any():
            assert np.array_equal(info["episode"]["l"][terminated], lengths[terminated])
            assert info["episode"]["r"][terminated] == pytest.approx(rewards[terminated])
            lengths[terminated] = 0
    assert envs.episode_count > 4


def test_gymnasiums_wrapper_gives_each_game_its_own_entry() -> None:
    envs = DictInfoToList(make(3, **TABLE))
    _, told = envs.reset(seed=1)
    assert [entry["game"] for entry in told] == [0, 1, 2]
    assert told[1]["action_mask"].shape == (72,)


@pytest.mark.parametrize(
    ("table", "sentence"),
    [
        ({"opponents": ["search"]}, 'The bot "search" thinks'),
        ({"opponents": None, "seat": 1}, "A seat is only chosen where there are opponents"),
        ({"num_envs": 0}, "The number of games is 0"),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(table: dict[str, Any], sentence: str) -> None:
    with pytest.raises((EnvError, BotError), match=sentence):
        DicetownVectorEnv(**table)


def test_resets_that_cannot_be_are_refused_in_a_sentence() -> None:
    with pytest.raises(EnvError, match="ended before its agent had a choice"):
        make(4, sets=["base"], players=4, max_turns=1).reset(seed=1)
