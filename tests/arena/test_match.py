"""One game between bots of any kind."""

import pytest
from tests.arena.failing import Failing, Steady

from dicetown import Ruleset
from dicetown.arena.contests import match
from dicetown.arena.contests.match import Match, Played
from dicetown.bots import Bot, make_bot
from dicetown.playout.table import BotTable, ready
from dicetown.rules.codes import NOBODY

BASE = Ruleset("deluxe", sets=["base"])


@pytest.fixture(scope="module", autouse=True)
def _compile_first() -> None:
    ready()


def play(*bots: Bot, seed: int = 1, game: int = 0, ruleset: Ruleset = BASE) -> Played:
    played = Match(ruleset, bots, seed, game).play()
    assert played is not None
    return played


@pytest.mark.parametrize("edition", ["ciudad", "deluxe", "grossstadt", "neue_stadt"])
def test_move_by_move_or_in_bulk_it_is_the_same_game(edition: str) -> None:
    """Also with bots that draw numbers of their own: among themselves they draw them from the dice."""
    ruleset, bots = Ruleset(edition), ["greedy:slips=50", "random", "cheese"]
    bulk = BotTable(ruleset, bots, seed=5).play(10, 4)
    for number, result in enumerate(bulk, start=10):
        stepped = play(*map(make_bot, bots), seed=5, game=number, ruleset=ruleset)
        assert (stepped.winner, stepped.turns) == (result["winner"], result["turns"])
        assert sum(stepped.choices) == result["decisions"]


def test_a_game_is_the_same_every_time_and_another_with_another_seed() -> None:
    first, again, other = Steady(), Steady(), Steady()
    play(first, make_bot("random"), seed=1)
    play(again, make_bot("random"), seed=1)
    play(other, make_bot("random"), seed=2)
    assert first.seen == again.seen
    assert first.numbers == again.numbers
    assert first.seen != other.seen


def test_what_a_bot_draws_does_not_change_the_dice() -> None:
    """Beside a bot that thinks, random numbers of bots and dice have nothing to do with each other."""

    class Drawing(Steady):
        def choose(self, view, rng):
            rng.random()
            return super().choose(view, rng)

    first, drawing = Steady(), Drawing()
    play(first, Steady())
    play(drawing, Steady())
    assert first.seen == drawing.seen
    assert first.numbers != drawing.numbers


@pytest.mark.parametrize(
    ("how", "kind", "reason"),
    [
        ("illegal", "illegal", 'It chose "fly", which is not possible now.'),
        ("nothing", "illegal", 'It chose "None", which is not possible now.'),
        ("late", "late", "It did not choose within 0.15 s."),
        ("died", "died", "It ended with status 1."),
        ("failed", "failed", "The bot has lost its way."),
    ],
)
def test_a_bot_that_fails_has_lost_and_the_other_has_won(
    how: str, kind: str, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(match, "GRACE", 0.0)
    for bots, winner in (([Failing(how, 3), Steady()], 1), ([Steady(), Failing(how, 3)], 0)):
        played = play(*bots)
        (fault,) = played.faults
        assert played.winner == winner
        assert fault.seat == 1 - winner
        assert fault.kind == kind
        assert reason in fault.reason


def test_with_more_players_the_others_play_on() -> None:
    winners = set()
    for game in range(12):
        played = play(make_bot("greedy"), Failing("died", 2), make_bot("greedy"), game=game)
        assert played.faulty == {1}
        assert played.turns > 10
        winners.add(played.winner)
    assert winners == {0, 2, NOBODY}  # nobody, where the bot that took over was the first


def test_the_last_without_a_fault_has_won_and_where_all_fail_nobody() -> None:
    played = play(Failing("died", 1), Steady(), Failing("illegal", 9))
    assert played.winner == 1
    assert played.faulty == {0, 2}
    played = play(Failing("died", 4), Failing("died", 5))
    assert played.winner == 1  # it did not have to fail any more


def test_nobody_waits_for_a_game_that_is_not_wanted_any_more() -> None:
    asked = iter([False] * 5 + [True])
    assert Match(BASE, [Steady(), Steady()], 1, 0).play(lambda: next(asked)) is None


def test_a_drawn_game_has_no_winner() -> None:
    short = Ruleset("deluxe", sets=["base"], house={"max_turns": 10})
    played = play(Steady(), Steady(), ruleset=short)
    assert (played.winner, played.turns, played.faults) == (NOBODY, 10, [])


def test_thinking_is_timed() -> None:
    played = play(Steady(), make_bot("greedy"))
    assert min(played.choices) > 20
    assert min(played.seconds) > 0
