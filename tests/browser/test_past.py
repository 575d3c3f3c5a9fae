"""A long past: the page shows the newest of it, and the rest to who scrolls up."""

from playwright.sync_api import expect
from tests.browser.conftest import PATIENCE, NewPage
from tests.browser.service import Service
from tests.browser.test_finished import open_finished

# Scrolls up as far as it goes, again and again, until nothing more comes; tells how often something did.
# Somebody who has just come may be led back to the newest once: then they scroll up again.
_TO_THE_BEGINNING = """async (log) => {
    const later = () => new Promise((resolve) => setTimeout(resolve, 20));
    const end = performance.now() + PATIENCE;
    let pages = 0;
    while (log.querySelector(".earlier") && performance.now() < end) {
        const before = log.scrollHeight;
        log.scrollTop = 0;
        await later();
        if (log.scrollHeight !== before) pages += 1;
    }
    return pages;
}""".replace("PATIENCE", str(4 * PATIENCE))


def test_who_scrolls_up_finds_the_beginning_of_a_long_game(service: Service, new_page: NewPage) -> None:
    page = open_finished(service, new_page, ["Ana", "Ben", "Cleo", "Dan"])
    log = page.get_by_role("log", name="Log")
    expect(log).to_contain_text("The secret of the dice is revealed")
    expect(log).not_to_contain_text("The table is set.")
    assert log.evaluate(_TO_THE_BEGINNING) >= 1
    expect(log).to_contain_text("The table is set.")
    expect(log).to_contain_text("The game begins.")
