"""``dicetown train``: let the judge learn from games of bots."""

from __future__ import annotations

from pathlib import Path

from dicetown.bots.learning.nets import write_net
from dicetown.bots.learning.school import teach
from dicetown.commands.figures import make_table, print_table, progress_bar
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
