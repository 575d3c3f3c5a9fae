"""How soon the page shows what one has done, and how long three bots take: measured in a real browser.

    .venv/bin/python bench/page.py                   50 turns at "instant", 16 at "fast"
    .venv/bin/python bench/page.py --turns 20

It needs what the tests in a browser need: the built page (`make page`) and Chromium (`make tools`). It starts
a service of its own. Measured is the time from a click until the frame with its result is drawn: the card
that is looked at, the dice that lie, what was built; and the part of it after the service's answer, which the
page takes by itself. The turns of the bots (beginners, who hardly think) count from the last click of one's
own turn until the frame in which the next question stands.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from collections import defaultdict
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))  # for what the tests have in common with this

from tests.browser.conftest import launch, new_context  # noqa: E402
from tests.browser.playing import ME, Seat, bot, sit_down  # noqa: E402
from tests.browser.service import Service  # noqa: E402

# When the service was heard last.
_HEAR = """window.heard = 0;
window.WebSocket = class extends WebSocket {
    constructor(...all) {
        super(...all);
        this.addEventListener("message", () => (window.heard = performance.now()));
    }
};"""
# Each click waits for what is wanted of it, another moment or a card seen closely, and for the next question.
_WATCH = """() => {
    window.wanted = "moment";
    window.took = { result: null, question: null };
    let clicked = null;
    const moment = () => document.querySelector("[data-moves]")?.dataset.moves;
    const asks = () => !!document.querySelector("section.bar h2");
    // What is posted in a frame comes when that has been drawn, and before the service is heard again.
    const drawn = (then) =>
        scheduler.postTask(() => then(performance.now()), { priority: "user-blocking" });
    addEventListener("click", (event) => {
        window.took = { result: null, question: null };
        clicked = { at: event.timeStamp, moment: moment(), took: window.took };
    }, true);
    const note = ({ at, took }, what) => {
        const heard = Math.max(at, window.heard);
        drawn((now) => (took[what] ??= [now - at, now - heard]));
    };
    const look = () => {
        if (clicked) {
            const goneOn = moment() !== clicked.moment;
            const shows = window.wanted === "card" ? document.querySelector("dialog[open]") : goneOn;
            if (shows) note(clicked, "result");
            if (goneOn && asks()) note(clicked, "question");
        }
        requestAnimationFrame(look);
    };
    look();
}"""
CLICKS = ("roll", "look at a card", "build", "pass")
BOTS = "three bots"
#: Turns after which nobody has won yet.
FEW = 10


class Stopwatch:
    """The times of one player, in milliseconds, by what they did."""

    def __init__(self, page: Page) -> None:
        self._page, self._seat = page, Seat(page)
        self.times: dict[str, list[float]] = defaultdict(list)
        self.own: dict[str, list[float]] = defaultdict(list)  # the page's part of it

    def _note(self, what: str, result: str = "result") -> None:
        took, own = self._page.wait_for_function(f"() => window.took.{result}").json_value()
        self.times[what].append(took)
        self.own[what].append(own)

    def _want(self, what: str) -> None:
        self._page.evaluate("(what) => (window.wanted = what)", what)

    def play_turns(self, turns: int) -> None:
        """Roll, and build and pass in turns, at a table of its own."""
        self._page.evaluate(_WATCH)
        until = len(self.times["roll"]) + turns
        while len(self.times["roll"]) < until:
            self._seat.wait_until_asked()
            now = self._seat.now()
            if now["rolls"]:
                self._want("moment")
                self._seat.pick("Roll one die")
                self._note("roll")
            elif "build" in self._seat.question.inner_text():
                self._decide(now)
            else:
                self._seat.answer()

    def _decide(self, now: dict[str, Any]) -> None:
        if now["cards"] and len(self.times["build"]) < len(self.times["pass"]):
            self._build()
        else:
            self._want("moment")
            self._seat.pick("Build nothing")
            self._note("pass")
        self._note(BOTS, "question")

    def _build(self) -> None:
        self._want("card")
        able = self._page.locator(".market [data-able]")
        self._seat.press(able.first)
        self._note("look at a card")
        self._want("moment")
        self._seat.press(self._seat.close_up.locator("[data-first]"))
        self._note("build")


def measure(browser: Browser, address: str, speed: str, turns: int) -> Stopwatch:
    """Play so many turns against three bots."""
    context = new_context(browser, speed=speed, reduced_motion="no-preference")
    context.add_init_script(_HEAR)
    page = context.new_page()
    page.goto(address)
    stopwatch = Stopwatch(page)
    while len(stopwatch.times["roll"]) < turns:
        sit_down(page, [ME, bot(), bot(), bot()], pace=speed).play(rounds=1)  # all is loaded by then
        stopwatch.play_turns(FEW)
    context.close()
    return stopwatch


def p95(times: list[float]) -> float:
    """What 95 of a hundred stay below."""
    return sorted(times)[int(0.95 * len(times))]


def show(speed: str, stopwatch: Stopwatch, wanted: tuple[str, ...]) -> None:
    """Print a table."""
    print(
        f"\n{speed}, milliseconds\n{'':16}{'count':>7}{'median':>9}{'p95':>9}{'most':>9}   page: median, p95"
    )
    for what in wanted:
        took, own = stopwatch.times[what], stopwatch.own[what]
        whole = f"{statistics.median(took):9.0f}{p95(took):9.0f}{max(took):9.0f}"
        print(f"{what:16}{len(took):7}{whole}{statistics.median(own):15.0f}{p95(own):7.0f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--turns", type=int, default=50, help="turns at instant; a third of them at fast")
    turns = parser.parse_args().turns
    with TemporaryDirectory() as folder, Service(Path(folder)) as service, sync_playwright() as playwright:
        browser = launch(playwright)
        show("instant", measure(browser, service.address, "instant", turns), (*CLICKS, BOTS))
        show("fast", measure(browser, service.address, "fast", max(6, turns // 3)), (BOTS,))
        browser.close()


if __name__ == "__main__":
    main()
