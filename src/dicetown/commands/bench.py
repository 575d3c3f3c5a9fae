"""``dicetown bench``: how fast the engine is here."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

import typer

from dicetown.arena.benchmark import BOTS, GAMES, PLAYERS, Benchmark, benchmark
from dicetown.commands.figures import grouped, make_table, print_json, print_table, waiting
from dicetown.commands.options import Json
from dicetown.console import make_console
from dicetown.playout.table import ready
from dicetown.readiness import say_aside


def run(
    seconds: Annotated[float, typer.Option(help="How long to measure each case.", min=0.01)] = 1.0,
    json: Json = False,
) -> None:
    """Measure decisions and games per second on one core, interpreted and compiled.

    For example: dicetown bench --json
    """
    readiness = ready(say_aside)
    with waiting("Measuring …"):
        result = replace(benchmark(seconds), readiness=readiness)
    if json:
        print_json(result.as_dict())
    else:
        _print(result)


def _print(result: Benchmark) -> None:
    table = make_table([f"one core, {PLAYERS} players", "bot", "mode"], ["decisions/s", "games/s"])
    for game in GAMES:
        for bot in BOTS:
            for is_compiled in (False, True):
                one = result.find(game, bot, is_compiled=is_compiled)
                mode = "compiled" if is_compiled else "interpreted"
                rates = (grouped(one.decisions_per_second), grouped(one.games_per_second))
                table.add_row(f"Deluxe, {game}", bot, mode, *rates)
    print_table(table)
    took = result.readiness.compile_seconds
    compiling = "unknown" if took is None else f"{took:.0f} s"
    make_console().print(f"compiling: {compiling} (once)   a state: {result.state_bytes} bytes")
