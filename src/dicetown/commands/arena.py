"""``dicetown arena``: bots against bots, with ratings."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from dicetown.arena.contests.contestants import enter
from dicetown.arena.contests.log import ArenaLog
from dicetown.arena.contests.log_file import header_of, own_log
from dicetown.arena.contests.sprt import BOUND, Hypotheses
from dicetown.arena.contests.standings import Standings
from dicetown.arena.contests.tournament import Tournament, play_tournament
from dicetown.arena.engines import LOCAL, open_engine
from dicetown.commands.figures import (
    grouped,
    make_table,
    print_json,
    print_table,
    progress_bar,
    share_of,
    stdout_for_figures,
)
from dicetown.commands.inputs import read_bots, read_ruleset
from dicetown.commands.options import (
    Address,
    DiceSeed,
    Edition,
    Engine,
    HouseRules,
    Json,
    Seconds,
    Sets,
    Threads,
    unset,
)
from dicetown.console import INTERRUPTED, make_console, stops_raised
from dicetown.errors import ArenaError
from dicetown.playout.table import ready
from dicetown.readiness import say_aside
from dicetown.rules.ruleset import Ruleset


def run(
    house: HouseRules,
    bots: Annotated[
        list[str],
        unset(
            "Bots with commas (greedy,cheese), with options (greedy:slips=50); "
            "or a program: --bots 'pipe:python3 my_bot.py'. As often as needed.",
            "BOTS",
        ),
    ],
    games: Annotated[int, typer.Option(help="How many games in all.", min=1)] = 1_000,
    edition: Edition = "deluxe",
    sets: Sets = None,
    players: Annotated[
        int | None,
        unset(
            "How many at a table; else one for each bot. The last bot named fills seats that are left; "
            "more bots than seats take turns."
        ),
    ] = None,
    seed: DiceSeed = 0,
    sprt: Annotated[
        str | None,
        unset(
            "Stop when it is decided whether the first bot is elo0 or elo1 stronger than the rest.",
            "ELO0,ELO1",
        ),
    ] = None,
    seconds: Seconds = None,
    threads: Threads = None,
    log: Annotated[
        Path | None, unset("Keep the games in this file, and go on with it if it is there.", "FILE")
    ] = None,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Forget what an interrupted run of this command has left.")
    ] = False,
    engine: Engine = LOCAL,
    address: Address = None,
    json: Json = False,
) -> int:
    """Let bots play each other: shares, Elo and openskill with 95 % intervals, and who beats whom.

    Each game is played from all seats with the same dice, so that luck falls on everybody alike.

    After Ctrl-C the same command goes on where it was.

    For example: dicetown arena --bots greedy,cheese --games 20000

    Or: dicetown arena --bots greedy,cheese,ranch,random --players 2 --sets base --games 6000 --json

    Or: dicetown arena --bots 'pipe:python3 examples/pipe_bot.py' --bots greedy --games 100 --sprt 0,50
    """
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
    with stdout_for_figures(), open_engine(engine, threads, address) as opened:
        kept = _open_log(tournament, log, fresh)
        ready(say_aside)
        try:
            with stops_raised(), progress_bar("games") as progress:
                outcome = play_tournament(tournament, kept, None, progress, opened)
        finally:
            if kept is not None:
                kept.close()
    if kept is not None and log is None and not outcome.interrupted:
        kept.remove()
    elif kept is not None and kept.problem is not None and not kept.needed:
        say_aside(kept.problem)  # what does not fit is played again
    if outcome.effort.losses:
        say_aside(outcome.effort.losses)
    report = Standings(outcome)
    if json:
        print_json(
            {
                **report.as_dict(),
                "engine": opened.name,
                "lost_workers": outcome.effort.lost_workers,
                "played_again": outcome.effort.played_again,
            }
        )
    else:
        show(report)
    if kept is not None and kept.is_missed:
        raise ArenaError(f"{kept.problem} With room for more, the same command goes on.")
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


def count_players(ruleset: Ruleset, players: int | None, bots: int) -> int:
    """How many play: as many as said, or as bots are named and the game allows."""
    if bots < 2:
        raise ArenaError("An arena needs at least two bots; name one twice to let it play itself.")
    return ruleset.check_players(min(bots, ruleset.max_players) if players is None else players)


# --------------------------------------------------------------------------- showing


def show(report: Standings) -> None:
    """The figures as tables."""
    print_table(_standings(report))
    if len(report.names) > 2:
        print_table(_cross(report))
    console = make_console()
    for sentence in _remarks(report):
        console.print(sentence, soft_wrap=True)


def _standings(report: Standings) -> Table:
    table = make_table(["bot"], ["games", "wins", "share", "95 % interval", "by chance", "Elo", "openskill"])
    share = share_of(report.games)
    for line in sorted(report.lines, key=lambda line: -line.elo.elo):
        low, high = line.interval
        table.add_row(
            line.bot,
            f"{line.games:,}",
            f"{line.wins:,}",
            share(line.share),
            f"{share(low)} – {share(high)}",
            f"{line.expected:.0%}",
            f"{round(line.elo.elo):+d} ({round(line.elo.low):+d} … {round(line.elo.high):+d})",
            f"{line.skill.mu:.1f} ± {line.skill.reach:.1f}",
        )
    return table


def _cross(report: Standings) -> Table:
    """How often the bot of a row was ahead of that of a column."""
    table = make_table(["ahead of …"], report.names)
    shares = {(pair.bot, pair.against): f"{pair.share:.1%}" for pair in report.cross}
    for bot in report.names:
        table.add_row(bot, *(shares.get((bot, other), "") for other in report.names))
    return table


def _remarks(report: Standings) -> list[str]:
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
