"""``dicetown train``: let the champion learn from its own games."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from dicetown.commands.figures import make_table, print_table
from dicetown.commands.inputs import UsageProblem, read_ruleset
from dicetown.commands.options import Edition, Sets
from dicetown.intervals import wilson
from dicetown.readiness import say_aside

parts = typer.Typer(no_args_is_help=True, add_completion=False, rich_markup_mode="rich")


@parts.callback()
def run() -> None:
    """Let a network learn to play."""


@parts.command()
def champion(
    game: Annotated[str, typer.Argument(help="classic (all editions of the first game) or second.")],
    minutes: Annotated[float, typer.Option(help="How long to learn.", min=0)] = 15.0,
    out: Annotated[Path, typer.Option(help="Where to keep what was learned.", metavar="FOLDER")] = Path(
        "champion"
    ),
    start: Annotated[
        Path | None,
        typer.Option(
            help="A checkpoint to go on from, or weights that play (.npz).",
            metavar="FILE",
            show_default=False,
        ),
    ] = None,
    appraise: Annotated[
        float, typer.Option(help="Minutes after that in which only the telling of chances is learned.", min=0)
    ] = 3.0,
    rate: Annotated[
        float | None, typer.Option(help="How fast to learn at first.", min=0, show_default=False)
    ] = None,
    curiosity: Annotated[
        float | None,
        typer.Option(
            help="What an open mind is worth at first; who knows much needs less.", show_default=False
        ),
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
    from dicetown.training.ppo import Manner
    from dicetown.training.tables import shares_for

    _check_device(device)
    ways: dict[str, Any] = {"rate": rate, "curiosity": curiosity}
    course = Course(
        *(game, minutes, out, start, seed, device, shares_for(game, games)),
        manner=replace(Manner(), **{name: told for name, told in ways.items() if told is not None}),
        appraising=appraise,
    )
    training = Training(course, say_aside)
    training.run()
    table = make_table(["edition", "sets", "players"], ["games", "wins against planner"])
    for spec, won, played in training.measure(["planner"], min(4096, games)):
        share = f"{won / max(played, 1):.1%}"
        table.add_row(
            spec.ruleset.edition.id, ", ".join(spec.ruleset.set_ids), str(spec.players), str(played), share
        )
    print_table(table)
    say_aside(f"Kept in {out}: {game}.npz plays, {game}.pt goes on.")


@parts.command()
def specialist(
    edition: Edition = "deluxe",
    sets: Sets = None,
    players: Annotated[int, typer.Option(help="Number of players.")] = 4,
    minutes: Annotated[float, typer.Option(help="How long to study.", min=0.01)] = 5.0,
    games: Annotated[int, typer.Option(help="Games at the same time.", min=1)] = 32_768,
    seed: Annotated[int, typer.Option(help="For the games.")] = 1,
    device: Annotated[str, typer.Option(help="cuda, or cpu for a try.")] = "cuda",
) -> None:
    """Let a copy of the champion study the champion at one table, to see how far it can be exploited.

    Needs PyTorch. Nothing is kept; it says what the specialist wins in the end.

    For example: dicetown train specialist --edition neue_stadt --players 2
    """
    from dicetown.training.specialist import Studies, study

    _check_device(device)
    studies = Studies(read_ruleset(edition, sets, ()), players, minutes, games, seed, device)
    won, played = study(studies, say_aside)
    low, high = wilson(won, played)
    print(f"The specialist wins {won / played:.1%} ({low:.1%} – {high:.1%}) of {played} games.")


def _check_device(device: str) -> None:
    if device not in ("cuda", "cpu"):
        raise UsageProblem(f'There is no device "{device}"; known: cuda, cpu.')
