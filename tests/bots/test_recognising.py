"""Whose city follows which list."""

import pytest
from tests.bots.positions import position

from dicetown import Ruleset
from dicetown.bots import View, minds_for
from dicetown.bots.rules.scripts import load_scripts, scripts_for
from dicetown.bots.search.recognise import recognise
from dicetown.playout.stepwise import SteppedGame
from dicetown.rules.rng import seeded

BASE = Ruleset("deluxe", sets=["base"])


def watch(bots: list[str], turns: int) -> View:
    """A game of rule bots so many turns on."""
    game = SteppedGame(BASE, len(bots), seed=4, game=1)
    minds, numbers = minds_for(bots, BASE), seeded(1)
    while not game.over and game.turns < turns:
        game.take(game.choose_by_rules(minds[game.seat], numbers))
    return game.view


@pytest.mark.parametrize("name", scripts_for(BASE))
def test_a_script_is_recognised_by_its_city(name: str) -> None:
    view = watch([name, "greedy"], turns=24)
    assert recognise(view, 0) == load_scripts()[name]


@pytest.mark.parametrize("name", scripts_for(BASE))
def test_nobody_is_recognised_before_there_is_anything_to_see(name: str) -> None:
    assert recognise(watch([name, "greedy"], turns=0), 0) is None


def test_a_first_purchase_is_a_hint() -> None:
    view = View.of(position(BASE, [{"cards": {"wheat_field": 1, "bakery": 1, "forest": 1}}, {}]))
    assert recognise(view, 0) == load_scripts()["furniture"]


def test_who_buys_what_is_on_no_list_follows_none() -> None:
    view = View.of(position(BASE, [{"cards": {"apple_orchard": 2, "mine": 1, "tv_station": 1}}, {}]))
    assert recognise(view, 0) is None


def test_who_buys_further_down_a_list_first_does_not_follow_it() -> None:
    # Bakeries come before convenience stores, and cost less.
    view = View.of(position(BASE, [{"cards": {"wheat_field": 1, "bakery": 1, "convenience_store": 4}}, {}]))
    assert recognise(view, 0) != load_scripts()["convenience"]


def test_who_builds_other_landmarks_before_the_list_is_done_does_not_follow_it() -> None:
    city = {"cards": {"wheat_field": 1, "bakery": 2}}
    assert recognise(View.of(position(BASE, [city, {}])), 0) == load_scripts()["bakery"]
    ahead = {**city, "landmarks": ["train_station"]}
    assert recognise(View.of(position(BASE, [ahead, {}])), 0) is None
