"""Takes the pictures in docs/screenshots: python docs/make_screenshots.py.

It needs what the tests in a browser need: the built page (`make page`) and Chromium (`make tools`). It starts
a service of its own, sets tables at which bots have played (the same every time), and looks at them as Ana,
in windows of every size that the table is made for. The review takes a minute or two: what thinks about it
is compiled first.

`--only trade` takes some of the pictures, `--to FOLDER` puts them elsewhere.
"""

from __future__ import annotations

import argparse
import io
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))  # for what the tests have in common with this

from tests.browser.conftest import launch, new_context  # noqa: E402
from tests.browser.playing import Seat  # noqa: E402
from tests.browser.service import Service  # noqa: E402
from tests.browser.set_table import new_guest, set_table  # noqa: E402

from dicetown import Game, Ruleset  # noqa: E402
from dicetown.server.view.questions import asked_of  # noqa: E402
from dicetown.terminal.seats import choose_for  # noqa: E402

PICTURES = Path(__file__).with_name("screenshots")


@dataclass(frozen=True)
class Window:
    """A window, and which editions it shows."""

    width: int
    height: int
    look: Literal["light", "dark"]
    many: str  # at the table of many
    trade: str  # at the table of two

    @property
    def size(self) -> str:
        """Its size, as names of pictures say it."""
        return f"{self.width}x{self.height}"


WINDOWS = (
    Window(360, 740, "light", "deluxe", "ciudad"),
    Window(740, 360, "dark", "grossstadt", "deluxe"),
    Window(820, 1180, "dark", "grossstadt", "deluxe"),
    Window(1024, 768, "light", "neue_stadt", "grossstadt"),
    Window(1280, 640, "light", "ciudad", "deluxe"),
    Window(1366, 657, "dark", "deluxe", "ciudad"),
    Window(1440, 789, "light", "neue_stadt", "grossstadt"),
    Window(1440, 900, "light", "deluxe", "deluxe"),
    Window(1920, 1080, "dark", "grossstadt", "ciudad"),
    Window(2560, 1440, "light", "neue_stadt", "deluxe"),
)
#: Pictures that pages show have short names.
EMBEDDED = {"start-1440x900": "start-1440", "table-deluxe-5-build-1440x900": "table-1440"}
NAMES = ["Ana", "Ben", "Cleo", "Dan", "Eva"]
#: Who plays while nobody is there; they build what makes cities worth looking at.
BOTS = [None, "normal", "easy", "greedy", "normal"]
REVIEW_SECONDS = 900.0
#: Bytes that a picture should not exceed, and with how many colours that is tried.
LARGEST, COLOURS = 150_000, (256, 128, 64)
TRADE = "business_center"
SEEDS = 120  # games that are looked through for a moment; most end too soon in neue_stadt


# -------------------------------------------------------------------------------- what is to be seen


def played(edition: str, players: int, seed: int, until: Callable[[Game], bool]) -> Game | None:
    """A game that bots have played until a certain moment; none if that never came.

    Ana builds the Business Center as soon as she can, in games that have one.
    """
    game = Game(Ruleset(edition), names=NAMES[:players], seed=seed)
    while not until(game):
        if game.over:
            return None
        legal = [action.text for action in game.legal_actions()]
        wish = f"build {TRADE}"
        game.play(wish if game.turn == 0 and wish in legal else choose_for(BOTS[game.turn] or "normal", game))
    return game


def first_of(edition: str, players: int, until: Callable[[Game], bool]) -> Game:
    """The first game with a certain moment."""
    games = (played(edition, players, seed, until) for seed in range(1, SEEDS))
    return next(game for game in games if game is not None)


def is_to_build(game: Game) -> bool:
    """Whether Ana can pay for some things and not for others, in a game with much to see."""
    if game.turn != 0 or game.phase != "build" or game.turns < 10 * game.players:
        return False
    payable = sum(action.text.startswith("build") for action in game.legal_actions())
    return 3 <= payable <= len(game.market) - 2 and len(game.cards(0)) >= 6


def is_to_trade(game: Game) -> bool:
    """Whether Ana is asked what she gives away, with something to choose from."""
    asked = None if game.over or game.waits_for_chance else asked_of(game, "en")
    if asked is None or (asked.seat, asked.control, asked.because) != (0, "give", TRADE):
        return False
    return len(asked.choices) >= 4


def crowd(edition: str) -> int:
    """How many can play at most."""
    return Ruleset(edition).max_players


@cache
def many(edition: str) -> Game:
    """A game of as many as can play, with something to build."""
    return first_of(edition, crowd(edition), is_to_build)


@cache
def trading(edition: str) -> Game:
    """A game of two, with a trade to decide."""
    return first_of(edition, 2, is_to_trade)


