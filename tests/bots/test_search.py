"""Bots that think: legal, repeatable, in time, and no worse for having thought before."""

from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from tests.bots.positions import after, position

from dicetown import Game, Ruleset, readiness
from dicetown.bots import View, make_bot
from dicetown.bots.search import think
from dicetown.bots.search.bots import ThinkingBot
from dicetown.bots.search.think import Manner, Thinker, Tree, expected_minds
from dicetown.errors import BotError
from dicetown.material import load
from dicetown.rules.chance import waits_for_chance
from dicetown.rules.codes import BUILD, CHOOSE_PLAYER, OVER
from dicetown.rules.kernel import compiled
from dicetown.rules.layout import CHOICES, LOG, copy, new
from dicetown.rules.step import befall, settle, take

BASE = Ruleset("deluxe", sets=["base"])


@pytest.fixture(scope="module", autouse=True)
def _compile_first() -> None:
    think.ready()


def opening(seed: int = 7, players: int = 4, ruleset: Ruleset = BASE) -> Game:
    game = Game(ruleset, players=players, seed=seed)
    game.play("roll 1")
    return game


@pytest.mark.parametrize("bot", ["search", "flat"])
@pytest.mark.parametrize("edition", load().editions)
def test_what_a_thinker_chooses_is_legal_in_a_whole_game(edition: str, bot: str) -> None:
    game = Game(Ruleset(edition, house={"max_turns": 40}), players=3, seed=5)
    thinker = make_bot(f"{bot}:playouts=40:threads=1:rounds=1")
    while not game.over:
        game.play(thinker.choose(View.of(game), Random(len(game.moves))))


@pytest.mark.parametrize("bot", ["search", "flat"])
@pytest.mark.parametrize("threads", [1, 2])
def test_with_a_budget_of_playouts_the_same_seed_gives_the_same_thought(bot: str, threads: int) -> None:
    spec = f"{bot}:playouts=800:threads={threads}"
    view, one, two = View.of(opening()), make_bot(spec), make_bot(spec)
    assert isinstance(one, ThinkingBot)
    assert isinstance(two, ThinkingBot)
    one.think(View.of(opening(seed=8)), seed=1)  # what it has thought before makes no difference
    assert one.think(view, seed=3).candidates == two.think(view, seed=3).candidates
    assert one.think(view, seed=4).candidates != two.think(view, seed=3).candidates


def test_every_legal_action_is_looked_at_and_chances_add_up() -> None:
    view = View.of(opening())
    thought = Thinker(Manner(playouts=600, threads=2)).think(view, seed=1)
    assert sorted(one.action for one in thought.candidates) == [one.number for one in view.legal_actions]
    assert thought.playouts == sum(one.visits for one in thought.candidates) <= 600
    for candidate in thought.candidates:
        assert sum(candidate.worth) == pytest.approx(1, abs=0.01)
    assert thought.best.visits >= max(one.visits for one in thought.candidates[1:])


def test_thinking_leaves_the_position_alone() -> None:
    view = View.of(opening())
    before = view.state.array.copy()
    make_bot("search:playouts=200").choose(view, Random(1))
    assert (view.state.array == before).all()


@pytest.mark.parametrize("bot", ["search", "flat", "search:rounds=0", "flat:rounds=2"])
def test_a_thinker_takes_the_landmark_that_wins(bot: str) -> None:
    three = ["train_station", "shopping_mall", "amusement_park"]
    ahead = {"coins": 30, "landmarks": three, "cards": {"wheat_field": 1}}
    game = after(position(BASE, [ahead, {"coins": 3, "cards": {"ranch": 2}}]), "roll 1", "dice 6")
    assert str(make_bot(f"{bot}:playouts=300").choose(View.of(game), Random(2))) == "build radio_tower"


def test_a_thinker_takes_from_the_one_who_would_win_otherwise() -> None:
    marks = ["train_station", "shopping_mall", "amusement_park"]
    me = {"coins": 4, "cards": {"tv_station": 1, "wheat_field": 1}, "landmarks": marks}
    close = {"coins": 22, "cards": {"wheat_field": 1, "bakery": 1}, "landmarks": marks}
    far = {"coins": 25, "cards": {"wheat_field": 1}}
    game = after(position(BASE, [me, far, close]), "roll 1", "dice 6")
    chosen = make_bot("search:playouts=1500").choose(View.of(game), Random(2))
    assert chosen.number == CHOOSE_PLAYER + 2


@pytest.mark.parametrize("manner", [Manner(playouts=40_000, threads=2), Manner(seconds=60.0, threads=2)])
def test_who_only_has_to_choose_stops_when_the_best_is_clear(manner: Manner) -> None:
    three = ["train_station", "shopping_mall", "amusement_park"]
    ahead = {"coins": 30, "landmarks": three, "cards": {"wheat_field": 1}}
    game = after(position(BASE, [ahead, {"coins": 3, "cards": {"ranch": 2}}]), "roll 1", "dice 6")
    thought = Thinker(manner).think(View.of(game), seed=1, hasty=True)
    assert str(View.of(game).notation.action(thought.best.action)) == "build radio_tower"
    assert thought.playouts < 40_000
    # Who wants to know what every action is worth gets all that was paid for.
    actions = len(thought.candidates)
    patient = Thinker(Manner(playouts=4_000, threads=2)).think(View.of(game), seed=1)
    assert 4_000 - 4 * actions <= patient.playouts <= 4_000


