"""With the keyboard alone: everything can be reached, and the focus is never lost."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect
from tests.browser.conftest import NewPage
from tests.browser.playing import ME, RICH, Seat, Words, bot, sit_down
from tests.browser.service import Service
from tests.browser.test_past import open_long_game

# So many stops has no page of ours, however long the game was.
_FAR = 60


class Keys(Seat):
    """A player without a mouse."""

    def press(self, what: Locator) -> None:
        """Whoever has no mouse cannot do this."""
        raise AssertionError(f"by keyboard, nobody clicks on {what}")

    def key(self, *keys: str) -> None:
        """Press keys, one after the other; then something has the focus, on a new page at the latest."""
        for key in keys:
            self.page.keyboard.press(key)
        self.page.wait_for_function("() => document.activeElement !== document.body")

    def focus(self) -> str:
        """What has the focus, as a screen reader says it; nothing between the last stop and the first."""
        focused = self.page.locator(":focus")
        return focused.aria_snapshot() if focused.count() else ""

    def tab_to(self, what: Words) -> None:
        """Press Tab until something has the focus that is called like this."""
        self._tab_until(lambda: re.search(what, self.focus()))

    def _tab_until(self, there: Callable[[], object]) -> None:
        for _ in range(_FAR):
            self.page.keyboard.press("Tab")  # behind the last stop is the page itself, then the first one
            if there():
                return
        raise AssertionError("what is looked for cannot be reached by Tab")

    def answer(self) -> None:
        """Some answer to whatever is asked, by the keys that the help names."""
        now = self.now()
        if now["rolls"]:
            self.key("1")
        elif now["landmarks"] or now["cards"]:
            self._build(landmark=now["landmarks"] > 0)
        else:
            self._take_the_first(now)
        self._taken(now["moves"])

    def _build(self, landmark: bool) -> None:
        tiles = self.city.locator(".skyline") if landmark else self.market
        if not tiles.locator(":focus").count():
            self._tab_until(tiles.locator(":focus").count)
        self.key("Home")
        while not tiles.locator(":focus[data-able]").count():
            self.key("ArrowRight")
        self.key("Enter")
        expect(self.close_up.get_by_role("button", name=re.compile("^Build"))).to_be_focused()
        self.page.keyboard.press("Enter")

    def _take_the_first(self, before: dict[str, Any]) -> None:
        """The choice with the number 1 in every step; the same number again confirms it."""
        while True:
            self.key("1")
            now = self._wait(
                "now.moves !== argument.moves || now.picked || now.steps > argument.steps", before
            )
            if now["moves"] != before["moves"]:
                return
            if now["picked"]:
                self.key("1")
                return
            before = now


@pytest.mark.slow
def test_a_whole_game_by_keyboard(page: Page) -> None:
    keys = Keys(page)
    keys.tab_to("Set up a table")
    keys.key("Enter")
    expect(page.get_by_role("heading", name="New table")).to_be_visible()
    keys.tab_to("radio")
    while not re.search("Großstadt", keys.focus()):
        keys.key("ArrowRight")
    for added in ("Harbor", "Special"):
        keys.tab_to(f"switch.*{added}")
        keys.key("Space")
    keys.tab_to("Take seat 2 away")
    keys.key("Enter")
    keys.tab_to('radio "Normal"')
    keys.key("ArrowRight")
    keys.tab_to("Start the game")
    keys.key("Enter")

    assert keys.play_to_the_end() > 20

    expect(page.get_by_role("heading", name=re.compile("wins?!$"))).to_be_visible()
    keys.tab_to("Rematch")
    keys.tab_to('tab "Over time"')
    keys.key("ArrowRight", "ArrowRight")
    expect(page.get_by_role("tab", name="Dice")).to_be_focused()
    keys.tab_to("Replay")


def test_a_long_log_is_one_stop_and_the_arrows_lead_through_its_lines(service: Service, page: Page) -> None:
    log = open_long_game(service, page)
    keys = Keys(page)
    assert log.locator("button.line").count() > _FAR
    keys.tab_to("^- log")
    keys.key("ArrowUp")
    expect(log.locator("button.line").last).to_be_focused()
    keys.key("ArrowUp")
    expect(log.locator("button.line").nth(-2)).to_be_focused()
    keys.key("Enter")
    keys.key("Escape")
    expect(log.locator("button.line").nth(-2)).to_be_focused()
    keys.tab_to("Replay")


def test_a_turn_by_tab_and_enter(page: Page) -> None:
    keys = Keys(page)
    keys.tab_to("Play now")
    keys.key("Enter")
    keys.wait_until_asked("Roll the die.")
    keys.tab_to("Roll one die")
    keys.key("Enter")
    keys.wait_for_moves(2)
    keys.key("Tab")


def test_a_question_mark_shows_the_keys(new_page: NewPage) -> None:
    page = new_page()
    keys = Keys(sit_down(page, [ME, bot()]).page)
    keys.wait_until_asked()
    page.keyboard.press("?")

    help_ = page.get_by_role("dialog", name="How to play")
    listed = help_.locator("dl.keys")
    for what in ("Roll one die or two", "Build nothing", "Take the last choice back", "Ask for a hint"):
        expect(listed).to_contain_text(what)
    before = keys.moves
    page.keyboard.press("1")  # belongs to the help now
    page.keyboard.press("Escape")
    expect(help_).to_be_hidden()
    assert keys.moves == before


def test_escape_cancels_a_close_up_and_gives_the_focus_back(new_page: NewPage) -> None:
    page = new_page()
    keys = Keys(sit_down(page, [ME, bot()], house=RICH).page)
    keys.wait_until_asked()
    keys.key("Tab", "1")
    keys.wait_until_asked("What do you build?")
    keys.key("ArrowRight")  # leads into the tiles, to the first that can be paid
    expect(page.locator(":focus[data-able]")).to_have_accessible_name(re.compile("^Wheat Field"))
    before = keys.moves

    keys.key("Enter")
    expect(keys.close_up).to_contain_text("Wheat Field")
    keys.key("Tab", "Tab", "Tab")  # the focus stays inside
    expect(keys.close_up.locator(":focus")).to_be_visible()
    keys.key("Escape")

    expect(keys.close_up).to_be_hidden()
    expect(page.locator(":focus")).to_have_accessible_name(re.compile("^Wheat Field"))
    keys.key("i")
    expect(keys.close_up).to_be_visible()
    keys.key("Escape")
    assert keys.moves == before
    keys.key("p")
    keys.wait_for_moves(before + 1)
