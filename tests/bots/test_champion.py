"""The champion: what it has learned serves all tables, and what is wrong is one sentence."""

import json
from dataclasses import asdict, replace
from importlib import resources
from io import BytesIO
from random import Random

import numpy as np
import pytest

from dicetown import Game, Ruleset
from dicetown.arena.contests.ladder import rungs
from dicetown.bots import ChampionBot
from dicetown.bots.encode import encode
from dicetown.bots.learning.champion import Champion, Weights, champion_at, chances_of, weights_of
from dicetown.bots.learning.outlook import MOST, Outlook, Reckoning
from dicetown.bots.learning.products import factors_of
from dicetown.bots.roster import make_bot
from dicetown.bots.view import View
from dicetown.errors import BotError
from dicetown.material import load
from dicetown.sight.spec import VERSION, spec_for

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
    whole = np.zeros((len(seen), len(weights.outlook.inputs)), np.float32)
    whole[:, placed.sees] = np.minimum(seen, MOST)
    everything = Reckoning.of(weights.outlook, weights.outlook.sees)
    whole[:, everything.inputs] = everything.reckon(whole[:, : len(weights.outlook.sees)])
    whole[:, len(weights.outlook.inputs) - len(weights.outlook.traits) + placed.traits] = 1
    x, last = whole, weights.depth("policy") - 1
    for number in range(last):
        x = np.maximum(x @ layers[f"policy{number}"] + layers[f"policy{number}_bias"], 0)
    told = (x @ layers[f"policy{last}"] + layers[f"policy{last}_bias"])[:, placed.does]
    scores = Champion(weights, spec).scores(seen, masks)
    assert np.allclose(scores[masks != 0], told[masks != 0], atol=1e-3)


def test_steps_and_products_are_what_their_names_say():
    ruleset, players = Ruleset("deluxe"), 4
    spec = spec_for(ruleset, players)
    outlook = Outlook.over([spec])
    seen, _ = positions(ruleset, players)
    reckoning = outlook.place(spec).reckoning
    told = reckoning.reckon(np.minimum(seen, MOST).astype(np.float32))
    names = [outlook.inputs[k] for k in reckoning.inputs]
    assert {"me.coins >= 5", "player+3.coins >= 50", "total >= 7", "market.cafe >= 1"} <= set(names)
    assert "me.owned.cheese_factory * me.owned.ranch" in names
    shown = dict(zip(spec.names, seen.T.astype(int), strict=True))
    for name, column in zip(names, told.T, strict=True):
        if " >= " in name:
            what, least = name.split(" >= ")
            expected = shown[what] >= int(least)
        else:
            one, other = (sum(shown.get(part, 0) for part in side) for side in factors_of(name))
            expected = one * other
        assert (column == expected).all(), name


def test_what_a_table_does_not_have_is_not_reckoned_there():
    outlook = weights_of("classic").outlook
    names = [outlook.inputs[k] for k in outlook.place(spec_for(BASE, 2)).reckoning.inputs]
    assert "me.coins >= 5" in names
    assert not [name for name in names if "player+2.coins" in name or name.startswith("me.owned.winery")]


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
    narrow = replace(outlook, does=tuple(name for name in outlook.does if "cafe" not in name))
    with pytest.raises(BotError, match=r'has not learned ".*cafe".*, which this table has'):
        narrow.place(spec_for(BASE, 2))


def test_a_temperature_that_is_none_is_refused():
    with pytest.raises(BotError, match="temperature of 0 to 100, not -1"):
        make_bot("champion:temperature=-1")


def test_a_temper_bends_what_is_liked():
    ruleset, players = Ruleset("deluxe"), 3
    seen, masks = positions(ruleset, players)
    luck = np.random.default_rng(1).random(len(seen))
    spec = spec_for(ruleset, players)

    def chosen(**temper):
        found = ChampionBot(**temper).choose_many(spec, seen, masks, luck)
        assert masks[np.arange(len(found)), found].all()
        return [spec.action_names[number] for number in found]

    steady = chosen()
    assert chosen(temperature=0.01) == steady
    assert sum(one != other for one, other in zip(chosen(temperature=9), steady, strict=True)) > 10
    assert "pass" in steady
    assert chosen(haste=100).count("pass") < steady.count("pass")
    assert "roll 2" in steady
    assert "roll 2" not in chosen(caution=100)
    assert chosen(fondness=100) != steady
    assert chosen(aside=True) != steady


