"""A card is shown closely to who wants to see it, and never over the question or the card itself."""

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.browser.conftest import new_context
from tests.browser.playing import ME, Seat, bot, sit_down
from tests.browser.service import Service
from tests.browser.set_table import new_guest, set_table
from tests.browser.wishes import Moment, asks, play_until

WINDOWS = (
    (360, 740),
    (740, 360),
    (820, 1180),
    (1024, 768),
    (1280, 640),
    (1366, 657),
    (1440, 900),
    (2560, 1440),
)
_LONG = 2000  # milliseconds in which whatever opens by itself has opened
_MOST_CARDS = 12  # of a window are looked at, from all over it

# The middles of the cards in sight, as a pointer could reach them.
_CARDS = """() => [...document.querySelectorAll("[data-tile]")].flatMap((tile) => {
    const { x, y, width, height } = tile.getBoundingClientRect();
    const middle = { x: x + width / 2, y: y + height / 2 };
    return tile.contains(document.elementFromPoint(middle.x, middle.y)) ? [middle] : [];
})"""
_BOXES = """({ x, y }) => {
    const box = (one) => {
        if (!one?.checkVisibility({ visibilityProperty: true })) return null;
        const { left, top, right, bottom } = one.getBoundingClientRect();
        return { left, top, right, bottom };
    };
    return {
        glance: box(document.querySelector(".glance")),
        question: box(document.querySelector("section.bar")),
        card: box(document.elementFromPoint(x, y)?.closest("[data-tile]")),
        window: { left: 0, top: 0, right: innerWidth, bottom: innerHeight },
    };
}"""
# A browser measures what is shown when it draws it, and what does not fit is then told more briefly.
_HAS_ITS_PLACE = """() => {
    const glance = document.querySelector(".glance");
    return !glance || glance.style.height === `${glance.querySelector(".inner").offsetHeight}px`;
}"""
_Box = dict[str, float]


