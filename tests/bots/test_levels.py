"""Levels for people: five of them, each stronger than the one before, and none that ever fails."""

import logging
from itertools import pairwise
from random import Random
from types import SimpleNamespace

import numpy as np
import pytest

from dicetown import Game, Ruleset
from dicetown.arena import simulate
from dicetown.arena.contests.ladder import Rung, rungs
from dicetown.bots import ChampionBot, View, make_bot
from dicetown.bots.learning import champion, champion_bot
from dicetown.bots.levels import LEVELS
from dicetown.bots.search.bots import ThinkingBot
from dicetown.errors import BotError
from dicetown.languages import LANGUAGES
from dicetown.material import load
from dicetown.playout.in_step import TableInStep

BASE = Ruleset("deluxe", sets=["base"])
AT_ONCE = [level.name for level in LEVELS if level.kind is ChampionBot]


def test_there_are_five_under_the_names_people_know() -> None:
    assert [level.name for level in LEVELS] == ["beginner", "easy", "normal", "hard", "master"]
    for level in LEVELS:
        bot = make_bot(level.name)
        assert bot.name == level.name
        assert set(bot.description) == set(LANGUAGES)


def test_hard_is_the_champion_and_only_master_takes_its_time() -> None:
    assert make_bot("hard").temper == make_bot("champion").temper  # type: ignore[attr-defined]
    thinkers = [bot for bot in (make_bot(level.name) for level in LEVELS) if isinstance(bot, ThinkingBot)]
    assert [bot.name for bot in thinkers] == ["master"]
    assert thinkers[0].budget == 1.0


@pytest.mark.parametrize(
    "rung", list(rungs(list(load().editions))), ids=lambda rung: f"{rung.title} {rung.players}"
)
def test_levels_that_answer_at_once_ascend_everywhere(rung: Rung) -> None:
    """One of the better among the worse wins more than its share."""
    pairs, players = list(pairwise(AT_ONCE)), rung.players
    seatings = [
        [better if seat == place else worse for seat in range(players)]
        for worse, better in pairs
        for place in range(players)
    ]
    games = 120 // players
    table = TableInStep(rung.ruleset, seatings, seed=1)
    numbers = np.tile(np.arange(games), len(seatings))
    played = table.play_seated(numbers, np.repeat(np.arange(len(seatings)), games))
    won = played["winner"].reshape(len(pairs), players, games) == np.arange(players)[None, :, None]
    shares = dict(zip(pairs, won.mean(axis=(1, 2)).tolist(), strict=True))
    assert all(share > 1 / players for share in shares.values()), shares


# ------------------------------------------------------------------------ where the network does not play


@pytest.fixture(params=["missing", "broken", "strange"])
def no_network(request, tmp_path, monkeypatch):
    """Weights that are not there, are none, or do not know the table."""
    (tmp_path / "nets").mkdir()
    if request.param == "broken":
        (tmp_path / "nets" / "champion-classic.npz").write_bytes(b"PK\x03\x04 cut off")
    if request.param == "strange":
        weights = champion.weights_of("second")
        monkeypatch.setattr(champion, "weights_of", lambda game: weights)
    else:
        monkeypatch.setattr(champion, "resources", SimpleNamespace(files=lambda package: tmp_path))
    caches = (champion.weights_of, champion.champion_at, champion_bot.is_refused)
    for cached in caches:
        getattr(cached, "cache_clear", lambda: None)()
    yield request.param
    for cached in caches:
        getattr(cached, "cache_clear", lambda: None)()


def test_without_a_network_levels_follow_rules_and_say_so_once(no_network, caplog) -> None:
    with caplog.at_level(logging.WARNING):
        for name in (*AT_ONCE, "master"):
            game, rng = Game(BASE, players=2, seed=3), Random(1)
            while not game.over:
                game.play(str(make_bot(name).choose(View.of(game), rng)))
    (told,) = caplog.messages
    sentence = {
        "missing": 'The champion has not learned the game "classic": there is no champion-classic.npz.',
        "broken": "champion-classic.npz: these are no weights of the champion",
        "strange": 'The champion has not learned "keep"',
    }[no_network]
    assert told.startswith(sentence)
    assert told.endswith(" Levels follow rules there instead.")


def test_without_a_network_levels_play_in_bulk_as_the_bots_behind_them(no_network) -> None:
    levels = simulate(BASE, 2, ["normal", "hard"], 40, seed=2, threads=1)
    behind = simulate(BASE, 2, ["greedy:slips=50", "planner:slips=20"], 40, seed=2, threads=1)
    assert levels.wins == behind.wins
    assert levels.tally.turns == behind.tally.turns


def test_without_a_network_the_champion_itself_refuses(no_network) -> None:
    game = Game(BASE, players=2, seed=3)
    game.play("roll 1")
    with pytest.raises(BotError, match="champion"):
        make_bot("champion").choose(View.of(game), Random(1))
