"""Luck and choice add up to what became of everybody's chance, whatever the estimates say."""

from dataclasses import replace
from itertools import pairwise
from random import Random

import pytest
from tests.review.made_up import made_up_review, options, random_game

from dicetown import DicetownError, Game, Ruleset
from dicetown.bots import View
from dicetown.game.notation import Outcome
from dicetown.review import Decision, Stroke, review
from dicetown.review.replay import replay
from dicetown.review.review import judge_moments

BASE = Ruleset("deluxe", sets=["base"])
GAMES = {
    "base": random_game(BASE, ["Ana", "Ben"], seed=5).save(),
    "with tuna boats": random_game(Ruleset("deluxe"), ["Ana", "Ben", "Caro"], seed=2, decisions=300).save(),
    "with a deck": random_game(Ruleset("neue_stadt"), ["Ana", "Ben", "Caro"], seed=8).save(),
    "not over": random_game(BASE, ["Ana", "Ben"], seed=5, decisions=31).save(),
    "drawn": random_game(
        Ruleset("deluxe", sets=["base"], house={"max_turns": 12}), ["Ana", "Ben"], seed=4
    ).save(),
}


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("error", [0.0, 0.05, 10.0])
def test_luck_and_choice_add_up_for_everybody(game: str, error: float) -> None:
    found = made_up_review(GAMES[game], seed=3, error=error)
    for player in found.players:
        told = player.start + player.luck + player.choice + player.others
        assert told == pytest.approx(player.finish, abs=1e-9)


@pytest.mark.parametrize("game", GAMES)
def test_each_moment_begins_where_the_one_before_it_ended(game: str) -> None:
    found = made_up_review(GAMES[game])
    ends = [found.start, *(moment.after for moment in found.moments)]
    begins = [*(moment.before for moment in found.moments), found.finish]
    assert begins == ends
    assert all(0 <= chance <= 1 for chances in ends for chance in chances)


def test_a_finished_game_ends_with_certainty() -> None:
    found = made_up_review(GAMES["base"])
    assert found.finish == tuple(float(seat == found.game.winner) for seat in range(2))
    assert made_up_review(GAMES["drawn"]).finish == (0.0, 0.0)


def test_every_choice_and_every_roll_is_a_moment() -> None:
    found = made_up_review(GAMES["base"])
    replayed = replay(GAMES["base"])
    choices = sum(len(view.legal_actions) > 1 for view in replayed.views)
    rolls = sum(isinstance(move, Outcome) for move in replayed.game.moves)
    assert sum(isinstance(moment, Decision) for moment in found.moments) == choices
    assert sum(len(moment.moves) for moment in found.moments if isinstance(moment, Stroke)) == rolls


def test_chance_upon_chance_is_one_stroke_and_the_first_deal_is_nobodys_luck() -> None:
    found = made_up_review(GAMES["with a deck"])
    kinds = [type(moment) for moment in found.moments]
    assert (Stroke, Stroke) not in list(pairwise(kinds))
    moves = Game.load(GAMES["with a deck"]).moves
    assert isinstance(moves[0], Outcome)  # the market is dealt
    assert found.moments[0].number > 5


def test_what_noise_may_explain_is_no_mistake_and_costs_nothing() -> None:
    found = made_up_review(GAMES["base"], error=10.0)
    decisions = [moment for moment in found.moments if isinstance(moment, Decision)]
    assert any(moment.loss > 0.1 for moment in decisions)
    assert not any(moment.is_mistake or moment.swing for moment in decisions)
    assert [(player.choice, player.others, player.accuracy) for player in found.players] == [(0, 0, 1)] * 2


def test_a_mistake_costs_what_the_best_option_would_have_brought_more() -> None:
    replayed = replay(GAMES["not over"])
    estimates = [options(view, Random(1), 0.001) for view in replayed.views]
    found = judge_moments(replayed, estimates, "made up")
    mistakes = [one for one in found.moments if isinstance(one, Decision) and one.is_mistake]
    assert mistakes
    for one in mistakes:
        assert one.alternative is one.options[0]
        assert one.loss == one.alternative.chances[one.seat] - one.taken.chances[one.seat]
        assert one.before[one.seat] == pytest.approx(min(1.0, one.after[one.seat] + one.loss))


@pytest.mark.parametrize("game", GAMES)
def test_the_result_without_luck_is_the_result_less_luck(game: str) -> None:
    found = made_up_review(GAMES[game], error=0.001)
    for player in found.players:
        assert player.adjusted == pytest.approx(player.finish - player.luck, abs=1e-9)
    best = max(player.adjusted for player in found.players)
    assert found.ahead_without_luck == [player.adjusted for player in found.players].index(best)


def test_what_a_decision_lost_on_average_gets_a_grade() -> None:
    ana, ben = made_up_review(GAMES["base"], error=0.001).players
    assert ana.average_loss == pytest.approx(-ana.choice / ana.decisions)
    assert (ana.grade, ben.grade) == ("wild", "wild")  # they did anything, and chances were made up
    flawless = made_up_review(GAMES["base"], error=10.0).players[0]
    assert (flawless.average_loss, flawless.grade) == (0.0, "masterly")
    idle = replace(ana, decisions=0)
    assert (idle.average_loss, idle.grade) == (None, None)


def test_who_wants_to_sees_the_decisions_of_one_player_only() -> None:
    found = replace(made_up_review(GAMES["base"], error=0.001), only=1)
    assert found.players == replace(found, only=None).players
    for moments in (found.shown, found.turning_points()):
        assert moments
        assert all(isinstance(moment, Decision) and moment.seat == 1 for moment in moments)
    assert len(found.as_dict()["moments"]) == found.players[1].decisions


def test_turning_points_are_the_greatest_swings() -> None:
    found = made_up_review(GAMES["base"])
    told = found.turning_points()
    assert len(told) == 3
    assert [one.swing for one in told] == sorted((one.swing for one in found.moments), reverse=True)[:3]


def test_a_record_that_ends_before_the_dice_have_fallen_is_reviewed_as_far_as_it_goes() -> None:
    game = Game(BASE, names=["Ana", "Ben"], seed=1, chance="manual")
    game.play("roll 1")
    found = made_up_review(game.save())
    assert found.moments == []
    assert found.start == found.finish


def test_a_game_without_a_decision_is_refused() -> None:
    with pytest.raises(DicetownError, match="Nothing has been decided in this game yet"):
        review(Game(BASE, players=2, seed=1).save(), "search:playouts=10")


def test_the_view_of_a_decision_is_what_its_player_saw() -> None:
    replayed = replay(GAMES["not over"])
    assert replayed.end is not None
    assert replayed.end.position() == Game.load(GAMES["not over"]).position()
    first = replayed.happenings[0].view
    assert isinstance(first, View)
    assert first.position() == Game(BASE, names=["Ana", "Ben"], seed=5).position()
