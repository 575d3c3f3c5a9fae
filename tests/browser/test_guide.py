"""The guide through a first game speaks of the moment that is shown, and points at what it speaks of."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from tests.browser.conftest import NewPage
from tests.browser.playing import ME, Seat, bot, sit_down
from tests.browser.service import Service
from tests.browser.set_table import new_guest, set_table
from tests.browser.wishes import asks, play_until

_WINDOWS = (
    (1366, 657),
    (360, 740),
    pytest.param((740, 360), marks=pytest.mark.slow),
    pytest.param((820, 1180), marks=pytest.mark.slow),
)
_LONGEST = 40  # questions after which enough has been explained

# What the guide says and what it points at, in one look. `open`: it can be seen and pointed at.
_GUIDE = """() => {
    const tip = document.querySelector("aside.guide");
    const marked = [...document.querySelectorAll("[data-guided]")];
    const box = (one) => {
        const { left, top, right, bottom } = one.getBoundingClientRect();
        return { left, top, right, bottom };
    };
    const isOpen = (one) => {
        const { left, top, right, bottom } = box(one);
        const x = (Math.max(left, 0) + Math.min(right, innerWidth)) / 2;
        const y = (Math.max(top, 0) + Math.min(bottom, innerHeight)) / 2;
        return one.checkVisibility() && one.contains(document.elementFromPoint(x, y));
    };
    const bar = box(document.querySelector("section.bar"));
    return {
        text: tip?.querySelector("p")?.textContent.trim() ?? null,
        moment: tip ? Number(tip.dataset.moment) : null,
        moves: Number(document.querySelector("[data-moves]").dataset.moves),
        marked: marked.map((one) => one.dataset.spot),
        open: marked.every(isOpen),
        described: marked.every((one) => document.getElementById(one.getAttribute("aria-describedby"))),
        barInside: bar.top >= 0 && bar.bottom <= innerHeight + 1,
    };
}"""


def look(page: Page) -> dict[str, Any]:
    """What the guide says now."""
    found: dict[str, Any] = page.evaluate(_GUIDE)
    return found


def begin(page: Page) -> None:
    """Want a guide."""
    page.get_by_role("button", name="Yes, please").click()


@pytest.mark.parametrize("window", _WINDOWS, ids=lambda window: f"{window[0]}x{window[1]}")
def test_through_a_first_game_it_speaks_of_what_is_shown(new_page: NewPage, window: tuple[int, int]) -> None:
    page = new_page(width=window[0], height=window[1])
    seat = sit_down(page, [ME, bot(), bot()], edition="deluxe", sets=None, house={"start_coins": 25})
    seat.wait_until_asked()
    begin(page)
    said: set[str] = set()
    for _ in range(_LONGEST):
        if seat.wait_until_asked_or_over():
            break
        said |= look_at_all_tips(page)
        seat.answer()
    assert len(said) > 5


def look_at_all_tips(page: Page) -> set[str]:
    """Look at each tip that there is at a question, one after the other; tells what they say."""
    said = set()
    while (tip := look(page))["text"]:
        assert tip["moment"] == tip["moves"], tip
        assert len(tip["marked"]) == 1, tip
        assert tip["open"], tip
        assert tip["described"], tip
        assert tip["barInside"], tip
        said.add(tip["text"])
        page.get_by_role("button", name="Got it").click()
    assert look(page)["marked"] == []
    return said


def test_it_names_the_roll_that_lies_there(new_page: NewPage) -> None:
    page = new_page(speed="fast")
    seat = sit_down(page, [ME, bot()], pace="fast")
    seat.wait_until_asked()
    begin(page)
    for _ in range(8):  # unread, a tip comes again
        seat.wait_until_asked("Roll")
        seat.roll()
        seat.wait_until_asked()
        tip = look(page)
        if named := re.match(r"A (\d+):", tip["text"] or ""):
            shown = page.locator(".chance [data-spot=dice]").get_by_role("img", name="die showing")
            expect(shown).to_have_accessible_name(re.compile(rf"showing {named[1]}$"))
            return
        if seat.now()["cards"] or seat.now()["landmarks"]:
            seat.build_nothing()
    raise AssertionError("it never spoke of a roll")


def test_in_a_trade_it_speaks_of_the_step_that_is_asked_for(new_page: NewPage, service: Service) -> None:
    guest, cookie = new_guest(service.database)
    page = new_page()
    page.context.add_cookies([cookie | {"url": service.address}])
    game = play_until(asks("give", "business_center"), "deluxe", ["business_center"])
    page.goto(f"{service.address}t/{set_table(service.database, game, guest)}")
    seat = Seat(page)
    seat.wait_until_asked()
    begin(page)
    page.get_by_role("button", name="Got it").click()  # the goal
    guide = page.locator("aside.guide")
    expect(guide).to_contain_text("Choose the card that you give away.")
    for said in ("Choose the player whom this card is about.", "Choose what you get for it."):
        seat.answers.get_by_role("button").last.click()
        expect(guide).to_contain_text(said)
    assert look(page)["marked"] == ["question"]
