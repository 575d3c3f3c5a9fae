"""The table fits every window: what a decision needs is whole and uncovered, whatever is asked.

Each test sits down where something is asked, late in a game with long streets, and looks at it in every
window that people have. Trades are followed to their last step.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count, islice
from math import prod
from random import Random

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.browser.boxes import complaints_of
from tests.browser.conftest import new_context
from tests.browser.playing import Seat
from tests.browser.service import Service
from tests.browser.set_table import new_guest, set_table
from tests.browser.wishes import Moment, asks, play_until

from dicetown.server.view.scene import scene_of

#: Phones, tablets, laptops below the bars of their browsers, screens.
WINDOWS = (
    (360, 740), (740, 360), (820, 1180), (1024, 768), (1280, 640),
    (1366, 657), (1440, 789), (1440, 900), (1920, 1080), (2560, 1440),
)  # fmt: skip
#: And windows that somebody has drawn to a size of their own: every test looks into some, each into others.
_ODD, _WIDTHS, _HEIGHTS, _SMALLEST = 3, range(360, 2000), range(360, 1400), 360 * 640
MOST_PLAYERS = {"ciudad": 5, "deluxe": 5, "grossstadt": 4, "neue_stadt": 5}
# An empty page keeps nothing.
_NO_GUIDE = """if (location.origin !== "null") localStorage["dicetown.guide"] ??= '{"wanted": "no"}'"""
_LOOKS = 20
_ROUNDS = 9  # until streets are long
_STATION, _STADT = ("train_station",), ("neue_stadt",)
_CLASSIC = ("ciudad", "deluxe", "grossstadt")
_RICH = ("deluxe", "grossstadt")
_ALL = (*_CLASSIC, *_STADT)


@dataclass(frozen=True)
class Kind:
    """A kind of question: when it comes, what it needs, and what is picked to come to its next steps."""

    moment: Moment
    editions: Sequence[str] = _ALL
    build: Sequence[str] = ()
    steps: int = 0
    fewest: int = 2  # with fewer players there is nothing to choose
    classic: Sequence[str] = field(default=())  # needed in the first game only


KINDS: dict[str, Kind] = {
    "roll": Kind(asks("roll")),
    "one or two dice": Kind(asks("roll", choices=2), classic=_STATION),
    "reroll": Kind(asks("reroll", "radio_tower"), _CLASSIC, [*_STATION, "radio_tower"]),
    "add two": Kind(asks("add_two", "harbor"), _CLASSIC, [*_STATION, "harbor"]),
    "whom": Kind(asks("player", "tv_station"), _CLASSIC, ["tv_station"], fewest=3),
    "trade": Kind(asks("give", "business_center"), _ALL, ["business_center"], steps=3),
    "renovation": Kind(asks("card", "renovation_company"), _RICH, [*_STATION, "renovation_company"]),
    "moving": Kind(asks("give", "moving_company"), _RICH, [*_STATION, "moving_company"], steps=2, fewest=3),
    "demolition": Kind(
        asks("landmark", "demolition_company"), _RICH, [*_STATION, "harbor", "demolition_company"]
    ),
    "order": Kind(asks("order"), _RICH, [*_STATION, "tax_office", "renovation_company"]),
    "convention": Kind(asks("card", "convention_center"), ("deluxe",), [*_STATION, "convention_center"]),
    "build": Kind(asks("build")),
    "invest": Kind(asks("invest", "tech_startup"), _RICH, ["tech_startup"]),
}


def _cases() -> Iterator[object]:
    """Every kind of question in every edition that asks it, with two players and with as many as may be."""
    for name, kind in KINDS.items():
        for edition in kind.editions:
            for players in (kind.fewest, MOST_PLAYERS[edition]):
                quick = edition == kind.editions[0] and players > kind.fewest
                marks = [] if quick else [pytest.mark.slow]
                yield pytest.param(name, edition, players, marks=marks, id=f"{name}-{edition}-{players}")


@pytest.fixture(scope="module")
def guest_and_page(browser: Browser, service: Service) -> Iterator[tuple[str, Page]]:
    """One guest goes from table to table."""
    context = new_context(browser)
    guest, cookie = new_guest(service.database)
    context.add_cookies([cookie | {"url": service.address}])
    context.add_init_script(_NO_GUIDE)
    yield guest, context.new_page()
    context.close()


@pytest.mark.parametrize(("name", "edition", "players"), list(_cases()))
def test_what_a_decision_needs_is_whole_in_every_window(
    service: Service, guest_and_page: tuple[str, Page], name: str, edition: str, players: int
) -> None:
    kind, (guest, page) = KINDS[name], guest_and_page
    build = [*kind.build, *(kind.classic if edition in _CLASSIC else ())]
    game = play_until(kind.moment, edition, build, players=players, rounds=_ROUNDS)
    code = set_table(service.database, game, guest)
    page.goto(f"{service.address}t/{code}")
    seat = Seat(page)
    seat.wait_until_asked()
    windows = sorted((*WINDOWS, *_odd_windows(f"{name} {edition} {players}")))  # neighbours have one layout
    found = _look_in_all_windows(page, windows)
    for step in range(1, kind.steps):
        page.locator(".bar .answers [aria-pressed]").first.click()
        page.locator(".bar .station").nth(step - 1).wait_for()
        found += [f"step {step + 1}: {one}" for one in _look_in_all_windows(page, windows)]
    assert found == []


@pytest.mark.parametrize(
    "edition", [pytest.param(one, marks=[pytest.mark.slow] if one != "neue_stadt" else []) for one in _ALL]
)
def test_what_is_missing_for_a_price_fits_every_window(
    service: Service, guest_and_page: tuple[str, Page], edition: str
) -> None:
    guest, page = guest_and_page
    game = play_until(asks("build"), edition, coins=1, players=MOST_PLAYERS[edition], rounds=_ROUNDS)
    page.goto(f"{service.address}t/{set_table(service.database, game, guest)}")
    Seat(page).wait_until_asked()
    expect(page.locator(".market .lack").first).to_be_visible()
    assert _look_in_all_windows(page, sorted((*WINDOWS, *_odd_windows(edition)))) == []


@pytest.mark.slow
@pytest.mark.parametrize("locale", ["es-ES", "de-DE"])
@pytest.mark.parametrize(
    ("name", "edition"), [("build", "grossstadt"), ("renovation", "deluxe"), ("reroll", "ciudad")]
)
def test_long_words_fit_every_window(
    service: Service, browser: Browser, name: str, edition: str, locale: str
) -> None:
    kind = KINDS[name]
    game = play_until(kind.moment, edition, kind.build, players=MOST_PLAYERS[edition], rounds=_ROUNDS)
    guest, cookie = new_guest(service.database)
    context = new_context(browser, locale=locale)
    context.add_cookies([cookie | {"url": service.address}])
    context.add_init_script(_NO_GUIDE)
    page = context.new_page()
    page.goto(f"{service.address}t/{set_table(service.database, game, guest)}")
    page.locator("section.bar h2").wait_for()
    found = _look_in_all_windows(page)
    context.close()
    assert found == []


def test_a_hint_lies_in_every_window_and_covers_nothing(
    service: Service, guest_and_page: tuple[str, Page]
) -> None:
    guest, page = guest_and_page
    game = play_until(asks("build"), "deluxe", players=5, rounds=_ROUNDS)
    page.goto(f"{service.address}t/{set_table(service.database, game, guest)}")
    Seat(page).wait_until_asked()
    page.get_by_role("button", name="Hint").click()
    page.locator("section.hint").wait_for()
    assert _look_in_all_windows(page) == []


@pytest.mark.parametrize(("width", "height"), [(740, 360), (820, 500), (930, 440)])
def test_a_hint_beside_the_market_has_all_the_room_above_the_question(
    service: Service, guest_and_page: tuple[str, Page], width: int, height: int
) -> None:
    guest, page = guest_and_page
    game = play_until(asks("build"), "deluxe", players=5, rounds=_ROUNDS)
    page.set_viewport_size({"width": width, "height": height})
    page.goto(f"{service.address}t/{set_table(service.database, game, guest)}")
    Seat(page).wait_until_asked()
    page.get_by_role("button", name="Hint").click()
    hint = page.locator("section.hint")
    hint.wait_for()
    shown, all_of_it, free = hint.evaluate(
        """hint => [
            hint.clientHeight,
            hint.scrollHeight,
            hint.closest(".advice").getBoundingClientRect().top
                - hint.closest(".act").getBoundingClientRect().top,
        ]"""
    )
    assert shown >= all_of_it or free < 16


def test_a_market_that_keeps_rows_is_shown_in_rows(
    service: Service, guest_and_page: tuple[str, Page]
) -> None:
    guest, page = guest_and_page
    game = play_until(asks("build"), "grossstadt", players=4, rounds=2)
    page.goto(f"{service.address}t/{set_table(service.database, game, guest)}")
    Seat(page).wait_until_asked()
    page.set_viewport_size({"width": 1440, "height": 900})
    offers = page.locator(".market .offer")
    tops = {
        offer.get_attribute("data-thing"): round((offer.bounding_box() or {"y": -1})["y"])
        for offer in offers.all()
    }
    rows = {offer.id: offer.row for offer in scene_of(game).market}
    heights = [{tops[thing] for thing, row in rows.items() if row == number} for number in range(3)]
    assert [len(one) for one in heights] == [1, 1, 1]
    assert sorted(heights, key=min) == heights


@pytest.mark.parametrize(("width", "height"), [(360, 740), (740, 360)])
def test_the_tabs_of_a_phone_stay_where_they_are_whatever_is_asked(
    service: Service, guest_and_page: tuple[str, Page], width: int, height: int
) -> None:
    guest, page = guest_and_page
    places = set()
    for name in ("roll", "build", "renovation", "invest"):
        kind = KINDS[name]
        game = play_until(kind.moment, "deluxe", kind.build, players=3, rounds=2)
        page.goto(f"{service.address}t/{set_table(service.database, game, guest)}")
        Seat(page).wait_until_asked()
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate("() => new Promise(requestAnimationFrame)")
        box = page.get_by_role("tab", name="Market").bounding_box()
        assert box
        places.add((round(box["x"]), round(box["y"])))
    assert len(places) == 1


def _odd_windows(seed: str) -> list[tuple[int, int]]:
    """Windows of any size; the same ones every time."""
    luck = Random(seed)
    drawn = ((luck.choice(_WIDTHS), luck.choice(_HEIGHTS)) for _ in count())
    return list(islice((one for one in drawn if prod(one) >= _SMALLEST), _ODD))


def _look_in_all_windows(page: Page, windows: Sequence[tuple[int, int]] = WINDOWS) -> list[str]:
    found = []
    for width, height in windows:
        page.set_viewport_size({"width": width, "height": height})
        found += [f"{width}×{height}: {one}" for one in _complaints_when_it_lies_still(page)]
    return found


def _complaints_when_it_lies_still(page: Page) -> list[str]:
    """A page needs a few frames for a new size, and what comes late (odds, who is away) moves it again."""
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    for _ in range(_LOOKS):
        if not (found := complaints_of(page)):
            return []
        page.wait_for_timeout(50)
    return found
