"""Changed cards: ``cafe.cost=3``, ``stadium.amount=3``, ``mine.rolls=8,9``.

A change goes through the material, as if the card had been printed so: it is read and checked by the same
model, and card texts, tables and bots follow by themselves.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from dicetown.errors import LabError, MaterialError
from dicetown.material import Establishment, GameMaterial, Landmark, Material, load
from dicetown.material.checks import check_establishment, check_landmark
from dicetown.material.reading import read
from dicetown.rules.ruleset import Ruleset
from dicetown.suggestions import did_you_mean

#: What stays as it is: these tell which card it is.
_FIXED = ("id", "set", "name")
_EFFECT = "effect"


def changed_ruleset(ruleset: Ruleset, changes: Sequence[str]) -> Ruleset:
    """The same edition, sets and house rules, with some cards changed.

    >>> base = Ruleset("deluxe", sets=["base"])
    >>> dear = changed_ruleset(base, ["convenience_store.cost=3"])
    >>> [card.cost for card in dear.cards if card.id == "convenience_store"]
    [3]
    >>> changed_ruleset(base, ["convenience_store.price=3"])
    Traceback (most recent call last):
    dicetown.errors.LabError: convenience_store has no field "price"; known: colour, icon, rolls, ...
    """
    if not changes:
        return ruleset
    edition = ruleset.edition.id
    in_play = {card.id for card in ruleset.cards} | {mark.id for mark in ruleset.landmarks}
    for change in changes:
        thing = split_change(change)[0]
        if thing not in in_play:
            _known(thing, sorted(in_play), "card or landmark in play")
    return Ruleset(edition, ruleset.set_ids, ruleset.house, changed_material(edition, changes))


def changed_material(edition: str, changes: Iterable[str]) -> Material:
    """The boxes, with some cards of an edition's game changed."""
    material = load()
    by_thing: dict[str, list[tuple[str, str]]] = {}
    for thing, field, value in map(split_change, changes):
        by_thing.setdefault(thing, []).append((field, value))
    for thing, settings in by_thing.items():
        material = _change(material, edition, thing, settings)
    return material


def split_change(change: str) -> tuple[str, str, str]:
    """The card, the field and the value of a change.

    >>> split_change("convenience_store.cost = 3")
    ('convenience_store', 'cost', '3')
    """
    path, equals, value = (part.strip() for part in change.partition("="))
    thing, dot, field = (part.strip() for part in path.partition("."))
    if not (equals and dot and thing and field and value):
        raise LabError(f'"{change}" is no change of a card; one reads like convenience_store.cost=3.')
    return thing, field, value


def things_changed(changes: Iterable[str]) -> tuple[str, ...]:
    """The cards that changes speak of, each once."""
    return tuple(dict.fromkeys(split_change(change)[0] for change in changes))


def _change(material: Material, edition: str, thing: str, settings: list[tuple[str, str]]) -> Material:
    box = material.editions[edition]
    game = material.games[box.game]
    if thing in game.establishments:
        card = _changed(game.establishments[thing], thing, settings)
        _check(check_establishment, card, game, thing)
        changed = msgspec.structs.replace(game, establishments=game.establishments | {thing: card})
    else:
        _known(thing, [*game.establishments, *game.landmarks], "card or landmark")
        mark = _changed(game.landmarks[thing], thing, settings)
        _check(check_landmark, mark, game, thing)
        changed = msgspec.structs.replace(game, landmarks=game.landmarks | {thing: mark})
    if any(field == "cost" for field, _ in settings):  # the box's own price would hide it
        costs = {one: cost for one, cost in box.costs.items() if one != thing}
        box = msgspec.structs.replace(box, costs=costs)
    return msgspec.structs.replace(
        material,
        games=material.games | {game.id: changed},
        editions=material.editions | {edition: box},
    )


def _changed(card: Any, thing: str, settings: list[tuple[str, str]]) -> Any:
    """A card with some fields set to what texts say, read by the card's own model when all are set."""
    table = msgspec.to_builtins(card)
    card_fields = [name for name in card.__struct_fields__ if name not in (*_FIXED, _EFFECT)]
    known = [*card_fields, *card.effect.__struct_fields__]
    for field, value in settings:
        path = field.removeprefix(f"{_EFFECT}.").split(".")
        if path[0] not in known:
            raise LabError(f'{thing} has no field "{field}"; {did_you_mean(path[0], known)}.')
        _set(table if path[0] in card_fields else table[_EFFECT], path, value)
    try:
        return read(type(card), table, thing)
    except MaterialError as problem:
        raise LabError(str(problem)) from None


def _set(table: dict[str, Any], path: Sequence[str], value: str) -> None:
    for step in path[:-1]:
        if not isinstance(table.get(step), dict):
            table[step] = {}
        table = table[step]
    table[path[-1]] = _read_value(value, table.get(path[-1]))


def _read_value(text: str, before: object) -> object:
    """A value as TOML would have it: a list where one stood, a number, true or false, none, or a word."""
    if isinstance(before, list | tuple) and text == "none":
        return []
    if isinstance(before, list | tuple) or "," in text:
        return [_read_value(one.strip(), None) for one in text.split(",") if one.strip()]
    if text in ("true", "false"):
        return text == "true"
    if text == "none":
        return None
    try:
        return int(text)
    except ValueError:
        return text


def _check(check: Any, card: Establishment | Landmark, game: GameMaterial, thing: str) -> None:
    try:
        check(card, game, thing)
    except MaterialError as problem:
        raise LabError(str(problem)) from None


def _known(thing: str, known: Sequence[str], what: str) -> None:
    if thing not in known:
        raise LabError(f'There is no {what} "{thing}"; {did_you_mean(thing, known)}.')
