"""Gathering samples: the games that are missing in a folder are played, part by part.

A part of a sample depends on the sample and on its number alone, so it is the same on any number of threads
and machines. Where gathering is interrupted, the parts that are there stay, and can be looked at or added to.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from itertools import groupby
from math import ceil
from pathlib import Path

from dicetown.arena.contests.contestants import enter
from dicetown.arena.contests.schedule import Schedule
from dicetown.arena.contests.tables import Setting, SteppedJob
from dicetown.arena.engines import LOCAL, Effort, open_engine
from dicetown.errors import LabError
from dicetown.extras import need
from dicetown.lab.record.bulk import RecordingTable, record_games
from dicetown.lab.record.files import as_files
from dicetown.lab.record.folder import Recorded, ResultsFolder
from dicetown.lab.record.manifest import NAME, Manifest
from dicetown.lab.record.sample import Sample, name_sample
from dicetown.lab.record.stepped import SteppedTable
from dicetown.playout.table import ready
from dicetown.rules.kernel import compiled, is_on_disk

__all__ = ["Gathered", "Sample", "gather", "name_sample"]

Progress = Callable[[int, int], None]  # games done, games to do

#: Parts of a sample, and the fewest and most games of one: a second or so of work, and not too many files.
_PARTS = 16
_QUICK = 250, 20_000
_THINKING = 1, 50


@dataclass(frozen=True)
class PartTask:
    """Some games of a sample that make a part."""

    sample: int  # its place among the samples
    part: int
    first: int
    games: int


@dataclass(frozen=True)
class Gathered:
    """What is there after gathering: all samples, and whether they are whole."""

    folder: Path
    recorded: tuple[Recorded, ...]
    interrupted: bool
    played: int  # games, this time
    seconds: float
    losses: str = ""  # what was lost on the way and made good, in a sentence

    @property
    def games(self) -> int:
        """Games that are there."""
        return sum(one.count for one in self.recorded)


def gather(
    samples: Sequence[Sample],
    folder: Path,
    *,
    engine: str = LOCAL,
    threads: int | None = None,
    address: str | None = None,
    progress: Progress | None = None,
    resume: bool = False,
    command: str = "",
) -> Gathered:
    """Play what is missing of some samples, and keep it in a folder.

    Ctrl-C keeps what is there; with `resume`, the rest is played. A folder that has results of other games,
    of another version or anything else in it is refused, and nothing is changed.
    """
    need("lab", "duckdb", "pyarrow", what="The lab")
    _check(samples)
    manifests = [_manifest(sample, folder, command) for sample in samples]
    results = ResultsFolder.to_fill(folder, resume)
    work = _Work(samples, manifests, results, progress)
    with open_engine(engine, threads, address) as opened:
        results.begin(manifests)
        for cores, tasks in work.shifts():
            effort = opened.work_off(RecordingJob(tuple(samples)), iter(tasks), work.finish, work.look, cores)
            work.efforts.append(effort)
            if effort.interrupted:
                break
    return work.gathered()


def is_ready() -> bool:
    """Whether what plays games and writes them down is compiled already."""
    return is_on_disk(record_games)


def _check(samples: Sequence[Sample]) -> None:
    names = [sample.name for sample in samples]
    if not names:
        raise LabError("There is no sample to gather: no line-up of bots fits any number of players.")
    for name in names:
        if names.count(name) > 1:
            raise LabError(f'Two samples are called "{name}"; name each line-up once.')


def _manifest(sample: Sample, folder: Path, command: str) -> Manifest:
    """The manifest for a sample; a folder that has it already must have the same games."""
    new = Manifest.of(sample, games_per_part(sample), command)
    place = ResultsFolder(folder).place_of(sample.name)
    if not (place / NAME).exists():
        return new
    there = Manifest.read(place)
    new.check_same(there, place)
    if there.games > sample.games:
        raise LabError(
            f"{place}: {there.games:,} games were asked for there, and now only {sample.games:,}; "
            "name another folder, or ask for as many."
        )
    return new.going_on_with(there)


def games_per_part(sample: Sample) -> int:
    """How many games a part has.

    >>> from dicetown.rules.ruleset import Ruleset
    >>> games_per_part(name_sample(Ruleset("deluxe"), 2, ["greedy"], 0, 1_000_000))
    20000
    """
    least, most = _QUICK if sample.in_bulk else _THINKING
    return min(most, max(least, ceil(sample.games / _PARTS)))


@dataclass(frozen=True)
class RecordingJob:
    """How samples are recorded: any part of any of them is a task."""

    samples: tuple[Sample, ...]

    def prepare(self) -> None:
        """Compile, and let bots that think in this process think once."""
        ready()
        for sample in self.samples:
            if sample.in_bulk:
                compiled(record_games)
            else:
                SteppedJob(_setting(sample)).prepare()

    @contextmanager
    def open(self, stop: threading.Event) -> Iterator[Callable[[PartTask], dict[str, bytes] | None]]:
        """What records a part."""
        with closing(Recorder(self.samples, stop)) as recorder:
            yield recorder.record


def _setting(sample: Sample) -> Setting:
    """The bots of a sample, each once, as for a tournament."""
    bots = enter(tuple(dict.fromkeys(sample.bots)))
    return Setting(sample.ruleset, Schedule(sample.players, sample.players), bots, sample.seed)


class Recorder:
    """Records parts, one after another, on one thread."""

    def __init__(self, samples: Sequence[Sample], stop: threading.Event) -> None:
        self._samples, self._stop = samples, stop
        self._at: int | None = None
        self._table: RecordingTable | SteppedTable

    def record(self, task: PartTask) -> dict[str, bytes] | None:
        """The files of a part; None if all stops before it is done."""
        if task.sample != self._at:
            self.close()
            self._table, self._at = self._sit_down(self._samples[task.sample]), task.sample
        rows = self._table.record(task.first, task.games)
        return None if rows is None else as_files(rows)

    def close(self) -> None:
        """Let go of the bots."""
        if self._at is not None and isinstance(self._table, SteppedTable):
            self._table.close()
        self._at = None

    def _sit_down(self, sample: Sample) -> RecordingTable | SteppedTable:
        return RecordingTable(sample) if sample.in_bulk else SteppedTable(sample, self._stop)


@dataclass
class _Work:
    """Gathering in progress."""

    samples: Sequence[Sample]
    manifests: Sequence[Manifest]
    results: ResultsFolder
    progress: Progress | None
    done: int = 0
    played: int = 0
    efforts: list[Effort] = field(default_factory=list)

    def shifts(self) -> list[tuple[int, list[PartTask]]]:
        """The parts that are missing, by how many cores a worker needs for them."""
        cores = [_cores(sample) for sample in self.samples]
        return [
            (need, list(tasks))
            for need, tasks in groupby(list(self._missing()), key=lambda task: cores[task.sample])
        ]

    def _missing(self) -> Iterator[PartTask]:
        for place, manifest in enumerate(self.manifests):
            there, size = self.results.parts_there(manifest.name), manifest.games_per_part
            for part, first in enumerate(range(0, manifest.games, size)):
                games = min(size, manifest.games - first)
                if there.get(part) == games:
                    self.done += games
                else:
                    yield PartTask(place, part, first, games)

    def finish(self, task: PartTask, files: dict[str, bytes]) -> None:
        """A part is done."""
        self.results.add(self.samples[task.sample].name, task.part, files)
        self.done += task.games
        self.played += task.games

    def look(self) -> bool:
        """Say how far it is."""
        if self.progress is not None:
            self.progress(self.done, sum(manifest.games for manifest in self.manifests))
        return False

    def gathered(self) -> Gathered:
        """What is there now."""
        return Gathered(
            self.results.path,
            tuple(self.results.recorded(sample.name) for sample in self.samples),
            any(effort.interrupted for effort in self.efforts),
            self.played,
            sum(effort.seconds for effort in self.efforts),
            " ".join(effort.losses for effort in self.efforts if effort.losses),
        )


def _cores(sample: Sample) -> int:
    """How many cores a worker needs: bots may think with several, but only one of them at a time."""
    return max(bot.threads for bot in enter(sample.bots))
