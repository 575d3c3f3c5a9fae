"""A bot sees a position, never the source of chance: its choice does not depend on the dice to come."""

from random import Random

import pytest

from dicetown import Game, Ruleset
from dicetown.bots import View, make_bot

BOTS = ["random", "greedy", "greedy:slips=200", "cheese", "convenience"]
#: The one that thinks, with a measure that no clock can change.
BOTS += ["search:playouts=60:threads=1"]


@pytest.mark.parametrize("bot", BOTS)
@pytest.mark.parametrize("edition", ["deluxe", "neue_stadt"])
def test_with_other_dice_to_come_a_bot_chooses_the_same(edition: str, bot: str) -> None:
    """Two games stand at the same position, but their dice will fall differently from here on."""
    game, futures = Game(Ruleset(edition), players=3, seed=1), set()
    chooser = make_bot(bot)
    while not game.over and game.turns < 40:
        others = [Game.from_position(game.position(), seed=seed) for seed in (2, 3)]
        views = [View.of(one) for one in (game, *others)]
        choices = [chooser.choose(view, Random(game.turns)) for view in views]
        assert choices[0] == choices[1] == choices[2]
        for other in others:
            other.play(choices[0])
        futures.add(others[0].position() == others[1].position())
        game.play(choices[0])
    assert False in futures  # what comes next did differ


def test_a_view_has_no_seed_and_no_dice() -> None:
    game = Game(Ruleset("deluxe"), players=2, seed=123456789)
    view = View.of(game)
    assert set(vars(view)) == {"ruleset", "players", "state"}
    assert "123456789" not in view.position()
    names = view.state.layout.names
    assert not [name for name in names if "rng" in name or "seed" in name]


def test_what_a_bot_does_to_its_view_changes_no_game() -> None:
    game = Game(Ruleset("deluxe"), players=2, seed=1)
    before = game.position()
    view = View.of(game)
    view.state.coins[0] = 99
    assert game.position() == before
