"""A long past: the page shows the newest of it, and the rest to who scrolls up."""

import pytest
from playwright.sync_api import Page, expect
from tests.browser.playing import ME, bot, sit_down

# Scrolls up as far as it goes, again and again, until nothing more comes; tells how often something did.
# Somebody who has just come may be led back to the newest once: then they scroll up again.
_TO_THE_BEGINNING = """async (log) => {
    const later = () => new Promise((resolve) => setTimeout(resolve, 50));
    let pages = 0;
    for (let looks = 0; log.querySelector(".earlier") && looks < 400; looks++) {
        const before = log.scrollHeight;
        log.scrollTop = 0;
        await later();
        if (log.scrollHeight !== before) pages += 1;
    }
    return pages;
}"""


@pytest.mark.slow
def test_who_scrolls_up_finds_the_beginning_of_a_long_game(page: Page) -> None:
    sit_down(page, [ME, bot(), bot(), bot()], edition="ciudad").play_to_the_end()
    page.reload()
    log = page.get_by_role("log", name="Log")
    expect(log).to_contain_text("The secret of the dice is revealed")
    expect(log).not_to_contain_text("The table is set.")
    assert log.evaluate(_TO_THE_BEGINNING) >= 1
    expect(log).to_contain_text("The table is set.")
    expect(log).to_contain_text("The game begins.")
