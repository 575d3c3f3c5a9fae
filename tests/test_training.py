"""The champion's training, in seconds: its parts, and a few lessons on the CPU where PyTorch is installed."""

import errno
import os
import re
import sys
from dataclasses import replace
from importlib import resources
from pathlib import Path

import numpy as np
import pytest

from dicetown import Game, Ruleset
from dicetown.bots.learning.champion import Champion, Weights, champion_at, ends_of, weights_of
from dicetown.bots.learning.outlook import Outlook
from dicetown.envs.core.batch import Table
from dicetown.errors import BotError, MissingExtra
from dicetown.sight.spec import spec_for
from dicetown.training import pytorch
from dicetown.training.appraisal import Appraiser, groups_in_earnest
from dicetown.training.champion import Course, Training
from dicetown.training.luck import THROWS, Dice
from dicetown.training.network import Network
from dicetown.training.playouts import play_out
from dicetown.training.ppo import VALUE, Learner, Manner
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
        told = training.network.value(inputs, arena.among_equals[arena.group], arena.players)[0].exp()
        chances = Champion(weights, spec).chances(table.observations[:, : spec.size])
        assert np.allclose(chances, told.detach().numpy()[:, : spec.players], atol=5e-3)


@with_torch
def test_what_cannot_be_kept_is_a_sentence_and_the_training_goes_on(tmp_path, monkeypatch):
    (tmp_path / "file").touch()
    with pytest.raises(BotError, match=r"file: this folder cannot be made \(File exists\)"):
        Training(Course("second", 0.01, tmp_path / "file", device="cpu"), print)
    told: list[str] = []
    course = Course("second", 0.005, tmp_path, device="cpu", shares=Shares(2, 2, 1, 2), manner=FEW)
    training = Training(course, told.append)
    training.keep()
    weights = (tmp_path / "second.npz").read_bytes()

    def fail(path, content):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("dicetown.training.network.write_whole", fail)
    monkeypatch.setattr("dicetown.training.champion._KEEP", 0.0)
    sentence = f"{tmp_path}: this cannot be kept there (No space left on device)."
    with pytest.raises(BotError, match=re.escape(sentence)):
        training.run()
    assert f"{sentence} The training goes on." in told
    assert (tmp_path / "second.npz").read_bytes() == weights


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
        told = network.value(inputs, arena.among_equals[arena.group], arena.players)[0].exp()
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


@with_torch
@pytest.mark.slow
def test_playouts_begin_with_what_is_said():
    network = Network.holding(weights_of("classic"), "cpu")
    table = Table.of(Ruleset("ciudad", sets=["base"]), 2)
    game = Game(table.spec.ruleset, players=2, seed=1, chance="manual")
    for seat in range(2):  # whoever comes first has won
        game.state.built[seat], game.state.coins[seat] = 0b0111, 60
    game.play("roll 1")
    game.play("dice 2")
    names = list(table.spec.action_names)
    first = [names.index(action) for action in ("build radio_tower", "pass")]
    positions = [replace(table, position=game.state.array)] * 2
    shares = play_out(network, positions, 32, "cpu", [], 1, first)[:, :2]
    assert shares.tolist() == [[1, 0], [0, 1]]


@with_torch
def test_luck_is_nothing_on_average_whatever_was_foretold():
    torch = pytorch.torch
    dice = Dice("cpu")
    told = torch.rand((1, THROWS, 4), generator=torch.Generator().manual_seed(3)).double()
    one = [(die,) for die in range(1, 7)]
    two = [(die, other) for die in range(1, 7) for other in range(1, 7)]
    for throws in (one, two):
        shown = torch.tensor([int("".join(map(str, throw))) for throw in throws], dtype=torch.int8)
        luck = dice.luck(told.float().expand(len(throws), -1, -1), dice.throw(shown))
        assert torch.allclose(luck.mean(dim=0), torch.zeros(4), atol=1e-6)
        assert luck.abs().max() > 0.1
    assert dice.throw(torch.tensor([52, 25, 0])).tolist() == [
        *[int(dice.throw(torch.tensor([25]))[0])] * 2,
        -1,
    ]
    assert not dice.luck(told.float(), torch.tensor([-1])).any()


