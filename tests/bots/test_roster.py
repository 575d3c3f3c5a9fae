"""Bots by name."""

import pytest
from tests.bots.positions import position

from dicetown import Ruleset
from dicetown.bots import BOTS, choose_as, find_bot
from dicetown.errors import BotError
from dicetown.rules.choices import find_choices
from dicetown.rules.kernel import is_kernel
from dicetown.rules.layout import CHOICES, new
from dicetown.rules.rng import seeded


def test_every_bot_is_found_by_its_name_and_numbers_differ() -> None:
    assert [find_bot(name).name for name in BOTS] == list(BOTS) == ["random", "greedy"]
    assert len({bot.number for bot in BOTS.values()}) == len(BOTS)
    assert all(is_kernel(bot.policy) for bot in BOTS.values())


@pytest.mark.parametrize("name", BOTS)
def test_a_bot_says_what_it_does_in_three_languages(name: str) -> None:
    description = BOTS[name].description
    assert set(description) == {"en", "es", "de"}
    assert all(text.endswith(".") for text in description.values())


def test_an_unknown_bot_is_refused_with_those_that_are_known() -> None:
    with pytest.raises(BotError, match=r'no bot "stockfish"; known: random, greedy\.'):
        find_bot("stockfish")
    with pytest.raises(BotError, match=r'did you mean "greedy"\?'):
        find_bot("greedi")


@pytest.mark.parametrize("name", BOTS)
def test_a_bot_chooses_the_same_by_name_and_by_number(name: str) -> None:
    game = position(Ruleset("deluxe", sets=["base"]), [{"coins": 9, "cards": {"ranch": 1}}, {}])
    game.play("roll 1")
    game.play("dice 2")
    choices = new(CHOICES)
    find_choices(game.tables, game.state, choices)
    for seed in range(10):
        by_name = find_bot(name).choose(game.tables, game.state, choices, seeded(seed))
        by_number = choose_as(BOTS[name].number, game.tables, game.state, choices, seeded(seed))
        assert by_name == by_number
        assert by_name in choices.action[: choices.count]
