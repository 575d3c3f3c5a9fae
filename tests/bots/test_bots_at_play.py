"""Bots through whole games: always legal, the same interpreted and compiled, and at an end some day."""

from typing import Any

import pytest
from hypothesis import assume, given, note, settings
from hypothesis import strategies as st

from dicetown import Ruleset
from dicetown.arena import BotTable, ready
from dicetown.bots import minds_for
from dicetown.bots.mind import MIND
from dicetown.bots.rules.choose import choose_as
from dicetown.material import load
from dicetown.material import model as m
from dicetown.rules.chance import draw_outcome, waits_for_chance
from dicetown.rules.codes import OVER
from dicetown.rules.kernel import compiled
from dicetown.rules.layout import CHOICES, LOG, STATE, new, record_class
from dicetown.rules.rng import seeded
from dicetown.rules.step import decide, happen, start
from dicetown.rules.tables import tables_for
from dicetown.testing import Setup, setups

#: Every edition with everything, and with its base alone, for every number of players.
TABLES = [
    (edition.id, sets, players)
    for edition in load().editions.values()
    for sets in dict.fromkeys([("base",), tuple(part.id for part in edition.sets)])
    for players in range(2, Ruleset(edition.id, sets=sets).max_players + 1)
]
#: Ordinary games of greedy bots take thirty to two hundred turns; some house rules make them very poor.
LONGEST = 2_000


@pytest.fixture(scope="module", autouse=True)
def _compile_first() -> None:
    ready()


def walk(ruleset: Ruleset, players: int, bot: str, seed: int) -> Any:
    """Play a game interpreted, one bot in all seats; yields before each decision."""
    t, s, log, choices, rng = tables_for(ruleset, players), new(STATE), new(LOG), new(CHOICES), seeded(seed)
    mind = record_class(MIND)(minds_for([bot], ruleset))
    start(t, s, log, choices)
    while s.phase != OVER:
        if waits_for_chance(s):
            happen(t, s, log, choices, draw_outcome(t, s, rng))
        else:
            before = rng.array.copy()
            action = choose_as(mind, t, s, choices, rng)
            yield t, s, choices, before, action
            decide(t, s, log, choices, action)


@pytest.mark.parametrize(("edition", "sets", "players"), TABLES)
def test_what_greedy_chooses_is_legal_and_the_same_compiled(
    edition: str, sets: tuple[str, ...], players: int
) -> None:
    choose = compiled(choose_as)
    greedy = minds_for(["greedy"], Ruleset(edition, sets=sets))[0]
    for t, s, choices, rng, action in walk(Ruleset(edition, sets=sets), players, "greedy", seed=players):
        assert action in choices.action[: choices.count]
        assert choose(greedy, t.array[0], s.array[0], choices.array[0], rng[0]) == action


@pytest.mark.parametrize("bots", [["random"], ["greedy"], ["greedy", "random"]], ids="-".join)
@pytest.mark.parametrize("edition", load().editions)
def test_games_are_the_same_interpreted_and_compiled(edition: str, bots: list[str]) -> None:
    table = BotTable(Ruleset(edition, house={"max_turns": 80}), (bots * 3)[:3], seed=2)
    assert table.play(40, 3).tolist() == table.play_interpreted(40, 3).tolist()


@settings(max_examples=40)
@given(setups(), st.integers(0, 2**32))
def test_under_house_rules_bots_play_the_same_interpreted_and_compiled(setup: Setup, seed: int) -> None:
    table = BotTable(setup.ruleset, (["greedy", "random"] * 3)[: setup.players], seed)
    assert table.play(0, 1).tolist() == table.play_interpreted(0, 1).tolist()


@pytest.mark.parametrize(("edition", "sets", "players"), TABLES)
def test_every_game_of_greedy_bots_ends(edition: str, sets: tuple[str, ...], players: int) -> None:
    results = BotTable(Ruleset(edition, sets=sets), ["greedy"] * players, seed=3).play(0, 300)
    assert results["turns"].max() < 500
    assert (results["winner"] >= 0).all()


@settings(max_examples=150)
@given(setups(), st.integers(0, 2**32))
def test_every_game_of_greedy_bots_ends_under_house_rules(setup: Setup, seed: int) -> None:
    rules = setup.ruleset
    house = {switch: value for switch, value in rules.house.items() if switch != "max_turns"}
    endless = Ruleset(rules.edition.id, sets=rules.set_ids, house=house)
    note(f"{endless}, {setup.players} players")
    assume(somebody_must_win(endless, setup.players) and somebody_can_earn(endless))
    results = BotTable(endless, ["greedy"] * setup.players, seed).play(0, 4)
    assert results["turns"].max() < LONGEST
    assert (results["winner"] >= 0).all()


def somebody_must_win(ruleset: Ruleset, players: int) -> bool:
    """Where landmarks are shared out, there must be enough, or one that wins alone."""
    if not ruleset.edition.shared_landmarks:
        return True
    sure = [mark for mark in ruleset.landmarks if mark.needs is None]
    if any(isinstance(mark.effect, m.Win) for mark in sure):
        return True
    return len(sure) > players * (ruleset.landmarks_to_win - 1)


def somebody_can_earn(ruleset: Ruleset) -> bool:
    """There must be a first coin, and a card that brings more without needing anything."""
    rules = ruleset.rules
    if not (rules.start_coins or rules.city_hall or ruleset.edition.starting_cards):
        return False
    effects = [card.effect for card in ruleset.cards if card.id in ruleset.supply_ids]
    incomes = [effect for effect in effects if isinstance(effect, m.Income)]
    return any(income.per is None and income.owner_needs is None for income in incomes)
