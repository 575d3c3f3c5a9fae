"""With a timer: who is asked is told once that little time is left."""

import re

from playwright.sync_api import Page, expect
from tests.browser.playing import ME, bot, sit_down

_JUMP_MS = 12_000  # of the twenty seconds of "fast": it leaves less than the ten that are said

# Keeps what the live region says, each time that it says something.
_LISTEN = """() => {
    const region = document.querySelector("[aria-live=polite].visually-hidden");
    window.heard = [];
    new MutationObserver(() => window.heard.push(region.textContent)).observe(
        region, { childList: true, characterData: true, subtree: true });
}"""


def test_that_little_time_is_left_is_said_once(page: Page) -> None:
    page.clock.install()
    seat = sit_down(page, [ME, bot("beginner")], timer="fast")
    seat.wait_until_asked("Roll")
    page.evaluate(_LISTEN)
    page.clock.fast_forward(_JUMP_MS)
    clock = page.get_by_role("timer", name="Time left")
    expect(clock).to_have_text(re.compile(r"^0:0\d$"))
    left = clock.inner_text()
    page.clock.run_for(2000)
    expect(clock).not_to_have_text(left)
    [heard] = page.evaluate("window.heard")
    assert re.fullmatch(r"\d seconds left", heard)
