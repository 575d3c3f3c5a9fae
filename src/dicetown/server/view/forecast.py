"""What may come: what each total would bring everybody, and what one more card would earn."""

from __future__ import annotations

from collections.abc import Iterator

from dicetown.errors import IllegalAction
from dicetown.game import Game
from dicetown.game.preview import look_ahead
from dicetown.rules import codes as c
from dicetown.rules.choices import may_roll_two
from dicetown.rules.city import power
from dicetown.rules.layout import copy
from dicetown.server import wire

DIE = 6
TWO_DICE = 2 * DIE


def chance_with_one(total: int) -> float:
    """How likely a total is with one die.

    >>> chance_with_one(6) == 1 / 6, chance_with_one(7)
    (True, 0.0)
    """
    return 1 / DIE if 1 <= total <= DIE else 0.0


def chance_with_two(total: int) -> float:
    """How likely a total is with two dice.

    >>> chance_with_two(7) == 1 / 6, chance_with_two(1), chance_with_two(12) == 1 / 36
    (True, 0.0, True)
    """
    return max(DIE - abs(total - DIE - 1), 0) / DIE**2


def odds_of(game: Game) -> list[wire.Odds]:
    """For each total the player on turn can reach: its chance, and what it would bring everybody now.

    Nothing where nobody rolls: in the start rounds, and when the game is over.

    >>> odds = odds_of(Game(names=["Ana", "Ben"], seed=1))
    >>> [one.total for one in odds], odds[0].gains
    ([1, 2, 3, 4, 5, 6], [1, 1])
    """
    if game.over or game.state.start_left:
        return []
    two = may_roll_two(game.tables, game.state)
    return [_odds_on(game, total, two) for total in _totals(game, two)]


def _totals(game: Game, two: bool) -> range:
    """The totals that the player on turn can reach; a Harbor reaches beyond two dice."""
    if not two:
        return range(1, DIE + 1)
    return range(1, TWO_DICE + power(game.tables, game.state, game.turn, c.POWER_ADD) + 1)


def _odds_on(game: Game, total: int, two: bool) -> wire.Odds:
    seen = game.preview(total)
    return wire.Odds(
        total=total,
        one_die=chance_with_one(total),
        two_dice=chance_with_two(total) if two else 0.0,
        gains=list(seen.gains),
        choice=seen.choice,
        average=seen.average,
    )


# ------------------------------------------------------------------------- what a card earns


def worth_of(game: Game, seat: int, thing: str) -> wire.Worth:
    """What one more copy of a card would earn a player in a round of everybody's turns, on average.

    It is the difference that the card makes to every roll of everybody, as the table stands now: purses,
    cities and closed cards included, rerolls and a Harbor's addition left aside.

    >>> worth = worth_of(Game(names=["Ana", "Ben"], seed=1), 0, "wheat_field")
    >>> round(worth.one_die, 3), worth.two_dice
    (0.333, 0.0)
    """
    number = game.notation.numbers.get(thing)
    if number is None:
        raise IllegalAction(f'"{thing}" is no card or landmark of this game.')
    with_it = copy(game.state)
    if number < c.MAX_CARDS:
        with_it.owned[seat, number] += 1
    else:
        with_it.built[seat] |= 1 << (number - c.MAX_CARDS)
    one_die = two_dice = 0.0
    for roller, total in _rolls_that_matter(game, number):
        before, after = copy(game.state), copy(with_it)
        before.turn = after.turn = roller
        seen = (look_ahead(game.tables, state, total).gains[seat] for state in (before, after))
        gain = -next(seen) + next(seen)
        one_die += gain * chance_with_one(total)
        two_dice += gain * chance_with_two(total)
    return wire.Worth(thing=thing, one_die=one_die, two_dice=two_dice)


def _rolls_that_matter(game: Game, number: int) -> Iterator[tuple[int, int]]:
    """The rollers and totals for which a thing may make a difference."""
    landmark = number >= c.MAX_CARDS
    totals = set(range(1, TWO_DICE + 1)) if landmark else _totals_that_matter(game, number)
    for total in sorted(totals):
        if total <= TWO_DICE:
            yield from ((roller, total) for roller in range(game.players))


def _totals_that_matter(game: Game, card: int) -> set[int]:
    """The totals on which a card acts, or another that counts it."""
    t = game.tables
    cards = [card] + [one for one in range(int(t.cards)) if card in t.counted[one, : int(t.n_counted[one])]]
    return {total for one in cards for total in range(int(t.first_roll[one]), int(t.last_roll[one]) + 1)}
