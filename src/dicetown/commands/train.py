"""``dicetown train``: let the judge learn from games of bots."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from dicetown.bots.learning.nets import write_net
from dicetown.bots.learning.school import teach
from dicetown.commands.figures import make_table, print_table, progress_bar
from dicetown.game.notation import numbers_of
from dicetown.readiness import say_aside


def run(
    game: Annotated[str, typer.Argument(help="base, harbor, millionaires_row or neue_stadt.")],
    positions: Annotated[int, typer.Option(help="Positions to learn from.", min=1000)] = 1_500_000,
    seed: Annotated[int, typer.Option(help="The same seed, the same lessons.")] = 1,
    out: Annotated[Path, typer.Option(help="Where to keep what was learned.", metavar="FILE")] = Path(
        "net.npz"
    ),
) -> None:
    """Let the judge learn who wins, from games of bots against each other.

    The judge tells at a glance how a position will end; bots that search may stop playouts early with it.

    What Dicetown ships was made so: dicetown train base --out src/dicetown/bots/nets/base.npz
    """
    with progress_bar("learning") as progress:
        schooling = teach(game, positions, seed, say_aside, progress)
    write_net(schooling.net, numbers_of(schooling.ruleset), out)
    table = make_table(["players"], ["surprise", "guessing"])
    for players, surprise in schooling.surprise.items():
        table.add_row(str(players), f"{surprise:.4f}", f"{schooling.guessing[players]:.4f}")
    print_table(table)
    say_aside(f"Kept in {out}.")
