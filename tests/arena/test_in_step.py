"""Games in step: a network chooses in many at once, and each is the game it would be alone."""

import numpy as np
import pytest

from dicetown import Ruleset
from dicetown.arena import simulate
from dicetown.arena.contests.contestants import enter
from dicetown.arena.contests.match import Match
from dicetown.arena.contests.tournament import Tournament, play_tournament
from dicetown.bots import make_bot
from dicetown.playout.in_step import TableInStep
from dicetown.playout.table import BotTable, ready, table_for

BASE = Ruleset("deluxe", sets=["base"])


@pytest.mark.parametrize(
    ("ruleset", "players"), [(BASE, 2), (Ruleset("deluxe"), 4), (Ruleset("neue_stadt"), 3)]
)
def test_champions_in_step_play_the_games_that_each_plays_alone(ruleset: Ruleset, players: int) -> None:
    together = TableInStep(ruleset, [["champion"] * players], seed=5).play(2, 3)
    for number, result in zip(range(2, 5), together, strict=True):
        alone = Match(ruleset, [make_bot("champion")] * players, seed=5, game=number).play()
        assert alone is not None
        assert (alone.winner, alone.turns) == (result["winner"], result["turns"])
        assert sum(alone.choices) == result["decisions"]


def test_bots_that_follow_rules_play_in_step_as_they_do_in_bulk() -> None:
    ready()
    bots = ["greedy:slips=100", "planner", "random"]
    assert (TableInStep(BASE, [bots], 3).play(10, 20) == BotTable(BASE, bots, 3).play(10, 20)).all()


def test_a_game_is_the_same_in_any_company() -> None:
    bots = ["beginner", "greedy", "champion:temperature=2", "normal"]
    table = table_for(BASE, bots, 9)
    assert isinstance(table, TableInStep)
    many = table.play(0, 12)
    assert (table.play(7, 3) == many[7:10]).all()
    turned = bots[1:] + bots[:1]
    both = TableInStep(BASE, [turned, bots], 9).play_seated(np.array([7, 7, 8]), np.array([1, 0, 1]))
    assert (both[[0, 2]] == many[7:9]).all()


def test_whoever_wants_to_know_is_told_every_choice_of_a_network() -> None:
    told: list[tuple[int, int]] = []
    table = TableInStep(BASE, [["champion", "greedy"]], 4)
    table.play(0, 3, lambda games, actions: told.extend(zip(games.tolist(), actions.tolist(), strict=True)))
    assert {game for game, _ in told} == {0, 1, 2}
    assert all(0 <= action < table.spec.actions for _, action in told)


def test_a_network_takes_part_in_simulations_and_tournaments_in_bulk() -> None:
    played = simulate(BASE, 2, ["champion", "random"], 30, seed=1, threads=2)
    assert played.games == 30
    assert played.wins[0] > 20
    tournament = Tournament(BASE, 2, enter(["champion", "random", "greedy"]), 60, seed=1)
    assert tournament.is_quick
    one, two = (play_tournament(tournament, threads=threads).sheet for threads in (1, 2))
    assert one.count == 60
    assert (one.winners == two.winners).all()
    wins = one.wins_by_lineup().sum(axis=0)
    assert wins[0] > wins[1]
