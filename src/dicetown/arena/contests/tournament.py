"""A tournament: bots of any kind play each other, on all cores, until all games are played or decided."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from math import comb
from typing import Any

from numpy.typing import NDArray

from dicetown.arena.contests.contestants import Contestant
from dicetown.arena.contests.log import ArenaLog
from dicetown.arena.contests.match import Played
from dicetown.arena.contests.schedule import Schedule
from dicetown.arena.contests.scores import Sheet
from dicetown.arena.contests.sprt import Hypotheses, Verdict, judge
from dicetown.arena.contests.tables import Bulk, Pile, QuickJob, Setting, SteppedJob, pile_up
from dicetown.arena.engines import Effort, Engine, LocalEngine, portion
from dicetown.arena.engines.engine import Task
from dicetown.errors import ArenaError
from dicetown.rules.ruleset import Ruleset

#: Each is played from all seats; nobody waits for more.
MOST_LINEUPS = 10_000
Progress = Callable[[int, int], None]  # games done, games to do


@dataclass(frozen=True)
class Tournament:
    """What is to be played."""

    ruleset: Ruleset
    players: int
    contestants: tuple[Contestant, ...]
    games: int
    seed: int = 0
    hypotheses: Hypotheses | None = None

    def __post_init__(self) -> None:
        self.ruleset.check_players(self.players)
        if len(self.contestants) < 2:
            raise ArenaError("An arena needs at least two bots; name one twice to let it play itself.")
        if (lineups := comb(len(self.contestants), self.players)) > MOST_LINEUPS:
            raise ArenaError(
                f"{len(self.contestants)} bots make {lineups:,} tables of {self.players}; name fewer bots."
            )
        if self.games < 1:
            raise ArenaError(f"The number of games is {self.games}; it must be at least 1.")

    @property
    def schedule(self) -> Schedule:
        """Who plays whom."""
        return Schedule(len(self.contestants), self.players)

    @property
    def is_quick(self) -> bool:
        """Whether all bots are such that games are played in bulk."""
        return all(contestant.in_bulk for contestant in self.contestants)


@dataclass(frozen=True)
class Outcome:
    """What was played of a tournament, and what that took."""

    tournament: Tournament
    sheet: Sheet
    verdict: Verdict | None
    effort: Effort

    @property
    def seconds(self) -> float:
        """Seconds of waiting."""
        return self.effort.seconds

    @property
    def interrupted(self) -> bool:
        """Whether somebody stopped it before it was decided."""
        return self.effort.interrupted


def play_tournament(
    tournament: Tournament,
    log: ArenaLog | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
    engine: Engine | None = None,
    minutes: float | None = None,
) -> Outcome:
    """Play a tournament; what its log holds already is not played again.

    It is played on `threads` of this machine, one for each core if not said, or on another engine. Ctrl-C
    stops soon and gives what is done so far. After the `minutes` no more games are begun, but those that
    are on are finished: otherwise long games would be missing. With hypotheses, play stops when they are
    decided, and what counts are the games up to there: the outcome is the same on any engine. When a log
    that is needed can no longer be written, play stops soon, too.
    """
    arena = _Arena(tournament, log)
    return arena.outcome(arena.run(engine or LocalEngine(threads), progress, minutes))


class _Arena:
    """A tournament in progress."""

    def __init__(self, tournament: Tournament, log: ArenaLog | None) -> None:
        self.tournament, self.log = tournament, log
        self.sheet = Sheet(tournament.schedule, tournament.games)
        if log is not None:
            log.read_into(self.sheet)
        self.verdict: Verdict | None = None
        self._done = self.sheet.count
        self._judged = -1
        self._setting = Setting(
            tournament.ruleset, tournament.schedule, tournament.contestants, tournament.seed
        )

    def run(self, engine: Engine, progress: Progress | None, minutes: float | None) -> Effort:
        """Play what is left, or what of it there is time for."""

        def look() -> bool:
            if progress is not None:
                progress(self._done, self.tournament.games)
            return self._is_decided() or (self.log is not None and self.log.is_missed)

        if self._is_decided() or self._done == self.tournament.games:
            return Effort(0.0)
        if self.tournament.is_quick:
            job, bulks = QuickJob(self._setting), self._bulks(portion(engine, self.tournament.games))
            piles = _begun_within(minutes, pile_up(bulks, job.games_at_once))
            return engine.work_off(job, piles, self._enter_pile, look)
        cores = max(one.threads for one in self.tournament.contestants)
        numbers = _begun_within(minutes, self._numbers())
        return engine.work_off(SteppedJob(self._setting), numbers, self._enter, look, cores)

    def outcome(self, effort: Effort) -> Outcome:
        """What has been played; a decided test drops what was played after its decision."""
        self._is_decided()
        sheet = self.sheet
        if self.verdict and self.verdict.accepted:
            sheet, effort = sheet.cut(self.verdict.games), replace(effort, interrupted=False)
        return Outcome(self.tournament, sheet, self.verdict, effort)

    def _is_decided(self) -> bool:
        if self.tournament.hypotheses is None:
            return False
        if self._done != self._judged:
            self._judged = self._done
            self.verdict = judge(self.sheet, self.tournament.hypotheses)
        return self.verdict is not None and self.verdict.accepted is not None

    # ----------------------------------------------------------------------- tasks

    def _numbers(self) -> Iterator[int]:
        played = self.sheet.played
        return (number for number in range(self.tournament.games) if not played[number])

    def _enter(self, number: int, played: Played) -> None:
        self.sheet.enter(number, played)
        self._done += 1
        if self.log is not None:
            self.log.write(self.sheet, number, played, [one.name for one in self.tournament.contestants])

    def _bulks(self, most: int) -> Iterator[Bulk]:
        schedule, total = self.tournament.schedule, self.tournament.games
        rounds = -(-total // schedule.round_length)
        played = self.sheet.played
        for first in range(0, rounds, most):
            for lineup in range(len(schedule.lineups)):
                for rotation in range(schedule.players):
                    games = min(most, schedule.games_of(lineup, rotation, total) - first)
                    if games > 0 and not played[schedule.numbers(lineup, rotation, first, games)].all():
                        yield Bulk(lineup, rotation, first, games)

    def _enter_pile(self, pile: Pile, results: list[NDArray[Any]]) -> None:
        for bulk, result in zip(pile, results, strict=True):
            self._enter_bulk(bulk, result)

    def _enter_bulk(self, bulk: Bulk, results: NDArray[Any]) -> None:
        where = (bulk.lineup, bulk.rotation, bulk.first)
        self._done -= int(self.sheet.played[self.tournament.schedule.numbers(*where, bulk.games)].sum())
        self.sheet.enter_many(*where, results["winner"], results["turns"])
        self._done += bulk.games
        if self.log is not None:
            self.log.write_bulk(*where, results["winner"], results["turns"])


def _begun_within(minutes: float | None, tasks: Iterator[Task]) -> Iterator[Task]:
    """The tasks that are begun in time; the clock starts with the first, when everything is compiled."""
    begun = time.monotonic()
    for task in tasks:
        if minutes is not None and time.monotonic() - begun > 60 * minutes:
            return
        yield task
