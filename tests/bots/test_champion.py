"""The champion: what it has learned serves all tables, and what is wrong is one sentence."""

from importlib import resources
from io import BytesIO
from random import Random

import numpy as np
import pytest

from dicetown import Game, Ruleset
from dicetown.arena.contests.ladder import rungs
from dicetown.bots.encode import encode
from dicetown.bots.learning.champion import Champion, Weights, champion_at, chances_of, weights_of
from dicetown.bots.learning.outlook import MOST, STAIRS, Outlook
from dicetown.bots.roster import make_bot
from dicetown.bots.view import View
from dicetown.errors import BotError
from dicetown.material import load
from dicetown.sight.spec import spec_for

TABLES = [(rung.ruleset, rung.players) for rung in rungs(list(load().editions))]
BASE = Ruleset("deluxe", sets=["base"])


def test_it_plays_a_whole_game_at_every_table():
    assert len(TABLES) == 32
    bot = make_bot("champion")
    for ruleset, players in TABLES:
        game, rng = Game(ruleset, players=players, seed=5), Random(1)
        while not game.over:
            game.play(str(bot.choose(View.of(game), rng)))
        assert game.winner is not None


@pytest.mark.parametrize(("ruleset", "players"), TABLES)
def test_the_common_view_holds_everything_a_table_has_exactly_once(ruleset, players):
    spec = spec_for(ruleset, players)
    outlook = weights_of(ruleset.edition.game).outlook
    placed = outlook.place(spec)
    assert [outlook.sees[place] for place in placed.sees] == list(spec.names)
    assert [outlook.does[place] for place in placed.does] == list(spec.action_names)
    for names in (outlook.sees, outlook.traits, outlook.does, spec.names, spec.action_names):
        assert len(set(names)) == len(names)
    assert {f"players.{players}", f"edition.{ruleset.edition.id}"} <= {
        outlook.traits[k] for k in placed.traits
    }


def positions(ruleset, players, seed=2):
    """Real choices of a game, as numbers."""
    game, rng, found = Game(ruleset, players=players, seed=seed), Random(seed), []
    bot = make_bot("champion:temperature=1")
    while not game.over:
        view = View.of(game)
        if len(view.legal_actions) > 1:
            found.append(encode(view))
        game.play(str(bot.choose(view, rng)))
    return tuple(np.stack(part) for part in zip(*found, strict=True))


@pytest.mark.parametrize(
    ("ruleset", "players"), [(BASE, 4), (Ruleset("deluxe"), 5), (Ruleset("neue_stadt"), 2)]
)
def test_it_chooses_the_same_one_by_one_and_many_at_once(ruleset, players):
    champion = champion_at(ruleset, players)
    seen, masks = positions(ruleset, players)
    many = champion.choose(seen, masks)
    one = [int(champion.choose(seen[k : k + 1], masks[k : k + 1])[0]) for k in range(len(seen))]
    assert many.tolist() == one
    assert masks[np.arange(len(many)), many].all()
    chances = champion.chances(seen)
    assert chances.shape == (len(seen), players)
    assert np.allclose(chances.sum(axis=1), 1, atol=1e-5)


def test_cutting_out_a_table_changes_nothing():
    """The weights of a table against the whole network, reckoned plainly."""
    ruleset, players = Ruleset("ciudad"), 3
    weights, spec = weights_of("classic"), spec_for(ruleset, players)
    placed, layers = weights.outlook.place(spec), weights.layers
    seen, masks = positions(ruleset, players)
    whole = np.zeros((len(seen), weights.outlook.inputs), np.float32)
    whole[:, placed.sees] = np.minimum(seen, MOST)
    stairs = np.array(STAIRS)
    for seat, place in enumerate(weights.outlook.coins()):
        at = len(weights.outlook.sees) + seat * len(stairs)
        whole[:, at : at + len(stairs)] = whole[:, place, None] >= stairs
    whole[:, weights.outlook.inputs - len(weights.outlook.traits) + placed.traits] = 1
    x = np.maximum(whole @ layers["policy0"] + layers["policy0_bias"], 0)
    x = np.maximum(x @ layers["policy1"] + layers["policy1_bias"], 0)
    told = (x @ layers["policy2"] + layers["policy2_bias"])[:, placed.does]
    scores = Champion(weights, spec).scores(seen, masks)
    assert np.allclose(scores[masks != 0], told[masks != 0], atol=1e-3)


def test_the_same_seed_chooses_the_same():
    view = View.of(Game(BASE, players=2, seed=3))
    for text in ("champion", "champion:temperature=2"):
        assert make_bot(text).choose(view, Random(4)) == make_bot(text).choose(view, Random(4))


def test_chances_are_told_by_seat():
    game = Game(BASE, players=3, seed=3)
    while View.of(game).seat != 1:
        game.play(str(make_bot("champion").choose(View.of(game), Random(1))))
    chances = chances_of(View.of(game))
    seen, _ = encode(View.of(game))
    assert chances[1] == pytest.approx(float(champion_at(BASE, 3).chances(seen[None])[0, 0]))
    assert sum(chances) == pytest.approx(1, abs=1e-5)


def test_a_house_rule_it_has_not_learned_does_not_stop_it():
    ruleset = Ruleset("deluxe", sets=["base"], house={"max_turns": 6, "start_coins": 9})
    game, rng = Game(ruleset, players=2, seed=1), Random(1)
    while not game.over:
        game.play(str(make_bot("champion").choose(View.of(game), rng)))


def test_actions_it_has_not_learned_are_refused_in_a_sentence():
    outlook = weights_of("classic").outlook
    narrow = Outlook(outlook.sees, outlook.traits, tuple(name for name in outlook.does if "cafe" not in name))
    with pytest.raises(BotError, match=r'has not learned ".*cafe".*, which this table has'):
        narrow.place(spec_for(BASE, 2))


def test_a_temperature_that_is_none_is_refused():
    with pytest.raises(BotError, match="temperature of 0 to 100, not -1"):
        make_bot("champion:temperature=-1")


@pytest.mark.parametrize("broken", [b"", b"no weights", b"PK\x03\x04 cut off"])
def test_broken_weights_are_one_sentence(broken):
    with pytest.raises(BotError, match=r"^mine\.npz: these are no weights of the champion \(.*\)\.$"):
        Weights.read(BytesIO(broken), "mine.npz")


def test_weights_of_other_observations_are_refused():
    weights, file = weights_of("second"), BytesIO()
    names = {part: np.array(getattr(weights.outlook, part)) for part in ("sees", "traits", "does")}
    np.savez(file, about=np.array('{"version": -1}'), **names, **weights.layers)  # type: ignore[arg-type]
    file.seek(0)
    with pytest.raises(BotError, match="other observations; train them anew"):
        Weights.read(file, "old.npz")


def test_missing_weights_are_one_sentence():
    with pytest.raises(
        BotError, match=r'has not learned the game "third": there is no champion-third\.npz\.'
    ):
        weights_of("third")


def test_the_weights_are_small_enough_to_ship():
    folder = resources.files("dicetown.bots.learning") / "nets"
    assert sum(len(file.read_bytes()) for file in folder.iterdir() if file.name.startswith("champion")) < 20e6