def test_who_looks_at_its_own_city_alone_does_not_see_what_others_have():
    ruleset, players = Ruleset("ciudad"), 4
    seen, masks = positions(ruleset, players)
    spec = spec_for(ruleset, players)
    others = [k for k, name in enumerate(spec.names) if name.startswith("player+")]
    changed = seen.copy()
    changed[:, others] = np.roll(changed[:, others], 1, axis=0)
    aside, luck = ChampionBot(aside=True), np.zeros(len(seen))
    one, two = (aside.choose_many(spec, sheets, masks, luck) for sheets in (seen, changed))
    assert one.tolist() == two.tolist()


@pytest.mark.parametrize("broken", [b"", b"no weights", b"PK\x03\x04 cut off"])
def test_broken_weights_are_one_sentence(broken):
    with pytest.raises(BotError, match=r"^mine\.npz: these are no weights of the champion \(.*\)\.$"):
        Weights.read(BytesIO(broken), "mine.npz")


def test_a_file_that_was_damaged_on_the_way_is_one_sentence():
    whole = (resources.files("dicetown.bots.learning") / "nets" / "champion-second.npz").read_bytes()
    rng, told = Random(3), []
    for number in range(40):
        damaged = bytearray(whole[: rng.randrange(len(whole))] if number % 4 == 0 else whole)
        for _ in range(rng.randrange(1, 6)):
            damaged[rng.randrange(len(damaged))] ^= 1 << rng.randrange(8)
        try:  # a bit that means nothing, such as a date's, may be lost
            read = Weights.read(BytesIO(bytes(damaged)), "mine.npz").layers
        except BotError as problem:
            told.append(str(problem))
        else:
            assert all((read[name] == layer).all() for name, layer in weights_of("second").layers.items())
    assert len(told) > 30
    assert all(one.startswith("mine.npz: ") and "\n" not in one for one in told)


def saved(about: str | None = None, **changed):
    """The weights of the second game with some of their parts changed, as a file."""
    weights, file = weights_of("second"), BytesIO()
    names = {part: np.array(named, dtype=str) for part, named in asdict(weights.outlook).items()}
    told = about or json.dumps({"version": VERSION, "most": MOST})
    np.savez(file, about=np.array(told), **(names | weights.layers | changed))
    file.seek(0)
    return file


def test_weights_are_read_as_they_were_saved():
    read = Weights.read(saved(), "mine.npz").layers
    assert all((read[name] == layer).all() for name, layer in weights_of("second").layers.items())


def test_weights_of_other_observations_are_refused():
    with pytest.raises(BotError, match="other observations; train them anew"):
        Weights.read(saved('{"version": -1}'), "old.npz")


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"about": "[1, 2]"}, "no weights of the champion"),
        ({"policy1": np.zeros((3, 3))}, "their shapes do not fit"),
        ({"policy1_bias": np.zeros(3)}, "their shapes do not fit"),
        ({"value3": np.zeros((512, 4)), "value3_bias": np.zeros(4)}, "their shapes do not fit"),
        ({"value5": np.zeros((5, 5)), "value5_bias": np.zeros(5)}, "their shapes do not fit"),
        ({"policy0": np.zeros(7)}, "their shapes do not fit"),
        ({"value3_bias": np.full(5, np.nan)}, "some are no numbers"),
    ],
)
def test_weights_that_cannot_be_used_are_one_sentence(changed, says):
    with pytest.raises(BotError, match=rf"^mine\.npz: .*{says}.*\.$"):
        Weights.read(saved(**changed), "mine.npz")


def test_missing_weights_are_one_sentence():
    with pytest.raises(
        BotError, match=r'has not learned the game "third": there is no champion-third\.npz\.'
    ):
        weights_of("third")


def test_the_weights_are_small_enough_to_ship():
    folder = resources.files("dicetown.bots.learning") / "nets"
    assert sum(len(file.read_bytes()) for file in folder.iterdir() if file.name.startswith("champion")) < 20e6
