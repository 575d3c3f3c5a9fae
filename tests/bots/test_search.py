"""Bots that think: legal, repeatable, in time, and better for having thought."""

from random import Random

import numpy as np
import pytest
from tests.bots.positions import after, position

from dicetown import Game, Ruleset
from dicetown.bots import View, make_bot
from dicetown.bots.learning.champion import champion_at
from dicetown.bots.learning.foresight import after_each
from dicetown.bots.search import playouts, think
from dicetown.bots.search.bots import ThinkingBot
from dicetown.bots.search.playouts import Playouts
from dicetown.bots.search.think import Manner, Thinker
from dicetown.errors import BotError
from dicetown.material import load
from dicetown.rules.codes import CHOOSE_PLAYER

BASE = Ruleset("deluxe", sets=["base"])
THREE = ["train_station", "shopping_mall", "amusement_park"]


@pytest.fixture(scope="module", autouse=True)
def _compile_first() -> None:
    think.ready()


def opening(seed: int = 7, players: int = 4, ruleset: Ruleset = BASE) -> Game:
    game = Game(ruleset, players=players, seed=seed)
    game.play("roll 1")
    return game


def about_to_win() -> View:
    """Who decides can build the last landmark."""
    ahead = {"coins": 30, "landmarks": THREE, "cards": {"wheat_field": 1}}
    behind = {"coins": 3, "cards": {"ranch": 2}}
    return View.of(after(position(BASE, [ahead, behind]), "roll 1", "dice 6"))


@pytest.mark.parametrize("edition", load().editions)
def test_what_a_thinker_chooses_is_legal_in_a_whole_game(edition: str) -> None:
    game = Game(Ruleset(edition, house={"max_turns": 40}), players=3, seed=5)
    thinker = make_bot("search:playouts=40:threads=1")
    while not game.over:
        game.play(thinker.choose(View.of(game), Random(len(game.moves))))


def test_with_a_budget_of_playouts_the_same_seed_gives_the_same_thought() -> None:
    spec = "search:playouts=400:threads=1"
    view, one, two = View.of(opening()), make_bot(spec), make_bot(spec)
    assert isinstance(one, ThinkingBot)
    assert isinstance(two, ThinkingBot)
    one.think(View.of(opening(seed=8)), seed=1)  # what it has thought before makes no difference
    assert one.think(view, seed=3).candidates == two.think(view, seed=3).candidates
    assert one.think(view, seed=4).candidates != two.think(view, seed=3).candidates


def test_on_more_cores_a_thought_is_the_same_to_rounding() -> None:
    view = View.of(opening())
    one, two = (Thinker(Manner(playouts=400, threads=threads)).think(view, seed=3) for threads in (1, 2))
    assert [(c.action, c.visits) for c in one.candidates] == [(c.action, c.visits) for c in two.candidates]
    for here, there in zip(one.candidates, two.candidates, strict=True):
        assert here.worth == pytest.approx(there.worth, abs=0.002)


def test_every_legal_action_is_looked_at_and_chances_add_up() -> None:
    view = View.of(opening())
    thought = Thinker(Manner(playouts=600, threads=2)).think(view, seed=1)
    assert sorted(one.action for one in thought.candidates) == [one.number for one in view.legal_actions]
    assert thought.playouts == sum(one.visits for one in thought.candidates) <= 600
    for candidate in thought.candidates:
        assert sum(candidate.worth) == pytest.approx(1)
        assert 0 < candidate.error < 0.05
    assert thought.best.visits >= max(one.visits for one in thought.candidates[1:])


def test_what_is_not_played_out_is_worth_what_is_foreseen() -> None:
    rich = {"coins": 30, "cards": {"wheat_field": 1, "bakery": 1}}
    view = View.of(after(position(Ruleset("ciudad"), [rich, rich]), "roll 1", "dice 6"))
    thought = Thinker(Manner(playouts=80, threads=1)).think(view, seed=1)
    foreseen = after_each(view)
    assert len(thought.candidates) == len(view.legal_actions) > think.WIDE
    for candidate in thought.candidates[think.WIDE :]:
        assert candidate.visits == 0
        assert candidate.worth == pytest.approx(foreseen[candidate.action])


def test_thinking_leaves_the_position_alone() -> None:
    view = View.of(opening())
    before = view.state.array.copy()
    make_bot("search:playouts=200").choose(view, Random(1))
    assert (view.state.array == before).all()


@pytest.mark.parametrize("bot", ["search", "search:rounds=0", "search:rounds=-1"])
def test_a_thinker_takes_the_landmark_that_wins(bot: str) -> None:
    assert str(make_bot(f"{bot}:playouts=100").choose(about_to_win(), Random(2))) == "build radio_tower"


