"""``dicetown arena``: bots against bots, with ratings."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rich.table import Table

from dicetown.arena.contests.contestants import enter
from dicetown.arena.contests.log import ArenaLog
from dicetown.arena.contests.log_file import header_of, own_log
from dicetown.arena.contests.report import Report
from dicetown.arena.contests.sprt import BOUND, Hypotheses
from dicetown.arena.contests.tournament import Tournament, play_tournament
from dicetown.arena.engines import Where, open_engine
from dicetown.bots.programs.pipe import PIPE
from dicetown.commands.figures import (
    grouped,
    make_table,
    print_json,
    print_table,
    progress_bar,
    stdout_for_figures,
)
from dicetown.commands.inputs import read_ruleset, split
from dicetown.errors import ArenaError
from dicetown.playout.table import ready
from dicetown.readiness import say_aside
from dicetown.rules.ruleset import Ruleset
from dicetown.terminal.play import make_console
from dicetown.terminal.runner import INTERRUPTED, stops_raised

_MANY = 10_000  # games from which shares are worth another digit


def run(
    bots: Sequence[str],
    games: int,
    edition: str,
    sets: str | None,
    house: Sequence[str],
    players: int | None,
    seed: int,
    sprt: str | None,
    seconds: float | None,
    where: Where,
    log: Path | None,
    fresh: bool,
    as_json: bool,
) -> int:
    """Play the tournament and print what it came to."""
    ruleset = read_ruleset(edition, sets, house)
    contestants = enter(read_bots(bots), seconds)
    tournament = Tournament(
        ruleset,
        count_players(ruleset, players, len(contestants)),
        contestants,
        games,
        seed,
        None if sprt is None else Hypotheses.read(sprt),
    )
    with stdout_for_figures(), open_engine(*where) as engine:
        kept = _open_log(tournament, log, fresh)
        ready(say_aside)
        try:
            with stops_raised(), progress_bar("games") as progress:
                outcome = play_tournament(tournament, kept, None, progress, engine)
        finally:
            if kept is not None:
                kept.close()
    if kept is not None and log is None and not outcome.interrupted:
        kept.remove()
    if outcome.effort.losses:
        say_aside(outcome.effort.losses)
    report = Report(outcome)
    if as_json:
        print_json(
            {
                **report.as_dict(),
                "engine": engine.name,
                "lost_workers": outcome.effort.lost_workers,
                "played_again": outcome.effort.played_again,
            }
        )
    else:
        show(report)
    return INTERRUPTED if outcome.interrupted else 0


def _open_log(tournament: Tournament, path: Path | None, fresh: bool) -> ArenaLog | None:
    """The log to go on with: the one named, or the one that an interrupted run has left."""
    if fresh and path is None and (left := own_log(tournament)) is not None:
        left.remove()
    log = own_log(tournament) if path is None else ArenaLog(path, header_of(tournament))
    if log is not None and log.is_continued:
        anew = "--fresh begins anew" if path is None else "another --log begins anew"
        say_aside(f"Going on with a run that was begun before ({anew}).")
    return log


def read_bots(values: Sequence[str]) -> list[str]:
    """The bots that options name: lists with commas, or a program after ``pipe:``, taken whole.

    >>> read_bots(["greedy,random", "pipe:my_bot --lucky 3,4"])
    ['greedy', 'random', 'pipe:my_bot --lucky 3,4']
    """
    found: list[str] = []
    for value in values:
        found += [value.strip()] if value.strip().startswith(PIPE) else split(value)
    return found


def count_players(ruleset: Ruleset, players: int | None, bots: int) -> int:
    """How many play: as many as said, or as bots are named and the game allows."""
    if bots < 2:
        raise ArenaError("An arena needs at least two bots; name one twice to let it play itself.")
    return ruleset.check_players(min(bots, ruleset.max_players) if players is None else players)


# --------------------------------------------------------------------------- showing


def show(report: Report) -> None:
    """The figures as tables."""
    print_table(_standings(report))
    if len(report.names) > 2:
        print_table(_cross(report))
    console = make_console()
    for sentence in _remarks(report):
        console.print(sentence, soft_wrap=True, markup=False, highlight=False)


def _standings(report: Report) -> Table:
    table = make_table(["bot"], ["games", "wins", "share", "95 % interval", "by chance", "Elo", "openskill"])
    digits = 1 if report.games < _MANY else 2
    for line in sorted(report.lines, key=lambda line: -line.elo.elo):
        low, high = line.interval
        table.add_row(
            line.bot,
            f"{line.games:,}",
            f"{line.wins:,}",
            f"{line.share:.{digits}%}",
            f"{low:.{digits}%} – {high:.{digits}%}",
            f"{line.expected:.0%}",
            f"{round(line.elo.elo):+d} ({round(line.elo.low):+d} … {round(line.elo.high):+d})",
            f"{line.skill.mu:.1f} ± {line.skill.reach:.1f}",
        )
    return table


def _cross(report: Report) -> Table:
    """How often the bot of a row was ahead of that of a column."""
    table = make_table(["ahead of …"], report.names)
    shares = {(pair.bot, pair.against): f"{pair.share:.1%}" for pair in report.cross}
    for bot in report.names:
        table.add_row(bot, *(shares.get((bot, other), "") for other in report.names))
    return table


def _remarks(report: Report) -> list[str]:
    outcome, tournament = report.outcome, report.tournament
    speed = grouped(report.games / outcome.seconds) if outcome.seconds else "–"
    draws = f", {report.draws:,} without a winner" if report.draws else ""
    remarks = [
        f"{report.games:,} games, {report.mean_turns:.1f} turns on average{draws} (at {speed} games/s)."
    ]
    if (verdict := outcome.verdict) is not None:
        elo0, elo1 = verdict.hypotheses.elo0, verdict.hypotheses.elo1
        said = {
            "H1": f"{report.names[0]} is stronger than the rest: {elo1:+g} Elo rather than {elo0:+g}",
            "H0": f"{report.names[0]} is not that much stronger: {elo0:+g} Elo rather than {elo1:+g}",
            None: f"Not decided yet between {elo0:+g} and {elo1:+g} Elo",
        }[verdict.accepted]
        remarks.append(f"{said} (log-likelihood ratio {verdict.llr:+.2f}, bounds ±{BOUND:.2f}).")
    for line in report.lines:
        for reason, times in line.faults.items():
            remarks.append(f"{line.bot} lost {'a game' if times == 1 else f'{times} games'}: {reason}")
    if outcome.interrupted:
        remarks.append(
            f"Interrupted after {report.games:,} of {tournament.games:,} games; "
            "the same command goes on from here."
        )
    return remarks
