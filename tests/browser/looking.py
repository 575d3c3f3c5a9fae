"""What a page shows of a game, as data: to be compared with where the game stands at the service."""

from __future__ import annotations

import re
import time
from typing import Any
from urllib.parse import urljoin

from playwright.sync_api import Page
from tests.patience import PATIENCE

from dicetown.game import Game
from dicetown.server import wire
from dicetown.server.view.scene import scene_of

# Everything on the table says what and whose it is (`data-spot`), and to those who listen how it stands.
_SHOWN = """() => {
    const all = (selector) => [...document.querySelectorAll(selector)].filter((one) => one.checkVisibility());
    const said = (one) => one.ariaLabel ?? (one.querySelector(".visually-hidden") ?? one).innerText;
    const labels = (kind) => Object.fromEntries(
        all(`[data-spot^="${kind}:"]`).map((one) => [one.dataset.spot, said(one)]));
    return {
        coins: labels("coins"),
        cities: labels("card"),
        market: labels("market"),
        dice: all(".chance [data-spot=dice] [role=img]").map((die) => die.ariaLabel),
    };
}"""


def game_at_service(page: Page, code: str) -> Game:
    """The game as the service has it, played again from its record."""
    answer = page.request.get(urljoin(page.url, f"/api/tables/{code}/record"))
    assert answer.ok, answer.text()
    return Game.load(answer.text())


def expect_position(page: Page, game: Game, seat: int | None = 0) -> None:
    """Wait until a page shows exactly where a game stands, seen by a player, or by who watches (None)."""
    wanted = _wanted(scene_of(game), seat)
    deadline = time.monotonic() + PATIENCE
    while (seen := _seen(page)) != wanted and time.monotonic() < deadline:
        page.wait_for_timeout(50)
    assert seen == wanted


def _wanted(scene: wire.Scene, seat: int | None) -> dict[str, Any]:
    cities: dict[str, Any] = {}
    for owner, city in enumerate(scene.cities):
        for card in city.cards:
            cities[f"card:{owner}:{card.id}"] = (card.copies, card.closed)
        for mark in city.landmarks:
            cities[f"card:{owner}:{mark.id}"] = "built" if mark.built else mark.price
    offers = {f"market:{offer.id}": _offer_for(offer, seat) for offer in scene.market}
    return {
        "coins": {f"coins:{owner}": city.coins for owner, city in enumerate(scene.cities)},
        "cities": cities,
        "market": offers,
        "dice": scene.dice.faces if scene.dice else [],
    }


def _offer_for(offer: wire.Offer, seat: int | None) -> tuple[int, int, int]:
    if seat is None:  # nothing is missing for who pays nothing
        return offer.copies, offer.prices[0], 0
    return offer.copies, offer.prices[seat], offer.missing[seat]


def _seen(page: Page) -> dict[str, Any]:
    shown: dict[str, Any] = page.evaluate(_SHOWN)
    return {
        "coins": {spot: _number(r"(\d+) coins?\b", text) for spot, text in shown["coins"].items()},
        "cities": {spot: _standing(label) for spot, label in shown["cities"].items()},
        "market": {spot: _offer(label) for spot, label in shown["market"].items()},
        "dice": [_number(r"die showing (\d)", label) for label in shown["dice"]],
    }


def _standing(label: str) -> Any:
    """How something stands in a city: "Bakery, green, on 2–3, 2 times, 1 closed", "Harbor, built"."""
    if label.endswith(", built"):
        return "built"
    if "not built yet" in label:
        return _number(r"costs (\d+) coin", label)
    copies = _number(r"(\d+) times", label, 1)
    closed = copies if label.endswith(", closed") else _number(r"(\d+) closed", label, 0)
    return copies, closed


def _offer(label: str) -> tuple[int, int, int]:
    """What lies in the market: copies, price, missing coins."""
    copies = 0 if "sold out" in label else _number(r"(\d+) times", label, 1)
    return copies, _number(r"costs (\d+) coin", label), _number(r"(\d+) coins? (?:is|are) missing", label, 0)


def _number(pattern: str, text: str, otherwise: int | None = None) -> int:
    found = re.search(pattern, text)
    assert found or otherwise is not None, text
    return int(found[1]) if found else int(otherwise or 0)
