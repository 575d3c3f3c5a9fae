"""Many games in step: the same games however many there are, on however many threads."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.envs.tables import any_legal, every_table

from dicetown import Game, Ruleset
from dicetown.envs.core.batch import Batch, Table
from dicetown.envs.core.one_game import OneGame
from dicetown.envs.core.steps import GIVEN_UP, GOES_ON, IS_OVER
from dicetown.errors import BotError, EnvError
from dicetown.rules.codes import BUILD, TWO_DICE_BASE

BASE = Ruleset("deluxe", ["base"])
TABLES = {
    "agents": Table.of(BASE, 3),
    "among bots": Table.of(BASE, 3, ["greedy", "random"]),
    "in a seat": Table.of(Ruleset("neue_stadt"), 2, ["greedy"], seat=1),
    "all sets": Table.of(Ruleset("deluxe"), 2, ["greedy"]),
}


def choose(masks: NDArray[Any], step: int) -> NDArray[np.int64]:
    return np.array([any_legal(mask, step) for mask in masks])


@pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)
def test_games_do_not_depend_on_the_number_of_threads(table: Table) -> None:
    one, three = Batch(table, 10, seed=4, threads=1), Batch(table, 10, seed=4, threads=3)
    one.reset()
    three.reset()
    for step in range(250):
        for name in ("observations", "masks", "seats", "payoffs", "ends", "finals", "numbers", "dice"):
            assert np.array_equal(getattr(one, name), getattr(three, name)), (name, step)
        one.step(choose(one.masks, step))
        three.step(choose(three.masks, step))
    three.close()


@pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)
def test_a_slot_plays_the_games_that_one_game_plays(table: Table) -> None:
    """Game for game, up to what was seen last and what it brought."""
    slots, ended = 4, 0
    batch, single = Batch(table, slots, seed=9), OneGame(table)
    slot = 3
    batch.reset()
    single.begin(9, slot)
    for step in range(400):
        assert (batch.numbers[slot], batch.seats[slot]) == (single.number, single.seat)
        assert np.array_equal(batch.observations[slot], single.seen_by(single.seat))
        assert np.array_equal(batch.masks[slot], single.mask)
        actions = choose(batch.masks, step)
        last = single.seat
        single.take(int(actions[slot]))
        batch.step(actions)
        assert (batch.ends[slot] == GOES_ON) == single.goes_on
        if not single.goes_on:
            assert np.array_equal(batch.payoffs[slot], single.payoffs)
            assert np.array_equal(batch.finals[slot], single.seen_by(last))
            single.begin(9, single.number + slots)
            ended += 1
    assert ended


@pytest.mark.parametrize(("ruleset", "players"), every_table())
def test_rewards_sum_to_nothing_and_everybody_always_has_a_choice(ruleset: Ruleset, players: int) -> None:
    batch = Batch(Table.of(ruleset, players), 64, seed=players, threads=1)
    batch.reset()
    ended, highest = 0, np.zeros(batch.spec.size, np.int16)
    for step in range(200):
        assert (batch.masks.sum(axis=1) >= 2).all()
        batch.step(choose(batch.masks, step))
        assert batch.payoffs.sum(axis=1) == pytest.approx(np.zeros(64), abs=1e-6)
        over = batch.ends == IS_OVER
        ended += int(over.sum())
        assert ((batch.payoffs[over] == 1).sum(axis=1) == 1).all()
        np.maximum(highest, batch.observations.max(axis=0), out=highest)
    assert (highest <= batch.spec.most).all()
    assert ended or ruleset.landmarks_to_win > 4


def test_a_game_that_takes_too_long_is_given_up_and_nobody_gets_anything() -> None:
    batch = Batch(Table.of(BASE, 2, ["random"]), 8, seed=1, give_up=20)
    batch.reset()
    seen = 0
    for step in range(60):
        batch.step(choose(batch.masks, step))
        given_up = batch.ends == GIVEN_UP
        assert not batch.payoffs[given_up].any()
        seen += int(given_up.sum())
    assert seen >= 8


def test_a_draw_by_the_rules_is_an_end_and_brings_nothing() -> None:
    batch = Batch(Table.of(Ruleset("deluxe", ["base"], {"max_turns": 10}), 2), 4, seed=1)
    batch.reset()
    while not (batch.ends == IS_OVER).any():
        batch.step(choose(batch.masks, 1))
    assert not batch.payoffs.any()


def test_the_agent_sits_in_the_next_seat_in_each_game_or_always_in_one() -> None:
    moving, fixed = Batch(Table.of(BASE, 4, ["random"]), 8), Batch(Table.of(BASE, 4, ["random"], seat=2), 8)
    moving.reset()
    fixed.reset()
    assert moving.seats.tolist() == [0, 1, 2, 3, 0, 1, 2, 3]
    assert fixed.seats.tolist() == [2] * 8


def test_a_seed_gives_the_same_games_and_another_seed_others() -> None:
    batch = Batch(Table.of(Ruleset("ciudad"), 3), 16, seed=7)
    batch.reset()
    first = batch.observations.copy()
    batch.step(choose(batch.masks, 0))
    batch.reset()
    assert np.array_equal(batch.observations, first)
    batch.reset(seed=8)
    assert not np.array_equal(batch.observations, first)


@pytest.mark.parametrize("action", [-1, 0, 71])
def test_if_one_action_is_not_legal_nothing_happens_in_any_game(action: int) -> None:
    batch = Batch(Table.of(BASE, 2), 3, seed=2)
    batch.reset()
    before = batch.observations.copy(), batch.masks.copy()
    actions = choose(batch.masks, 0)
    actions[1] = action
    with pytest.raises(
        EnvError, match=rf"Action {action} is not legal in game 1 of the batch; legal are: pass"
    ):
        batch.step(actions)
    assert np.array_equal(batch.observations, before[0])
    assert np.array_equal(batch.masks, before[1])
    batch.step(choose(batch.masks, 0))


def test_what_is_no_whole_number_is_not_taken_for_another_action() -> None:
    batch = Batch(Table.of(BASE, 2), 3, seed=2)
    batch.reset()
    before = batch.observations.copy()
    for actions in (choose(batch.masks, 0) + 0.99, ["1", "1", "1"], batch.masks.any(axis=1)):
        with pytest.raises(EnvError, match="they must be whole numbers"):
            batch.step(actions)
    assert np.array_equal(batch.observations, before)


def test_before_a_batch_has_begun_nothing_can_be_done() -> None:
    with pytest.raises(EnvError, match="Nothing can be done in game 0 of the batch; reset begins it"):
        Batch(Table.of(BASE, 2), 3, seed=2).step([0, 0, 0])


def test_a_batch_whose_threads_have_gone_home_plays_on_alone() -> None:
    table = TABLES["agents"]
    closed, open_ = Batch(table, 10, seed=4, threads=3), Batch(table, 10, seed=4, threads=3)
    closed.close()
    closed.close()
    for batch in (closed, open_):
        batch.reset()
        batch.step(choose(batch.masks, 1))
    assert np.array_equal(closed.observations, open_.observations)


def test_one_opponent_by_itself_sits_in_all_other_seats() -> None:
    assert Table.of(BASE, 4, "greedy") == Table.of(BASE, 4, ["greedy"])


@pytest.mark.parametrize("bad", [0, -1, 1.5, True])
def test_turns_and_threads_are_whole_numbers(bad: Any) -> None:
    with pytest.raises(EnvError, match=f"max_turns is {bad}; it must be a whole number, at least 1"):
        Batch(Table.of(BASE, 2), 3, give_up=bad)
    with pytest.raises(EnvError, match=f"max_turns is {bad}; it must be"):
        OneGame(Table.of(BASE, 2), bad)
    with pytest.raises(EnvError, match=f"threads is {bad}; it must be a whole number, at least 1"):
        Batch(Table.of(BASE, 2), 3, threads=bad)


def test_what_cannot_be_is_refused_in_a_sentence() -> None:
    with pytest.raises(EnvError, match="The number of games is 0"):
        Batch(Table.of(BASE, 2), 0)
    batch = Batch(Table.of(BASE, 2), 3)
    batch.reset()
    with pytest.raises(EnvError, match="3 games want 3 actions"):
        batch.step([0, 0])
    with pytest.raises(EnvError, match="2 opponents are named for 4 players"):
        Table.of(BASE, 4, ["greedy", "random"])
    with pytest.raises(EnvError, match="There is no seat 4"):
        Table.of(BASE, 4, ["greedy"], seat=4)
    with pytest.raises(EnvError, match="A seat is only chosen where there are opponents"):
        Table.of(BASE, 4, seat=1)
    with pytest.raises(BotError, match='no bot "gredy"'):
        Batch(Table.of(BASE, 2, ["gredy"]), 1)


def test_games_may_begin_at_a_position() -> None:
    game = Game(BASE, players=2, seed=1)
    game.state.coins[0] = 41
    batch = Batch(replace(Table.of(BASE, 2), position=game.state.array), 3, seed=2)
    batch.reset()
    coins = batch.observations[:, batch.spec.names.index("me.coins")]
    assert (coins >= 41).all()  # the first roll, with nothing to choose before it, may have brought some


@pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)
def test_the_dice_told_of_a_step_are_the_first_that_were_thrown(table: Table) -> None:
    """Where a turn's last choice leads to the next turn's, they still lie there."""
    batch = Batch(table, 32, seed=2, threads=1)
    batch.reset()
    looked_at = 0
    for step in range(150):
        before = batch._states[:32].copy()
        batch.step(choose(batch.masks, step))
        after = batch._states[:32]
        once = (batch.ends == GOES_ON) & (after["turns"] == before["turns"] + 1) & (after["rerolled"] == 0)
        once &= (before["phase"] == BUILD) & (after["phase"] == BUILD)
        shown = np.where(after["dice"] == 2, TWO_DICE_BASE * after["die"] + after["other_die"], after["die"])
        assert (batch.dice[once] == shown[once]).all()
        looked_at += int(once.sum())
    assert looked_at or table.opponents  # bots take whole turns in between


def test_dice_that_follow_a_choice_fall_as_dice_do() -> None:
    """Whatever they lead to: those that leave somebody without a choice are told as well."""
    batch = Batch(Table.of(Ruleset("ciudad", sets=["base"]), 2), 512, seed=8, threads=1)
    batch.reset()
    faces = np.zeros(7)
    for step in range(60):
        batch.step(choose(batch.masks, step))
        faces += np.bincount(batch.dice[batch.dice < 7], minlength=7)
    thrown = faces[1:].sum()
    assert thrown > 5_000
    assert np.abs(faces[1:] / thrown - 1 / 6).max() < 4 * np.sqrt(5 / 36 / thrown)