@with_torch
@pytest.mark.slow
def test_luck_taken_off_steadies_what_choices_led_to():
    """A few lessons are enough to see some of it coming."""
    network = Network.holding(weights_of("second"), "cpu")
    groups = groups_in_earnest(list(specs_of("second"))[:1], 128)
    arena = Arena(network.outlook, groups, "cpu", 4, [])
    manner = Manner(steps=16, minibatch=1024, rate=1e-3)
    appraiser = Appraiser(arena, network.outlook, manner.steps, manner.smoothing)
    learner, policy = Learner(network, manner, towers=(VALUE,)), network.layers["policy1"].clone()
    for _ in range(20):
        learner.learn(appraiser.play(network, None), arena, 0.0)
    lessons = appraiser.play(network, None)
    after = pytorch.torch.where(appraiser.ends[:-1, :, None], appraiser.outcomes[:-1], appraiser.values[1:])
    moved = (after - appraiser.values[:-1])[appraiser.throws[:-1] >= 0]
    luck = appraiser.luck[:-1][appraiser.throws[:-1] >= 0]
    assert (moved - luck).pow(2).mean() < 0.9 * moved.pow(2).mean()
    assert bool((network.layers["policy1"] == policy).all()), "who appraises does not learn to play"
    assert 0 < int(lessons.mine.sum()) < len(lessons.mine), "half of the games begin with somebody who strays"


@with_torch
def test_a_larger_network_begins_by_playing_as_smaller_weights_do():
    """One that sees more, and has more hidden values, too."""
    spec = spec_for(Ruleset("neue_stadt"), 3)
    wide, luck = Outlook.over(specs_of("second")), np.random.default_rng(4)
    outlook = replace(wide, steps=wide.steps[7:99:2], products=())
    layers = {}
    for tower, (given, out) in ends_of(outlook).items():
        sizes = (given, 24, 16, out)
        for number in range(3):
            layers[f"{tower}{number}"] = luck.normal(0, 0.1, sizes[number : number + 2]).astype(np.float32)
            layers[f"{tower}{number}_bias"] = luck.normal(0, 0.1, sizes[number + 1]).astype(np.float32)
    small = Weights(outlook, layers)
    network, champion = Network.holding(small, "cpu", wide), Champion(small, spec)
    arena = Arena(wide, [Group(Table.of(spec.ruleset, 3), 16, ITSELF)], "cpu", 5, [])
    arena.batch.reset()
    seen, _ = arena.see()
    inputs = network.look(seen, arena.traits[arena.group])
    told = network.value(inputs, arena.among_equals[arena.group], arena.players)[0].exp()
    chances = champion.chances(arena.batch.observations[:, : spec.size])
    assert np.allclose(chances, told.detach().numpy()[:, :3], atol=1e-4)
    with pytest.raises(BotError, match=r'know of "me.coins >= \d+", which no table here has'):
        Network.holding(small, "cpu", replace(wide, steps=()))
    layers["policy1"] = np.zeros((24, 4096), np.float32)
    with pytest.raises(BotError, match="larger than a network is here: policy1 has 24 × 4096"):
        Network.holding(small, "cpu")


@with_torch
@pytest.mark.slow
def test_it_goes_on_from_weights_that_play(tmp_path):
    weights = resources.files("dicetown.bots.learning") / "nets" / "champion-second.npz"
    course = Course(
        *("second", 0, tmp_path, Path(str(weights))), device="cpu", shares=Shares(2, 2, 1, 2), manner=FEW
    )
    training = Training(replace(course, appraising=0.005), print)
    training.run()
    with (tmp_path / "second.npz").open("rb") as file:
        kept = Weights.read(file, "second.npz")
    assert all(
        (kept.layers[name] == weights_of("second").layers[name]).all() for name in ("policy1", "policy3")
    )
    with pytest.raises(BotError, match="there are no such weights"):
        Training(replace(course, start=tmp_path / "none.npz"), print)
