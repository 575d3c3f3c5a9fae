"""What a page shows, frame by frame, and whether all of it is of one moment of the game."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import Page, expect

# Players are told by the marks of their seats. Only what changed since the frame before is kept.
_RECORD = """() => {
    const frames = (window.frames_seen = []);
    const one = (selector, root = document) => root?.querySelector(selector) ?? null;
    const seatOf = (place) => {
        const mark = one("svg.mark", place);
        return mark && Number(/--seat-(\\d)/.exec(mark.getAttribute("style"))[1]);
    };
    const look = () => {
        const bar = one("section.bar");
        const asks = !!one("h2", bar);
        const turns = [...document.querySelectorAll("[role=log] section")].filter((turn) => one("h4", turn));
        const active = document.querySelector('[data-spot^="player:"].active');
        const lines = turns.length ? [...turns.at(-1).querySelectorAll("li")] : [];
        const table = one("[data-moves]");
        const seen = {
            moves: Number(table?.dataset.moves),
            over: !!one("section.after"),
            header: seatOf(one(".moment .turn")),
            bar: asks ? "asks" : seatOf(one(".waits", bar)),
            waits: one(".waits", bar)?.innerText ?? "",
            panel: active && Number(active.dataset.spot.split(":")[1]),
            log: turns.length ? seatOf(one("h4", turns.at(-1))) : null,
            odds: one("section.odds header")?.innerText ?? "",
            title: document.title.startsWith("●"),
            able: document.querySelectorAll(".market [data-able], .skyline [data-able]").length,
            dear: document.querySelectorAll("[data-able] .lack").length,
            rolling: !!one("[data-spot=dice] .rolling"),
            rolled: lines.some((line) => / rolls? /.test(line.innerText)),
        };
        if (JSON.stringify(seen) !== JSON.stringify(frames.at(-1))) frames.push(seen);
        requestAnimationFrame(look);
    };
    look();
}"""


class Recorder:
    """What a page shows, frame by frame."""

    def __init__(self, page: Page) -> None:
        self.page = page
        expect(page.locator("section.bar")).to_be_visible()
        page.evaluate(_RECORD)

    def frames(self) -> list[dict[str, Any]]:
        """All that differed from the frame before it."""
        found: list[dict[str, Any]] = self.page.evaluate("() => window.frames_seen")
        return found


def disagreements(frame: dict[str, Any], names: list[str], mine: list[int]) -> set[str]:
    """Tell what in a frame names another player than the header does, or runs ahead of what is to be seen."""
    if frame["over"]:
        return set()
    mover, asks = frame["header"], frame["bar"] == "asks"
    others = {name for name in names if name != names[mover]}
    found = {
        "panel": frame["panel"] != mover,
        "log": frame["log"] != mover,
        "bar": mover not in mine if asks else frame["bar"] != mover,
        "words of the bar": any(name in frame["waits"] for name in others),
        "odds": any(name in frame["odds"] for name in others),
        "title": frame["title"] != asks,
        "outlined before it is asked": frame["able"] > 0 and not asks,
        "outlined but too dear": frame["dear"] > 0,
        "the log knows the dice that roll": frame["rolling"] and frame["rolled"],
    }
    return {what for what, is_so in found.items() if is_so}


def names_at(page: Page) -> list[str]:
    """Who sits at the table of a page."""
    answer = page.request.get(re.sub(r"/t/(\w+).*", r"/api/tables/\1", page.url))
    return [seat["name"] for seat in answer.json()["seats"]]
