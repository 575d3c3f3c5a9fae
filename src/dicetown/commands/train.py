"""``dicetown train``: let the judge learn from games of bots, and the champion from its own."""

from __future__ import annotations

from pathlib import Path

from dicetown.bots.learning.nets import write_net
from dicetown.bots.learning.school import teach
from dicetown.commands.figures import make_table, print_table, progress_bar
from dicetown.commands.inputs import UsageProblem
from dicetown.game.notation import numbers_of
from dicetown.readiness import say_aside


def run(game: str, positions: int, seed: int, out: Path) -> None:
    """Learn, keep what was learned, and say how well."""
    with progress_bar("learning") as progress:
        schooling = teach(game, positions, seed, say_aside, progress)
    write_net(schooling.net, numbers_of(schooling.ruleset), out)
    table = make_table(["players"], ["surprise", "guessing"])
    for players, surprise in schooling.surprise.items():
        table.add_row(str(players), f"{surprise:.4f}", f"{schooling.guessing[players]:.4f}")
    print_table(table)
    say_aside(f"Kept in {out}.")


def run_champion(
    game: str, minutes: float, out: Path, start: Path | None, games: int, seed: int, device: str
) -> None:
    """Learn until the time is up, then say what it wins against the planner at every table."""
    from dicetown.training.champion import Course, Training
    from dicetown.training.tables import shares_for

    if device not in ("cuda", "cpu"):
        raise UsageProblem(f'There is no device "{device}"; known: cuda, cpu.')
    training = Training(Course(game, minutes, out, start, seed, device, shares_for(game, games)), say_aside)
    training.run()
    table = make_table(["edition", "sets", "players"], ["games", "wins against planner"])
    for spec, won, played in training.measure(["planner"], min(4096, games)):
        share = f"{won / max(played, 1):.1%}"
        table.add_row(
            spec.ruleset.edition.id, ", ".join(spec.ruleset.set_ids), str(spec.players), str(played), share
        )
    print_table(table)
    say_aside(f"Kept in {out}: {game}.npz plays, {game}.pt goes on.")
