"""What is written down of a game, against the same game told anew."""

import re
import sys
import threading

import numpy as np
import pytest
from tests.lab.retelling import Retold

from dicetown import Ruleset
from dicetown.arena.contests.match import Match
from dicetown.bots import make_bot
from dicetown.errors import LabError
from dicetown.lab.record.bulk import RecordingTable, Rows
from dicetown.lab.record.sample import Sample, name_sample
from dicetown.lab.record.stepped import SteppedTable
from dicetown.playout.table import BotTable, ready, table_for
from dicetown.rules.codes import MAX_CARDS

BASE = Ruleset("deluxe", sets=["base"])
EDITIONS = ["ciudad", "deluxe", "grossstadt", "neue_stadt"]
#: Bots that meet every card, and do all that can be done with it.
WILD = ("random", "greedy:slips=300", "random")


@pytest.fixture(scope="module", autouse=True)
def _compile_first() -> None:
    ready()


def sample(ruleset: Ruleset = BASE, bots: tuple[str, ...] = ("greedy",), players: int = 4) -> Sample:
    return name_sample(ruleset, players, bots, seed=7, games=100)


def same(one: Rows, other: Rows) -> bool:
    return all(
        np.array_equal(getattr(one, table), getattr(other, table))
        for table in ("games", "players", "purchases")
    )


@pytest.mark.parametrize("edition", EDITIONS)
def test_rows_say_what_the_game_itself_says(edition: str) -> None:
    wild = sample(Ruleset(edition), WILD, players=3)
    rows = RecordingTable(wild).record(3, 4)
    told = [Retold(wild, number) for number in range(3, 7)]
    purchases = iter(rows.purchases)
    for place, one in enumerate(told):
        check_game(rows.games[place], one)
        for seat in range(3):
            check_player(rows.players[3 * place + seat], one, seat)
        for purchase in one.purchases:
            row = next(purchases)
            assert (row["game"], row["seat"]) == (one.number, purchase.seat)
            assert row["thing"] == one.numbers[purchase.thing]
            assert (row["turn"], row["copy"], row["price"]) == (purchase.turn, purchase.copy, purchase.price)
            assert bool(row["won"]) == (one.game.winner == purchase.seat)
            brought = one.brought[purchase.seat, purchase.thing] - purchase.before
            assert row["earned"] == pytest.approx(float(brought))
    assert next(purchases, None) is None


