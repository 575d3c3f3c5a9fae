"""``dicetown train``: let the judge learn from games of bots, and the champion from its own."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from dicetown.bots.learning.nets import write_net
from dicetown.bots.learning.school import teach
from dicetown.commands.figures import make_table, print_table, progress_bar
from dicetown.commands.inputs import UsageProblem
from dicetown.game.notation import numbers_of
from dicetown.readiness import say_aside

parts = typer.Typer(no_args_is_help=True, add_completion=False, rich_markup_mode="rich")


@parts.callback()
def run() -> None:
    """Let a network learn: the judge who wins, or the champion to play."""


@parts.command()
def judge(
    game: Annotated[str, typer.Argument(help="base, harbor, millionaires_row or neue_stadt.")],
    positions: Annotated[int, typer.Option(help="Positions to learn from.", min=1000)] = 1_500_000,
    seed: Annotated[int, typer.Option(help="The same seed, the same lessons.")] = 1,
    out: Annotated[Path, typer.Option(help="Where to keep what was learned.", metavar="FILE")] = Path(
        "net.npz"
    ),
) -> None:
    """Let the judge learn who wins, from games of bots against each other.

    The judge tells at a glance how a position will end; bots that search may stop playouts early with it.

    What Dicetown ships was made so: dicetown train judge base --out src/dicetown/bots/learning/nets/base.npz
    """
    with progress_bar("learning") as progress:
        schooling = teach(game, positions, seed, say_aside, progress)
    write_net(schooling.net, numbers_of(schooling.ruleset), out)
    table = make_table(["players"], ["surprise", "guessing"])
    for players, surprise in schooling.surprise.items():
        table.add_row(str(players), f"{surprise:.4f}", f"{schooling.guessing[players]:.4f}")
    print_table(table)
    say_aside(f"Kept in {out}.")


@parts.command()
def champion(
    game: Annotated[str, typer.Argument(help="classic (all editions of the first game) or second.")],
    minutes: Annotated[float, typer.Option(help="How long to learn.", min=0.01)] = 15.0,
    out: Annotated[Path, typer.Option(help="Where to keep what was learned.", metavar="FOLDER")] = Path(
        "champion"
    ),
    start: Annotated[
        Path | None, typer.Option(help="A checkpoint to go on from.", metavar="FILE", show_default=False)
    ] = None,
    games: Annotated[int, typer.Option(help="Games at the same time, about.", min=64)] = 60_000,
    seed: Annotated[int, typer.Option(help="For the games and the first weights.")] = 1,
    device: Annotated[str, typer.Option(help="cuda, or cpu for a try.")] = "cuda",
) -> None:
    """Let the champion learn by playing itself, its former selves and bots, at all tables of a game.

    Needs PyTorch. Once a minute FOLDER gets the weights that play and a checkpoint to go on from. In the end
    it says what they win against the planner at every table.

    For example: dicetown train champion classic --minutes 18 --out champion
    """
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