class Hands:
    """Somebody's mouse at a table. Time is ours: what opens after a while opens at once."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.glance = page.locator(".glance")

    def cards(self) -> list[dict[str, float]]:
        """Where the cards are, a few from all over the window."""
        found: list[dict[str, float]] = self.page.evaluate(_CARDS)
        return found[:: max(1, len(found) // _MOST_CARDS)]

    def move(self, to: dict[str, float]) -> None:
        """Move the pointer, as hands do: over what lies between."""
        self.page.mouse.move(to["x"], to["y"], steps=4)

    def rest(self) -> None:
        """Let time pass without doing anything."""
        self.page.clock.run_for(_LONG)

    def look(self, at: dict[str, float]) -> dict[str, Any]:
        """Move to a card and rest there; tells where all lies then (`glance` is None if there is none)."""
        self.move(at)
        self.rest()
        self.page.wait_for_function(_HAS_ITS_PLACE)
        boxes: dict[str, Any] = self.page.evaluate(_BOXES, at)
        return boxes


@pytest.fixture
def hands(page: Page) -> Hands:
    """A mouse on the start page."""
    page.clock.install()
    page.reload()
    return Hands(page)


def overlap(one: _Box, other: _Box) -> bool:
    """Whether two boxes have more than an edge in common."""
    return (
        one["left"] < other["right"]
        and one["right"] > other["left"]
        and one["top"] < other["bottom"]
        and one["bottom"] > other["top"]
    )


def inside(one: _Box, other: _Box) -> bool:
    """Whether a box lies in another one, all of it."""
    return (
        one["left"] >= other["left"]
        and one["right"] <= other["right"]
        and one["top"] >= other["top"]
        and one["bottom"] <= other["bottom"]
    )


# ------------------------------------------------------------------------------- what opens it


def test_nothing_opens_under_a_pointer_at_rest_when_the_page_changes(hands: Hands) -> None:
    page = hands.page
    page.get_by_role("button", name="Play now").click()
    Seat(page).wait_until_asked("Roll the die.")
    card = hands.cards()[0]
    page.go_back()
    page.get_by_role("button", name="Play now").focus()
    hands.move({"x": card["x"] + 3, "y": card["y"]})
    hands.move(card)

    page.keyboard.press("Enter")
    Seat(page).wait_until_asked("Roll the die.")
    hands.rest()
    assert page.evaluate(_BOXES, card)["card"], "there is a card below the pointer"
    expect(hands.glance).to_have_count(0)

    page.keyboard.press("1")
    Seat(page).wait_until_asked("What do you build?")
    hands.rest()
    expect(hands.glance).to_have_count(0)
    page.reload()
    Seat(page).wait_until_asked("What do you build?")
    hands.rest()
    expect(hands.glance).to_have_count(0)


@pytest.fixture
def table(hands: Hands) -> Hands:
    """A mouse at a table at which one is to roll."""
    sit_down(hands.page, [ME, bot()]).wait_until_asked("Roll the die.")
    return hands


def test_moving_to_a_card_and_resting_there_opens_it_until_the_pointer_leaves(table: Hands) -> None:
    first, second, *_ = table.cards()
    table.move(first)
    table.move(second)
    expect(table.glance).to_have_count(0)  # who only passes by does not want to see it
    table.rest()
    expect(table.glance).to_be_visible()
    table.page.mouse.move(second["x"] + 2, second["y"] + 2)
    expect(table.glance).to_be_visible()
    table.page.mouse.move(2, 2)
    expect(table.glance).to_have_count(0)


def test_escape_sends_it_away_until_the_pointer_has_been_elsewhere(table: Hands) -> None:
    first, second, *_ = table.cards()
    assert table.look(first)["glance"]
    table.page.keyboard.press("Escape")
    expect(table.glance).to_have_count(0)
    table.page.mouse.move(first["x"] + 2, first["y"] + 2)
    table.rest()
    expect(table.glance).to_have_count(0)
    table.move(second)
    assert table.look(first)["glance"]


def test_another_question_closes_it(table: Hands) -> None:
    assert table.look(table.cards()[0])["glance"]
    table.page.keyboard.press("1")
    Seat(table.page).wait_until_asked("What do you build?")
    expect(table.glance).to_have_count(0)
    table.rest()
    expect(table.glance).to_have_count(0)


def test_the_focus_opens_it_where_keys_have_led_it(table: Hands) -> None:
    page = table.page
    page.keyboard.press("ArrowRight")
    table.rest()
    expect(table.glance).to_be_visible()
    shown = table.glance.inner_text()
    page.keyboard.press("ArrowRight")
    expect(table.glance).to_have_count(0)
    table.rest()
    expect(table.glance).to_be_visible()
    assert table.glance.inner_text() != shown

    page.keyboard.press("i")
    expect(Seat(page).close_up).to_be_visible()
    page.keyboard.press("Escape")  # gives the focus back, which nobody has led there
    expect(Seat(page).close_up).to_be_hidden()
    table.rest()
    expect(table.glance).to_have_count(0)


def test_what_a_click_opens_is_not_followed_by_more(table: Hands) -> None:
    card = table.cards()[0]
    table.move(card)
    table.page.mouse.down()
    table.page.mouse.up()
    expect(Seat(table.page).close_up).to_be_visible()
    table.rest()
    expect(table.glance).to_have_count(0)


# ------------------------------------------------------------------------------ what it covers


OpenAt = Callable[[Moment, tuple[int, int]], Hands]


@pytest.fixture(scope="module")
def guest_and_page(browser: Browser, service: Service) -> Iterator[tuple[str, Page]]:
    """One guest goes from table to table and from window to window."""
    context = new_context(browser)
    guest, cookie = new_guest(service.database)
    context.add_cookies([cookie | {"url": service.address}])
    page = context.new_page()
    page.clock.install()
    yield guest, page
    context.close()


@pytest.fixture
def open_at(service: Service, guest_and_page: tuple[str, Page]) -> OpenAt:
    """Sit down where something is asked, in a window of a size."""
    guest, page = guest_and_page

    def sit_down(moment: Moment, window: tuple[int, int]) -> Hands:
        code = set_table(service.database, play_until(moment, "deluxe", ["business_center"]), guest)
        page.set_viewport_size({"width": window[0], "height": window[1]})
        page.goto(f"{service.address}t/{code}")
        Seat(page).wait_until_asked()
        return Hands(page)

    return sit_down


@pytest.mark.parametrize("window", WINDOWS, ids=lambda window: f"{window[0]}x{window[1]}")
@pytest.mark.parametrize(
    "moment", [asks("build"), asks("give", "business_center")], ids=["to build", "to trade"]
)
def test_it_never_covers_the_question_or_its_own_card(
    open_at: OpenAt, window: tuple[int, int], moment: Moment
) -> None:
    hands = open_at(moment, window)
    shown = 0
    for card in hands.cards():
        boxes = hands.look(card)
        if boxes["glance"] is None:
            continue
        shown += 1
        assert boxes["card"], "the pointer is still on the card"
        assert inside(boxes["glance"], boxes["window"])
        assert not overlap(boxes["glance"], boxes["card"])
        assert not overlap(boxes["glance"], boxes["question"])
    assert shown > 0


@pytest.mark.parametrize("window", WINDOWS, ids=lambda window: f"{window[0]}x{window[1]}")
def test_a_card_and_what_closes_it_are_in_sight_together_in_every_window(
    open_at: OpenAt, window: tuple[int, int]
) -> None:
    hands = open_at(asks("build"), window)
    seat = Seat(hands.page)
    card = hands.cards()[0]
    hands.page.mouse.click(card["x"], card["y"])
    for button in seat.close_up.get_by_role("button").all():
        expect(button).to_be_in_viewport(ratio=1)
    expect(seat.close_up.locator(".card .band")).to_be_in_viewport(ratio=1)
    hands.rest()  # a second tap at once would build
    seat.close_up.get_by_role("button", name=re.compile("^(Close|Cancel)$")).click()
    expect(seat.close_up).to_be_hidden()
