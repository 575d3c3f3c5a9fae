"""The same seed gives the same game; other seeds give others."""

from random import Random

from hypothesis import given
from tests.properties.effort import examples

from dicetown import Game, Ruleset
from dicetown.testing import Setup, play_randomly, seeds, setups


@given(setups(), seeds())
def test_the_same_seed_and_the_same_choices_give_the_same_game(setup: Setup, seed: int) -> None:
    one, other = setup.new_game(seed), setup.new_game(seed)
    for game in (one, other):
        play_randomly(game, Random(seed), 60)
    assert one.save() == other.save()
    assert one.events == other.events


@examples(20)
@given(seeds())
def test_other_seeds_give_other_games(seed: int) -> None:
    """Two seeds that deal the same ten cards are one in very many."""
    deals = {Game(Ruleset("ciudad"), seed=seed ^ bit).save() for bit in (0, 1, 1 << 31, 1 << 32, 1 << 62)}
    assert len(deals) == 5


def test_without_a_seed_games_differ_but_say_theirs() -> None:
    game = Game(Ruleset("neue_stadt"))
    assert Game(Ruleset("neue_stadt"), seed=game.seed).save() == game.save()
    assert Game(Ruleset("neue_stadt")).seed != game.seed


def test_undoing_and_playing_again_does_not_change_the_dice() -> None:
    game = Game(Ruleset("neue_stadt", house={"start_rounds": 0}), seed=11)
    first = game.play("roll 2")
    for _ in range(3):
        game.undo()
        assert game.play("roll 2") == first
