"""One run: players play, faults happen, and the history is read afterwards."""

import asyncio
import random
import shutil
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

from tests.faults import fleet_faults  # noqa: F401 - they are known once they are read
from tests.faults.databases import open_database
from tests.faults.faults import FAULTS, TOUCHES, World, faults_of
from tests.faults.fleet import Fleet, open_service
from tests.faults.history import Findings, History, check
from tests.faults.players import Party
from tests.faults.served import Served
from tests.faults.standstill import explain

#: Seconds after the end of a fault within which every table must go on, and within which each should.
FROZEN, SLOW = 30.0, 10.0
#: People and bots at each table.
PARTIES = ((1, 1), (1, 3), (2, 0), (2, 2))
_LOOK = 0.05
_LOOKED_AT = 20  # faults that are to come, of which some may happen at once


@dataclass
class Row:
    """What came of a kind of fault."""

    tried: int = 0
    lost: int = 0
    doubled: int = 0
    frozen: int = 0
    slow: int = 0  # tables that stood still for longer than they should, and went on
    crashed: int = 0
    seconds: float = 0.0  # the longest that a table stood still after it
    megabytes: float = 0.0  # by how much the service grew during one, at most

    def add(self, other: Self) -> None:
        """Let something more have come of it."""
        for name in ("tried", "lost", "doubled", "frozen", "slow", "crashed"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.seconds = max(self.seconds, other.seconds)
        self.megabytes = max(self.megabytes, other.megabytes)


@dataclass
class Outcome:
    """What came of a run."""

    database: str
    rows: dict[str, Row] = field(default_factory=dict)
    total: Row = field(default_factory=Row)  # what came of faults at once counts once here, in each row there
    findings: Findings = field(default_factory=Findings)
    troubles: list[str] = field(default_factory=list)  # tables that froze, ends of the service
    complaints: dict[str, int] = field(default_factory=dict)
    acknowledged: int = 0
    games: int = 0
    lives: int = 0

    @property
    def faults(self) -> int:
        """How many faults were tried."""
        return sum(row.tried for row in self.rows.values())

    @property
    def is_good(self) -> bool:
        """Whether nothing was lost or doubled, froze or crashed."""
        total = self.total
        wrong = total.lost or total.doubled or total.frozen or total.crashed
        return not wrong and not self.findings.lost and not self.findings.doubled


def plan(database: str, rounds: int, rng: random.Random, only: Sequence[str] = ()) -> list[str]:
    """Which faults happen, in which order: all kinds as often as each other, as far as that goes."""
    kinds = [name for name in faults_of(database) if not only or name in only]
    planned: list[str] = []
    while len(planned) < rounds:
        planned += rng.sample(kinds, len(kinds))
    return planned[:rounds]


def together(faults: Sequence[str], at_once: int) -> list[list[str]]:
    """The same faults in groups of so many at most, of which none gets in another's way."""
    left, groups = list(faults), list[list[str]]()
    while left:
        group = [left.pop(0)]
        for name in left[:_LOOKED_AT]:
            if len(group) < at_once and not any(TOUCHES[name] & TOUCHES[other] for other in group):
                group.append(name)
                left.remove(name)
        groups.append(group)
    return groups


async def run(
    database: str,
    faults: Sequence[str],
    seconds: float,
    rng: random.Random,
    tell: Callable[[str, float], None] = lambda name, took: None,
    frozen: float = FROZEN,
    kept_in: Path | None = None,
    at_once: int = 1,
) -> Outcome:
    """Do faults to a service, one or some at once, until they are all done or time is over.

    What explains a trouble is kept in a folder, if one is named: logs, and all about tables that stood still.
    """
    outcome, history = Outcome(database), History()
    with tempfile.TemporaryDirectory(prefix="dicetown-faults-") as name:
        folder = Path(name)
        async with (
            open_database(database, folder) as kept,
            open_service(database, folder, kept) as served,
        ):
            await served.start()
            parties = [
                Party(served.address, history, people, bots, random.Random(rng.random()))
                for people, bots in PARTIES
            ]
            world = World(served, kept, parties, history, rng, frozen, kept_in)
            playing = [asyncio.create_task(party.play()) for party in parties]
            try:
                await _until_all_go_on(world, time.monotonic(), outcome, Row())
                groups = together(faults, at_once)
                await _do_faults(world, groups, time.monotonic() + seconds, outcome, tell)
            finally:
                for task in playing:
                    task.cancel()
                ends = await asyncio.gather(*playing, return_exceptions=True)
                await served.stop()
            outcome.troubles += [repr(end) for end in ends if isinstance(end, Exception)]
            found = check(history, kept.address)
            outcome.findings = Findings(
                outcome.findings.lost | found.lost,
                outcome.findings.doubled | found.doubled,
                found.entries,
                found.tables,
            )
            outcome.complaints = dict(served.complaints())
            if kept_in is not None:
                _keep_logs(folder, kept_in)
    outcome.troubles += [f"{why} ({n} times)" for why, n in (served.crashes + history.broken).items()]
    outcome.acknowledged = len(history.acknowledged)
    outcome.games, outcome.lives = sum(party.games for party in parties), served.lives
    return outcome


def _keep_logs(folder: Path, kept_in: Path) -> None:
    for log in folder.rglob("log"):
        shutil.copy(log, kept_in / f"{log.parent.name}.log")


async def _do_faults(
    world: World,
    groups: Sequence[Sequence[str]],
    until: float,
    outcome: Outcome,
    tell: Callable[[str, float], None],
) -> None:
    for names in groups:
        if time.monotonic() > until:
            break
        came = Row(tried=1)
        crashes, tables = _crashes(world), {party.table for party in world.parties}
        async with _Scales(world.served) as scales:
            async with asyncio.TaskGroup() as happening:
                for name in names:
                    happening.create_task(FAULTS[name](world))
            await world.served.revive()
            came.seconds = await _until_all_go_on(world, time.monotonic(), outcome, came)
        came.crashed, came.megabytes = _crashes(world) - crashes, scales.grown
        _note_findings(world, tables, outcome.findings, came)
        outcome.total.add(came)
        for name in names:
            outcome.rows.setdefault(name, Row()).add(came)
            tell(name, came.seconds)


def _note_findings(world: World, tables: set[str], before: Findings, row: Row) -> None:
    """Look whether everybody was told the truth during the last fault."""
    found = check(world.history, world.database.address, tables)
    row.lost += len(found.lost - before.lost)
    row.doubled += len(found.doubled - before.doubled)
    before.lost |= found.lost
    before.doubled |= found.doubled


class _Scales:
    """How much the service grows while something is done to it; a new life is weighed anew."""

    def __init__(self, served: Served | Fleet) -> None:
        self._served = served
        self.grown = 0.0

    async def __aenter__(self) -> Self:
        self._weighing = asyncio.create_task(self._weigh())
        return self

    async def __aexit__(self, *_: object) -> None:
        self._weighing.cancel()

    async def _weigh(self) -> None:
        process, first = self._served.process, self._served.megabytes
        while process is not None and self._served.process == process:
            self.grown = max(self.grown, self._served.megabytes - first)
            await asyncio.sleep(_LOOK)


def _crashes(world: World) -> int:
    world.served.note_crash()
    return world.served.crashes.total() + world.history.broken.total()


async def _until_all_go_on(world: World, since: float, outcome: Outcome, row: Row) -> float:
    """Wait until something new was acknowledged at every table; how long that took."""
    slow: set[Party] = set()
    while waiting := [party for party in world.parties if party.progress < since]:
        await world.served.revive()
        if time.monotonic() - since > SLOW:
            slow |= set(waiting)
        if time.monotonic() - since > world.frozen:
            row.frozen += len(waiting)
            for party in waiting:
                outcome.troubles.append(f"{party.table} stands still")
                await _note_standstill(world, party)
                party.give_up()
            break
        await asyncio.sleep(_LOOK)
    row.slow += len(slow.difference(waiting))
    return time.monotonic() - since


async def _note_standstill(world: World, party: Party) -> None:
    if world.kept_in is not None:
        (world.kept_in / f"{party.table}.txt").write_text(await explain(world, party))
