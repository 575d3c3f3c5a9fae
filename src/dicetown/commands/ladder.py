"""``dicetown ladder``: all bots in all editions, as the docs show it."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path

from dicetown.arena.contests.ladder import Rung, as_markdown, rungs, tournament_at
from dicetown.arena.contests.log import ArenaLog
from dicetown.arena.contests.log_file import own_log
from dicetown.arena.contests.report import Report
from dicetown.arena.contests.tournament import play_tournament
from dicetown.commands.arena import read_bots
from dicetown.commands.figures import print_json, progress_bar, stdout_for_figures
from dicetown.commands.inputs import UsageProblem, split
from dicetown.errors import ArenaError
from dicetown.material import load
from dicetown.playout.table import ready
from dicetown.readiness import say_aside
from dicetown.rules.ruleset import Ruleset
from dicetown.terminal.runner import INTERRUPTED, stops_raised


def run(
    games: int,
    bots: Sequence[str],
    editions: str | None,
    players: str | None,
    seed: int,
    seconds: float | None,
    minutes: float | None,
    threads: int | None,
    out: Path | None,
    as_json: bool,
) -> int:
    """Play every table and write the ladder."""
    tables = _tables(editions, players)
    named = read_bots(bots)
    if bots and len(named) < 2:
        raise ArenaError("A ladder needs at least two bots.")
    if out is not None and not out.parent.is_dir():
        raise UsageProblem(f"{out}: there is no such folder to write the ladder to.")
    command = _command(games, bots, editions, players, seed, seconds, minutes)
    ready(say_aside)
    climb = _Climb(named, games, seed, seconds, minutes, threads)
    if not climb.play(tables):
        say_aside(
            f"Interrupted at table {len(climb.reports) + 1} of {len(tables)}; the same command goes on."
        )
        return INTERRUPTED
    if as_json:
        print_json({"command": command, "tables": [report.as_dict() for report in climb.reports]})
    if out is not None:
        out.write_text(as_markdown(climb.reports, command), encoding="utf-8")
        say_aside(f"Written to {out}.")
    elif not as_json:
        print(as_markdown(climb.reports, command), end="")
    climb.forget_what_is_done()
    return 0


class _Climb:
    """The tables one after another; what is played is kept until all are."""

    def __init__(
        self,
        bots: list[str],
        games: int,
        seed: int,
        seconds: float | None,
        minutes: float | None,
        threads: int | None,
    ) -> None:
        self._bots, self._games, self._seed = bots, games, seed
        self._seconds, self._minutes, self._threads = seconds, minutes, threads
        self._logs: list[ArenaLog] = []
        self.reports: list[Report] = []

    def play(self, tables: Sequence[Rung]) -> bool:
        """Play all tables; False if somebody interrupted."""
        for number, rung in enumerate(tables, start=1):
            say_aside(f"{number}/{len(tables)}  {rung.title}, {rung.players} players")
            tournament = tournament_at(rung, self._bots, self._games, self._seed, self._seconds)
            log = own_log(tournament)
            with stdout_for_figures(), stops_raised(), progress_bar("games") as progress:
                outcome = play_tournament(tournament, log, self._threads, progress, minutes=self._minutes)
            if log is not None:
                log.close()
                if outcome.sheet.count == self._games:
                    self._logs.append(log)
            if outcome.interrupted:
                return False
            self.reports.append(Report(outcome))
        return True

    def forget_what_is_done(self) -> None:
        """The ladder is written: logs of whole tables have done their work. Others can be gone on with."""
        for log in self._logs:
            log.remove()


def _tables(editions: str | None, players: str | None) -> list[Rung]:
    chosen = list(load().editions) if editions is None else split(editions)
    for edition in chosen:
        Ruleset(edition)  # refuses one that is not known
    numbers = [] if players is None else split(players)
    if not all(number.isdecimal() for number in numbers):
        raise UsageProblem(f'"{players}" is no list of numbers of players; it reads like 2,4.')
    found = list(rungs(chosen, [int(number) for number in numbers]))
    if not found:
        raise UsageProblem(f"No edition of {', '.join(chosen)} is played by {players}.")
    return found


def _command(
    games: int,
    bots: Sequence[str],
    editions: str | None,
    players: str | None,
    seed: int,
    seconds: float | None,
    minutes: float | None,
) -> str:
    """The command that makes this ladder again."""
    words = ["dicetown", "ladder", "--games", str(games), "--seed", str(seed)]
    for value in bots:
        words += ["--bots", value]
    shown = [None if number is None else f"{number:g}" for number in (seconds, minutes)]
    for option, setting in zip(
        ("--editions", "--players", "--seconds", "--minutes"), (editions, players, *shown), strict=True
    ):
        words += [option, setting] if setting is not None else []
    return shlex.join(words)
