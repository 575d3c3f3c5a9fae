"""Levels for people: five of them, each stronger than the one before."""

import pytest

from dicetown import Ruleset
from dicetown.arena import simulate
from dicetown.bots import make_bot
from dicetown.bots.levels import LEVELS
from dicetown.bots.search.bots import ThinkingBot
from dicetown.languages import LANGUAGES
from dicetown.material import load

TABLES = [
    (edition.id, sets, players)
    for edition in load().editions.values()
    for sets in dict.fromkeys([("base",), tuple(part.id for part in edition.sets)])
    for players in range(2, Ruleset(edition.id, sets=sets).max_players + 1)
]


def test_there_are_five_under_the_names_people_know() -> None:
    assert [level.name for level in LEVELS] == ["beginner", "easy", "normal", "hard", "master"]
    for level in LEVELS:
        bot = make_bot(level.name)
        assert bot.name == level.name
        assert set(bot.description) == set(LANGUAGES)


def test_hard_answers_at_once_and_only_master_takes_its_time() -> None:
    thinkers = [bot for bot in (make_bot(level.name) for level in LEVELS) if isinstance(bot, ThinkingBot)]
    assert [bot.name for bot in thinkers] == ["master"]
    assert thinkers[0].budget == 1.0


@pytest.mark.parametrize(("edition", "sets", "players"), TABLES)
@pytest.mark.parametrize(("better", "worse"), [("easy", "beginner"), ("normal", "easy"), ("hard", "normal")])
def test_levels_that_follow_rules_ascend_everywhere(
    edition: str, sets: tuple[str, ...], players: int, better: str, worse: str
) -> None:
    """One of the better among the worse wins more than its share."""
    ruleset = Ruleset(edition, sets=sets)
    wins = games = 0
    for seat in range(players):
        bots = [worse] * players
        bots[seat] = better
        played = simulate(ruleset, players, bots, 1_000, seed=seat, threads=1)
        wins, games = wins + played.wins[seat], games + played.games
    assert wins / games > 1.1 / players
