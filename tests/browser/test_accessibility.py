"""No page has a finding of axe-core that matters, by day and by night; headings go down by single steps."""

import re
from typing import Any, Literal

import pytest
from playwright.sync_api import Page, expect
from tests.browser.conftest import NewPage
from tests.browser.playing import FRIEND, ME, bot, go_to, make_table, sit_down
from tests.browser.service import Service
from tests.browser.test_finished import open_finished

_LOOKS: tuple[Literal["light", "dark"], ...] = ("light", "dark")
_GRAVE = ("moderate", "serious", "critical")
#: The table has a layout of its own for each of these windows.
WINDOWS = pytest.mark.parametrize("window", [(1440, 900), (820, 1180), (360, 740), (740, 360)])
# Colours that are still changing are nobody's finding.
_AT_REST = """() => Promise.allSettled(document.getAnimations()
    .filter((one) => one.effect.getComputedTiming().endTime !== Infinity)
    .map((one) => one.finished))"""
# What those who listen can walk through: not what waits behind a tab, nor what is behind a dialog.
_HEADINGS = """() => {
    const top = [...document.querySelectorAll("dialog:modal")].at(-1) ?? document;
    return [...top.querySelectorAll("h1, h2, h3, h4, h5, h6")]
        .filter((one) => one.checkVisibility() && !one.closest("[inert]"))
        .map((one) => [Number(one.tagName[1]), one.textContent.trim()]);
}"""


class Checker:
    """Looks at a page as it is now, in both looks."""

    def __init__(self, page: Page, axe: str) -> None:
        self._page, self._axe = page, axe
        self.findings: list[str] = []

    def look(self, where: str) -> None:
        """Note what is wrong with the page as it is now."""
        for look in _LOOKS:
            self._page.emulate_media(color_scheme=look)
            self._page.evaluate(_AT_REST)
            if not self._page.evaluate("() => 'axe' in window"):
                self._page.evaluate(self._axe)
            found = self._page.evaluate("() => axe.run(document, { resultTypes: ['violations'] })")
            self.findings += [f"{where}, {look}: {text}" for text in _grave(found["violations"])]
        self.findings += [f"{where}: {text}" for text in _gaps(self._page.evaluate(_HEADINGS))]


def _grave(violations: list[dict[str, Any]]) -> list[str]:
    return [
        f"{rule['help']}: {node['html']}"
        for rule in violations
        if rule["impact"] in _GRAVE
        for node in rule["nodes"]
    ]


def _gaps(headings: list[tuple[int, str]]) -> list[str]:
    """Headings that are too far below the one before them, and a page without a heading of its own."""
    levels = [level for level, _ in headings]
    before = [levels[0], *levels] if levels else []
    gaps = [
        f"h{up} → h{level} {text}"
        for up, (level, text) in zip(before, headings, strict=False)
        if level > up + 1
    ]
    begins = levels[:1] in ([1], [2]) and levels.count(1) <= 1  # a dialog's is an h2
    return gaps if begins else [*gaps, f"begins with {headings[:2]}"]


@pytest.fixture
def checker(page: Page, axe: str) -> Checker:
    """A checker of the start page."""
    return Checker(page, axe)


def test_start_page_settings_and_help_have_no_finding(page: Page, checker: Checker) -> None:
    expect(page.get_by_text("Nobody has an open table").or_(page.get_by_text("Watch"))).to_be_visible()
    checker.look("start page")
    page.get_by_role("button", name="Settings").click()
    expect(page.get_by_role("dialog", name="Settings")).to_be_visible()
    checker.look("settings")
    page.keyboard.press("Escape")
    make_table(page, [ME, bot()])
    page.reload()
    page.get_by_role("button", name="Leave or delete").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    checker.look("giving a game up")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Help").click()
    expect(page.get_by_role("dialog", name="How to play")).to_be_visible()
    checker.look("help")
    assert checker.findings == []


def test_making_a_table_has_no_finding(page: Page, checker: Checker) -> None:
    page.get_by_role("link", name="Set up a table").click()
    page.get_by_text("More: house rules").click()
    expect(page.get_by_role("spinbutton").first).to_be_visible()
    checker.look("new table")
    assert checker.findings == []


def test_the_lobby_has_no_finding(new_page: NewPage, page: Page, checker: Checker, axe: str) -> None:
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
@WINDOWS
def test_the_table_has_no_finding_in_any_layout(new_page: NewPage, axe: str, window: tuple[int, int]) -> None:
    width, height = window
    page = new_page(width=width, height=height)
    checker = Checker(page, axe)
    seat = sit_down(page, [ME, bot(), bot()], edition="deluxe", sets=None)
    seat.wait_until_asked("Roll the die.")
    checker.look("to roll")
    parts = page.get_by_role("tablist", name="Parts of the table").get_by_role("tab")
    for part in parts.all():  # on a phone
        part.click()
        checker.look(part.inner_text())
    unfold = page.get_by_role("banner").get_by_role("button", name="Log and chat")
    if unfold.is_visible():  # on a tablet
        unfold.click()
        expect(page.locator("#side-panel")).to_be_visible()
        checker.look("log")
    assert checker.findings == []


@pytest.mark.slow
def test_what_opens_at_the_table_has_no_finding(page: Page, checker: Checker) -> None:
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


def test_somebody_elses_turn_has_no_finding(new_page: NewPage, page: Page, checker: Checker) -> None:
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


REVIEWED = {
    "ready": True,
    "ahead": 0,
    "done": 3,
    "total": 3,
    "players": [
        {"name": "Ana", "luck": 0.3, "choice": -0.1, "others": 0.3, "accuracy": 0.9, "mistakes": 1},
        {"name": "Ben", "luck": -0.3, "choice": 0.1, "others": -0.3, "accuracy": None, "mistakes": 0},
    ],
    "moments": [
        {
            "moves": moves,
            "round": 1,
            "seat": moves % 2,
            "kind": "choice" if moves == 4 else "luck",
            "text": "Build the Bakery" if moves == 4 else "Ana rolls a 2.",
            "better": "Build the Ranch" if moves == 4 else None,
            "loss": 0.1 if moves == 4 else 0.0,
            "before": [0.5, 0.5],
            "after": [0.6, 0.4],
        }
        for moves in (2, 4, 6)
    ],
    "turning_points": [0, 1, 2],
}


@pytest.mark.slow
@WINDOWS
def test_what_follows_a_game_has_no_finding_in_any_layout(
    new_page: NewPage, service: Service, axe: str, window: tuple[int, int]
) -> None:
    width, height = window
    page = open_finished(service, new_page, width=width, height=height, service_workers="block")
    checker = Checker(page, axe)
    page.route("**/review?*", lambda route: route.fulfill(json=REVIEWED))
    after = page.locator("section.after")
    for part in ("Over time", "Income", "Dice", "Review"):
        after.get_by_role("tab", name=part).click()
        checker.look(f"result, {part}")
    page.get_by_role("button", name="Review the game").click()
    expect(page.get_by_role("heading", name="turning points")).to_be_visible()
    checker.look("review")
    page.get_by_role("link", name="Replay", exact=True).click()
    expect(page.get_by_role("slider", name="Place in the game")).to_be_visible()
    checker.look("replay")
    assert checker.findings == []
