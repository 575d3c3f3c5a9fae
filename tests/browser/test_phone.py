"""On a phone, held upright: nothing is wider than the screen, everything is in reach of a thumb."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect
from tests.browser.conftest import NewPage
from tests.browser.playing import FRIEND, ME, RICH, Seat, bot, go_to, make_table, sit_down
from tests.browser.test_accessibility import Checker

_WIDTH, _HEIGHT = 360, 740
# What sticks out of the screen to the right, but for what may be swiped into it.
_TOO_WIDE = """() => {
    const width = document.documentElement.clientWidth;
    const swiped = (element) => {
        for (let one = element; one; one = one.parentElement)
            if (/auto|scroll|hidden|clip/.test(getComputedStyle(one).overflowX)) return true;
        return false;
    };
    const wide = [...document.querySelectorAll("body *")].filter((element) =>
        element.getBoundingClientRect().right > width + 1 && !swiped(element));
    const said = wide.map((element) => element.outerHTML);
    return document.documentElement.scrollWidth > width ? ["the page", ...said] : said;
}"""


@pytest.fixture
def phone(new_page: NewPage) -> Page:
    """The start page on a phone."""
    return new_page(width=_WIDTH, height=_HEIGHT, has_touch=True, is_mobile=True)


def fits(page: Page) -> None:
    """Nothing is wider than the screen, and the page is shown at its natural size."""
    assert page.evaluate(_TOO_WIDE) == []
    assert page.evaluate("() => [innerWidth, visualViewport.scale]") == [_WIDTH, 1]


def in_reach(button: Locator) -> None:
    """A thumb gets there: in the lower part of the screen, and large enough."""
    expect(button).to_be_in_viewport(ratio=1)
    place = button.bounding_box()
    assert place
    assert place["y"] > _HEIGHT / 2
    assert min(place["width"], place["height"]) >= 40


# Resolves once the page has been drawn with all that came before.
_DRAWN = "() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))"
_AT_REST = """() => {
    const { scrollLeft, clientWidth } = document.querySelector(".track");
    return scrollLeft % clientWidth < 1;
}"""


# Whether a finger was on the screen whenever another part was chosen.
_NOTE_CHOICES = """() => {
    let held = false;
    window.chosen = [];
    for (const kind of ["touchstart", "touchend"])
        addEventListener(kind, (event) => (held = event.touches.length > 0), true);
    new MutationObserver(() => window.chosen.push(held)).observe(
        document.querySelector("#tab-city"), { attributeFilter: ["aria-selected"] });
}"""


def swipe(page: Page, distance: int, rest: float = 0) -> None:
    """Swipe over the middle of the screen: to the left, if the distance is negative.

    The finger may rest before it is lifted, for so many milliseconds. It never moves further than the page
    follows: a browser that is given moves faster than it draws guesses where the finger will be, and flings
    the page past the next part.

    Not before the last swipe has come to rest: a touch in its middle would only stop it.
    """
    page.wait_for_function(_AT_REST)
    session = page.context.new_cdp_session(page)

    def touch(kind: str, *at: float) -> None:
        points = [{"x": x, "y": _HEIGHT // 2} for x in at]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
        page.evaluate(_DRAWN)

    start = (_WIDTH - distance) // 2
    touch("touchStart", start)
    for tenth in range(1, 11):
        touch("touchMove", start + distance * tenth / 10)
    page.wait_for_timeout(rest)
    touch("touchEnd")
    session.detach()


def parts_of(page: Page) -> dict[str, Locator]:
    """The tabs of the parts of the table, by their names, from left to right."""
    tabs = page.get_by_role("tablist", name="Parts of the table")
    return {name: tabs.get_by_role("tab", name=name) for name in ("Market", "My city", "Others", "Log")}


def chosen(tab: Locator) -> None:
    """A part is the one that is shown."""
    expect(tab).to_have_attribute("aria-selected", "true")


def test_the_pages_before_a_game_fit_on_a_phone(phone: Page) -> None:
    expect(phone.get_by_text("against three bots")).to_be_visible()
    fits(phone)
    phone.get_by_role("link", name="Set up a table").tap()
    phone.get_by_text("More: house rules").tap()
    expect(phone.get_by_role("spinbutton").first).to_be_visible()
    fits(phone)
    go_to(phone, make_table(phone, [ME, FRIEND, bot()]))
    phone.get_by_role("button", name=re.compile("Seat 3")).tap()
    expect(phone.get_by_role("button", name="Copy")).to_be_visible()
    fits(phone)


@pytest.mark.parametrize("locale", ["es-ES", "de-DE"])
def test_long_words_fit_on_a_phone(new_page: NewPage, locale: str) -> None:
    phone = new_page(width=_WIDTH, height=_HEIGHT, has_touch=True, is_mobile=True, locale=locale)
    expect(phone.locator(".play-now .change")).to_be_visible()
    fits(phone)
    seat = sit_down(phone, [ME, bot(), bot(), bot()], edition="deluxe", sets=None)
    seat.wait_until_asked()
    fits(phone)


def test_a_few_rounds_by_taps(phone: Page, axe: str) -> None:
    seat = Seat(sit_down(phone, [ME, bot(), bot(), bot()], edition="deluxe", sets=None).page, taps=True)
    seat.wait_until_asked("Roll the die.")
    fits(phone)
    in_reach(seat.answers.get_by_role("button", name="Roll one die"))

    seat.play(3)

    seat.wait_until_asked("Roll")
    fits(phone)
    checker = Checker(phone, axe)
    checker.look("table on a phone")
    assert checker.findings == []


def test_the_parts_of_the_table_are_swiped_and_tapped(phone: Page) -> None:
    seat = Seat(sit_down(phone, [ME, bot(), bot()]).page, taps=True)
    seat.wait_until_asked()
    parts = parts_of(phone)
    chosen(parts["Market"])

    swipe(phone, -300)
    chosen(parts["My city"])
    expect(seat.city).to_be_in_viewport()
    swipe(phone, -300)
    chosen(parts["Others"])
    swipe(phone, 300)
    chosen(parts["My city"])
    for name, tab in parts.items():
        in_reach(tab)
        tab.tap()
        expect(phone.get_by_role("tabpanel", name=name, exact=True).first).to_be_in_viewport()
        fits(phone)
    swipe(phone, 300)  # over the log, which scrolls by itself
    chosen(parts["Others"])
    phone.get_by_role("button", name="Odds").tap()
    expect(phone.get_by_text("on average").first).to_be_visible()
    fits(phone)


def test_no_swipe_leaves_the_table(phone: Page) -> None:
    seat = Seat(sit_down(phone, [ME, bot(), bot()]).page, taps=True)
    seat.wait_until_asked()
    parts, table = parts_of(phone), phone.url
    swipe(phone, 300)  # to the left of the market there is only the page before this one
    phone.evaluate(_DRAWN)
    parts["Log"].tap()
    chosen(parts["Log"])
    swipe(phone, -300)
    for tab in reversed(parts.values()):
        chosen(tab)
        swipe(phone, 300)
    phone.evaluate(_DRAWN)
    chosen(parts["Market"])
    assert phone.url == table


def test_no_part_is_chosen_while_a_finger_still_leads(phone: Page) -> None:
    seat = Seat(sit_down(phone, [ME, bot(), bot()]).page, taps=True)
    seat.wait_until_asked()
    phone.evaluate(_NOTE_CHOICES)
    swipe(phone, -300, rest=400)
    chosen(parts_of(phone)["My city"])
    assert phone.evaluate("window.chosen") == [False]


def test_what_follows_a_game_fits_on_a_phone(phone: Page) -> None:
    seat = Seat(sit_down(phone, [ME, bot()], house=RICH).page, taps=True)
    seat.play_to_the_end()
    for part in ("Over time", "Income", "Dice", "Review"):
        phone.get_by_role("tab", name=part).tap()
        fits(phone)
    phone.get_by_role("link", name="Replay").tap()
    expect(phone.get_by_role("slider", name="Place in the game")).to_be_visible()
    fits(phone)
    in_reach(phone.get_by_role("button", name="Play", exact=True))
