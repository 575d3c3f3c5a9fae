"""Tests that come with the package, for whoever adds a card, an edition, a bot or an environment.

*Strategies* draw rulesets and games for Hypothesis; *checks* say what must hold in every game; a *mirror*
follows a game by its events alone. Together they try an edition of your own in three lines::

    from hypothesis import given
    from dicetown.testing import check_game, seeds, setups

    @given(setups(material=my_material), seeds())
    def test_my_edition_keeps_the_books(setup, seed):
        check_game(setup.new_game(seed))

Only the strategies need Hypothesis; it is imported when the first one is asked for.

>>> from dicetown import Game, Ruleset
>>> check_game(Game(Ruleset("neue_stadt", house={"max_turns": 9}), players=3, seed=4), seed=4)
"""

from typing import TYPE_CHECKING, Any

from dicetown.testing.checks import (
    check_cities,
    check_game,
    check_market,
    check_material,
    check_purses,
    differing_fields,
    discarded_in,
    material_in,
    material_of,
)
from dicetown.testing.mirror import Mirror
from dicetown.testing.play import Setup, play_randomly, random_move

if TYPE_CHECKING:
    from dicetown.testing.strategies import games, rulesets, seeds, setups

__all__ = [
    "Mirror",
    "Setup",
    "check_cities",
    "check_game",
    "check_market",
    "check_material",
    "check_purses",
    "differing_fields",
    "discarded_in",
    "games",
    "material_in",
    "material_of",
    "play_randomly",
    "random_move",
    "rulesets",
    "seeds",
    "setups",
]


def __getattr__(name: str) -> Any:
    if name not in ("games", "rulesets", "seeds", "setups"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        from dicetown.testing import strategies
    except ImportError as problem:
        raise ImportError(
            f"dicetown.testing.{name} is a Hypothesis strategy, but {problem.name} is not installed; "
            'install it with "pip install hypothesis".'
        ) from None
    return getattr(strategies, name)
