"""PettingZoo's environment: its own tests, and what they do not look at."""

import copy
import sys
import warnings
from typing import Any

import numpy as np
import pytest
from tests.envs.tables import any_legal, every_table

from dicetown import Ruleset
from dicetown.envs import dicetown_v0
from dicetown.errors import EnvError, MissingExtra

with warnings.catch_warnings():  # its tests import one of its games in a way it does not want any more
    warnings.simplefilter("ignore", DeprecationWarning)
    from pettingzoo.test import (  # type: ignore[import-untyped]
        api_test,
        max_cycles_test,
        parallel_api_test,
        performance_benchmark,
        render_test,
        seed_test,
    )

# PettingZoo knows by name which games observe more than an array.
pytestmark = [
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be"),
]


def play(env: Any, seed: int = 1) -> dict[str, float]:
    """What each agent got in a game played by the masks."""
    env.reset(seed=seed)
    got = dict.fromkeys(env.possible_agents, 0.0)
    for step, agent in enumerate(env.agent_iter()):
        seen, reward, terminated, truncated, info = env.last()
        got[agent] += reward
        over = terminated or truncated
        if not over:
            assert np.array_equal(seen["action_mask"], info["action_mask"])
        env.step(None if over else any_legal(seen["action_mask"], step))
    return got


@pytest.mark.parametrize("table", [{"sets": ["base"], "players": 4}, {"edition": "neue_stadt", "players": 5}])
def test_it_keeps_to_pettingzoos_api(table: dict[str, Any]) -> None:
    api_test(dicetown_v0.env(**table), num_cycles=1000)


@pytest.mark.parametrize("table", [{}, {"edition": "grossstadt", "players": 3}], ids=str)
def test_a_seed_gives_the_same_game(table: dict[str, Any]) -> None:
    seed_test(lambda: dicetown_v0.env(**table), num_cycles=500)


def test_it_ends_after_so_many_cycles() -> None:
    max_cycles_test(dicetown_v0)


def test_all_may_hand_in_actions_at_once() -> None:
    parallel_api_test(dicetown_v0.parallel_env(sets=["base"], players=3), num_cycles=500)


@pytest.mark.filterwarnings("ignore:Action mask numpy array is all zeros")  # who waits has nothing to choose
def test_in_cycles_it_keeps_to_the_api_too() -> None:
    api_test(dicetown_v0.env(max_cycles=200, sets=["base"]), num_cycles=100)


def test_it_renders_in_every_way(capsys: pytest.CaptureFixture[str]) -> None:
    render_test(dicetown_v0.env)
    assert "player_0" in capsys.readouterr().out


@pytest.mark.slow
def test_its_speed_can_be_measured(capsys: pytest.CaptureFixture[str]) -> None:
    performance_benchmark(dicetown_v0.env(sets=["base"]))
    assert "turns per second" in capsys.readouterr().out


@pytest.mark.parametrize(("ruleset", "players"), every_table())
def test_every_edition_is_played_to_its_end(ruleset: Ruleset, players: int) -> None:
    env = dicetown_v0.env(edition=ruleset.edition.id, sets=ruleset.set_ids, players=players)
    got = sorted(play(env).values())
    assert got[-1] == 1
    assert got[:-1] == pytest.approx([-1 / (players - 1)] * (players - 1))


def test_whoever_has_a_choice_is_asked_and_nobody_else_may_do_anything() -> None:
    env = dicetown_v0.raw_env(sets=["base"], players=3)
    env.reset(seed=1)
    for step in range(30):
        for agent in env.agents:
            asked = agent == env.agent_selection
            assert env.observe(agent)["action_mask"].any() == asked
            assert ("action_mask" in env.infos[agent]) == asked
        env.step(any_legal(env.infos[env.agent_selection]["action_mask"], step))
    assert np.array_equal(env.state(), env.observe("player_0")["observation"])
    assert env.state_space.contains(env.state())


def test_an_illegal_move_loses_as_in_the_classic_games(caplog: pytest.LogCaptureFixture) -> None:
    env = dicetown_v0.env(sets=["base"])
    env.reset(seed=1)
    loser = env.agent_selection
    env.step(0)
    assert "Illegal move made" in caplog.text
    assert env.terminations == dict.fromkeys(env.agents, True)
    assert env.rewards[loser] == -1
    assert sum(env.rewards.values()) == -1


def test_without_the_wrappers_an_illegal_move_is_refused() -> None:
    env = dicetown_v0.raw_env(sets=["base"])
    env.reset(seed=1)
    with pytest.raises(EnvError, match="Action 0 is not legal now"):
        env.step(0)


def test_what_is_no_action_at_all_is_refused() -> None:
    env = dicetown_v0.env(sets=["base"])
    env.reset(seed=1)
    with pytest.raises(AssertionError, match="action is not in action space"):
        env.step(71)


def test_a_game_that_takes_too_long_is_cut_off_and_a_draw_by_the_rules_is_an_end() -> None:
    cut, drawn = dicetown_v0.env(max_turns=10), dicetown_v0.env(house={"max_turns": 10})
    for env in (cut, drawn):
        env.reset(seed=1)
        step = 0
        while not any(env.terminations.values()) and not any(env.truncations.values()):
            env.step(any_legal(env.last()[0]["action_mask"], step))
            step += 1
        assert not any(env.rewards.values())
    assert all(cut.truncations.values())
    assert not any(cut.terminations.values())
    assert all(drawn.terminations.values())
    assert not any(drawn.truncations.values())


def test_without_a_seed_the_next_game_of_the_seed_follows() -> None:
    env = dicetown_v0.raw_env(edition="ciudad")
    env.reset(seed=1)
    first = env.state()
    env.reset()
    second = env.state()
    assert not np.array_equal(first, second)
    env.reset(seed=1)
    assert np.array_equal(env.state(), first)
    env.reset()
    assert np.array_equal(env.state(), second)


def test_a_copy_plays_on_by_itself() -> None:
    env = dicetown_v0.env(sets=["base"])
    env.reset(seed=1)
    env.step(any_legal(env.last()[0]["action_mask"], 0))
    twin = copy.deepcopy(env)
    before = env.state()
    env.step(any_legal(env.last()[0]["action_mask"], 0))
    assert np.array_equal(twin.state(), before)
    twin.step(any_legal(twin.last()[0]["action_mask"], 0))
    assert np.array_equal(twin.state(), env.state())


@pytest.mark.parametrize("package", ["gymnasium", "pettingzoo"])
def test_whoever_lacks_a_package_is_told_how_to_get_it(monkeypatch: pytest.MonkeyPatch, package: str) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(MissingExtra, match=rf"needs the package {package}: pip install 'dicetown\[envs\]'"):
        dicetown_v0.env()


def test_in_parallel_who_has_to_choose_must_hand_in_an_action() -> None:
    env = dicetown_v0.parallel_env(sets=["base"], players=3)
    env.reset(seed=1)
    with pytest.raises(EnvError, match=r"player_\d is to choose, but no action of theirs was handed in"):
        env.step({})
