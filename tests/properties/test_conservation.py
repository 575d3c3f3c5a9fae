"""Nothing appears from nowhere and nothing gets lost: coins, cards, landmarks, rows."""

import numpy as np
from hypothesis import given
from tests.properties.walks import walk

from dicetown.game.events import Closed, Invested, Paid, Reopened
from dicetown.rules.layout import copy
from dicetown.rules.market import count_rows
from dicetown.testing import (
    Mirror,
    Setup,
    check_cities,
    check_game,
    check_market,
    check_material,
    check_purses,
    discarded_in,
    material_in,
    material_of,
    seeds,
    setups,
)


@given(setups(), seeds())
def test_nobody_ever_has_less_than_no_coins(setup: Setup, seed: int) -> None:
    for game, _, _ in walk(setup, seed):
        check_purses(game)
        assert not game.state.coins[game.players :].any(), "an empty seat has a purse"


@given(setups(), seeds())
def test_every_card_and_landmark_of_the_box_stays_in_the_game(setup: Setup, seed: int) -> None:
    for game, move, _ in walk(setup, seed):
        if move is None:
            assert material_in(game) == material_of(setup.ruleset, setup.players)
        check_material(game)


@given(setups(), seeds())
def test_cards_leave_the_game_only_where_dead_purple_stacks_are_discarded(setup: Setup, seed: int) -> None:
    purple = {card.id for card in setup.ruleset.cards if card.major}
    for game, _, events in walk(setup, seed):
        gone = discarded_in(events)
        assert set(gone) <= purple
        assert not gone or setup.ruleset.rules.discard_dead_majors
        for card in gone:
            limit = setup.ruleset.rules.major_limit
            assert limit != "none"
            assert all(game.cards(seat).get(card, 0) >= limit for seat in range(game.players))


@given(setups(), seeds())
def test_only_owned_copies_are_closed_and_no_purple_one_is(setup: Setup, seed: int) -> None:
    for game, _, events in walk(setup, seed):
        check_cities(game)
        moved = [event for event in events if isinstance(event, Closed | Reopened)]
        assert all(event.copies > 0 for event in moved)


@given(setups(), seeds())
def test_every_row_holds_its_number_of_different_cards_while_its_deck_lasts(setup: Setup, seed: int) -> None:
    for game, _, _ in walk(setup, seed):
        check_market(game)


@given(setups(), seeds())
def test_the_counts_kept_beside_the_market_equal_a_recount(setup: Setup, seed: int) -> None:
    for game, _, _ in walk(setup, seed):
        recounted = copy(game.state)
        count_rows(game.tables, recounted)
        assert np.array_equal(recounted.row_types, game.state.row_types)
        assert np.array_equal(recounted.row_deck, game.state.row_deck)


@given(setups(), seeds())
def test_payments_and_investments_explain_every_coin(setup: Setup, seed: int) -> None:
    purses = [setup.ruleset.rules.start_coins] * setup.players
    for game, _, events in walk(setup, seed):
        for event in events:
            if isinstance(event, Paid):
                if event.payer is not None:
                    purses[event.payer] -= event.coins
                if event.receiver is not None:
                    purses[event.receiver] += event.coins
                assert event.payer != event.receiver
            elif isinstance(event, Invested):
                purses[event.seat] -= 1
        assert purses == [game.coins(seat) for seat in range(game.players)]


@given(setups(), seeds())
def test_coins_between_players_do_not_change_what_all_have_together(setup: Setup, seed: int) -> None:
    wealth = setup.ruleset.rules.start_coins * setup.players
    for game, _, events in walk(setup, seed):
        for event in events:
            if isinstance(event, Paid):
                wealth += event.coins * ((event.payer is None) - (event.receiver is None))
        everything = sum(game.coins(seat) + game.invested(seat) for seat in range(game.players))
        assert everything == wealth  # R27: an invested coin is out of reach, not out of the count


@given(setups(), seeds())
def test_invested_coins_never_come_back(setup: Setup, seed: int) -> None:
    before = [0] * setup.players
    for game, _, events in walk(setup, seed):
        invested = [game.invested(seat) for seat in range(game.players)]
        grown = [new - old for new, old in zip(invested, before, strict=True)]
        assert all(more in (0, 1) for more in grown)
        assert sum(grown) == sum(isinstance(event, Invested) for event in events)
        before = invested


@given(setups(), seeds())
def test_the_events_alone_tell_how_the_board_lies(setup: Setup, seed: int) -> None:
    mirror: Mirror | None = None
    for game, move, events in walk(setup, seed):
        if mirror is None or move is None:
            mirror = Mirror(game)
        else:
            mirror.hear(events)
        assert mirror.differences(game) == []


@given(setups(), seeds())
def test_a_game_with_automatic_chance_passes_all_checks(setup: Setup, seed: int) -> None:
    check_game(setup.new_game(seed), seed, steps=100)
