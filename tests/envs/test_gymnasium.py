"""Gymnasium's environment: you against named bots."""

import copy
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from tests.envs.tables import any_legal, every_table

import dicetown.envs
from dicetown import Ruleset
from dicetown.envs.gymnasium_env import DicetownEnv
from dicetown.errors import BotError, EnvError, MissingExtra, RulesetError

BASE = "dicetown/Dicetown-v0"


def play(env: DicetownEnv, **reset: Any) -> tuple[list[float], list[int]]:
    """The rewards of a game played by the masks, and the seats."""
    _, info = env.reset(**reset)
    rewards, seats, step, over = [], [info["seat"]], 0, False
    while not over:
        seen, reward, terminated, truncated, info = env.step(any_legal(info["action_mask"], step))
        assert env.observation_space.contains(seen)
        rewards.append(reward)
        seats.append(info["seat"])
        step, over = step + 1, terminated or truncated
    return rewards, seats


@pytest.mark.parametrize(
    "table",
    [
        {"sets": ["base"]},
        {"sets": ["base"], "dtype": "float32"},
        {"edition": "neue_stadt", "players": 5, "illegal": "random"},
        {"edition": "grossstadt", "players": 3, "opponents": ["random", "greedy"], "seat": 2},
    ],
    ids=str,
)
def test_gymnasium_finds_nothing_to_object_to(table: dict[str, Any]) -> None:
    check_env(gymnasium.make(BASE, **table).unwrapped)


@pytest.mark.parametrize(("ruleset", "players"), every_table())
def test_every_edition_is_played_to_its_end(ruleset: Ruleset, players: int) -> None:
    env = DicetownEnv(ruleset.edition.id, ruleset.set_ids, players, opponents=["greedy"])
    rewards, seats = play(env, seed=5)
    assert not any(rewards[:-1])
    assert rewards[-1] == 1 or rewards[-1] == pytest.approx(-1 / (players - 1))
    assert set(seats) == {0}


def test_every_edition_has_an_id_of_its_own() -> None:
    for edition in ("Ciudad", "Deluxe", "Grossstadt", "NeueStadt"):
        env = gymnasium.make(f"dicetown/{edition}-v0", players=3, opponents=["random"])
        assert isinstance(env.unwrapped, DicetownEnv)
        assert env.unwrapped.game.spec.ruleset.edition.id.replace("_", "") == edition.lower()


def test_a_seed_is_a_row_of_games_in_which_the_agent_moves_on() -> None:
    env = DicetownEnv(sets=["base"], players=3, opponents=["random"])
    first = [play(env, seed=1)[0], play(env)[0], play(env)[0]]
    again = [play(env, seed=1)[0], play(env)[0], play(env)[0]]
    assert first == again
    assert len({len(rewards) for rewards in first}) > 1
    seats = [env.reset(seed=1)[1]["seat"], env.reset()[1]["seat"], env.reset()[1]["seat"]]
    assert seats == [0, 1, 2]


def test_any_game_of_a_seed_can_be_asked_for() -> None:
    env = DicetownEnv(sets=["base"], opponents=["greedy"])
    env.reset(seed=1)
    third = [env.reset()[0], env.reset()[0]][1]
    seen, info = env.reset(seed=1, options={"game": 2})
    assert np.array_equal(seen, third)
    assert info["game"] == 2
    assert env.reset()[1]["game"] == 3


def test_without_a_seed_each_environment_plays_other_games() -> None:
    games = [play(DicetownEnv(sets=["base"], opponents=["random"]))[0] for _ in range(4)]
    assert len({len(rewards) for rewards in games}) > 1


def test_an_illegal_action_loses_the_game() -> None:
    env = DicetownEnv(sets=["base"])
    env.reset(seed=1)
    _, reward, terminated, truncated, info = env.step(0)
    assert (reward, terminated, truncated) == (-1, True, False)
    assert not info["action_mask"].any()
    with pytest.raises(EnvError, match="The game is lost"):
        env.step(0)
    env.reset()
    env.step(any_legal(env.action_masks(), 0))


