"""The OpenSpiel game: its own tests and one of its searches run on it, and it plays what Game plays."""

import copy
import pickle
import subprocess
import sys
from collections.abc import Iterator
from random import Random
from typing import Any

import numpy as np
import pyspiel  # type: ignore[import-not-found]
import pytest
from open_spiel.python.algorithms import mcts, minimax  # type: ignore[import-untyped]
from open_spiel.python.observation import make_observation  # type: ignore[import-untyped]

from dicetown import Game
from dicetown.envs.core.tree_steps import CHANCE, ENDED
from dicetown.envs.open_spiel import DicetownGame, DicetownState
from dicetown.errors import DicetownError, EnvError, IllegalAction, MissingExtra
from dicetown.sight.write import see

TABLES = [
    "edition=ciudad,sets=base,players=5",
    "edition=ciudad,players=2",
    "edition=deluxe,sets=base,players=3",
    "edition=deluxe,players=4",
    "edition=grossstadt,players=2,house=business_center_optional:true",
    "edition=grossstadt,sets=base+millionaires_row,players=3",
    "edition=neue_stadt,players=5",
    "edition=neue_stadt,players=2,house=max_turns:30",
]


def load(parameters: str) -> Any:
    return pyspiel.load_game(f"python_dicetown({parameters})")


def walk(state: Any, seed: int, steps: int = 10_000) -> Iterator[int]:
    """Random moves, chance as likely as it is; each is played when the next is asked for."""
    rng = Random(seed)
    for _ in range(steps):
        if state.is_terminal():
            return
        if state.is_chance_node():
            outcomes, chances = zip(*state.chance_outcomes(), strict=True)
            move = rng.choices(outcomes, chances)[0]
        else:
            move = rng.choice(state.legal_actions())
        yield move
        state.apply_action(move)


def is_turning_up(state: Any) -> bool:
    """Whether a player only turns up a further card, which no game but the tree asks for."""
    return state.legal_actions() == [state.node.tree.turn_up] and not state.is_chance_node()


@pytest.mark.parametrize("parameters", TABLES)
def test_open_spiels_own_test_passes(parameters: str) -> None:
    pyspiel.random_sim_test(load(parameters), num_sims=2, serialize=True, verbose=False)


@pytest.mark.parametrize("parameters", TABLES)
def test_the_same_moves_in_game_lead_to_the_same_positions(parameters: str) -> None:
    state = load(parameters).new_initial_state()
    spec = state.node.tree.spec
    game = Game(spec.ruleset, spec.players, chance="manual")
    for move in walk(state, seed=5, steps=400):
        assert str(state) == game.position()
        if is_turning_up(state):
            assert state.action_to_string(move) == "draw"
            continue
        if state.is_chance_node():
            shares = {str(outcome): float(share) for outcome, share in game.chance_outcomes()}
            assert {state.action_to_string(one): p for one, p in state.chance_outcomes()} == shares
        else:
            legal = [state.action_to_string(one) for one in state.legal_actions()]
            assert state.current_player() == game.to_move
            assert sorted(legal) == sorted(str(action) for action in game.legal_actions())
        game.play(state.action_to_string(move))
    assert state.is_terminal() or str(state) == game.position()


@pytest.mark.parametrize("parameters", TABLES)
def test_the_chances_of_all_outcomes_sum_to_one(parameters: str) -> None:
    game = load(parameters)
    state = game.new_initial_state()
    for _ in walk(state, seed=3, steps=300):
        if state.is_chance_node():
            outcomes, chances = zip(*state.chance_outcomes(), strict=True)
            assert sum(chances) == pytest.approx(1)
            assert min(chances) > 0
            assert len(set(outcomes)) == len(outcomes)
            assert max(outcomes) < game.max_chance_outcomes()


def test_every_outcome_of_two_dice_is_told_apart() -> None:
    tree = DicetownGame({"edition": "deluxe", "sets": "base"}).tree
    assert len(tree.chances) == 6 + 36
    assert tree.chance_names[5:8] == ("dice 6", "dice 1 1", "dice 1 2")
    deluxe = DicetownGame({"edition": "deluxe"}).tree
    assert deluxe.chance_names[42:44] == ("tuna 1 1", "tuna 1 2")
    assert deluxe.chance_names[78].startswith("draw ")