def check_game(row: np.void, told: Retold) -> None:
    game = told.game
    assert (row["game"], row["turns"], row["decisions"]) == (told.number, game.turns, told.decisions)
    assert row["winner"] == (-1 if game.winner is None else game.winner)
    assert not row["endless"]
    half = told.worths[game.turns // 2]
    assert row["half_leader"] == half.index(max(half))
    if game.winner is None:
        assert row["half_rank_of_winner"] == -1
    else:
        assert row["half_rank_of_winner"] == sum(worth > half[game.winner] for worth in half)
    assert row["endgame"] == (-1 if told.nearly is None else game.turns - told.nearly)


def check_player(row: np.void, told: Retold, seat: int) -> None:
    game = told.game
    assert (row["game"], row["seat"], row["bot"]) == (told.number, seat, seat)
    assert bool(row["won"]) == (game.winner == seat)
    assert row["coins"] == game.coins(seat)
    assert row["landmarks"] == len(game.landmarks(seat))
    assert row["cards"] == sum(game.cards(seat).values())
    for figure in ("earned", "paid", "rolls", "own_turns", "could_choose", "two_dice", "first_two_dice"):
        assert row[figure] == getattr(told, figure)[seat], figure
    bought = [one for one in told.purchases if one.seat == seat]
    opening = [told.numbers[one.thing] for one in bought[:3]]
    assert [row["first"], row["second"], row["third"]] == [*opening, -1, -1, -1][:3]
    marks = [one for one in bought if told.numbers[one.thing] >= MAX_CARDS]
    assert row["first_landmark"] == (told.numbers[marks[0].thing] - MAX_CARDS if marks else -1)
    assert row["first_landmark_turn"] == (marks[0].turn if marks else 0)


def test_a_recorded_game_is_the_simulated_game() -> None:
    plain = BotTable(BASE, ["greedy", "random", "cheese", "planner"], seed=7).play(50, 30)
    rows = RecordingTable(sample(bots=("greedy", "random", "cheese", "planner"))).record(50, 30)
    for figure in ("winner", "turns", "decisions"):
        assert rows.games[figure].tolist() == plain[figure].tolist()


def test_it_does_not_matter_how_games_are_cut_into_pieces() -> None:
    whole = RecordingTable(sample()).record(0, 40)
    table = RecordingTable(sample())
    pieces = [table.record(0, 13), table.record(13, 1), table.record(14, 26)]
    assert same(whole, Rows.joined(pieces))


def test_room_is_made_for_as_many_purchases_as_there_are() -> None:
    cramped = RecordingTable(sample())
    cramped._room = 3
    assert same(RecordingTable(sample()).record(0, 25), cramped.record(0, 25))


def test_a_game_without_a_winner_has_nobody_who_was_behind() -> None:
    short = Ruleset("deluxe", sets=["base"], house={"max_turns": 15})
    rows = RecordingTable(sample(short)).record(0, 10)
    assert set(rows.games["winner"]) == {-1}
    assert set(rows.games["half_rank_of_winner"]) == {-1}
    assert not rows.players["won"].any()
    assert not rows.purchases["won"].any()


def test_move_by_move_the_arenas_games_are_recorded() -> None:
    bots = ("search:playouts=3:threads=1", "greedy:slips=100")
    thinking = sample(bots=bots, players=2)
    rows = SteppedTable(thinking, threading.Event()).record(5, 2)
    assert rows is not None
    for row in rows.games:
        played = Match(BASE, [make_bot(bot) for bot in bots], 7, int(row["game"])).play()
        assert played is not None
        assert (row["winner"], row["turns"]) == (played.winner, played.turns)
        assert row["decisions"] == sum(played.choices)


def test_move_by_move_or_in_bulk_the_same_is_seen() -> None:
    """Greedy bots draw no numbers of their own, so their games are the same in both ways."""
    greedy = sample(Ruleset("grossstadt"), players=3)
    stepped = SteppedTable(greedy, threading.Event()).record(0, 3)
    assert stepped is not None
    assert same(RecordingTable(greedy).record(0, 3), stepped)


def test_a_bot_that_fails_is_named_with_the_game() -> None:
    silent = f"pipe:{sys.executable} -c pass"
    table = SteppedTable(sample(bots=(silent, "greedy"), players=2), threading.Event())
    with pytest.raises(LabError, match=rf'^The bot "{re.escape(silent)}" failed in game 3: '):
        table.record(3, 1)
    table.close()


def test_a_table_that_is_called_off_gives_nothing() -> None:
    stop = threading.Event()
    stop.set()
    assert SteppedTable(sample(), stop).record(0, 1) is None


@pytest.mark.parametrize("edition", ["deluxe", "neue_stadt"])
def test_what_networks_choose_many_at_once_is_written_down_as_if_each_game_were_played_alone(
    edition: str,
) -> None:
    champions = sample(Ruleset(edition), ("champion",), players=3)
    alone = SteppedTable(champions, threading.Event()).record(3, 2)
    assert alone is not None
    assert same(RecordingTable(champions).record(3, 2), alone)


def test_networks_and_bots_that_follow_rules_share_a_table() -> None:
    bots = ("beginner", "greedy:slips=200", "champion", "random")
    mixed, plain = sample(bots=bots), table_for(BASE, bots, 7).play(5, 20)
    cramped = RecordingTable(mixed)
    cramped._room = 3
    rows = cramped.record(5, 20)
    for figure in ("winner", "turns", "decisions"):
        assert rows.games[figure].tolist() == plain[figure].tolist()
    assert same(rows, RecordingTable(mixed).record(5, 20))
