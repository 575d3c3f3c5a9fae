"""What may come: what each total would bring everybody, and what one more card would earn."""

from __future__ import annotations

from dicetown.game import Game
from dicetown.game.preview import DIE, chance_with_one, chance_with_two
from dicetown.server import wire


def odds_of(game: Game) -> list[wire.Odds]:
    """For each total the player on turn can reach: its chance, and what it would bring everybody now.

    >>> odds = odds_of(Game(names=["Ana", "Ben"], seed=1))
    >>> [one.total for one in odds], odds[0].gains
    ([1, 2, 3, 4, 5, 6], [1, 1])
    """
    totals = game.totals()
    return [_odds_on(game, total, two_dice=len(totals) > DIE) for total in totals]


def _odds_on(game: Game, total: int, *, two_dice: bool) -> wire.Odds:
    seen = game.preview(total)
    return wire.Odds(
        total=total,
        one_die=chance_with_one(total),
        two_dice=chance_with_two(total) if two_dice else 0.0,
        gains=list(seen.gains),
        choice=seen.choice,
        average=seen.average,
    )


def worth_of(game: Game, seat: int, thing: str) -> wire.Worth:
    """What one more copy of a card would earn a player in a round of everybody's turns, on average."""
    one_die, two_dice = game.worth(thing, seat)
    return wire.Worth(thing=thing, one_die=one_die, two_dice=two_dice)
