"""Playing in a browser, in the words of the game.

    seat = sit_down(page, [ME, bot("beginner")], edition="grossstadt", pace="instant")
    seat.roll()
    seat.build("Bakery")
    seat.play_to_the_end()

A `Seat` looks at the page as a player does and waits for what it shows, never for time to pass. It finds its
way in every language by the build of the page, so that names are only needed for what a test is about.
"""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import urljoin

from playwright.sync_api import Locator, Page, expect

Words = str | re.Pattern[str]

ME: dict[str, str] = {"kind": "me", "name": "Ana"}
FRIEND: dict[str, str] = {"kind": "friend"}
#: A game of few turns: everybody can pay for a landmark in every one.
RICH: dict[str, int] = {"start_coins": 100}


def here(name: str) -> dict[str, str]:
    """Another person at the same device."""
    return {"kind": "here", "name": name}


def bot(level: str = "beginner") -> dict[str, str]:
    """A bot of a level."""
    return {"kind": "bot", "bot": level}


def make_table(page: Page, seats: list[dict[str, str]], **wishes: Any) -> str:
    """Make a table as the guest of a page, and tell its code. It begins at once, unless a friend is awaited.

    Wishes are the fields of the service's `NewTable`: edition, sets, house, timer, pace, public, start.
    """
    start = not any(seat["kind"] == "friend" for seat in seats)
    asked = {"edition": "grossstadt", "sets": ["base"], "pace": "instant", "start": start} | wishes
    answer = page.request.post(urljoin(page.url, "/api/tables"), data=asked | {"seats": seats})
    assert answer.ok, answer.text()
    return str(answer.json()["code"])


def go_to(page: Page, code: str) -> Seat:
    """Go to a table by its link."""
    page.goto(urljoin(page.url, f"/t/{code}"))
    return Seat(page)


def sit_down(page: Page, seats: list[dict[str, str]], **wishes: Any) -> Seat:
    """Make a table and go there."""
    return go_to(page, make_table(page, seats, **wishes))


# What can be built now: in sight, and not a tile of another question.
_ABLE = "[data-able]:not(section.bar *):not([inert] *)"
_LANDMARKS, _CARDS = f".skyline {_ABLE}", f".market {_ABLE}"
# The build of the table's page, as scripts read it. `asked`: a question stands there that can be answered.
_NOW = """() => {
    const table = document.querySelector("[data-moves]");
    const bar = document.querySelector("section.bar");
    const chooses = !!bar?.querySelector(".things"); // a landmark to pull down is none to build
    return {
        moves: table ? Number(table.dataset.moves) : -1,
        asked: !!bar?.querySelector("h2"),
        passes: !!document.querySelector("#pass-title"),
        over: !!document.querySelector("section.after"),
        picked: !!bar?.querySelector(".confirm"),
        steps: bar?.querySelectorAll(".station").length ?? 0,
        rolls: !!bar?.querySelector(".answers > .button .dice"),
        landmarks: chooses ? 0 : document.querySelectorAll("LANDMARKS").length,
        cards: chooses ? 0 : document.querySelectorAll("CARDS").length,
    };
}""".replace("LANDMARKS", _LANDMARKS).replace("CARDS", _CARDS)


