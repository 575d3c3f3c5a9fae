"""``dicetown simulate``: many games between bots."""

from __future__ import annotations

from collections.abc import Sequence

from dicetown.arena.engines import LOCAL, RAY, Where, open_engine
from dicetown.arena.simulate import CPU, CUDA, Simulation, simulate
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
from dicetown.playout.table import bots_for, ready
from dicetown.readiness import say_aside
from dicetown.rules.ruleset import Ruleset
from dicetown.terminal.play import make_console
from dicetown.terminal.runner import INTERRUPTED

_USUAL_PLAYERS = 4
_MANY = 10_000  # games from which shares are worth another digit


def run(
    edition: str,
    sets: str | None,
    house: Sequence[str],
    players: int | None,
    bots: str,
    games: int,
    seed: int,
    where: Where,
    as_json: bool,
    device: str = CPU,
) -> int:
    """Play the games and print what became of them; what cannot be played is said before compiling."""
    ruleset = read_ruleset(edition, sets, house)
    seats = _seat(ruleset, players, split(bots))
    if device == CUDA and where[0] != LOCAL:
        raise ArenaError("A GPU plays without an engine: name --device cuda or --engine ray, not both.")
    with stdout_for_figures(), open_engine(*where) as engine:
        if device != CUDA:  # for a GPU compiling is part of each simulation
            ready(say_aside)
        with progress_bar("games") as progress:
            result = simulate(ruleset, len(seats), seats, games, seed, None, progress, device, engine)
    if result.effort.losses:
        say_aside(result.effort.losses)
    if result.interrupted:
        say_aside(f"Interrupted after {result.games} of {result.asked} games.")
    if as_json:
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
    digits = 1 if result.games < _MANY else 2
    for seat, bot in enumerate(result.bots):
        low, high = result.intervals[seat]
        shares = (f"{result.shares[seat]:.{digits}%}", f"{low:.{digits}%} – {high:.{digits}%}")
        table.add_row(str(seat + 1), bot, f"{result.wins[seat]:,}", *shares)
    if result.draws:
        table.add_row("", "drawn", f"{result.draws:,}", f"{result.draw_share:.{digits}%}", "")
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
