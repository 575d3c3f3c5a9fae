"""The champion's training, in seconds: its parts, and a few lessons on the CPU where PyTorch is installed."""

import sys
from dataclasses import replace

import numpy as np
import pytest

from dicetown import Game, Ruleset
from dicetown.bots.learning.champion import Champion, Weights, champion_at, weights_of
from dicetown.bots.learning.outlook import Outlook
from dicetown.envs.core.batch import Table
from dicetown.errors import BotError, MissingExtra
from dicetown.sight.spec import spec_for
from dicetown.training import pytorch
from dicetown.training.champion import Course, Training
from dicetown.training.network import Network
from dicetown.training.playouts import play_out
from dicetown.training.ppo import Manner
from dicetown.training.selfplay import Arena
from dicetown.training.specialist import Studies, study
from dicetown.training.tables import BOTS, FORMER, ITSELF, Group, Shares, groups_of, is_common, specs_of

with_torch = pytest.mark.skipif(pytorch.torch is None, reason="PyTorch is not installed")
FEW = Manner(steps=4, minibatch=64)


def test_every_table_is_learned_and_former_selves_come_last():
    specs = list(specs_of("classic"))
    assert len({(spec.ruleset, spec.players) for spec in specs}) == len(specs) == 48
    assert sum(is_common(spec) for spec in specs) == 28
    groups = groups_of(specs, Shares())
    assert {group.against for group in groups} == {ITSELF, BOTS, FORMER}
    kinds = [group.against == FORMER for group in groups]
    assert kinds == sorted(kinds)
    assert all(group.games % 128 == 0 for group in groups)


def test_a_game_that_is_not_there_is_a_sentence():
    with pytest.raises(BotError, match='no game "third"; known: classic, second'):
        list(specs_of("third"))


def test_without_pytorch_a_sentence_says_how_to_get_it(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(MissingExtra, match=r"needs the package torch: pip install 'dicetown\[train\]'"):
        Training(Course("second", 0.01, tmp_path, device="cpu"), print)


@with_torch
@pytest.mark.slow
def test_it_learns_keeps_and_goes_on(tmp_path):
    course = Course("second", 0.02, tmp_path, device="cpu", shares=Shares(2, 2, 1, 2), manner=FEW)
    training = Training(course, print)
    training.run()
    again = Training(
        Course(
            "second", 0.001, tmp_path, training.checkpoint, device="cpu", shares=course.shares, manner=FEW
        ),
        print,
    )
    assert again.choices == training.choices > 0
    for name, layer in training.network.layers.items():
        assert bool((again.network.layers[name] == layer).all()), name
    # What was kept plays as the network does.
    with (tmp_path / "second.npz").open("rb") as file:
        weights = Weights.read(file, "second.npz")
    for spec in training.specs:
        groups = [Group(Table.of(spec.ruleset, spec.players), 16, ITSELF)]
        arena = Arena(training.network.outlook, groups, "cpu", 3, [])
        arena.batch.reset()
        seen, masks = arena.see()
        inputs = training.network.look(seen, arena.traits[arena.group])
        likes = training.network.policy(inputs, masks).argmax(dim=1)
        table = arena.batch
        own = Champion(weights, spec).choose(
            table.observations[:, : spec.size], table.masks[:, : spec.actions]
        )
        assert [spec.action_names[k] for k in own] == [training.network.outlook.does[int(k)] for k in likes]
        told = training.network.value(inputs, arena.among_equals[arena.group], arena.players).exp()
        chances = Champion(weights, spec).chances(table.observations[:, : spec.size])
        assert np.allclose(chances, told.detach().numpy()[:, : spec.players], atol=5e-3)


@with_torch
def test_a_checkpoint_that_is_none_is_a_sentence(tmp_path):
    (tmp_path / "bad.pt").write_bytes(b"nothing")
    for name, says in (("bad.pt", "is no checkpoint"), ("none.pt", "there is no such checkpoint")):
        with pytest.raises(BotError, match=says):
            Training(Course("second", 0.01, tmp_path, tmp_path / name, device="cpu"), print)


@with_torch
def test_chances_turn_with_the_seats():
    specs = list(specs_of("second"))
    spec = specs[1]  # three players
    groups = groups_of([spec], Shares(3, 0, 0, 0))
    network = Network(Outlook.over(specs), "cpu")
    arena = Arena(network.outlook, groups, "cpu", 1, [])
    torch = pytorch.torch
    told = torch.tensor([[0.5, 0.3, 0.2, 0, 0]]).repeat(3, 1)
    by_seat = arena.by_seat(told, torch.tensor([0, 1, 2]))
    assert torch.allclose(by_seat[1], torch.tensor([0.2, 0.5, 0.3, 0, 0]))
    assert torch.allclose(arena.by_turn(by_seat, torch.tensor([0, 1, 2])), told)


@with_torch
def test_shipped_weights_choose_and_foretell_alike_as_arrays_and_as_a_network():
    weights, spec = weights_of("second"), spec_for(Ruleset("neue_stadt"), 3)
    network, champion = Network.holding(weights, "cpu"), champion_at(spec.ruleset, 3)
    arena = Arena(weights.outlook, [Group(Table.of(spec.ruleset, 3), 64, ITSELF)], "cpu", 5, [])
    arena.batch.reset()
    for _ in range(30):
        seen, masks = arena.see()
        inputs = network.look(seen, arena.traits[arena.group])
        likes = network.policy(inputs, masks).argmax(dim=1)
        observations, allowed = arena.batch.observations[:, : spec.size], arena.batch.masks[:, : spec.actions]
        own = champion.choose(observations, allowed)
        assert [spec.action_names[k] for k in own] == [weights.outlook.does[int(k)] for k in likes]
        told = network.value(inputs, arena.among_equals[arena.group], arena.players).exp()
        chances = champion.chances(observations)
        assert np.allclose(chances, told.detach().numpy()[:, : spec.players], atol=1e-4)
        arena.step(likes)


@with_torch
@pytest.mark.slow
def test_a_specialist_studies_champions_and_says_what_it_wins():
    studies = Studies(Ruleset("neue_stadt"), 2, 0.01, games=16, device="cpu", manner=FEW)
    won, played = study(studies, print)
    assert 0 <= won <= played == 16


@with_torch
@pytest.mark.slow
def test_playouts_tell_a_won_position_from_an_even_one():
    network = Network.holding(weights_of("classic"), "cpu")
    even = Table.of(Ruleset("ciudad", sets=["base"]), 2)
    ahead = Game(even.spec.ruleset, players=2, seed=1)
    ahead.state.built[1] = 0b0111
    ahead.state.coins[1] = 60
    positions = [even, replace(even, position=ahead.state.array)]
    shares = play_out(network, positions, 64, "cpu", [], 1)[:, :2]
    assert shares.sum(axis=1).tolist() == [1, 1]
    assert shares[0, 1] < 0.75 < shares[1, 1]
