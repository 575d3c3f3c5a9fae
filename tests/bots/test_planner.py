"""The planner: legal, the same compiled, leaving the state alone while it thinks, and strong."""

import tomllib
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dicetown import Ruleset
from dicetown.arena import BotTable, ready, simulate
from dicetown.bots import make_bot, minds_for
from dicetown.bots.mind import MAX_WEIGHTS, MIND
from dicetown.bots.rules.choose import choose_as
from dicetown.bots.rules.planner import WEIGHTS
from dicetown.bots.rules.planner_weights import (
    START,
    load_weights,
    mind_by_players,
    mind_of,
    read_weights,
    start_weights,
    weights_for,
    write_weights,
)
from dicetown.bots.rules.scripts import GAMES
from dicetown.errors import BotError, MaterialError
from dicetown.material import load
from dicetown.rules.chance import draw_outcome, waits_for_chance
from dicetown.rules.codes import OVER
from dicetown.rules.kernel import compiled
from dicetown.rules.layout import CHOICES, LOG, STATE, new, record_class
from dicetown.rules.rng import seeded
from dicetown.rules.step import decide, happen, start
from dicetown.rules.tables import tables_for
from dicetown.testing import Setup, setups

#: Every edition with everything, and with its base alone, for the fewest and the most players.
TABLES = [
    (edition.id, sets, players)
    for edition in load().editions.values()
    for sets in dict.fromkeys([("base",), tuple(part.id for part in edition.sets)])
    for players in (2, Ruleset(edition.id, sets=sets).max_players)
]


@pytest.fixture(scope="module", autouse=True)
def _compile_first() -> None:
    ready()


def walk(ruleset: Ruleset, players: int, seed: int) -> Any:
    """Play a game of planners interpreted; yields each decision, and the state before the thinking."""
    t, s, log, choices, rng = tables_for(ruleset, players), new(STATE), new(LOG), new(CHOICES), seeded(seed)
    mind = record_class(MIND)(minds_for(["planner"], ruleset))
    start(t, s, log, choices)
    while s.phase != OVER:
        if waits_for_chance(s):
            happen(t, s, log, choices, draw_outcome(t, s, rng))
            continue
        before = s.array.copy()
        action = choose_as(mind, t, s, choices, rng)
        yield t, s, choices, before, action
        decide(t, s, log, choices, action)


@pytest.mark.parametrize(("edition", "sets", "players"), TABLES)
def test_what_it_chooses_is_legal_the_same_compiled_and_changes_nothing(
    edition: str, sets: tuple[str, ...], players: int
) -> None:
    ruleset = Ruleset(edition, sets=sets)
    choose, planner = compiled(choose_as), minds_for(["planner"], ruleset)[0]
    for t, s, choices, before, action in walk(ruleset, players, seed=players):
        assert s.array.tobytes() == before.tobytes()
        assert action in choices.action[: choices.count]
        assert choose(planner, t.array[0], s.array[0], choices.array[0], seeded(1).array[0]) == action
        assert s.array.tobytes() == before.tobytes()


@pytest.mark.parametrize("edition", load().editions)
def test_games_are_the_same_interpreted_and_compiled(edition: str) -> None:
    table = BotTable(
        Ruleset(edition, house={"max_turns": 80}), ["planner", "greedy", "planner:slips=50"], seed=2
    )
    assert table.play(40, 3).tolist() == table.play_interpreted(40, 3).tolist()


@settings(max_examples=30)
@given(setups(), st.integers(0, 2**32))
def test_under_house_rules_it_plays_the_same_interpreted_and_compiled(setup: Setup, seed: int) -> None:
    table = BotTable(setup.ruleset, (["planner", "random"] * 3)[: setup.players], seed)
    assert table.play(0, 1).tolist() == table.play_interpreted(0, 1).tolist()


