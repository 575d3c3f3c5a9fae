"""``dicetown tune``: better weights for the planner."""

from __future__ import annotations

import shlex
from pathlib import Path

from dicetown.arena.contests.tuning import Tuned, make_optimiser, tune
from dicetown.bots.rules.planner_weights import Planned, read_weights, start_weights, write_weights
from dicetown.bots.rules.scripts import game_of
from dicetown.commands.figures import progress_bar
from dicetown.commands.inputs import UsageProblem, read_ruleset
from dicetown.material.reading import read_toml
from dicetown.playout.table import ready
from dicetown.readiness import say_aside


def run(
    edition: str,
    sets: str | None,
    players: int,
    generations: int,
    games: int,
    seed: int,
    threads: int | None,
    out: Path | None,
) -> int:
    """Tune, say what it has brought, and write the weights; what cannot be done is said before compiling."""
    ruleset = read_ruleset(edition, sets, ())
    ruleset.check_players(players)
    make_optimiser(start_weights(), seed)
    kept = read_weights(read_toml(out), out.name) if out is not None and out.exists() else {}
    if out is not None and not out.parent.is_dir():
        raise UsageProblem(f'There is no folder "{out.parent}" to write {out.name} to; make it first.')
    ready(say_aside)
    with progress_bar("generations") as progress:
        tuned = tune(ruleset, players, generations, games, seed, threads, progress)
    say_aside(f"Games won: {tuned.before:.2%} before, {tuned.share:.2%} now.")
    command = _command(edition, sets, players, generations, games, seed)
    text = write_weights(kept | {game_of(ruleset): kept.get(game_of(ruleset), {}) | _planned(tuned, command)})
    if out is None:
        print(text, end="")
    else:
        out.write_text(text, encoding="utf-8")
    return 0


def _planned(tuned: Tuned, command: str) -> dict[int, Planned]:
    return {tuned.players: Planned(tuned.weights, command)}


def _command(edition: str, sets: str | None, players: int, generations: int, games: int, seed: int) -> str:
    """What to type to find the same weights again."""
    chosen = ["--sets", sets] if sets else []
    numbers = {"--players": players, "--generations": generations, "--games": games, "--seed": seed}
    options = [str(part) for option in numbers.items() for part in option]
    return shlex.join(["dicetown", "tune", "--edition", edition, *chosen, *options])
