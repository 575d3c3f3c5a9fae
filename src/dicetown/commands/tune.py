"""``dicetown tune``: better weights for the planner."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from dicetown.arena.contests.optimiser import make_optimiser, tune
from dicetown.bots.rules.planner_weights import Planned, read_weights, start_weights, write_weights
from dicetown.bots.rules.scripts import game_of
from dicetown.commands.figures import progress_bar
from dicetown.commands.inputs import UsageProblem, read_ruleset, same_again
from dicetown.commands.options import Edition, Sets, Threads, unset
from dicetown.commands.written import check_place, write_text
from dicetown.material.reading import read_toml
from dicetown.playout.table import ready
from dicetown.readiness import say_aside


def run(
    edition: Edition = "deluxe",
    sets: Sets = None,
    players: Annotated[int, typer.Option(help="How many at a table.")] = 4,
    generations: Annotated[int, typer.Option(help="How often the guess is improved.", min=1)] = 40,
    games: Annotated[
        int, typer.Option(help="How many each candidate plays, in each generation.", min=1)
    ] = 1_600,
    seed: Annotated[int, typer.Option(help="The same seed, the same weights, on any number of threads.")] = 1,
    threads: Threads = None,
    out: Annotated[
        Path | None,
        unset(
            "Write the weights into this file, beside those of other games; else they are printed.", "FILE"
        ),
    ] = None,
) -> None:
    r"""Tune the planner's weights by play against greedy bots and scripts, with CMA-ES.

    It needs the library cmaes: pip install 'dicetown\[tune]'

    For example: dicetown tune --edition deluxe --sets base --players 4 --out planner.toml

    Or: dicetown tune --edition neue_stadt --players 2 --generations 100 --games 5000 --seed 7
    """
    ruleset = read_ruleset(edition, sets, ())
    ruleset.check_players(players)
    make_optimiser(start_weights(), seed)
    if out is not None:
        check_place(out, "the weights")
    kept = read_weights(read_toml(out), out.name) if out is not None and out.is_file() else {}
    ready(say_aside)
    with progress_bar("generations") as progress:
        tuned = tune(ruleset, players, generations, games, seed, threads, progress)
    say_aside(f"Games won: {tuned.before:.2%} before, {tuned.share:.2%} now.")
    numbers = {"--players": players, "--generations": generations, "--games": games, "--seed": seed}
    command = same_again("tune", {"--edition": edition, "--sets": sets or None, **numbers})
    game = game_of(ruleset)
    planned = {players: Planned(tuned.weights, command)}
    text = write_weights(kept | {game: kept.get(game, {}) | planned})
    if out is None:
        print(text, end="")
        return
    try:
        write_text(out, text, "the weights")
    except UsageProblem:
        print(text, end="")  # they took long to find
        raise
