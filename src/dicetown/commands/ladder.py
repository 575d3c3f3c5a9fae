"""``dicetown ladder``: all bots in all editions, as the docs show it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from dicetown.arena.contests.ladder import Rung, as_markdown, rungs, tournament_at
from dicetown.arena.contests.log import ArenaLog
from dicetown.arena.contests.log_file import own_log
from dicetown.arena.contests.standings import Standings
from dicetown.arena.contests.tournament import play_tournament
from dicetown.commands.figures import print_json, progress_bar, stdout_for_figures
from dicetown.commands.inputs import UsageProblem, read_bots, same_again, split
from dicetown.commands.options import DiceSeed, Json, Seconds, Threads, unset
from dicetown.commands.written import check_place, write_text
from dicetown.console import INTERRUPTED, stops_raised
from dicetown.errors import ArenaError
from dicetown.material import load
from dicetown.playout.table import ready
from dicetown.readiness import say_aside
from dicetown.rules.ruleset import Ruleset


def run(
    bots: Annotated[
        list[str],
        unset(
            "The bots, as for arena; else the levels, those that follow rules, and the best script.",
            "BOTS",
            default_factory=list,
        ),
    ],
    games: Annotated[int, typer.Option(help="How many at each table.", min=1)] = 1_000,
    editions: Annotated[str | None, unset("With commas; else all.")] = None,
    players: Annotated[str | None, unset("Numbers of players with commas (2,4); else all.")] = None,
    seed: DiceSeed = 0,
    seconds: Seconds = None,
    minutes: Annotated[
        float | None,
        unset("At most so long at each table; the same command goes on later.", "MINUTES", min=0.01),
    ] = None,
    threads: Threads = None,
    out: Annotated[Path | None, unset("Write the page here instead of printing it.", "FILE")] = None,
    json: Json = False,
) -> int:
    """Let all bots play in all editions, and write the page that shows who stands above whom.

    After Ctrl-C the same command goes on where it was.

    For example: dicetown ladder --games 20000 --bots greedy,cheese,random --editions deluxe --players 2,4

    Or: dicetown ladder --games 2000 --bots master,hard --minutes 2 --out ladder.md
    """
    tables = _tables(editions, players)
    named = read_bots(bots)
    if bots and len(named) < 2:
        raise ArenaError("A ladder needs at least two bots.")
    if out is not None:
        check_place(out, "the ladder")
    command = same_again(
        "ladder",
        {
            "--games": games,
            "--seed": seed,
            "--bots": bots,
            "--editions": editions,
            "--players": players,
            "--seconds": seconds,
            "--minutes": minutes,
        },
    )
    ready(say_aside)
    reports: list[Standings] = []
    done: list[ArenaLog] = []
    for number, rung in enumerate(tables, start=1):
        say_aside(f"{number}/{len(tables)}  {rung.title}, {rung.players} players")
        tournament = tournament_at(rung, named, games, seed, seconds)
        log = own_log(tournament)
        with stdout_for_figures(), stops_raised(), progress_bar("games") as progress:
            outcome = play_tournament(tournament, log, threads, progress, minutes=minutes)
        if log is not None:
            log.close()
            if outcome.sheet.count == games:
                done.append(log)
            elif log.problem is not None:
                say_aside(log.problem)  # what does not fit is played again
        if outcome.interrupted:
            say_aside(f"Interrupted at table {number} of {len(tables)}; the same command goes on.")
            return INTERRUPTED
        reports.append(Standings(outcome))
    _show(reports, command, out, json)
    for log in done:  # the ladder is written; logs of tables that are not done can be gone on with
        log.remove()
    return 0


def _show(reports: list[Standings], command: str, out: Path | None, json: bool) -> None:
    if json:
        print_json({"command": command, "tables": [report.as_dict() for report in reports]})
    if out is not None:
        write_text(out, as_markdown(reports, command), "the ladder")
        say_aside(f"Written to {out}.")
    elif not json:
        print(as_markdown(reports, command), end="")


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