def test_a_finished_game_pays_the_winner_what_the_others_lose() -> None:
    state = load("sets=base,players=4").new_initial_state()
    for _ in walk(state, seed=1):
        assert state.returns() == [0, 0, 0, 0]
    assert state.current_player() == pyspiel.PlayerId.TERMINAL
    assert sorted(state.returns()) == [-1 / 3, -1 / 3, -1 / 3, 1]
    assert state.legal_actions() == []


def test_a_game_that_takes_too_long_is_given_up_and_pays_nobody() -> None:
    game = load("sets=base,players=2,max_turns=10")
    state = game.new_initial_state()
    assert len(list(walk(state, seed=1))) <= game.max_game_length() + game.max_chance_nodes_in_history()
    assert state.returns() == [0, 0]
    assert str(state).endswith("turns=10")
    again = game.deserialize_state(state.serialize())
    assert again.is_terminal()


def test_a_house_rule_may_end_the_game_sooner() -> None:
    game = load("edition=neue_stadt,house=max_turns:12")
    state = game.new_initial_state()
    list(walk(state, seed=2))
    assert game.max_game_length() < load("edition=neue_stadt").max_game_length()
    assert "phase=over" in str(state)


def test_seats_are_counted_as_open_spiel_counts_them() -> None:
    assert CHANCE == pyspiel.PlayerId.CHANCE
    assert ENDED == pyspiel.PlayerId.TERMINAL


def test_an_action_names_players_by_seat_whoever_acts() -> None:
    tree = DicetownGame({"sets": "base", "players": 3}).tree
    first = tree.spec.action_names.index("player +1")
    assert [tree.action_name(seat, first) for seat in range(3)] == ["player 1", "player 2", "player 0"]
    names = [tree.action_name(1, number) for number in range(tree.spec.actions)]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda state: state.clone()], ids=["deepcopy", "clone"])
def test_a_copy_goes_its_own_way(copied: Any) -> None:
    state = load("edition=grossstadt,players=2").new_initial_state()
    list(walk(state, seed=4, steps=50))
    before, twin = str(state), copied(state)
    list(walk(twin, seed=5, steps=50))
    assert str(state) == before
    assert str(twin) != before
    assert len(twin.history()) == len(state.history()) + 50


def test_a_state_kept_as_text_or_pickled_goes_on_the_same() -> None:
    game = load("players=3")
    state = game.new_initial_state()
    list(walk(state, seed=6, steps=200))
    kept = [game.deserialize_state(state.serialize()), pickle.loads(pickle.dumps(state))]
    list(walk(state, seed=7, steps=100))
    for one in kept:
        list(walk(one, seed=7, steps=100))
        assert (str(one), one.history()) == (str(state), state.history())


def test_a_pickled_game_is_known_in_another_process() -> None:
    state = load("edition=ciudad,players=2,house=start_coins:7").new_initial_state()
    read = "import pickle, sys; print(pickle.load(sys.stdin.buffer).get_game())"
    done = subprocess.run(
        [sys.executable, "-c", read], input=pickle.dumps(state), capture_output=True, check=True
    )
    assert done.stdout.decode().strip() == str(state.get_game())


def test_an_action_that_is_not_legal_is_refused_and_nothing_changes() -> None:
    state = load("sets=base").new_initial_state()
    with pytest.raises(IllegalAction, match=r"Action 6 is not possible now; legal: 0 \(roll 1\)\."):
        state.apply_action(6)
    state.apply_action(0)
    with pytest.raises(IllegalAction, match=r"Action 6 is not possible now; legal: 0 \(dice 1\), 1"):
        state.apply_action(6)
    state.apply_action(2)
    before = str(state)
    with pytest.raises(IllegalAction, match=r"legal: \d+ \(pass\), \d+ \(build wheat_field\)"):
        state.apply_action(0)
    assert (str(state), state.history()) == (before, [0, 2])


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ("edition=delux", 'There is no edition "delux"; did you mean "deluxe"?'),
        ("sets=base+x", 'There is no set of deluxe "x"'),
        ("sets=base,players=5", "5 players cannot play deluxe with these sets"),
        ("house=start_coins:no", "start_coins"),
        ("max_turns=0", "max_turns is 0; it must be a whole number, at least 1"),
    ],
)
def test_parameters_that_cannot_be_played_are_refused_in_a_sentence(parameters: str, sentence: str) -> None:
    with pytest.raises(DicetownError, match=sentence.replace("?", r"\?")):
        load(parameters)


