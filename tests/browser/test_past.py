"""A long past: the page shows the newest of it, and the rest to who scrolls up."""

from playwright.sync_api import Locator, Page, Route, expect
from tests.browser.conftest import Expect, NewPage
from tests.browser.service import Service
from tests.browser.set_table import new_guest, set_table

from dicetown.game import Game
from dicetown.rules.ruleset import Ruleset
from dicetown.terminal.seats import choose_for

_PAGES = "**/api/tables/*/log?*"  # older ones, by which the log grows upwards
_SCROLL = "(log, top) => { log.scrollTop = top; }"
# Where the first line that is wholly in sight lies, and which it is.
_READ = """(log) => {
    const top = log.getBoundingClientRect().top;
    const line = [...log.querySelectorAll("li")].find((one) => one.getBoundingClientRect().top >= top);
    return [line.innerText, Math.round(line.getBoundingClientRect().top - top)];
}"""


def open_long_game(service: Service, page: Page) -> Locator:
    """Come to a game of many turns that is over; this is its log."""
    names = ["Ana", "Ben", "Cleo", "Dora"]
    game = Game(Ruleset("ciudad", sets=["base"]), names=names, seed=1)
    while not game.over:
        game.play(choose_for("greedy:slips=600", game))  # who errs often plays long
    guest, cookie = new_guest(service.database)
    page.context.add_cookies([cookie | {"url": service.address}])
    page.goto(f"{service.address}t/{set_table(service.database, game, guest, [None, *['beginner'] * 3])}")
    log = page.get_by_role("log", name="Log")
    expect(log).to_contain_text("The secret of the dice is revealed")
    expect(log).not_to_contain_text("The game begins.")
    return log


def test_who_scrolls_up_finds_the_beginning_of_a_long_game(service: Service, page: Page) -> None:
    log = open_long_game(service, page)
    newest = log.locator("li").count()
    log.evaluate("(log) => { setInterval(() => { log.scrollTop = 0; }, 50); }")
    expect(log).to_contain_text("The table is set.")
    expect(log).to_contain_text("The game begins.")
    assert log.locator("li").count() > 2 * newest  # it took several pages


def test_who_reads_on_while_a_page_is_fetched_stays_where_they_are(
    service: Service, new_page: NewPage
) -> None:
    page = new_page(service_workers="block")  # it would ask past the route
    log = open_long_game(service, page)
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route(_PAGES, hold)
    with page.expect_request(_PAGES):
        log.evaluate(_SCROLL, 0)
    log.evaluate(_SCROLL, 300)
    lines, read = log.locator("li").count(), log.evaluate(_READ)
    held.pop().continue_()
    expect(log.locator("li").nth(lines)).to_be_attached()
    assert log.evaluate(_READ) == read


def test_a_page_that_is_refused_is_not_asked_for_again_and_again(
    service: Service, new_page: NewPage, expect_problem: Expect
) -> None:
    expect_problem("503")
    page = new_page(service_workers="block")
    log = open_long_game(service, page)
    asked: list[str] = []

    def refuse(route: Route) -> None:
        asked.append(route.request.url)
        route.fulfill(status=503, json={})

    page.route(_PAGES, refuse)
    log.evaluate(_SCROLL, 0)
    expect(page.locator("span", has_text="Dicetown cannot be reached")).to_be_visible()
    page.wait_for_timeout(500)  # a page that asks without end would have asked dozens of times
    assert len(asked) == 1
    page.unroute(_PAGES)
    lines = log.locator("li").count()
    page.get_by_role("button", name="Show what came before").click()
    expect(log.locator("li").nth(lines)).to_be_attached()
