"""Takes the pictures in docs/screenshots: python docs/make_screenshots.py.

It needs what the tests in a browser need: the built page (`make page`) and Chromium (`make tools`). It starts
a service of its own, sets tables at which bots have played (the same every time), and looks at them as Ana,
on a phone, a tablet and a desk. The review takes a minute or two: what thinks about it is compiled first.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Browser, Page, sync_playwright

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))  # for what the tests have in common with this

from tests.browser.conftest import launch, new_context  # noqa: E402
from tests.browser.service import Service  # noqa: E402
from tests.browser.set_table import new_guest, set_table  # noqa: E402

from dicetown import Game, Ruleset  # noqa: E402
from dicetown.terminal.seats import choose_for  # noqa: E402

PICTURES = Path(__file__).with_name("screenshots")
#: Width and height, and light or dark.
SCREENS = {360: (740, "light"), 820: (1180, "dark"), 1440: (900, "light")}
NAMES = ["Ana", "Ben", "Cleo", "Dan", "Eva"]
#: Who plays while nobody is there; they build what makes cities worth looking at.
BOTS = [None, "normal", "easy", "greedy", "normal"]
REVIEW_SECONDS = 900.0


def played(edition: str, players: int, seed: int, until: Callable[[Game], bool]) -> Game:
    """A game that bots have played until a certain moment."""
    game = Game(Ruleset(edition), names=NAMES[:players], seed=seed)
    while not until(game):
        game.play(choose_for(BOTS[game.turn] or "normal", game))
    return game


def in_the_middle(game: Game) -> bool:
    """Whether Ana can pay for some things and not for others, in a game with much to see."""
    if game.turn != 0 or game.phase != "build" or game.turns < 12 * game.players:
        return False
    payable = sum(action.text.startswith("build") for action in game.legal_actions())
    return 4 <= payable <= len(game.market) - 2 and len(game.cards(0)) >= 8


def take(page: Page, name: str, width: int) -> None:
    """Take a picture, with the right letters."""
    page.evaluate("document.fonts.ready")
    page.screenshot(path=PICTURES / f"{name}-{width}.png", animations="disabled")


def take_start(page: Page, address: str, width: int) -> None:
    """The start page of somebody who has played here before."""
    page.goto(address)
    page.get_by_role("link", name="Your turn").first.wait_for()
    take(page, "start", width)


def take_table(page: Page, table: str, width: int) -> None:
    """A table in the middle of a game."""
    page.goto(table)
    page.get_by_role("heading", name="What do you build?").wait_for()
    if width > 700:  # on a phone the odds are folded
        page.locator(".chance table").wait_for()
    take(page, "table", width)


def take_review(page: Page, table: str, width: int) -> None:
    """The review of a game."""
    page.goto(table)
    page.get_by_role("tab", name="Review").click()
    page.get_by_role("button", name="Review the game").click()
    page.get_by_role("heading", name="turning points").wait_for(timeout=REVIEW_SECONDS * 1000)
    page.get_by_role("tablist", name="Parts of the look back").evaluate("tabs => tabs.scrollIntoView()")
    take(page, "review", width)


def take_all(browser: Browser, service: Service) -> None:
    """All pictures."""
    guest, cookie = new_guest(service.database)
    games = {
        360: played("deluxe", 4, 8, in_the_middle),
        820: played("grossstadt", 4, 1, in_the_middle),
        1440: played("deluxe", 5, 3, in_the_middle),
    }
    codes = {width: set_table(service.database, game, guest, BOTS) for width, game in games.items()}
    over = set_table(service.database, played("deluxe", 4, 7, lambda game: game.over), guest, BOTS)
    for width, (height, colours) in SCREENS.items():
        context = new_context(browser, width, height, color_scheme=colours)
        context.add_init_script("""localStorage["dicetown.guide"] = '{"wanted": "no"}'""")
        context.add_cookies([cookie | {"url": service.address}])
        page = context.new_page()
        page.request.patch(f"{service.address}api/me", data={"name": NAMES[0]})
        take_start(page, service.address, width)
        take_table(page, f"{service.address}t/{codes[width]}", width)
        take_review(page, f"{service.address}t/{over}", width)
        context.close()


def main() -> None:
    """Take all pictures anew."""
    PICTURES.mkdir(exist_ok=True)
    with TemporaryDirectory() as folder, Service(Path(folder)) as service, sync_playwright() as playwright:
        browser = launch(playwright)
        take_all(browser, service)
        browser.close()
    print(f"{PICTURES}: {len(list(PICTURES.glob('*.png')))} pictures taken.")


if __name__ == "__main__":
    main()
