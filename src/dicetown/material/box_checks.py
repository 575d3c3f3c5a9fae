"""What types alone cannot say about a box: sets that hold something, rules that exist."""

from __future__ import annotations

from collections.abc import Iterable

from dicetown.material.checks import check_id, check_known, check_names, check_number, refuse
from dicetown.material.house import House
from dicetown.material.model import MARKETS, Edition, EditionSet, GameMaterial, MajorCopies
from dicetown.material.reading import listed, read

FEWEST_PLAYERS = 2
MOST_PLAYERS = 5


def check_edition(edition: Edition, game: GameMaterial, place: str) -> None:
    """Check one box, with its house rules merged and its sets named."""
    check_id(edition.id, "id", place)
    check_names(edition.name, "name", place)
    check_names(edition.blurb, "blurb", place)
    _check_players(edition, place)
    _check_copies_of_majors(edition.major_copies, place)
    for card in edition.starting_cards:
        check_known(card, "starting_cards", game.establishments, place)
    for card, cost in edition.costs.items():
        check_known(card, "costs", [*game.establishments, *game.landmarks], place)
        check_number(cost, f"costs.{card}", place)
    read(House, edition.house, f'{place}, "house"')
    if not edition.sets:
        raise refuse(place, f'"sets" is empty, accepted are {listed(_sets_in(game))}')
    _check_no_twins((part.id for part in edition.sets), place)
    for part in edition.sets:
        _check_set(part, edition, game, f'{place}, set "{part.id}"')


def _check_players(edition: Edition, place: str) -> None:
    check_number(edition.min_players, "min_players", place, FEWEST_PLAYERS, MOST_PLAYERS)
    check_number(edition.max_players, "max_players", place, FEWEST_PLAYERS, MOST_PLAYERS)
    if edition.min_players > edition.max_players:
        raise refuse(
            place,
            f'"min_players" is {edition.min_players} and "max_players" {edition.max_players}, '
            "but the lower number is min_players",
        )


def _check_copies_of_majors(copies: MajorCopies, place: str) -> None:
    check_number(copies.other, "major_copies.other", place, least=1)
    check_number(copies.five_players, "major_copies.five_players", place, least=1)
    for market, number in copies.by_market.items():
        check_known(market, "major_copies.by_market", MARKETS, place)
        check_number(number, f"major_copies.by_market.{market}", place, least=1)


def _check_no_twins(ids: Iterable[str], place: str) -> None:
    seen: set[str] = set()
    for one in ids:
        if one in seen:
            raise refuse(place, f'the set "{one}" is there twice; name each set once')
        seen.add(one)


def _check_set(part: EditionSet, edition: Edition, game: GameMaterial, place: str) -> None:
    holds = _sets_in(game)
    if part.id not in holds:
        raise refuse(place, f"no card or landmark has this set, accepted are {listed(holds)}")
    check_names(part.name, "name", place)
    for landmark in part.landmarks:
        check_known(landmark, "landmarks", game.landmarks, place)
    for card in (*part.replaces, *part.replaces.values()):
        check_known(card, "replaces", game.establishments, place)
    check_number(part.max_players, "max_players", place, edition.min_players, MOST_PLAYERS)
    read(House, edition.house | part.house, f'{place}, "house"')


def _sets_in(game: GameMaterial) -> list[str]:
    """List the sets that bring a card or a landmark, in the order of the cards."""
    sets = [card.set for card in game.establishments.values()]
    return list(dict.fromkeys(sets + [landmark.set for landmark in game.landmarks.values()]))