# ------------------------------------------------------------------------------------- taking them


def names_of(window: Window) -> Iterator[tuple[str, str]]:
    """The kinds of pictures that are taken in a window, and what each is called."""
    called = {
        "start": "start",
        "build": f"table-{window.many}-{crowd(window.many)}-build",
        "trade": f"table-{window.trade}-2-trade",
        "review": "review",
    }
    for kind, shows in called.items():
        name = f"{shows}-{window.size}"
        yield kind, EMBEDDED.get(name, name)


def take(page: Page, path: Path) -> None:
    """Take a picture, with the right letters and not too large."""
    page.evaluate("document.fonts.ready")
    page.wait_for_timeout(500)  # odds and pictures may still be on their way
    taken = Image.open(io.BytesIO(page.screenshot(animations="disabled"))).convert("RGB")
    for colours in COLOURS:
        file = io.BytesIO()
        taken.quantize(colours).save(file, "PNG", optimize=True)
        if file.tell() <= LARGEST:
            break
    path.write_bytes(file.getvalue())


class Photographer:
    """Goes to places as Ana."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self.guest, self.cookie = new_guest(service.database)

    def table(self, game: Game) -> str:
        """The address of a table at which a game stands."""
        code = set_table(self._service.database, game, self.guest, BOTS)
        return f"{self._service.address}t/{code}"

    def page(self, browser: Browser, window: Window) -> Page:
        """A page of Ana's."""
        context = new_context(browser, window.width, window.height, color_scheme=window.look)
        context.add_init_script("""localStorage["dicetown.guide"] = '{"wanted": "no"}'""")
        context.add_cookies([self.cookie | {"url": self._service.address}])
        page = context.new_page()
        page.request.patch(f"{self._service.address}api/me", data={"name": NAMES[0]})
        return page

    def go(self, page: Page, kind: str, window: Window, over: str) -> None:
        """Go where something of a kind is to be seen; ``over`` is a table whose game is over."""
        if kind == "start":
            page.goto(self._service.address)
            page.get_by_role("link", name="Your turn").first.wait_for()
        elif kind == "review":
            _go_to_review(page, over)
        else:
            game = many(window.many) if kind == "build" else trading(window.trade)
            page.goto(self.table(game))
            Seat(page).wait_until_asked()


def _go_to_review(page: Page, table: str) -> None:
    """The review of a game, which is made when it is first asked for."""
    page.goto(table)
    page.get_by_role("tab", name="Review").click()
    page.get_by_role("button", name="Review the game").click()
    page.get_by_role("heading", name="turning points").wait_for(timeout=REVIEW_SECONDS * 1000)
    # The first picture comes soon; what is shown is the exact one.
    page.get_by_role("progressbar", name="Review").wait_for(state="detached", timeout=REVIEW_SECONDS * 1000)
    page.get_by_role("tablist", name="Parts of the look back").evaluate("tabs => tabs.scrollIntoView()")


def take_all(browser: Browser, service: Service, folder: Path, only: str) -> set[Path]:
    """All pictures whose names have a certain text; where they are."""
    ana, taken = Photographer(service), set()
    over = ana.table(first_of("deluxe", 4, lambda game: game.over))
    for edition in ("deluxe", "grossstadt"):  # somebody who has played here before
        ana.table(many(edition))
    for window in WINDOWS:
        wanted = [(kind, name) for kind, name in names_of(window) if only in name]
        page = ana.page(browser, window) if wanted else None
        for kind, name in wanted:
            assert page is not None
            ana.go(page, kind, window, over)
            take(page, path := folder / f"{name}.png")
            taken.add(path)
        if page is not None:
            page.context.close()
    return taken


def forget_others(folder: Path, taken: set[Path]) -> None:
    """Remove what is not taken any more: only ever from our own folder, for others hold other people's."""
    if folder != PICTURES:
        return
    for old in set(folder.glob("*.png")) - taken:
        old.unlink()


def main() -> None:
    """Take the pictures anew."""
    parser = argparse.ArgumentParser(description="Takes the pictures in docs/screenshots.")
    parser.add_argument("--only", default="", metavar="TEXT", help="those whose names have this text")
    parser.add_argument("--to", default=PICTURES, type=Path, metavar="FOLDER", help="where to put them")
    wanted = parser.parse_args()
    wanted.to.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as folder, Service(Path(folder)) as service, sync_playwright() as playwright:
        browser = launch(playwright)
        taken = take_all(browser, service, wanted.to, wanted.only)
        browser.close()
    if not wanted.only:
        forget_others(wanted.to, taken)
    size = sum(path.stat().st_size for path in taken)
    print(f"{wanted.to}: {len(taken)} pictures taken, {size / 1e6:.1f} MB.")


if __name__ == "__main__":
    main()
