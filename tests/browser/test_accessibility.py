"""No page has a serious finding of axe-core, by day and by night."""

import re
from typing import Any, Literal

import pytest
from playwright.sync_api import Page, expect
from tests.browser.conftest import NewPage
from tests.browser.playing import FRIEND, ME, RICH, bot, go_to, make_table, sit_down

_LOOKS: tuple[Literal["light", "dark"], ...] = ("light", "dark")
_GRAVE = ("serious", "critical")
# Colours that are still changing are nobody's finding.
_AT_REST = """() => Promise.allSettled(document.getAnimations()
    .filter((one) => one.effect.getComputedTiming().endTime !== Infinity)
    .map((one) => one.finished))"""


class Checker:
    """Looks at a page as it is now, in both looks."""

    def __init__(self, page: Page, axe: str) -> None:
        self._page, self._axe = page, axe
        self.findings: list[str] = []

    def look(self, where: str) -> None:
        """Note what is seriously wrong with the page as it is now."""
        for look in _LOOKS:
            self._page.emulate_media(color_scheme=look)
            self._page.evaluate(_AT_REST)
            if not self._page.evaluate("() => 'axe' in window"):
                self._page.evaluate(self._axe)
            found = self._page.evaluate("() => axe.run(document, { resultTypes: ['violations'] })")
            self.findings += [f"{where}, {look}: {text}" for text in _grave(found["violations"])]


def _grave(violations: list[dict[str, Any]]) -> list[str]:
    return [
        f"{rule['help']}: {node['html']}"
        for rule in violations
        if rule["impact"] in _GRAVE
        for node in rule["nodes"]
    ]


@pytest.fixture
def checker(page: Page, axe: str) -> Checker:
    """A checker of the start page."""
    return Checker(page, axe)


def test_start_page_settings_and_help_have_no_serious_finding(page: Page, checker: Checker) -> None:
    expect(page.get_by_text("Nobody has an open table").or_(page.get_by_text("Watch"))).to_be_visible()
    checker.look("start page")
    page.get_by_role("button", name="Settings").click()
    expect(page.get_by_role("dialog", name="Settings")).to_be_visible()
    checker.look("settings")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Help").click()
    expect(page.get_by_role("dialog", name="How to play")).to_be_visible()
    checker.look("help")
    assert checker.findings == []


def test_making_a_table_has_no_serious_finding(page: Page, checker: Checker) -> None:
    page.get_by_role("link", name="Set up a table").click()
    page.get_by_text("More: house rules").click()
    expect(page.get_by_role("spinbutton").first).to_be_visible()
    checker.look("new table")
    assert checker.findings == []


def test_the_lobby_has_no_serious_finding(new_page: NewPage, page: Page, checker: Checker, axe: str) -> None:
    code = make_table(page, [ME, FRIEND, bot()])
    go_to(page, code)
    page.get_by_role("button", name=re.compile("Seat 3")).click()
    checker.look("lobby of the host")

    guest = new_page(f"/t/{code}")
    expect(guest.get_by_role("button", name="Take a seat")).to_be_visible()
    invited = Checker(guest, axe)
    invited.look("lobby of a guest")
    assert checker.findings + invited.findings == []


@pytest.mark.slow
def test_the_table_has_no_serious_finding(page: Page, checker: Checker) -> None:
    seat = sit_down(page, [ME, bot(), bot(), bot()], edition="deluxe", sets=None)
    seat.wait_until_asked("Roll the die.")
    checker.look("table, to roll")
    seat.roll()
    seat.wait_until_asked()
    checker.look("table, to build")
    seat.look_at(re.compile("^Wheat Field|^Bakery|^Ranch"))
    checker.look("close-up")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Fair dice").click()
    checker.look("fair dice")
    page.keyboard.press("Escape")
    page.get_by_role("tab", name="Chat").click()
    checker.look("chat")
    assert checker.findings == []


def test_somebody_elses_turn_has_no_serious_finding(new_page: NewPage, page: Page, checker: Checker) -> None:
    code = make_table(page, [FRIEND, ME])
    friend = new_page(f"/t/{code}")
    friend.get_by_role("button", name="Take a seat").click()
    expect(friend.get_by_text("Ana starts the game")).to_be_visible()
    go_to(page, code)
    page.get_by_role("button", name="Start the game").click()
    expect(page.get_by_text("is about to roll")).to_be_visible()
    checker.look("another player's turn")
    page.get_by_role("button", name="Pause the game").click()
    expect(page.get_by_text("You have paused the game")).to_be_visible()
    checker.look("paused")
    assert checker.findings == []


@pytest.mark.slow
def test_what_follows_a_game_has_no_serious_finding(page: Page, checker: Checker) -> None:
    seat = sit_down(page, [ME, bot()], house=RICH)
    seat.play_to_the_end()
    after = page.locator("section.after")
    for part in ("Over time", "Income", "Dice", "Review"):
        after.get_by_role("tab", name=part).click()
        checker.look(f"result, {part}")
    page.get_by_role("link", name="Replay").click()
    expect(page.get_by_role("slider", name="Place in the game")).to_be_visible()
    checker.look("replay")
    assert checker.findings == []