def test_a_thinker_takes_from_the_one_who_would_win_otherwise() -> None:
    me = {"coins": 4, "cards": {"tv_station": 1, "wheat_field": 1}, "landmarks": THREE}
    close = {"coins": 22, "cards": {"wheat_field": 1, "bakery": 1}, "landmarks": THREE}
    far = {"coins": 25, "cards": {"wheat_field": 1}}
    game = after(position(BASE, [me, far, close]), "roll 1", "dice 6")
    chosen = make_bot("search:playouts=400").choose(View.of(game), Random(2))
    assert chosen.number == CHOOSE_PLAYER + 2


def test_who_only_has_to_choose_does_not_think_about_what_is_clear() -> None:
    view = about_to_win()
    manner = Manner(playouts=400, threads=2)
    assert Thinker(manner).think(view, seed=1, hasty=True).playouts == 0
    # Who wants to know what every action is worth gets all that was paid for.
    patient = Thinker(manner).think(view, seed=1)
    assert 400 - len(patient.candidates) <= patient.playouts <= 400


def test_who_has_seen_enough_takes_no_more_time() -> None:
    view = View.of(opening())
    thought = Thinker(Manner(seconds=60.0, enough=300, threads=2)).think(view, seed=1)
    assert 300 - 2 * len(view.legal_actions) <= thought.playouts <= 300


def test_a_single_action_needs_no_thought() -> None:
    game = Game(BASE, players=2, seed=1)
    assert str(make_bot("search:seconds=1000").choose(View.of(game), Random(1))) == "roll 1"


class Clock:
    """A clock that goes on by a hundredth of a second whenever somebody looks at it."""

    def __init__(self) -> None:
        self.now = 0.0

    def perf_counter(self) -> float:
        self.now += 0.01
        return self.now


@pytest.mark.parametrize("seconds", [0.1, 0.5, 2.0])
def test_thinking_stops_in_time(seconds: float, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock()
    monkeypatch.setattr(think, "time", clock)
    thinker = make_bot(f"search:seconds={seconds}:threads=1:rounds=0")
    assert thinker.budget == seconds
    assert isinstance(thinker, ThinkingBot)
    assert thinker.think(View.of(opening()), seed=1).playouts > 0
    # A round of halving may overrun by the looks at the clock around its last playouts.
    assert clock.now <= seconds * 1.2 + 0.2


@pytest.mark.parametrize(("ruleset", "players"), [(BASE, 3), (Ruleset("neue_stadt"), 2)])
def test_playouts_run_the_same_interpreted(
    ruleset: Ruleset, players: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = Game(ruleset, players=players, seed=3)
    while len(game.legal_actions()) == 1:
        game.play(game.legal_actions()[0])
    view = View.of(game)
    actions = [action.number for action in view.legal_actions[:2]]
    runs = Playouts(champion_at(ruleset, players), view.state, rounds=1)
    fast = runs.run(actions, seed=5, first=2, count=3)
    monkeypatch.setattr(playouts, "is_made", lambda kernel: False)
    assert (runs.run(actions, seed=5, first=2, count=3) == fast).all()
    # Luck is numbered: the same numbers, the same games, however they are split up.
    parts = [runs.run(actions, seed=5, first=first, count=1) for first in (2, 3, 4)]
    assert np.allclose(np.concatenate(parts, axis=1), fast, atol=1e-5)


def test_playouts_to_the_end_have_one_winner_each() -> None:
    view = View.of(opening(players=3))
    actions = [action.number for action in view.legal_actions[:2]]
    ended = Playouts(champion_at(BASE, 3), view.state, rounds=-1).run(actions, seed=1, first=0, count=20)
    assert ended.shape == (2, 20, 3)
    assert set(np.unique(ended)) == {0.0, 1.0}
    assert (ended.sum(axis=2) == 1).all()


def test_playouts_tell_on_average_what_is_foreseen() -> None:
    """A round later the network says what it says now, give or take: its chances are sound."""
    view = View.of(opening(players=2))
    action = view.legal_actions[0].number
    later = Playouts(champion_at(BASE, 2), view.state, rounds=1).run([action], seed=1, first=0, count=600)
    assert later.mean(axis=(0, 1)) == pytest.approx(after_each(view)[action], abs=0.03)


@pytest.mark.parametrize(
    ("spec", "sentence"),
    [
        ("search:seconds=0", "needs time"),
        ("search:playouts=-5", "needs time"),
        ("search:threads=-1", "cannot think with -1 threads"),
        ("search:enough=-1", "cannot have enough after -1 playouts"),
        ("search:seconds=soon", "must be a number"),
        ("search:policy=greedy", "has no option"),
        ("search:playouts", "has no value; write playouts=…"),
        ("master:seconds=3", "has no option"),
    ],
)
def test_options_that_make_no_sense_are_refused_in_a_sentence(spec: str, sentence: str) -> None:
    with pytest.raises(BotError, match=sentence):
        make_bot(spec)
