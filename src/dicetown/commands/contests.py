"""``dicetown arena`` and ``dicetown ladder``: what can be asked of them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from dicetown.commands.options import Address, Edition, Engine, House, Json, Seconds, Sets, Threads


def arena(
    house: House,
    bots: Annotated[
        list[str],
        typer.Option(
            help="Bots with commas (greedy,cheese), with options (greedy:slips=50); "
            "or a program: --bots 'pipe:python3 my_bot.py'. As often as needed.",
            metavar="BOTS",
            show_default=False,
        ),
    ],
    games: Annotated[int, typer.Option(help="How many games in all.", min=1)] = 1_000,
    edition: Edition = "deluxe",
    sets: Sets = None,
    players: Annotated[
        int | None,
        typer.Option(
            help="How many at a table; else one for each bot. The last bot named fills seats that are left; "
            "more bots than seats take turns.",
            show_default=False,
        ),
    ] = None,
    seed: Annotated[int, typer.Option(help="The same seed, the same dice.")] = 0,
    sprt: Annotated[
        str | None,
        typer.Option(
            help="Stop when it is decided whether the first bot is elo0 or elo1 stronger than the rest.",
            metavar="ELO0,ELO1",
            show_default=False,
        ),
    ] = None,
    seconds: Seconds = None,
    threads: Threads = None,
    log: Annotated[
        Path | None,
        typer.Option(
            help="Keep the games in this file, and go on with it if it is there.",
            metavar="FILE",
            show_default=False,
        ),
    ] = None,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Forget what an interrupted run of this command has left.")
    ] = False,
    engine: Engine = "local",
    address: Address = None,
    json: Json = False,
) -> None:
    """Let bots play each other: shares, Elo and openskill with 95 % intervals, and who beats whom.

    Each game is played from all seats with the same dice, so that luck falls on everybody alike.

    After Ctrl-C the same command goes on where it was.

    For example: dicetown arena --bots greedy,cheese --games 20000

    Or: dicetown arena --bots greedy,cheese,ranch,random --players 2 --sets base --games 6000 --json

    Or: dicetown arena --bots 'pipe:python3 examples/pipe_bot.py' --bots greedy --games 100 --sprt 0,50
    """
    from dicetown.commands.arena import run

    where = engine, threads, address
    raise typer.Exit(
        run(bots, games, edition, sets, house, players, seed, sprt, seconds, where, log, fresh, json)
    )


def ladder(
    bots: Annotated[
        list[str],
        typer.Option(
            help="The bots, as for arena; else the levels, those that follow rules, and the best script.",
            metavar="BOTS",
            default_factory=list,
            show_default=False,
        ),
    ],
    games: Annotated[int, typer.Option(help="How many at each table.", min=1)] = 1_000,
    editions: Annotated[str | None, typer.Option(help="With commas; else all.", show_default=False)] = None,
    players: Annotated[
        str | None, typer.Option(help="Numbers of players with commas (2,4); else all.", show_default=False)
    ] = None,
    seed: Annotated[int, typer.Option(help="The same seed, the same dice.")] = 0,
    seconds: Seconds = None,
    minutes: Annotated[
        float | None,
        typer.Option(
            help="At most so long at each table; the same command goes on later.",
            min=0.01,
            metavar="MINUTES",
            show_default=False,
        ),
    ] = None,
    threads: Threads = None,
    out: Annotated[
        Path | None,
        typer.Option(help="Write the page here instead of printing it.", metavar="FILE", show_default=False),
    ] = None,
    json: Json = False,
) -> None:
    """Let all bots play in all editions, and write the page that shows who stands above whom.

    After Ctrl-C the same command goes on where it was.

    For example: dicetown ladder --games 20000 --bots greedy,cheese,random --editions deluxe --players 2,4

    Or: dicetown ladder --games 2000 --bots master,hard --minutes 2 --out ladder.md
    """
    from dicetown.commands.ladder import run

    raise typer.Exit(run(games, bots, editions, players, seed, seconds, minutes, threads, out, json))
