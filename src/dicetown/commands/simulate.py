"""``dicetown simulate``: many games between bots."""

from __future__ import annotations

from typing import Annotated

import typer

from dicetown.arena.engines import LOCAL, RAY, open_engine
from dicetown.arena.simulate import CPU, CUDA, Simulation, simulate
from dicetown.commands.figures import (
    grouped,
    make_table,
    print_json,
    print_table,
    progress_bar,
    share_of,
    stdout_for_figures,
)
from dicetown.commands.inputs import read_ruleset, split
from dicetown.commands.options import Address, Edition, Engine, HouseRules, Json, Sets, Threads, unset
from dicetown.console import INTERRUPTED, make_console
from dicetown.errors import ArenaError
from dicetown.playout.table import bots_for, ready
from dicetown.readiness import say_aside
from dicetown.rules.ruleset import Ruleset

_USUAL_PLAYERS = 4


def run(
    house: HouseRules,
    edition: Edition = "deluxe",
    sets: Sets = None,
    players: Annotated[int | None, unset("How many; else one for each bot named.")] = None,
    bots: Annotated[
        str, typer.Option(help="A bot for each seat, with commas (greedy,random), or one for all.")
    ] = "greedy",
    games: Annotated[int, typer.Option(help="How many games.", min=1)] = 10_000,
    seed: Annotated[int, typer.Option(help="The same seed, the same games, on any number of threads.")] = 0,
    threads: Threads = None,
    device: Annotated[str, typer.Option(help="cpu, or cuda for a GPU.")] = CPU,
    engine: Engine = LOCAL,
    address: Address = None,
    json: Json = False,
) -> int:
    """Play many games between bots: who wins how often, how long games last, how fast they run.

    For example: dicetown simulate --edition deluxe --sets base,harbor --bots greedy,random --games 100000

    Or: dicetown simulate --edition neue_stadt --players 3 --bots greedy --house max_turns=500 --json

    Or, on a GPU: dicetown simulate --bots greedy --games 10000000 --device cuda

    Or, on a cluster: dicetown simulate --bots greedy --games 1000000000 --engine ray --address 10.0.0.1:6379
    """
    ruleset = read_ruleset(edition, sets, house)
    seats = _seat(ruleset, players, split(bots))
    if device == CUDA and engine != LOCAL:
        raise ArenaError("A GPU plays without an engine: name --device cuda or --engine ray, not both.")
    with stdout_for_figures(), open_engine(engine, threads, address) as opened:
        if device != CUDA:  # for a GPU compiling is part of each simulation
            ready(say_aside)
        with progress_bar("games") as progress:
            result = simulate(ruleset, len(seats), seats, games, seed, None, progress, device, opened)
    if result.effort.losses:
        say_aside(result.effort.losses)
    if result.interrupted:
        say_aside(f"Interrupted after {result.games} of {result.asked} games.")
    if json:
        print_json(result.as_dict())
    else:
        _print(result)
    return INTERRUPTED if result.interrupted else 0


def _seat(ruleset: Ruleset, players: int | None, bots: list[str]) -> list[str]:
    """A bot for each seat; without a number of players, a seat for each bot."""
    if players is None:
        players = len(bots) if len(bots) > 1 else min(_USUAL_PLAYERS, ruleset.max_players)
    return bots_for(bots, ruleset.check_players(players))


def _print(result: Simulation) -> None:
    table = make_table(["seat", "bot"], ["wins", "share", "95 % interval"])
    share = share_of(result.games)
    for seat, bot in enumerate(result.bots):
        low, high = result.intervals[seat]
        shares = (share(result.shares[seat]), f"{share(low)} – {share(high)}")
        table.add_row(str(seat + 1), bot, f"{result.wins[seat]:,}", *shares)
    if result.draws:
        table.add_row("", "drawn", f"{result.draws:,}", share(result.draw_share), "")
    print_table(table)
    console = make_console()
    console.print(_pace(result), soft_wrap=True)
    if result.tally.endless:
        console.print(
            f"{result.tally.endless} games had no end in sight and were given up; "
            "--house max_turns=500 would end them as draws.",
            soft_wrap=True,
        )


def _pace(result: Simulation) -> str:
    """How long games were, and how fast."""
    quantiles = "  ".join(f"{percent} %: {turns}" for percent, turns in result.percentiles.items())
    cores = "1 thread" if result.threads == 1 else f"{result.threads} threads"
    if result.device == CUDA:
        cores = "on the GPU"
    elif result.engine == RAY:
        cores = "1 core of the cluster" if result.threads == 1 else f"{result.threads} cores of the cluster"
    return (
        f"turns: {result.mean_turns:.1f} on average ({quantiles})\n"
        f"speed: {grouped(result.games_per_second)} games/s, "
        f"{grouped(result.decisions_per_second)} decisions/s "
        f"({result.games:,} games in {result.seconds:.2f} s, {cores})"
    )
