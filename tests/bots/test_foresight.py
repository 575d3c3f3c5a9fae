"""Foresight: chances to win in any position, by playing on to where the champion can tell them."""

from random import Random

import numpy as np
import pytest

from dicetown import Game, Ruleset
from dicetown.bots import View, make_bot
from dicetown.bots.learning.champion import chances_of
from dicetown.bots.learning.foresight import (
    after_each,
    after_each_of_all,
    chances_at,
    chances_of_all,
    luck_of_each,
)
from dicetown.bots.learning.unfold import unfold
from dicetown.rules.kernel import compiled
from dicetown.rules.layout import copy

from .positions import after, position

BASE = Ruleset("deluxe", sets=["base"])
CITY = {"coins": 3, "cards": {"wheat_field": 1, "bakery": 1}}


def views_of_a_game(ruleset, players, seed=1):
    """Every position of a game between champions, also those in which chance is due."""
    game, bot = Game(ruleset, players=players, seed=seed, chance="manual"), make_bot("champion")
    rng, views = Random(seed), []
    while not game.over:
        views.append(View.of(game))
        if game.waits_for_chance:
            outcomes, weights = zip(*game.chance_outcomes(), strict=True)
            game.play(rng.choices(outcomes, [float(weight) for weight in weights])[0])
        else:
            game.play(bot.choose(views[-1], rng))
    return [*views, View.of(game)]


@pytest.mark.parametrize(
    ("ruleset", "players"), [(BASE, 3), (Ruleset("deluxe"), 2), (Ruleset("neue_stadt"), 4)]
)
def test_chances_are_those_of_one_winner_in_every_position(ruleset, players):
    views = views_of_a_game(ruleset, players)
    for chances in chances_of_all(views[-60:]):
        assert sum(chances) == pytest.approx(1)
        assert min(chances) >= 0


def test_whoever_has_won_is_sure_of_it():
    view = views_of_a_game(BASE, 2)[-1]
    assert chances_at(view)[int(view.state.winner)] == 1.0
    assert sum(chances_at(view)) == 1.0


def test_an_action_that_wins_is_worth_all():
    landmarks = ["train_station", "shopping_mall", "amusement_park"]
    game = position(BASE, [{"coins": 30, "cards": {"bakery": 1}, "landmarks": landmarks}, CITY])
    view = View.of(after(game, "roll 1", "dice 1"))
    told = after_each(view)
    winning = view.notation.parse("build radio_tower").number
    assert told[winning] == (1.0, 0.0)
    assert all(chances[0] < 1 for number, chances in told.items() if number != winning)


def test_where_somebody_has_a_choice_it_is_what_the_champion_says():
    view = next(view for view in views_of_a_game(BASE, 3) if len(view.legal_actions) > 1)
    assert chances_at(view) == pytest.approx(chances_of(view), abs=1e-6)


def test_dice_are_weighed_with_their_probabilities():
    """Two dice by hand: 36 rolls, each of which leaves the roller something to build.

    A roll of 4 and 3 is taken for one of 3 and 4.
    """
    station = {"coins": 9, "cards": {"wheat_field": 1}, "landmarks": ["train_station"]}
    game = after(position(BASE, [station, CITY]), "roll 2")
    by_hand = np.zeros(2)
    for outcome, probability in game.chance_outcomes():
        rolled = Game.from_state(BASE, 2, game.state, chance="manual")
        _, *dice = str(outcome).split()
        rolled.play(" ".join(["dice", *sorted(dice)]))
        by_hand += np.array(chances_of(View.of(rolled))) * float(probability)
    assert chances_at(View.of(game)) == pytest.approx(by_hand.tolist(), abs=1e-5)
    rolls = after_each(View.of(position(BASE, [station, CITY])))
    assert rolls[1] == pytest.approx(chances_at(View.of(game)), abs=1e-5)  # others are asked about with it


def test_a_roll_that_nobody_can_choose_is_as_good_as_made():
    game = position(BASE, [CITY, CITY, CITY])
    assert [str(action) for action in game.legal_actions()] == ["roll 1"]
    assert chances_at(View.of(game)) == chances_at(View.of(after(game, "roll 1")))


def test_chances_move_with_the_players_around_the_table():
    rich, poor = CITY | {"coins": 12}, CITY | {"coins": 1}
    game = after(position(BASE, [rich, CITY, poor]), "roll 1")
    moved = copy(game.state)
    for field in ("coins", "owned", "built", "closed", "invested"):
        getattr(moved, field)[:3] = np.roll(getattr(game.state, field)[:3], 1, axis=0)
    moved.turn = 1
    told = chances_at(View.of(game))
    assert chances_at(View(BASE, 3, moved)) == pytest.approx((told[2], told[0], told[1]), abs=1e-6)
    assert told[0] > told[2]


def test_many_positions_together_are_told_the_same_as_one_by_one():
    views = [view for view in views_of_a_game(Ruleset("deluxe"), 2) if len(view.legal_actions) > 1][:9]
    one_by_one = [after_each(view) for view in views]
    for together, alone in zip(after_each_of_all(views), one_by_one, strict=True):
        assert list(together) == list(alone)
        assert np.allclose(list(together.values()), list(alone.values()), atol=1e-5)


def test_compiled_it_unfolds_the_same(monkeypatch):
    views = views_of_a_game(Ruleset("deluxe"), 3)[:40]
    compiled(unfold)
    fast = chances_of_all(views)
    monkeypatch.setattr("dicetown.bots.learning.unfold.is_made", lambda kernel: False)
    assert chances_of_all(views) == fast


@pytest.mark.parametrize("kind", ["dice", "draw"])
def test_luck_is_nothing_on_average_and_what_chance_did_one_by_one(kind):
    game, rng = Game(Ruleset("neue_stadt"), players=3, seed=6, chance="manual"), Random(6)
    while not (
        game.waits_for_chance and game.turns > 4 and str(game.chance_outcomes()[0][0]).startswith(kind)
    ):
        moves = [str(move) for move, _ in game.chance_outcomes()] or [
            str(one) for one in game.legal_actions()
        ]
        game.play(rng.choice(moves))
    luck, outcomes = luck_of_each(View.of(game)), game.chance_outcomes()
    assert set(luck) == {outcome.number for outcome, _ in outcomes}
    mean = sum(float(likely) * np.array(luck[outcome.number]) for outcome, likely in outcomes)
    assert np.allclose(mean, 0, atol=1e-9)
    (one, _), (other, _) = outcomes[0], outcomes[-1]
    told = []
    for outcome in (one, other):
        game.play(outcome)
        told.append(np.array(chances_at(View.of(game))))
        game.undo()
    assert np.allclose(told[0] - told[1], np.subtract(luck[one.number], luck[other.number]), atol=1e-6)


def test_looking_ahead_changes_no_position():
    view = View.of(Game(Ruleset("deluxe"), players=4, seed=2))
    before = view.position()
    after_each(view)
    chances_at(view)
    assert view.position() == before
