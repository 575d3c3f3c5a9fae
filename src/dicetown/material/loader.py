"""Reads the boxes from their TOML files.

A folder of material holds ``editions.toml`` and any number of card files; a card file says which
``game`` its cards belong to. What things are called is joined from the languages (``names.toml``); a card of
your own (``extra``) may bring its names along.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, TypeVar

from msgspec.structs import replace

from dicetown.errors import MaterialError
from dicetown.material.box_checks import check_edition
from dicetown.material.catalogue import in_all_languages
from dicetown.material.checks import check_game, refuse
from dicetown.material.house import House
from dicetown.material.model import (
    Edition,
    EditionSet,
    Establishment,
    GameMaterial,
    Landmark,
    Material,
    Names,
    Part,
)
from dicetown.material.reading import listed, read, read_toml

EDITIONS = "editions.toml"
_opening = threading.Lock()  # whoever comes while the boxes are read waits for them
Card = TypeVar("Card", Establishment, Landmark)


class CardFile(Part, frozen=True):
    """A file of cards as written. The cards are read one by one, so that a sentence can name them."""

    game: str
    icons: tuple[str, ...] | dict[str, Names] = ()  # by id, or with names of their own
    establishment: tuple[dict[str, Any], ...] = ()
    landmark: tuple[dict[str, Any], ...] = ()


class EditionsFile(Part, frozen=True):
    """``editions.toml`` as written: defaults of house rules, and the boxes."""

    house: dict[str, dict[str, object]]
    edition: tuple[dict[str, Any], ...]


class Shelf:
    """The cards of one game while they are gathered, and where each id was read."""

    def __init__(self, game: str) -> None:
        self.game = game
        self.icons: dict[str, Names] = {}
        self.establishments: dict[str, Establishment] = {}
        self.landmarks: dict[str, Landmark] = {}
        self.icon_places: dict[str, str] = {}
        self.places: dict[str, str] = {}

    def add(self, cards: CardFile, file: str) -> None:
        """Put everything a file holds on the shelf; nothing may be there already."""
        own = cards.icons if isinstance(cards.icons, dict) else {}
        for icon in cards.icons:
            self._claim(icon, f'{file}, icon "{icon}"', self.icon_places)
            self.icons[icon] = own[icon] if icon in own else _called(f"icon.{icon}")
        for position, table in enumerate(cards.establishment, 1):
            card = self._read(Establishment, table, _place(file, "establishment", table, position))
            self.establishments[card.id] = card
        for position, table in enumerate(cards.landmark, 1):
            landmark = self._read(Landmark, table, _place(file, "landmark", table, position))
            self.landmarks[landmark.id] = landmark

    def _read(self, kind: type[Card], table: dict[str, Any], place: str) -> Card:
        card = read(kind, table, place)
        self._claim(card.id, place, self.places)
        return card if card.name else replace(card, name=_called(f"{self.game}.{card.id}"))

    def _claim(self, one: str, place: str, places: dict[str, str]) -> None:
        if one in places:
            raise refuse(place, f"the id is taken already by {places[one]}; choose another one")
        places[one] = place

    def checked(self) -> GameMaterial:
        """Return the game, if its cards agree with each other."""
        game = GameMaterial(
            id=self.game,
            icons=self.icons,
            establishments=self.establishments,
            landmarks=self.landmarks,
        )
        check_game(game, self.places, self.icon_places)
        return game


def load(folder: Path | None = None, extra: Sequence[Path] = ()) -> Material:
    """Read everything in the boxes, and check it.

    Without arguments: what Dicetown comes with, read once. ``folder`` replaces that; ``extra`` names
    card files that add to it. Raises :class:`~dicetown.errors.MaterialError` for a file that is wrong.

    >>> load().editions["deluxe"].name["de"]
    'Deluxe-Ausgabe'
    """
    if folder is None and not extra:
        with _opening:
            return _packaged()
    return _read(files("dicetown.material") if folder is None else folder, extra)


@cache
def _packaged() -> Material:
    return _read(files("dicetown.material"), ())


def _read(folder: Traversable | Path, extra: Sequence[Path]) -> Material:
    shelves: dict[str, Shelf] = {}
    for file in _card_files(folder):
        cards = read(CardFile, read_toml(file), file.name)
        shelves.setdefault(cards.game, Shelf(cards.game)).add(cards, file.name)
    for file in extra:
        cards = read(CardFile, read_toml(file), file.name)
        if cards.game not in shelves:
            raise refuse(file.name, f'"game" is "{cards.game}", accepted are {listed(shelves)}')
        shelves[cards.game].add(cards, file.name)
    games = {name: shelf.checked() for name, shelf in shelves.items()}
    return Material(games=games, editions=_editions(folder / EDITIONS, games))


def _card_files(folder: Traversable | Path) -> list[Traversable | Path]:
    """List every TOML file beside the editions, in alphabetical order."""
    if not folder.is_dir():
        raise MaterialError(
            f"{folder.name}: there is no such folder; name one with {EDITIONS} and card files."
        )
    cards = [file for file in folder.iterdir() if file.name.endswith(".toml") and file.name != EDITIONS]
    return sorted(cards, key=lambda file: file.name)


def _editions(file: Traversable | Path, games: dict[str, GameMaterial]) -> dict[str, Edition]:
    written = read(EditionsFile, read_toml(file), file.name)
    for game, rules in written.house.items():
        if game not in games:
            raise refuse(f"{file.name}, [house.{game}]", f"there is no such game, known are {listed(games)}")
        read(House, rules, f"{file.name}, [house.{game}]")
    editions: dict[str, Edition] = {}
    for position, table in enumerate(written.edition, 1):
        place = _place(file.name, "edition", table, position)
        edition = read(Edition, table, place)
        if edition.id in editions:
            raise refuse(place, "the id is taken already by another edition; choose another one")
        if edition.game not in games:
            raise refuse(place, f'"game" is "{edition.game}", accepted are {listed(games)}')
        editions[edition.id] = _completed(edition, written, place)
        check_edition(editions[edition.id], games[edition.game], place)
    return editions


def _completed(edition: Edition, written: EditionsFile, place: str) -> Edition:
    """Put the game's house rules under the edition's own, and names to it and its sets."""
    if edition.game not in written.house:
        raise refuse(place, f"there is no table [house.{edition.game}] with the house rules of its game")
    return replace(
        edition,
        name=edition.name or _called(f"edition.{edition.id}"),
        blurb=edition.blurb or _called(f"blurb.{edition.id}"),
        house=written.house[edition.game] | edition.house,
        sets=tuple(replace(part, name=part.name or _set_called(edition, part)) for part in edition.sets),
    )


def _called(key: str) -> Names:
    """What something is called, in every language; nothing, if the languages do not know it."""
    return in_all_languages("names", key)


def _set_called(edition: Edition, part: EditionSet) -> Names:
    """A box may have a name of its own for a set."""
    return _called(f"set.{edition.id}.{part.id}") or _called(f"set.{part.id}")


def _place(file: str, what: str, table: dict[str, Any], position: int) -> str:
    """Say where a card stands: its id if it has one, else which one it is."""
    return f'{file}, {what} "{table["id"]}"' if "id" in table else f"{file}, {what} number {position}"
