"""What the network sees in a game: a first picture, and what is worth thinking about."""

from random import Random

import pytest
from tests.review.made_up import random_game

from dicetown import Game, Ruleset
from dicetown.bots.learning.foresight import after_each, chances_at
from dicetown.bots.roster import make_bot
from dicetown.bots.view import View
from dicetown.game.notation import Action
from dicetown.review.advice import Option
from dicetown.review.chances import CLOSE, estimate_at_a_glance, rival_of
from dicetown.review.glance import FAVOURITES, Few, favourites_and, glance_at
from dicetown.review.moments import Decision, Stroke
from dicetown.review.replay import replay
from dicetown.review.review import review_at_a_glance

BASE = Ruleset("deluxe", sets=["base"])
GAMES = {
    "base": random_game(BASE, ["Ana", "Ben"], seed=5, decisions=60),
    "with a deck": random_game(Ruleset("neue_stadt"), ["Ana", "Ben", "Caro"], seed=8, decisions=60),
}


def at_building() -> View:
    game = Game(BASE, players=2, seed=7)
    game.play("roll 1")
    return View.of(game)


def test_every_action_has_the_chances_that_are_foreseen_after_it() -> None:
    view = at_building()
    options = glance_at(view)
    assert {one.action.number: one.chances for one in options} == after_each(view)
    assert options == sorted(options, key=lambda one: -one.chances[view.seat])


def test_what_was_done_is_compared_with_what_the_network_likes_best() -> None:
    view = at_building()
    liked = make_bot("champion").choose(view, Random(1))
    worst = glance_at(view)[-1].action
    for done in (None, liked, worst):
        (few,) = favourites_and([view], [done])
        assert isinstance(few, Few)
        assert few.compared[0] == liked
        assert len(few.compared) == FAVOURITES + (done == worst)
        assert done is None or done in few.compared
    assert favourites_and([], []) == []


@pytest.mark.parametrize("game", GAMES)
def test_the_first_picture_adds_up_and_is_no_exact_one(game: str) -> None:
    found = review_at_a_glance(GAMES[game].save())
    for player in found.players:
        told = player.start + player.luck + player.choice + player.others
        assert told == pytest.approx(player.finish, abs=1e-9)
        assert player.adjusted == pytest.approx(player.finish - player.luck, abs=1e-9)
    assert sum(player.adjusted for player in found.players) == pytest.approx(1, abs=1e-6)
    assert not found.as_dict()["exact"]


def test_where_a_decision_left_one_thing_to_do_its_chances_stay_the_same() -> None:
    replayed = replay(GAMES["base"].save())
    found = estimate_at_a_glance(replayed)
    assert replayed.carried
    for k in replayed.carried:
        (only,) = found[k]
        led_here = next(one for one in found[k - 1] if one.action == replayed.taken[k - 1])
        assert only.chances == led_here.chances == pytest.approx(chances_at(replayed.views[k]), abs=1e-6)


def test_luck_is_what_the_dice_brought_beyond_what_was_foreseen() -> None:
    found = review_at_a_glance(GAMES["base"].save())
    for earlier, later in zip(found.moments, found.moments[1:], strict=False):
        if isinstance(earlier, Decision) and isinstance(later, Stroke):
            assert later.before == earlier.taken.chances


def test_nobody_is_a_favourite_among_equals() -> None:
    """In the second round of four alike cities the old search gave one of them 78 %."""
    start = Game(BASE, players=4, seed=1).position()
    alike = start.replace("wheat_field bakery |", "wheat_field bakery*2 |").replace("bakery*6", "bakery*2")
    game = Game.from_position(f"{alike} turns=4", chance="manual")
    for option in glance_at(View.of(game)):
        assert all(0.15 < chance < 0.4 for chance in option.chances)


def option(number: int, chance: float) -> Option:
    return Option(Action(number, f"action {number}"), (chance, 1 - chance), 0, 1, 0.001, 0)


def test_only_what_is_close_or_better_is_thought_about() -> None:
    best, close, far = option(1, 0.5), option(2, 0.5 - CLOSE / 2), option(3, 0.5 - 2 * CLOSE)
    assert rival_of([best, close, far], close.action, 0) == best.action
    assert rival_of([best, close, far], best.action, 0) == close.action
    assert rival_of([best, close, far], far.action, 0) == best.action
    assert rival_of([best, far], best.action, 0) is None
    assert rival_of([best], best.action, 0) is None
