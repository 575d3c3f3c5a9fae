"""``dicetown lab``: what can be asked of it. What it does is in :mod:`dicetown.commands.lab_work`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from dicetown.commands.options import Address, Edition, Engine, House, Json, Language, Sets, Threads


def lab(
    house: House,
    study: Annotated[
        str,
        typer.Argument(
            help="gather, balance, openings, pace, dice, editions, whatif, claims or all.", show_default=False
        ),
    ],
    edition: Edition = "deluxe",
    sets: Sets = None,
    changes: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            help="A changed card, as often as needed: --set convenience_store.cost=3 --set stadium.amount=3.",
            metavar="CARD.FIELD=VALUE",
            show_default=False,
        ),
    ] = None,
    players: Annotated[
        str | None,
        typer.Option(help="How many, or several numbers with commas (2,3,4).", show_default="4"),
    ] = None,
    bots: Annotated[
        list[str] | None,
        typer.Option(
            help="A bot for all seats, or one for each with commas (greedy,random). Several line-ups: "
            "'greedy;planner', or the option again. Bots that think, and programs, are slow but welcome.",
            metavar="BOTS",
            show_default="greedy",
        ),
    ] = None,
    games: Annotated[
        int | None,
        typer.Option(help="How many of each sample; else what a study needs.", min=1, show_default=False),
    ] = None,
    seed: Annotated[int, typer.Option(help="The same seed, the same games, on any machine.")] = 0,
    out: Annotated[
        Path | None,
        typer.Option(
            help="Keep results and report in this folder; else figures are printed, and nothing is kept.",
            metavar="FOLDER",
            show_default=False,
        ),
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with what the folder has: play only what is missing.")
    ] = False,
    open_page: Annotated[bool, typer.Option("--open", help="Open the report in the browser.")] = False,
    threads: Threads = None,
    engine: Engine = "local",
    address: Address = None,
    lang: Language = None,
    json: Json = False,
) -> None:
    r"""Play many games between bots, write everything down, and see what the numbers say.

    [bold]balance[/bold]   which cards are worth their price

    [bold]openings[/bold]  what to buy first, and which landmark to build first

    [bold]pace[/bold]      how long games are, who comes back, what a seat is worth

    [bold]dice[/bold]      one die or two, and when

    [bold]editions[/bold]  the editions side by side

    [bold]whatif[/bold]    a changed card (--set) or house rule (--house) against the original

    [bold]claims[/bold]    what others have written about the game, put to the test

    [bold]all[/bold]       everything but whatif, in one report

    [bold]gather[/bold]    only play and write down: Parquet files for your own questions

    Ctrl-C keeps what was played, and --resume goes on. It needs some libraries: pip install 'dicetown\[lab]'

    For example: dicetown lab balance --sets base --players 2,4 --out balance --open

    Or: dicetown lab balance --bots 'greedy;planner' --games 100000

    Or: dicetown lab whatif --sets base --set convenience_store.cost=3 --games 50000

    Or: dicetown lab all --edition neue_stadt --lang de --out bericht

    Or, on a cluster: dicetown lab balance --games 10000000 --out balance --engine ray
    """
    from dicetown.commands.lab_work import Order, run

    order = Order(
        study=study,
        edition=edition,
        sets=sets,
        house=tuple(house),
        changes=tuple(changes or ()),
        players=players,
        bots=tuple(bots or ()),
        games=games,
        seed=seed,
        out=out,
        language=lang,
    )
    where = engine, threads, address
    raise typer.Exit(run(order, where, resume, open_page, json))
