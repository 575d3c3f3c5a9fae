"""What one action takes of the service's own work: no sockets, no disk, no other threads.

    .venv/bin/python bench/action.py                 microseconds of CPU time for an action, by edition
    .venv/bin/python bench/action.py --profile       and in which functions

Tables are played at by people who decide anything, always the same, with three pages that are told all of it.
What the pages were told is added up in a digest: a change that shall only make the service quicker must not
change that. (What is stored is taken as stored at once; the clock stands still.)
"""

from __future__ import annotations

import argparse
import asyncio
import cProfile
import gc
import hashlib
import logging
import pstats
import random
import time
from types import SimpleNamespace
from typing import Any

import structlog
from tables import EDITIONS, read

from dicetown.languages import LANGUAGES
from dicetown.rules.ruleset import Ruleset
from dicetown.server import wire
from dicetown.server.common.metrics import Metrics
from dicetown.server.common.settings import Settings
from dicetown.server.journal.entries import Chair, Entry, Made, Started, TableSettings
from dicetown.server.journal.fold import TableState
from dicetown.server.journal.played_game import PlayedGame
from dicetown.server.table.automation import Automation
from dicetown.server.table.odds import TableOdds
from dicetown.server.table.table import Table

NOON = 1_800_000_000.0


class StoppedClock:
    """A clock that stands still."""

    def now(self) -> float:
        """Seconds since 1970."""
        return NOON

    def steady(self) -> float:
        """Seconds since some moment."""
        return 0.0

    def ring(self, seconds: float, then: Any) -> Any:
        """Never call anything."""
        return SimpleNamespace(cancel=lambda: None)


class PatientStore:
    """A store that has everything at once."""

    registry = None

    async def write(self, addition: Any) -> None:
        """Keep nothing."""


class Page:
    """A page that is told things, and keeps what it was told last."""

    address = "127.0.0.1"
    sees_odds = False

    def __init__(self, guest: str | None, language: str) -> None:
        self.guest = guest
        self.language = language
        self.told: list[bytes] = []

    def send(self, message: bytes) -> None:
        """Be told something."""
        self.told.append(message)

    def hang_up(self) -> None:
        """Go; the table is put away."""


def a_table(number: int) -> Table:
    """A table at which a game has begun."""
    edition = EDITIONS[number % len(EDITIONS)]
    settings = TableSettings(edition, list(Ruleset(edition).set_ids), {}, "off", "normal", False)
    chairs = [Chair("person", "Ana", guest="ana"), Chair("person", "Ben", guest="ben")]
    secret = hashlib.sha256(str(number).encode()).hexdigest()
    state = TableState("ABCDEF", Entry(1, NOON, Made(settings, chairs, "ana", secret)))
    state.summary.words = ["", ""]
    state.play = PlayedGame(state.summary)
    step = state.play.open()
    state.apply(Entry(2, NOON, Started(["", ""], step.moves, 2)), step)
    resources: Any = SimpleNamespace(
        clock=StoppedClock(),
        settings=Settings(),
        metrics=Metrics(),
        store=PatientStore(),
        thinkers=None,
        log=structlog.get_logger("dicetown"),
    )
    keeper: Any = SimpleNamespace(forget=lambda table: None, mend=lambda table, problem: None)
    return Table(state, resources, keeper, Automation, TableOdds)


async def play(number: int, moves: int, digest: Any) -> list[tuple[str, wire.Act]]:
    """Let people play at a table: what they did."""
    luck, table = random.Random(number), a_table(number)
    pages = await sit_down(table, number)
    asked = read(pages[-1].told[-2]).asked
    done: list[tuple[str, wire.Act]] = []
    while asked is not None and len(done) < moves:
        key, action = f"{luck.getrandbits(60):x}", luck.choice(asked.choices).action
        done.append((("ana", "ben")[asked.seat], wire.Act(key=key, seat=asked.seat, actions=[action])))
        for page in pages:
            page.told.clear()
        await table.act(*done[-1], pages[0].language, lambda number: None)
        for message in pages[0].told:
            digest.update(message)
        asked = read(pages[-1].told[0]).asked
    table.close()
    return done


async def sit_down(table: Table, number: int) -> list[Page]:
    """Two people who play and one who watches, all in one language."""
    language = LANGUAGES[number % len(LANGUAGES)]
    pages = [Page(guest, language) for guest in ("ana", "ben", None)]
    for page in pages:
        await table.enter(page, None)
    return pages


async def repeat(number: int, acts: list[tuple[str, wire.Act]], profile: cProfile.Profile | None) -> float:
    """The same once more: the CPU time it takes, of nothing but the service's part."""
    table = a_table(number)
    pages = await sit_down(table, number)
    language = pages[0].language
    if profile is not None:
        profile.enable()
    began = time.process_time()
    for guest, act in acts:
        await table.act(guest, act, language, lambda number: None)
    took = time.process_time() - began
    if profile is not None:
        profile.disable()
    table.close()
    return took


async def measure(tables: int, moves: int, profile: cProfile.Profile | None) -> None:
    """Play at some tables, and print what that took."""
    digest = hashlib.sha256()
    for number in range(len(EDITIONS)):  # what is made once for all is there
        await play(number, 60, hashlib.sha256())
    gc.collect()
    sums = dict.fromkeys(EDITIONS, (0, 0.0))
    for number in range(tables):
        acts = await play(number, moves, digest)
        took = await repeat(number, acts, profile)
        edition = EDITIONS[number % len(EDITIONS)]
        sums[edition] = sums[edition][0] + len(acts), sums[edition][1] + took
    for edition, (done, took) in sums.items():
        print(f"{edition:12} {done:6} actions {1e6 * took / done:8.1f} µs each")
    done, took = (sum(part) for part in zip(*sums.values(), strict=True))
    print(f"{'all':12} {done:6} actions {1e6 * took / done:8.1f} µs each; told: {digest.hexdigest()[:16]}")


def main() -> None:
    """Measure what is wanted."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--tables", type=int, default=48)
    parser.add_argument("--moves", type=int, default=300)
    parser.add_argument("--profile", action="store_true")
    wanted = parser.parse_args()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))
    profile = cProfile.Profile() if wanted.profile else None
    asyncio.run(measure(wanted.tables, wanted.moves, profile))
    if profile is not None:
        pstats.Stats(profile).sort_stats("tottime").print_stats(45)


if __name__ == "__main__":
    main()