def test_the_observation_is_what_all_environments_show() -> None:
    game = load("players=3")
    state, spec = game.new_initial_state(), DicetownGame({"players": 3}).tree.spec
    list(walk(state, seed=8, steps=150))
    position = Game.from_position(str(state), chance="manual")
    for seat in range(3):
        sheet = np.zeros(spec.size, np.int16)
        see(spec.tables, spec.sight, position.state, seat, sheet, 0)
        assert state.observation_tensor(seat) == sheet.tolist()
        assert state.observation_string(seat) == position.position()
        shown = make_observation(game)
        shown.set_from(state, seat)
        assert shown.dict["me.coins"].tolist() == [position.coins(seat)]
    with pytest.raises(EnvError, match="in one way only"):
        game.make_py_observer(None, {"colour": "blue"})


def test_open_spiels_search_plays_a_game_of_legal_moves() -> None:
    game = load("sets=base,players=2,max_turns=40")
    rng = np.random.RandomState(1)
    searcher = mcts.MCTSBot(
        game, uct_c=1.4, max_simulations=8, evaluator=mcts.RandomRolloutEvaluator(1, rng), random_state=rng
    )
    state = game.new_initial_state()
    chosen = 0
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, chances = zip(*state.chance_outcomes(), strict=True)
            move = int(rng.choice(outcomes, p=chances))
        else:
            move = searcher.step(state)
            chosen += 1
        assert move in state.legal_actions()
        state.apply_action(move)
    assert chosen > 20


@pytest.mark.parametrize(
    "parameters",
    [
        "sets=base,house=start_coins:0",
        "sets=base,players=4",
        "players=3",
        "edition=ciudad",
        "edition=neue_stadt",
    ],
)
def test_a_search_that_counts_moves_comes_to_its_end(parameters: str) -> None:
    state = load(parameters).new_initial_state()
    found = 0
    for _ in walk(state, seed=9, steps=80):
        if not state.is_chance_node():
            value, action = minimax.expectiminimax(state, 2, lambda seen: 0.5, state.current_player())
            assert value == pytest.approx(0.5)  # nobody can win within two moves
            assert action in state.legal_actions()
            found += 1
    assert found > 20


@pytest.mark.parametrize("parameters", TABLES)
def test_a_turn_and_a_further_card_are_moves(parameters: str) -> None:
    state = load(parameters).new_initial_state()
    before, rolls = None, 0
    for _ in walk(state, seed=11, steps=600):
        due = state.node.is_draw, state.is_chance_node()
        assert not (before == due == (True, True)), "a card is drawn right after another"
        if not state.is_chance_node() and "phase=roll" in str(state):
            rolls += 1
            assert state.action_to_string(state.legal_actions()[0]) == "roll 1"
        before = due
    assert rolls > 20


def test_a_state_between_two_cards_can_be_kept() -> None:
    state = load("edition=neue_stadt").new_initial_state()
    for _ in walk(state, seed=1):
        if is_turning_up(state):
            break
    again = pickle.loads(pickle.dumps(state.node))
    assert (again.player, again.legal, again.position()) == (state.node.player, state.node.legal, str(state))
    assert again.after(state.node.tree.turn_up).outcomes()


def test_games_of_the_same_parameters_share_their_tree() -> None:
    one, other = DicetownGame({"players": 3}), DicetownGame({"players": 3})
    assert one.tree is other.tree
    assert isinstance(one.new_initial_state(), DicetownState)


def test_without_open_spiel_a_sentence_says_what_brings_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    monkeypatch.delitem(sys.modules, "dicetown.envs.open_spiel")
    with pytest.raises(MissingExtra, match=r"needs the package pyspiel: pip install 'dicetown\[envs\]'"):
        __import__("dicetown.envs.open_spiel")
