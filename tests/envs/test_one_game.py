"""One game that stops at every choice of an agent, with bots of any kind around it."""

import copy
import pickle
from random import Random
from types import MappingProxyType
from typing import ClassVar

import numpy as np
import pytest
from tests.envs.tables import any_legal

from dicetown import Action, Ruleset
from dicetown.bots import BOTS, Bot, BotMaker, View
from dicetown.envs.core.batch import Table
from dicetown.envs.core.one_game import OneGame
from dicetown.errors import BotFault, EnvError

BASE = Ruleset("deluxe", ["base"])


class PassingBot(Bot):
    """Thinks, and does nothing where it may."""

    name = "passing"
    description = MappingProxyType({"en": "passes"})
    asked: ClassVar[list[int]] = []
    closed = 0

    def choose(self, view: View, rng: Random) -> Action:
        self.asked.append(view.seat)
        return next((one for one in view.legal_actions if str(one) == "pass"), view.legal_actions[0])

    def close(self) -> None:
        type(self).closed += 1


class CheatingBot(PassingBot):
    """Wants to build what it cannot pay."""

    name = "cheating"

    def choose(self, view: View, rng: Random) -> Action:
        return view.notation.parse("build radio_tower")  # type: ignore[return-value]


@pytest.fixture(autouse=True)
def known(monkeypatch: pytest.MonkeyPatch) -> None:
    for kind in (PassingBot, CheatingBot):
        monkeypatch.setitem(BOTS, kind.name, BotMaker.of(kind))
    monkeypatch.setattr(PassingBot, "asked", [])
    monkeypatch.setattr(PassingBot, "closed", 0)


def play(game: OneGame, number: int = 0) -> OneGame:
    game.begin(3, number)
    step = 0
    while game.goes_on:
        game.take(any_legal(game.mask, step))
        step += 1
    return game


def test_bots_that_think_are_asked_between_the_agents_choices() -> None:
    game = play(OneGame(Table.of(BASE, 3, ["passing", "greedy"], seat=1)))
    assert set(PassingBot.asked) == {2}
    assert game.seat == 1
    assert not game.mask.any()
    assert game.payoffs[2] == -0.5  # who passes does not win
    game.close()
    assert PassingBot.closed == 1


def test_with_bots_that_think_a_seed_still_is_a_game() -> None:
    table = Table.of(BASE, 2, ["passing"])
    ends = [play(OneGame(table), number).seen_by(0) for number in (0, 0, 1)]
    assert np.array_equal(ends[0], ends[1])
    assert not np.array_equal(ends[0], ends[2])


def test_opponents_sit_clockwise_from_the_agent() -> None:
    for number in range(3):
        PassingBot.asked.clear()
        game = OneGame(Table.of(BASE, 3, ["greedy", "passing"]))
        play(game, number)
        assert game.seat == number
        assert set(PassingBot.asked) == {(number + 2) % 3}


def test_a_bot_that_chooses_what_is_not_possible_is_named() -> None:
    game = OneGame(Table.of(BASE, 2, ["cheating"], seat=1))
    with pytest.raises(BotFault, match='"cheating" chose "build radio_tower", which is not possible now'):
        game.begin(1, 0)


@pytest.mark.parametrize("opponents", [None, ["greedy"], ["passing"]], ids=str)
def test_a_copy_goes_on_as_the_game_does(opponents: list[str] | None) -> None:
    game = OneGame(Table.of(Ruleset("neue_stadt"), 2, opponents), max_turns=60)
    game.begin(5, 1)
    for step in range(10):
        game.take(any_legal(game.mask, step))
    copies = [copy.deepcopy(game), pickle.loads(pickle.dumps(game))]
    before = game.seen_by(0)
    while game.goes_on:
        action = any_legal(game.mask, 1)
        for one in (game, *copies):
            one.take(action)
            assert np.array_equal(one.seen_by(0), game.seen_by(0))
            assert np.array_equal(one.mask, game.mask)
    assert not np.array_equal(before, game.seen_by(0))
    assert all(one.given_up == game.given_up and not one.goes_on for one in copies)


def test_an_illegal_action_changes_nothing() -> None:
    game = OneGame(Table.of(BASE, 2))
    game.begin(1, 0)
    before = game.state.array.copy()
    for action in (-1, 0, 500):
        with pytest.raises(EnvError, match=f"Action {action} is not legal now; legal are: pass, build"):
            game.take(action)
    assert (game.state.array == before).all()
    assert game.allows(game.any_action())


def test_a_game_that_has_not_begun_takes_no_action() -> None:
    with pytest.raises(EnvError, match="No game has begun; reset begins one"):
        OneGame(Table.of(BASE, 2)).take(0)


def test_a_game_that_has_ended_takes_no_action() -> None:
    game = play(OneGame(Table.of(BASE, 2)))
    assert sorted(game.payoffs.tolist()) == [-1, 1]
    with pytest.raises(EnvError, match="The game has ended"):
        game.take(0)


@pytest.mark.parametrize("limit", [{"max_turns": 1}, {"landmarks_to_win": 1, "start_coins": 60}], ids=str)
def test_a_game_that_leaves_the_agent_nothing_to_do_is_refused(limit: dict[str, int]) -> None:
    game = OneGame(Table.of(Ruleset("deluxe", ["base"], limit), 2, ["greedy"], seat=1))
    with pytest.raises(EnvError, match="ended before its agent had a choice"):
        game.begin(1, 0)
