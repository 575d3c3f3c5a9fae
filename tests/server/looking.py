"""What must hold of everything a page is shown, whatever the game."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from dicetown import Game
from dicetown.rules import codes as c
from dicetown.server import wire
from dicetown.server.view.questions import asked_of
from dicetown.server.view.scene import scene_of

#: Names with letters of their own, so that nothing in them looks like an id or a template.
NAMES = ["Ana", "Ben", "Çelik", "Dörte", "Eva"]
_LEAK = re.compile(r"[a-z0-9]_[a-z0-9]|[{}]|\bNone\b|\bTrue\b|\bFalse\b")


def check_text(text: str) -> None:
    """Something a person reads: words, and neither ids nor templates."""
    assert text.strip() == text
    assert text, "an empty sentence"
    assert not _LEAK.search(text), text


def check_scene(game: Game) -> wire.Scene:
    """The scene says what the game says."""
    scene = scene_of(game)
    assert (scene.moves, scene.phase, scene.to_move) == (len(game.moves), game.phase, game.to_move)
    assert (scene.winner, scene.turn, scene.deck) == (game.winner, game.turns, sum(game.deck.values()))
    assert 1 <= scene.round <= game.turns + 1
    for seat, city in enumerate(scene.cities):
        assert (city.coins, city.invested) == (game.coins(seat), game.invested(seat))
        assert {card.id: card.copies for card in city.cards} == game.cards(seat)
        assert {card.id: card.closed for card in city.cards if card.closed} == game.closed(seat)
        assert [mark.id for mark in city.landmarks if mark.built] == game.landmarks(seat)
        assert city.landmarks_needed == game.ruleset.landmarks_to_win
        assert len(city.standing) == (game.ruleset.city_hall is not None)
    _check_order(game, [card.id for card in scene.cities[0].cards])
    _check_market(game, scene)
    if scene.dice is not None:
        assert scene.dice.total in (sum(scene.dice.faces), sum(scene.dice.faces) + 2)
        assert all(1 <= face <= 6 for face in scene.dice.faces)
    return scene


def _check_order(game: Game, ids: list[str]) -> None:
    colours = ["blue", "green", "red", "purple"]
    cards = {card.id: card for card in game.ruleset.cards}
    places = [
        (cards[one].rolls[0], cards[one].rolls[-1], colours.index(cards[one].colour))
        for one in ids
        if one in cards
    ]
    assert places == sorted(places)


def _check_market(game: Game, scene: wire.Scene) -> None:
    lying = {offer.id: offer.copies for offer in scene.market if offer.copies}
    assert {thing for thing in lying if thing in game.market} == set(game.market)
    assert [thing for thing in lying if thing not in game.market] == game.landmark_market
    assert all(lying[thing] == copies for thing, copies in game.market.items())
    assert scene.shared_landmarks == game.ruleset.edition.shared_landmarks
    _check_order(game, [offer.id for offer in scene.market])
    for offer in scene.market:
        assert len(offer.prices) == len(offer.missing) == game.players
        for seat, (price, missing) in enumerate(zip(offer.prices, offer.missing, strict=True)):
            assert missing == max(0, price - game.coins(seat))


def check_asked(game: Game, language: str) -> wire.Asked | None:
    """What is asked is what may be done, in words."""
    asked = asked_of(game, language)
    if game.over or game.waits_for_chance:
        assert asked is None
        return None
    assert asked is not None
    assert asked.seat == game.to_move
    legal = [action.text for action in game.legal_actions()]
    assert [choice.action for choice in asked.choices] == legal
    for text in _texts(asked):
        check_text(text)
    things = set(game.notation.numbers)
    assert {choice.thing for choice in asked.choices} <= things | {None}
    assert asked.because is None or asked.because in things
    assert asked.start_round == (game.state.start_left > 0)
    for choice in asked.choices:
        assert choice.seat is None or 0 <= choice.seat < game.players
        assert (choice.gains is not None) == (choice.action in ("keep", "add_two yes", "add_two no"))
        assert choice.gains is None or len(choice.gains) == game.players
    if asked.control == "build":
        _check_build(game, asked, legal)
    else:
        assert asked.refusals == {}
    return asked


def _texts(asked: wire.Asked) -> Iterator[str]:
    yield asked.question
    yield from asked.refusals.values()
    for choice in asked.choices:
        yield choice.text
        if choice.note:
            yield choice.note


def _check_build(game: Game, asked: wire.Asked, legal: list[str]) -> None:
    """Every thing on the table can be built, or it is said why it cannot; what can be, can be paid."""
    scene, seat = scene_of(game), asked.seat
    own = [mark.id for mark in scene.cities[seat].landmarks if not mark.built]
    shown = {offer.id for offer in scene.market} | set(own)
    possible = {action.removeprefix("build ") for action in legal if action != "pass"}
    assert possible | set(asked.refusals) == shown
    assert not possible & set(asked.refusals)
    prices = {offer.id: offer.prices[seat] for offer in scene.market}
    prices |= {mark.id: mark.price for mark in scene.cities[seat].landmarks if not mark.built}
    assert all(prices[thing] <= game.coins(seat) for thing in possible)
    number = game.notation.numbers
    for offer in scene.market:
        if offer.missing[seat] or not offer.copies:
            assert offer.id not in possible
        elif number[offer.id] < c.MAX_CARDS and offer.id not in possible:
            assert game.cards(seat)[offer.id] >= int(game.tables.limit[number[offer.id]])


def changed(scene: dict[str, Any], change: dict[str, Any]) -> dict[str, Any]:
    """A scene as a page has it after a change; `web/src/lib/scene_change.ts` is the page's own."""
    parts = ("cities", "offers", "market")
    after = scene | {name: value for name, value in change.items() if name not in parts}
    after["cities"] = [_changed_city(*pair) for pair in zip(scene["cities"], change["cities"], strict=True)]
    offers = {offer["id"]: offer for offer in [*scene["market"], *change["offers"]]}
    order = change["market"] if change["market"] is not None else [offer["id"] for offer in scene["market"]]
    coins = [city["coins"] for city in after["cities"]]
    after["market"] = [_with_missing(offers[thing], coins) for thing in order]
    return after


def _changed_city(city: dict[str, Any], change: dict[str, Any] | None) -> dict[str, Any]:
    told = change or {}
    return city | {name: value for name, value in told.items() if value is not None or name == "invested_on"}


def _with_missing(offer: dict[str, Any], coins: list[int]) -> dict[str, Any]:
    missing = [max(0, price - purse) for price, purse in zip(offer["prices"], coins, strict=True)]
    return offer | {"missing": missing}