@pytest.mark.parametrize(("edition", "sets", "players"), TABLES)
def test_its_games_end(edition: str, sets: tuple[str, ...], players: int) -> None:
    results = BotTable(Ruleset(edition, sets=sets), ["planner"] * players, seed=3).play(0, 300)
    assert results["turns"].max() < 800
    assert (results["winner"] >= 0).all()


@pytest.mark.parametrize(("edition", "sets", "players"), TABLES)
def test_it_beats_a_table_of_random_players(edition: str, sets: tuple[str, ...], players: int) -> None:
    bots = ["planner", *["random"] * (players - 1)]
    assert simulate(Ruleset(edition, sets=sets), players, bots, 400, seed=17, threads=1).shares[0] > 0.85


@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize(
    ("edition", "sets"),
    [("deluxe", ["base"]), ("deluxe", ["base", "harbor"]), ("deluxe", None), ("neue_stadt", None)],
)
def test_it_wins_more_than_its_share_against_greedy(
    edition: str, sets: list[str] | None, players: int
) -> None:
    ruleset, games, wins = Ruleset(edition, sets=sets), 2_000, 0
    for seat in range(players):
        bots = ["greedy"] * players
        bots[seat] = "planner"
        wins += simulate(ruleset, players, bots, games, seed=23, threads=1).wins[seat]
    assert wins / (games * players) > 1 / players


# ----------------------------------------------------------------------------- the weights


def test_every_weight_has_a_name_and_a_place() -> None:
    assert sorted(weight.place for weight in START.values()) == list(range(WEIGHTS))
    assert WEIGHTS <= MAX_WEIGHTS
    assert all(weight.least <= weight.start <= weight.most for weight in START.values())


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_weights_and_the_command_that_found_them(game: str) -> None:
    assert 4 in load_weights()[game]
    for players, planned in load_weights()[game].items():
        assert planned.weights.keys() == START.keys()
        assert planned.command.startswith("dicetown tune --edition ")
        assert f"--players {players} " in planned.command


def test_weights_are_written_as_they_are_read() -> None:
    again = read_weights(tomllib.loads(write_weights(load_weights())), "again.toml")
    assert again == load_weights()


def test_a_mind_has_the_weights_of_the_nearest_number_of_players() -> None:
    few, many = start_weights() | {"growth": 1}, start_weights() | {"growth": 2}
    growth = mind_by_players({2: few, 4: many}).weights[:, START["growth"].place]
    assert growth.tolist()[2:] == [1, 2, 2, 2]
    assert (mind_of(few).weights[:, START["growth"].place] == 1).all()


def test_without_tuned_weights_it_begins_where_tuning_begins(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dicetown.bots.rules.planner_weights.load_weights", dict)
    assert weights_for(Ruleset("deluxe")) == {0: start_weights()}


@pytest.mark.parametrize(
    ("tables", "sentence"),
    [
        ({"chess": {}}, r'my\.toml: there is no game "chess"; known are base, '),
        ({"base": {"four": {"weights": {}}}}, r'my\.toml, base\.four: "four" must be a number of players'),
        (
            {"base": {"4": {"weights": {"x": 1}}}},
            r'my\.toml, base\.4: there is no weight "x"; known are growth',
        ),
        ({"base": {"4": {"weights": {"next": 9999}}}}, r'the weight "next" must lie between -64 and 300'),
        ({"base": {"4": {"weights": {"next": "1"}}}}, r"must be a whole number"),
        ({"base": {"4": {}}}, r'the field "weights" is missing'),
    ],
    ids=["game", "players", "weight", "value", "kind", "missing"],
)
def test_bad_weights_are_refused_in_one_sentence(tables: dict[str, Any], sentence: str) -> None:
    with pytest.raises((BotError, MaterialError), match=sentence):
        read_weights(tables, "my.toml")


def test_its_slips_are_an_option() -> None:
    bot: Any = make_bot("planner:slips=20")
    assert bot.mind(Ruleset("deluxe")).slips == 20
