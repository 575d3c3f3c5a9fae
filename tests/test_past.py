"""The past of a game takes little room, and nothing of it is lost."""

import sys
from random import Random

import pytest

from dicetown import Game, Ruleset
from dicetown.game.events import Paid
from dicetown.game.history import as_it_stood, stages
from dicetown.game.notation import Action
from dicetown.game.past import EventLog
from dicetown.rules.codes import EVENT_PAY
from dicetown.testing import random_move

#: Position, number of moves and of events, random numbers, legal actions, round.
Look = tuple[str, int, int, bytes, list[Action], int]


def long_game(chance: str, moves: int = 150) -> tuple[Game, list[Look]]:
    """A game, and how it looked before each move."""
    game = Game(Ruleset("grossstadt"), players=3, seed=5, chance=chance)  # type: ignore[arg-type]
    looks, luck = [], Random(5)
    for _ in range(moves):
        looks.append(look(game))
        game.play(random_move(game, luck))
    return game, looks


def look(game: Game) -> Look:
    return game.position(), len(game.moves), len(game.events), game._luck, game.legal_actions(), game.round


@pytest.mark.parametrize("chance", ["auto", "manual"])
def test_every_moment_can_be_gone_back_to(chance: str) -> None:
    game, looks = long_game(chance)
    for before in reversed(looks):
        game.undo()
        assert look(game) == before
    assert not game.can_undo


def test_going_back_and_forth_is_the_same_as_never_having_gone() -> None:
    game, luck = Game(Ruleset("deluxe"), players=2, seed=3, chance="manual"), Random(3)
    for _ in range(60):
        for _ in range(luck.randrange(8)):
            game.play(random_move(game, luck))
        for _ in range(luck.randrange(4)):
            if game.can_undo:
                game.undo()
    plain = Game(Ruleset("deluxe"), players=2, seed=3, chance="manual")
    for move in game.moves:
        plain.play(move)
    assert len(plain.moves) > 60
    assert (look(plain), plain.moves, plain.events) == (look(game), game.moves, game.events)
    for mine, other in zip(stages(game), stages(plain), strict=True):
        assert (mine.moves, mine.events) == (other.moves, other.events)
        assert mine.state.array.tobytes() == other.state.array.tobytes()


def test_a_stored_game_goes_on_as_the_one_it_was() -> None:
    game, looks = long_game("auto")
    again = Game.restored(game.ruleset, game.names, game.stored())
    luck, other = Random(1), Random(1)
    for _ in range(10):
        game.play(random_move(game, luck))
        again.play(random_move(again, other))
        assert look(game) == look(again)
    for _ in range(10 + len(looks)):
        again.undo()
    assert look(again) == looks[0]


def test_looking_back_finds_every_moment() -> None:
    game, looks = long_game("manual")
    for stage, (position, moves, events, *_) in zip(stages(game), looks, strict=False):
        then = as_it_stood(game, moves)
        assert (then.position(), len(then.moves), len(then.events)) == (position, moves, events)
        assert then.state.array.tobytes() == stage.state.array.tobytes()


def test_a_past_takes_little_room() -> None:
    game, _ = long_game("manual", 200)
    stored = game.stored()
    size = sum(map(sys.getsizeof, [stored.state, stored.moves, *stored.events, stored.past.moves]))
    size += sum(sys.getsizeof(state) for _, state in [*stored.past.kept, *stored.past.luck])
    assert size < 100 * len(game.moves)  # and not 3,000


def test_a_log_holds_more_coins_than_most_games_have() -> None:
    game = Game(Ruleset("deluxe"), players=2, seed=1)
    heard = EventLog(game.notation)
    for coins in (5, 300, 40_000, -40_000, 7):
        heard.hear([EVENT_PAY, 0, 1, coins, 0, 1, coins])
    assert [event.coins for event in heard if isinstance(event, Paid)] == [5, 300, 40_000, -40_000, 7]
    assert heard.first(2) == heard[:2]
    assert heard.of_rows(heard.rows(1, 3)) == heard[1:3]
    heard.cut(1)
    assert len(heard) == 1
    with pytest.raises(IndexError):
        heard[1]
