"""What pays for something else: products of counts, which layers of sums can only approach with effort.

A cheese factory pays for each ranch, a shopping mall for each café, a publisher for what the others have.
All this is in the cards' data; here each such pair of counts gets a name, by which it is reckoned::

    me.owned.cheese_factory * me.owned.ranch
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from dicetown.material.model import Bonus, CollectEach, Establishment, GameMaterial, Income, Per
from dicetown.rules.codes import MAX_PLAYERS
from dicetown.sight.spec import seen_seats

_TIMES, _AND = " * ", " + "
_SEATS = seen_seats(MAX_PLAYERS)

#: What is counted and multiplied: the names of two sums.
Factors = tuple[tuple[str, ...], tuple[str, ...]]


def products_of(game: GameMaterial) -> Iterator[str]:
    """The names of all products that the cards of a game pay for, for every seat.

    >>> from dicetown.material import load
    >>> next(products_of(load().games["classic"]))
    'me.owned.cheese_factory * me.owned.ranch'
    """
    for seat in _SEATS:
        for card in game.establishments.values():
            if isinstance(card.effect, Income | CollectEach) and card.effect.per:
                yield _name([f"{seat}.owned.{card.id}"], _counted(game, card.effect.per, seat))
        for landmark in game.landmarks.values():
            builders = _SEATS if landmark.reach == "all" else (seat,)
            built = [f"{builder}.built.{landmark.id}" for builder in builders]
            if isinstance(landmark.effect, Bonus):
                paid = _with_icon(game, landmark.effect.icons)
                yield _name(built, [f"{seat}.owned.{card.id}" for card in paid])
            elif isinstance(landmark.effect, CollectEach) and landmark.effect.per:
                yield _name(built, _counted(game, landmark.effect.per, seat))


def factors_of(product: str) -> Factors:
    """What is counted on either side of a product, by its name.

    >>> factors_of("me.built.mall * me.owned.cafe + me.owned.bakery")
    (('me.built.mall',), ('me.owned.cafe', 'me.owned.bakery'))
    """
    one, other = product.split(_TIMES)
    return tuple(one.split(_AND)), tuple(other.split(_AND))


def _name(one: Iterable[str], other: Iterable[str]) -> str:
    return _TIMES.join(map(_AND.join, (one, other)))


def _counted(game: GameMaterial, per: Per, seat: str) -> list[str]:
    """What an effect counts, and in whose cities."""
    others = [other for other in _SEATS if other != seat]
    cities = {"own": [seat], "everyone": [seat, *others], "theirs": others}[per.of]
    if per.landmarks:
        return [f"{city}.built.{landmark}" for city in cities for landmark in game.landmarks]
    cards = [*_with_icon(game, per.icons), *(game.establishments[card] for card in per.cards)]
    return [f"{city}.owned.{card.id}" for city in cities for card in cards]


def _with_icon(game: GameMaterial, icons: Iterable[str]) -> list[Establishment]:
    return [card for card in game.establishments.values() if card.icon in icons]