def test_an_illegal_action_may_be_replaced_by_chance_instead() -> None:
    env = DicetownEnv(sets=["base"], illegal="random")
    ends = []
    for _ in range(2):
        env.reset(seed=1)
        over = False
        while not over:
            seen, _, terminated, truncated, _ = env.step(0)
            over = terminated or truncated
        ends.append(seen)
    assert np.array_equal(ends[0], ends[1])


@pytest.mark.parametrize("action", [1.99, "1", None, [1, 2]])
def test_what_is_no_whole_number_is_not_taken_for_another_action(action: Any) -> None:
    env = DicetownEnv(sets=["base"])
    seen, info = env.reset(seed=1)
    with pytest.raises(EnvError, match="it must be one whole number"):
        env.step(action)
    assert np.array_equal(env.game.seen_by(info["seat"]), seen)


def test_an_illegal_action_may_be_refused_instead() -> None:
    env = DicetownEnv(sets=["base"], illegal="error")
    seen, info = env.reset(seed=1)
    with pytest.raises(EnvError, match="Action 0 is not legal now"):
        env.step(0)
    assert np.array_equal(env.game.seen_by(info["seat"]), seen)


def test_masks_come_as_others_want_them() -> None:
    env = DicetownEnv(sets=["base"])
    _, info = env.reset(seed=1)
    assert env.action_masks().dtype == np.bool_
    assert np.array_equal(env.action_masks(), info["action_mask"])
    assert env.action_space.contains(env.action_space.sample(info["action_mask"]))


def test_a_game_is_cut_off_after_so_many_turns() -> None:
    env = DicetownEnv(sets=["base"], opponents=["random"], max_turns=12)
    _, info = env.reset(seed=1)
    terminated = truncated = False
    while not (terminated or truncated):
        _, reward, terminated, truncated, info = env.step(any_legal(info["action_mask"], 1))
    assert (terminated, truncated, reward) == (False, True, 0)


def test_a_copy_of_an_environment_plays_on_by_itself() -> None:
    env = DicetownEnv(sets=["base"])
    _, info = env.reset(seed=1)
    twin = copy.deepcopy(env)
    action = any_legal(info["action_mask"], 0)
    assert np.array_equal(env.step(action)[0], twin.step(action)[0])
    env.step(any_legal(env.action_masks(), 1))
    assert not np.array_equal(env.game.seen_by(0), twin.game.seen_by(0))


def test_gymnasiums_own_vector_of_environments_works() -> None:
    envs = gymnasium.make_vec(BASE, 3, "sync", sets=["base"], illegal="random")
    seen, info = envs.reset(seed=1)
    assert envs.observation_space.contains(seen)
    assert info["action_mask"].shape == (3, 71)
    for _ in range(5):
        seen, *_ = envs.step(np.zeros(3, np.int64))
    assert envs.observation_space.contains(seen)
    envs.close()


@pytest.mark.parametrize(
    ("table", "kind", "sentence"),
    [
        ({"illegal": "shout"}, EnvError, 'illegal="shout" is not known; it is one of: lose, random, error'),
        ({"opponents": None}, EnvError, "Name opponents"),
        ({"opponents": ["gredy"]}, BotError, 'did you mean "greedy"'),
        ({"render_mode": "hologram"}, EnvError, "human, ansi, rgb_array"),
        ({"edition": "delux"}, RulesetError, 'did you mean "deluxe"'),
        ({"players": 9}, RulesetError, "accepted are 2 to 5"),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(
    table: dict[str, Any], kind: type[Exception], sentence: str
) -> None:
    with pytest.raises(kind, match=sentence):
        DicetownEnv(**table)


def test_whoever_lacks_gymnasium_is_told_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "gymnasium", None)
    with pytest.raises(MissingExtra, match=r"pip install 'dicetown\[envs\]'"):
        _ = dicetown.envs.DicetownEnv
