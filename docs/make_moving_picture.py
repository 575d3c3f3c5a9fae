"""Records docs/screenshots/turn.webp, the moving picture of a turn: python docs/make_moving_picture.py.

It needs what docs/make_screenshots.py needs, and sits down at such a table: Ana rolls, cards act, she builds
something, and the others take their turns. The browser hands over a frame whenever something has moved; each
is shown for as long as it was to be seen, but no longer than a reader wants to wait.
"""

from __future__ import annotations

import argparse
import base64
import io
import re
import sys
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from PIL import Image
from playwright.sync_api import Page, sync_playwright

sys.path.insert(0, str(Path(__file__).parents[1]))  # for the other script, and what tests share

from docs.make_screenshots import BOTS, NAMES, PICTURES, Photographer, first_of
from tests.browser.conftest import launch, new_context
from tests.browser.playing import Seat
from tests.browser.service import Service
from tests.browser.set_table import set_table

from dicetown import Game

EDITION, PLAYERS = "deluxe", 3
WINDOW = (1024, 640)  # as the page is laid out
SHOWN = (800, 500)  # as it is kept
LONGEST = 1500  # milliseconds that one frame is shown at most
SHORTEST = 80  # milliseconds between frames that are kept
LARGEST = 600_000  # bytes
QUALITIES = (70, 60, 50, 40, 30)


@dataclass
class Camera:
    """The frames of a page, with the seconds at which each was to be seen."""

    frames: list[tuple[float, bytes]] = field(default_factory=list)

    def watch(self, page: Page) -> Any:
        """Begin; what comes back ends it when it is detached."""
        session = page.context.new_cdp_session(page)

        def keep(frame: Any) -> None:
            self.frames.append((frame["metadata"]["timestamp"], base64.b64decode(frame["data"])))
            session.send("Page.screencastFrameAck", {"sessionId": frame["sessionId"]})

        session.on("Page.screencastFrame", keep)
        session.send("Page.startScreencast", {"format": "png"})
        return session

    def write(self, path: Path) -> int:
        """Keep it as one file, small enough; how many frames there are."""
        kept = [self.frames[0]]
        for frame in self.frames[1:]:
            if (frame[0] - kept[-1][0]) * 1000 >= SHORTEST:
                kept.append(frame)
        ends = [time for time, _ in kept[1:]] + [kept[-1][0] + LONGEST / 1000]
        shown = [min(LONGEST, int((end - time) * 1000)) for (time, _), end in zip(kept, ends, strict=True)]
        first, *others = [
            Image.open(io.BytesIO(data)).convert("RGB").resize(SHOWN, Image.Resampling.LANCZOS)
            for _, data in kept
        ]
        for quality in QUALITIES:
            file = io.BytesIO()
            first.save(
                file,
                "WEBP",
                save_all=True,
                append_images=others,
                duration=shown,
                loop=0,
                quality=quality,
                method=4,
            )
            if file.tell() <= LARGEST:
                break
        path.write_bytes(file.getvalue())
        return len(kept)


def is_to_roll(game: Game) -> bool:
    """Whether Ana is about to roll, and surely able to build something then."""
    return game.turn == 0 and game.phase == "roll" and game.turns >= 6 * game.players and game.coins(0) >= 8


def take_a_turn(page: Page) -> None:
    """Roll, build something, and see what the others do."""
    seat = Seat(page)
    seat.wait_until_asked()
    page.wait_for_timeout(1000)
    seat.pick(re.compile("Roll"))
    seat.wait_until_asked()
    while not seat.now()["rolls"]:  # to build, and whatever else is asked
        page.wait_for_timeout(1200)
        seat.answer()
        seat.wait_until_asked()
    page.wait_for_timeout(500)


def main() -> None:
    """Record it anew."""
    parser = argparse.ArgumentParser(description="Records the moving picture of a turn.")
    parser.add_argument(
        "--to", default=PICTURES / "turn.webp", type=Path, metavar="FILE", help="where to put it"
    )
    to = parser.parse_args().to
    game = first_of(EDITION, PLAYERS, is_to_roll)
    with TemporaryDirectory() as folder, Service(Path(folder)) as service, sync_playwright() as playwright:
        browser = launch(playwright)
        ana = Photographer(service)
        context = new_context(browser, *WINDOW, speed="normal", reduced_motion="no-preference")
        context.add_init_script("""localStorage["dicetown.guide"] = '{"wanted": "no"}'""")
        context.add_cookies([ana.cookie | {"url": service.address}])
        page = context.new_page()
        page.request.patch(f"{service.address}api/me", data={"name": NAMES[0]})
        page.goto(f"{service.address}t/{set_table(service.database, game, ana.guest, BOTS, pace='normal')}")
        Seat(page).wait_until_asked()
        page.wait_for_timeout(2000)  # until nothing moves
        camera = Camera()
        session = camera.watch(page)
        take_a_turn(page)
        session.detach()
        browser.close()
    frames = camera.write(to)
    print(f"{to}: {frames} frames, {to.stat().st_size / 1000:.0f} KB.")


if __name__ == "__main__":
    main()