def test_who_has_seen_enough_takes_no_more_time() -> None:
    view = View.of(opening())
    thought = Thinker(Manner(seconds=60.0, enough=900, threads=2)).think(view, seed=1)
    assert 900 - 8 * len(view.legal_actions) <= thought.playouts <= 900


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
@pytest.mark.parametrize("bot", ["search", "flat"])
def test_thinking_stops_in_time(bot: str, seconds: float, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock()
    monkeypatch.setattr(think, "time", clock)
    thinker = make_bot(f"{bot}:seconds={seconds}:threads=1:rounds=0")
    assert thinker.budget == seconds
    thinker.choose(View.of(opening()), Random(1))
    # A round of halving may overrun by the looks at the clock around its last slice.
    assert clock.now <= seconds * 1.2 + 0.2


def go_on_to_the_next_decision(game: Game, seat: int) -> None:
    """As a greedy opponent and dice that show their first side would have it."""
    greedy = make_bot("greedy")
    while game.waits_for_chance or game.turn != seat or len(game.legal_actions()) == 1:
        if game.waits_for_chance:
            game.play(game.chance_outcomes()[0][0])
        else:
            game.play(greedy.choose(View.of(game), Random(1)))


def test_a_tree_goes_on_where_it_has_been() -> None:
    game = Game.from_position(opening(players=2).position(), seed=1, chance="manual")
    view = View.of(game)
    manner = Manner(threads=1)
    tree, minds = Tree(BASE, 2, manner), expected_minds(view, manner)
    tree.plant(view.state, minds, horizon=-1)
    cafe = next(one for one in view.legal_actions if str(one) == "build cafe")
    tree.grow([cafe.number], seed=1, first=0, playouts=6000)
    game.play(cafe)
    go_on_to_the_next_decision(game, seat=0)
    assert tree.follow(game.state, minds)
    root = tree.nodes[int(tree.plan["root"][0])]
    assert 0 < root["visits"] < 6000
    assert sum(visits for visits, _, _ in tree.seen().values()) <= root["visits"]
    # Somewhere it has never been, it begins anew.
    assert not tree.follow(opening(seed=99, players=2).state, minds)


@pytest.mark.parametrize("manner", [Manner(seconds=1.0, threads=1), Manner(playouts=20_000, threads=1)])
def test_a_thinker_with_time_remembers_and_one_with_playouts_does_not(manner: Manner) -> None:
    game = Game.from_position(opening(players=2).position(), seed=1, chance="manual")
    mind = Thinker(manner)
    game.play(game.notation.action(mind.think(View.of(game), seed=1).best.action))
    go_on_to_the_next_decision(game, seat=0)
    mind._sit_down(View.of(game))
    assert (int(mind.trees[0].plan["root"][0]) != 0) == (manner.playouts == 0)


def test_after_a_first_thought_nothing_is_left_to_compile(monkeypatch: pytest.MonkeyPatch) -> None:
    asked_for: list[object] = []

    def note(function: Callable[..., Any]) -> Callable[..., Any]:
        asked_for.append(function)
        return compiled(function)

    for module in (think, readiness):
        monkeypatch.setattr(module, "compiled", note)
    game = Game.from_position(opening(players=2).position(), seed=1, chance="manual")
    mind = Thinker(Manner(seconds=0.05, threads=1))
    game.play(game.notation.action(mind.think(View.of(game), seed=1).best.action))
    at_first = set(asked_for)
    go_on_to_the_next_decision(game, seat=0)
    mind.think(View.of(game), seed=1)
    assert set(asked_for) == at_first


@pytest.mark.parametrize(
    ("spec", "sentence"),
    [
        ("search:seconds=0", "needs time"),
        ("search:playouts=-5", "needs time"),
        ("flat:threads=-1", "cannot think with -1 threads"),
        ("flat:enough=-1", "cannot have enough after -1 playouts"),
        ("search:policy=nobody", 'no bot "nobody"'),
        ("search:policy=search", "thinks"),
        ("search:seconds=soon", "must be a number"),
        ("master:seconds=3", "has no option"),
    ],
)
def test_options_that_make_no_sense_are_refused_in_a_sentence(spec: str, sentence: str) -> None:
    with pytest.raises(BotError, match=sentence):
        make_bot(spec)


def test_who_follows_a_list_goes_on_with_it_within_the_tree() -> None:
    follower = {"coins": 9, "cards": {"wheat_field": 1, "bakery": 1, "forest": 2}}
    view = View.of(after(position(BASE, [{"coins": 5}, follower, follower]), "roll 1", "dice 4"))
    mind = Thinker(Manner(playouts=20_000, threads=1))
    thought = mind.think(view, seed=3)
    tree, t, s, log, choices = thought.tree, view.tables, copy(view.state), new(LOG), new(CHOICES)
    followed = 0
    move, at = thought.best.action, int(tree.plan["root"][0])
    while s.phase != OVER:
        if waits_for_chance(s):
            befall(t, s, log, move)
        else:
            take(t, s, log, move)
        settle(t, s, log, choices)
        at = next(child for child in children(tree, at) if tree.nodes[child]["move"] == move)
        tried = sorted(children(tree, at), key=lambda child: -int(tree.nodes[child]["visits"]))
        if not tried:
            break
        if s.phase == BUILD and s.turn != view.seat and choices.count > 1:
            assert len(tried) == 1
            followed += 1
        move = int(tree.nodes[tried[0]]["move"])
    assert followed


def children(tree: Tree, at: int) -> list[int]:
    found = []
    child = int(tree.nodes[at]["child"])
    while child:
        found.append(child)
        child = int(tree.nodes[child]["sibling"])
    return found