class Seat:
    """Somebody at a table, in a browser. `taps` instead of clicks on a touch screen."""

    def __init__(self, page: Page, *, taps: bool = False) -> None:
        self.page = page
        self._taps = taps
        self.asks = page.locator("section.bar")
        #: What is asked of this player; there is none when somebody else plays.
        self.question = self.asks.get_by_role("heading", level=2)
        self.answers = self.asks.locator(".answers")
        self.close_up = page.locator("dialog[open][aria-modal]")
        self.market = page.locator("section.market")
        self.city = page.locator("section.front")

    @property
    def code(self) -> str:
        """The code of the table."""
        found = re.search(r"/t/([A-Z2-9]{8})", self.page.url)
        assert found, self.page.url
        return found[1]

    def press(self, what: Locator) -> None:
        """Click or tap."""
        if self._taps:
            what.tap()
        else:
            what.click()

    # --------------------------------------------------------------------------- what is to be seen

    def now(self) -> dict[str, Any]:
        """How far the game is (`moves`), and whether this player is `asked` or the game is `over`.

        Also whether they have `picked` something, after how many `steps`, whether they are asked how many
        dice they roll (`rolls`), and how many `landmarks` and `cards` they could build.
        """
        found: dict[str, Any] = self.page.evaluate(_NOW)
        return found

    @property
    def moves(self) -> int:
        """The number of the moment that is shown."""
        return int(self.now()["moves"])

    def _wait(self, condition: str, argument: Any = None) -> dict[str, Any]:
        """Wait until a condition (a script about `now` and `argument`) holds."""
        script = f"(argument) => {{ const now = ({_NOW})(); return ({condition}) ? now : null; }}"
        found = self.page.wait_for_function(script, arg=argument).json_value()
        assert isinstance(found, dict)
        return found

    def wait_until_asked(self, question: Words | None = None) -> None:
        """Wait for this player's turn; for a certain question, if one is given (a part of it is enough)."""
        self._wait("now.asked && !now.passes")
        if question is not None:
            expect(self.question).to_contain_text(question)

    def wait_until_asked_or_over(self) -> bool:
        """Wait for this player's turn or the end of the game; tells whether it is the end."""
        return bool(self._wait("now.over || (now.asked && !now.passes)")["over"])

    def wait_for_moves(self, moves: int) -> None:
        """Wait until the game is as far as this, or further."""
        self._wait("now.moves >= argument", moves)

    def coins(self) -> int:
        """The coins in the own purse, once they have stopped moving."""
        text = self.city.locator(".coins").inner_text()
        found = re.search(r"\d+", text)
        assert found, text
        return int(found[0])

    def log(self) -> list[str]:
        """The sentences of the log, in the order in which things happened."""
        return [
            line.strip() for line in self.page.locator("#side-panel :is(button, div).line").all_inner_texts()
        ]

    # ----------------------------------------------------------------------------------- deciding

    def _taken(self, before: int) -> None:
        self._wait("now.moves !== argument", before)

    def choose(self, answer: Words) -> None:
        """Choose an answer, confirm it where that is asked for, and wait until it has happened."""
        before = self.moves
        self.pick(answer)
        now = self._wait("now.moves !== argument || now.picked", before)
        if now["moves"] == before:
            self.confirm()

    def pick(self, answer: Words) -> None:
        """Choose an answer, without confirming it."""
        self.press(self.answers.get_by_role("button", name=answer).first)

    def confirm(self) -> None:
        """Confirm what is picked, and wait until it has happened."""
        before = self.moves
        self.press(self.asks.locator(".confirm"))
        self._taken(before)

    def cancel(self) -> None:
        """Take back what is not final yet, by one step."""
        self.press(self.asks.get_by_role("button", name=re.compile("^(Cancel|One step back)$")))

    def roll(self, dice: int = 1) -> None:
        """Roll so many dice."""
        self.choose(re.compile(("Roll one die", "Roll two dice")[dice - 1]))

    def look_at(self, thing: Words) -> Locator:
        """Look closely at a card of the market or a landmark of the own city; the close-up stays open."""
        tile = self.market.or_(self.city).get_by_role("button", name=thing)
        self.press(tile.first)
        self.close_up.wait_for()
        return self.close_up

    def build(self, thing: Words) -> None:
        """Build a card of the market or a landmark, by its name or the beginning of it."""
        before = self.moves
        named = re.compile(f"^{re.escape(thing)}") if isinstance(thing, str) else thing
        self.press(self.look_at(named).get_by_role("button", name=re.compile("^Build")))
        self._taken(before)

    def build_nothing(self) -> None:
        """Build nothing this time."""
        self.choose("Build nothing")

    def undo(self) -> None:
        """Take the last choice back."""
        before = self.moves
        self.press(self.asks.get_by_role("button", name="Undo"))
        self._taken(before)

    def take_device(self) -> None:
        """Say that the device has arrived."""
        self.press(self.page.get_by_role("button", name=re.compile("^I am ")))
        self._wait("!now.passes")

    # ------------------------------------------------------------------------------ just playing

    def answer(self) -> None:
        """Give some answer to whatever is asked, and wait until it has happened."""
        now = self.now()
        if now["landmarks"] or now["cards"]:
            self._build_something(now)
        else:
            self._answer_something(now["moves"])
        self._taken(now["moves"])

    def _build_something(self, now: dict[str, Any]) -> None:
        """A landmark, if one can be paid, else a card from the middle of the market."""
        landmarks, cards = self.page.locator(_LANDMARKS), self.page.locator(_CARDS)
        self.press(landmarks.last if now["landmarks"] else cards.nth(now["cards"] // 2))
        self.press(self.close_up.locator("[data-first]"))

    def _answer_something(self, before: int) -> None:
        """The first answer of each step, until nothing more is asked."""
        steps = 0
        while True:
            self.press(self.answers.get_by_role("button").first)
            now = self._wait(
                "now.moves !== argument[0] || now.picked || now.steps > argument[1]", [before, steps]
            )
            if now["moves"] != before:
                return
            if now["picked"]:
                self.press(self.asks.locator(".confirm"))
                return
            steps = now["steps"]

    def play(self, rounds: int = 1) -> None:
        """Answer what is asked for so many turns of one's own, or to the end of the game."""
        for _ in range(rounds):
            self._play_a_turn()

    def _play_a_turn(self) -> None:
        rolled = False
        while True:
            now = self._wait("now.over || now.passes || now.asked")
            if now["over"]:
                return
            if now["passes"]:
                self.take_device()
                continue
            if now["rolls"] and rolled:
                return
            rolled = rolled or now["rolls"]
            self.answer()

    def play_to_the_end(self, most: int = 2000) -> int:
        """Answer whatever is asked until the game is over; tells how many answers that took."""
        for answers in range(most):
            now = self._wait("now.over || now.passes || now.asked")
            if now["over"]:
                return answers
            if now["passes"]:
                self.take_device()
            else:
                self.answer()
        raise AssertionError(f"not over after {most} answers")
