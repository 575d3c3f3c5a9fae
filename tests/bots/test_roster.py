"""Bots by name."""

import pytest

from dicetown.bots import BOTS, find_bot
from dicetown.errors import BotError
from dicetown.languages import LANGUAGES


def test_every_bot_is_found_by_its_name() -> None:
    assert [find_bot(name).name for name in BOTS] == list(BOTS)
    assert list(BOTS)[:2] == ["random", "greedy"]


@pytest.mark.parametrize("name", BOTS)
def test_a_bot_says_what_it_does_in_three_languages(name: str) -> None:
    description = BOTS[name].description
    assert set(description) == set(LANGUAGES)
    assert all(text.endswith(".") for text in description.values())


def test_an_unknown_bot_is_refused_with_those_that_are_known() -> None:
    with pytest.raises(BotError, match=r'no bot "stockfish"; known: random, greedy, '):
        find_bot("stockfish")
    with pytest.raises(BotError, match=r'did you mean "greedy"\?'):
        find_bot("greedi")
