"""What types alone cannot say about a card: ids that exist, numbers that make sense.

Each check raises a :class:`MaterialError` whose sentence opens with the place (file and card) and
ends with what would be accepted. The editions have their own checks in ``box_checks``.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from difflib import get_close_matches

from dicetown.errors import MaterialError
from dicetown.languages import LANGUAGES
from dicetown.material.model import (
    Effect,
    Establishment,
    GameMaterial,
    Landmark,
    LandmarkEffect,
    Names,
    OwnerNeeds,
    Per,
    kind_of,
)
from dicetown.material.reading import listed

MOST_ESTABLISHMENTS = 48
MOST_LANDMARKS = 24
HIGHEST_ROLL = 14  # 12 with two dice, and Harbor's 2
SHORT_LIST = 12  # as much as a sentence can list
MOST_OF_ANYTHING = 99  # coins or copies: the engine counts in small numbers, and a larger one is a slip

EFFECTS_OF_COLOUR = {
    "blue": ("income", "tuna"),
    "green": ("income", "demolish", "move", "loan"),
    "red": ("fee",),
    "purple": ("collect_each", "collect_one", "swap", "tax", "share", "renovate", "startup", "convention"),
}
EFFECTS_ON_BUILDING = ("collect_each", "tax", "share", "extra_turn")


def refuse(place: str, sentence: str) -> MaterialError:
    """Make the error to raise; every sentence of a check is put together here."""
    return MaterialError(f"{place}: {sentence}.")


# ----------------------------------------------------------------- words and numbers


def check_id(word: str, field: str, place: str) -> None:
    """Keep ids plain words: they are written in moves (``build cafe``) and files."""
    if not re.fullmatch(r"[a-z][a-z0-9_]*", word):
        raise refuse(place, f'"{field}" is "{word}", but must be small letters, digits and _ only')


def check_names(names: Names, field: str, place: str) -> None:
    """Look for a name in every language, and in no other."""
    for language in LANGUAGES:
        if not names.get(language, "").strip():
            raise refuse(place, f'"{field}" has no text for "{language}"; give {listed(LANGUAGES)}')
    for other in names:
        if other not in LANGUAGES:
            raise refuse(place, f'"{field}" has a text for "{other}"; known are {listed(LANGUAGES)}')


def check_number(
    number: object, field: str, place: str, least: int = 0, most: int = MOST_OF_ANYTHING
) -> None:
    """Keep whatever is a number in its range; ``"all"`` and its like are not looked at."""
    if isinstance(number, int) and not least <= number <= most:
        raise refuse(place, f'"{field}" is {number}, accepted is {least} to {most}')


def check_known(word: str, field: str, known: Collection[str], place: str) -> None:
    """Make sure that a word names something that exists."""
    if word not in known:
        raise refuse(place, f'"{field}" names "{word}", known are {_nearest(word, known)}')


def _nearest(word: str, known: Collection[str]) -> str:
    """List what is known; of a long list, what looks most like the word."""
    if len(known) <= SHORT_LIST:
        return listed(known)
    near = get_close_matches(word, known, n=5, cutoff=0)
    return f"{listed(near)} and {len(known) - len(near)} more"


# ----------------------------------------------------------------------------- games


def check_game(game: GameMaterial, places: dict[str, str], icon_places: dict[str, str]) -> None:
    """Check all cards of a game, each by itself and as one lot; the places say where each was read."""
    for icon, names in game.icons.items():
        check_id(icon, "id", icon_places[icon])
        check_names(names, "name", icon_places[icon])
    for card in game.establishments.values():
        check_establishment(card, game, places[card.id])
    for landmark in game.landmarks.values():
        check_landmark(landmark, game, places[landmark.id])
    _check_lot(game.establishments, "establishments", MOST_ESTABLISHMENTS, game.id)
    _check_lot(game.landmarks, "landmarks", MOST_LANDMARKS, game.id)


def _check_lot(cards: Collection[str], what: str, most: int, game: str) -> None:
    if len(cards) > most:
        last = list(cards)[-1]
        raise refuse(f'game "{game}"', f'there are {len(cards)} {what} up to "{last}", accepted are {most}')


def check_establishment(card: Establishment, game: GameMaterial, place: str) -> None:
    """Check one establishment."""
    check_id(card.id, "id", place)
    check_id(card.set, "set", place)
    check_names(card.name, "name", place)
    check_known(card.icon, "icon", game.icons, place)
    check_number(card.cost, "cost", place)
    _check_rolls(card.rolls, place)
    _check_copies(card, place)
    fitting = EFFECTS_OF_COLOUR[card.colour]
    if kind_of(card.effect) not in fitting:
        kind = kind_of(card.effect)
        raise refuse(
            place, f'a {card.colour} card cannot have the effect "{kind}", accepted are {listed(fitting)}'
        )
    _check_effect(card.effect, game, place)


def _check_rolls(rolls: tuple[int, ...], place: str) -> None:
    if len(rolls) not in (1, 2):
        raise refuse(
            place, f'"rolls" has {len(rolls)} entries, accepted are one number or a first and a last'
        )
    for roll in rolls:
        check_number(roll, "rolls", place, least=1, most=HIGHEST_ROLL)
    if rolls[0] > rolls[-1]:
        raise refuse(place, f'"rolls" is {list(rolls)}, but the lower number comes first')


def _check_copies(card: Establishment, place: str) -> None:
    if card.major and card.copies is not None:
        raise refuse(
            place, '"copies" is given, but for purple cards the edition says it (major_copies); leave it out'
        )
    if not card.major and card.copies is None:
        raise refuse(place, f'the field "copies" is missing; give 1 to {MOST_OF_ANYTHING}')
    check_number(card.copies, "copies", place, least=1)


def check_landmark(landmark: Landmark, game: GameMaterial, place: str) -> None:
    """Check one landmark."""
    check_id(landmark.id, "id", place)
    check_id(landmark.set, "set", place)
    check_names(landmark.name, "name", place)
    if len(landmark.cost) not in (1, 3):
        raise refuse(
            place,
            f'"cost" has {len(landmark.cost)} prices, accepted are one, or three for one\'s first to third',
        )
    for price in landmark.cost:
        check_number(price, "cost", place)
    _check_reach(landmark, place)
    _check_effect(landmark.effect, game, place)


def _check_reach(landmark: Landmark, place: str) -> None:
    """Keep apart what happens once, on building, and what lasts."""
    kind = kind_of(landmark.effect)
    at_once = kind in EFFECTS_ON_BUILDING
    if at_once != (landmark.reach == "once"):
        accepted = "once" if at_once else "own, all"
        raise refuse(place, f'"reach" is "{landmark.reach}" for the effect "{kind}", accepted are {accepted}')


# --------------------------------------------------------------------------- effects


def _check_effect(effect: Effect | LandmarkEffect, game: GameMaterial, place: str) -> None:
    """Check an effect by the names of its fields: they mean the same in every kind that has them."""
    for field in effect.__struct_fields__:
        value, name = getattr(effect, field), f"effect.{field}"
        check_number(value, name, place)
        if isinstance(value, Per):
            _check_per(value, _counted_by(effect), game, place)
        elif isinstance(value, OwnerNeeds):
            _check_owner_needs(value, game, place)
        elif field == "roller_needs" and value is not None:
            check_number(value.landmarks_at_least, f"{name}.landmarks_at_least", place, 1, MOST_LANDMARKS)
        elif field == "icons":
            _check_all_known(value, name, game.icons, place)
        elif field == "landmark" and value is not None:
            check_known(value, name, game.landmarks, place)
        elif field in ("total", "least"):
            check_number(value, name, place, least=1, most=HIGHEST_ROLL)


def _counted_by(effect: Effect | LandmarkEffect) -> tuple[str, ...]:
    """Say whose cards may be counted: where opponents pay, theirs; where the bank pays, other ones."""
    return ("theirs",) if kind_of(effect) == "collect_each" else ("own", "everyone")


def _check_per(per: Per, whose: tuple[str, ...], game: GameMaterial, place: str) -> None:
    if [bool(per.icons), bool(per.cards), per.landmarks].count(True) != 1:
        raise refuse(place, '"effect.per" must count one thing, accepted are icons, cards or landmarks')
    if per.of not in whose:
        raise refuse(place, f'"effect.per.of" is "{per.of}", accepted here are {listed(whose)}')
    if per.landmarks and per.of != "theirs":
        raise refuse(
            place, '"effect.per.landmarks" counts the landmarks of those who pay, accepted is of = "theirs"'
        )
    for icon in per.icons:
        check_known(icon, "effect.per.icons", game.icons, place)
    for card in per.cards:
        check_known(card, "effect.per.cards", game.establishments, place)


def _check_owner_needs(needs: OwnerNeeds, game: GameMaterial, place: str) -> None:
    if (needs.landmark is None) == (needs.landmarks_below is None):
        raise refuse(
            place, '"effect.owner_needs" must ask for one thing, accepted are landmark or landmarks_below'
        )
    if needs.landmark is not None:
        check_known(needs.landmark, "effect.owner_needs.landmark", game.landmarks, place)
    check_number(needs.landmarks_below, "effect.owner_needs.landmarks_below", place, 1, MOST_LANDMARKS)


def _check_all_known(words: Iterable[str], field: str, known: Collection[str], place: str) -> None:
    words = tuple(words)
    if not words:
        raise refuse(place, f'"{field}" is empty, accepted are {listed(known)}')
    for word in words:
        check_known(word, field, known, place)
