"""The tests that come with the package: they must notice what they are there to notice."""

import sys
from collections import Counter
from random import Random

import pytest
from hypothesis import given
from tests.properties.effort import examples

import dicetown.testing
from dicetown import Game, Ruleset
from dicetown.game import events as e
from dicetown.material import load
from dicetown.rules.ruleset import SWITCHES
from dicetown.testing import (
    Mirror,
    Setup,
    check_cities,
    check_game,
    check_market,
    check_material,
    check_purses,
    games,
    play_randomly,
    rulesets,
    setups,
)


def a_game() -> Game:
    game = Game(Ruleset("deluxe", sets=["base", "harbor"]), players=3, seed=4)
    play_randomly(game, Random(4), 20)
    return game


# ------------------------------------------------------------------------- strategies


def test_rulesets_come_with_every_edition_and_house_rule() -> None:
    seen: set[str] = set()

    @examples(200)
    @given(rulesets())
    def look(ruleset: Ruleset) -> None:
        seen.update(ruleset.house, [ruleset.edition.id])

    look()
    assert seen == {*SWITCHES, *load().editions}


@examples(200)
@given(setups())
def test_setups_can_be_played_and_come_to_an_end(setup: Setup) -> None:
    assert setup.ruleset.rules.max_turns > 0
    assert setup.ruleset.check_players(setup.players)
    assert setup.new_game(1).players == setup.players


@given(games(steps=30))
def test_games_are_in_progress_or_over_but_never_wait_for_chance(game: Game) -> None:
    assert not game.waits_for_chance
    assert game.over or game.legal_actions()


def test_without_hypothesis_the_strategies_say_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "hypothesis", None)
    monkeypatch.delitem(sys.modules, "dicetown.testing.strategies", raising=False)
    monkeypatch.delattr(dicetown.testing, "strategies", raising=False)
    with pytest.raises(ImportError, match='install it with "pip install hypothesis"'):
        _ = dicetown.testing.rulesets
    check_game(
        Game(Ruleset("ciudad", house={"max_turns": 1}), seed=1)
    )  # what needs no Hypothesis still works


def test_what_is_not_there_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        _ = dicetown.testing.nonsense


# ------------------------------------------------------------------------------ playing


def test_playing_randomly_stops_at_the_end_of_the_game() -> None:
    game = Game(Ruleset("ciudad", house={"max_turns": 3}), seed=1)
    events = play_randomly(game, Random(1), 10_000)
    assert game.over
    assert events[-1] == e.GameDrawn()
    assert play_randomly(game, Random(1), 5) == []


def test_playing_randomly_lets_manual_chance_happen_by_its_odds() -> None:
    thrown: Counter[str] = Counter()
    for seed in range(300):
        game = Game(Ruleset("ciudad", sets=["base"]), chance="manual")
        play_randomly(game, Random(seed), 2)
        thrown[game.moves[1].text] += 1
    assert len(thrown) == 6
    assert min(thrown.values()) > 25


# ------------------------------------------------------------------------------- checks


def test_a_good_game_passes() -> None:
    check_game(Game(Ruleset("grossstadt", house={"max_turns": 15}), seed=2), seed=2)


def test_a_purse_below_zero_is_noticed() -> None:
    game = a_game()
    game.state.coins[1] = -1
    with pytest.raises(AssertionError, match="Player 1 has -1 coins"):
        check_purses(game)


def test_a_closed_card_nobody_owns_and_a_closed_purple_one_are_noticed() -> None:
    game = a_game()
    mine = game.notation.numbers["mine"]
    game.state.owned[0, mine], game.state.closed[0, mine] = 1, 2
    with pytest.raises(AssertionError, match="more copies of mine closed than owned"):
        check_cities(game)
    stadium = game.notation.numbers["stadium"]
    game.state.closed[0, mine] = 0
    game.state.owned[0, stadium] = game.state.closed[0, stadium] = 1
    with pytest.raises(AssertionError, match="closed the purple stadium"):
        check_cities(game)


def test_a_row_too_short_or_too_long_is_noticed() -> None:
    game = a_game()
    card = game.notation.numbers[next(iter(game.market))]
    game.state.market[card] = 0
    with pytest.raises(AssertionError, match="holds 9 different things instead of 10"):
        check_market(game)
    game = a_game()
    absent = next(number for number, _ in enumerate(game.ruleset.cards) if game.state.market[number] == 0)
    game.state.market[absent] = 1
    with pytest.raises(AssertionError, match="holds 11 different things; 10 are enough"):
        check_market(game)


def test_a_card_too_many_or_too_few_is_noticed() -> None:
    for change in (1, -1):
        game = a_game()
        game.state.deck[game.notation.numbers["mine"]] += change
        with pytest.raises(AssertionError, match="not those of the box"):
            check_material(game)


def test_a_mirror_notices_what_no_event_told() -> None:
    game = a_game()
    mirror = Mirror(game)
    game.state.coins[2] += 1
    assert mirror.differences(game) == [
        f"the coins: the events tell {mirror.coins}, the game has {[game.coins(seat) for seat in range(3)]}"
    ]


@pytest.mark.parametrize(
    "lie",
    [
        e.Paid(0, None, 9999, 9999, "price", 1),  # more than the purse holds
        e.Paid(None, 0, 2, 3, "mine", 1),  # the bank always pays in full
        e.Paid(None, 0, 0, 0, "mine", 1),  # nothing
        e.Built(0, "diamine", 6),  # not in this market
        e.HandedOver(0, 1, "tuna_boat", closed=False, cause="business_center"),
        e.Reopened(0, "bakery", 1),
        e.Demolished(0, "airport", "demolition_company"),
        e.Invested(0, 7),
    ],
)
def test_a_mirror_refuses_an_event_that_cannot_be(lie: e.Event) -> None:
    with pytest.raises(AssertionError):
        Mirror(a_game()).hear([lie])
