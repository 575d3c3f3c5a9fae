"""Options that several commands have in common."""

from __future__ import annotations

from typing import Annotated

import typer

from dicetown.languages import LANGUAGES

Edition = Annotated[str, typer.Option(help="ciudad, deluxe, grossstadt or neue_stadt.")]
Sets = Annotated[
    str | None,
    typer.Option(
        help="Sets with commas (base,harbor); all of the edition's if not given.", show_default=False
    ),
]
House = Annotated[
    list[str],
    typer.Option(
        help="A house rule, as often as needed: --house start_coins=5 --house without_cards=stadium,park.",
        metavar="RULE=VALUE",
        default_factory=list,
        show_default=False,
    ),
]
Language = Annotated[
    str | None, typer.Option("--lang", help=f"{', '.join(LANGUAGES)}; else the system's.", show_default=False)
]
Seed = Annotated[int | None, typer.Option(help="The same seed, the same dice.", show_default=False)]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Seconds = Annotated[
    float | None,
    typer.Option(help="To think, for programs and bots of other packages.", min=0.01, show_default="1"),
]
Threads = Annotated[
    int | None, typer.Option(help="How many; else one for each core.", min=1, show_default=False)
]
Engine = Annotated[
    str, typer.Option(help="local, or ray for a cluster of machines; docs/cluster.md says how to start one.")
]
Address = Annotated[
    str | None,
    typer.Option(
        help="Where the cluster is (10.0.0.1:6379); else the one of RAY_ADDRESS or of this machine, "
        "or a new one on this machine.",
        metavar="HOST:PORT",
        show_default=False,
    ),
]
Thinker = Annotated[
    str | None,
    typer.Option(help="A bot that thinks: search, flat, master, …", metavar="BOT", show_default="search"),
]
Database = Annotated[
    str | None,
    typer.Option(
        help="Where tables are kept: a file, or postgresql://user@host/name.",
        metavar="FILE|URL",
        show_default="a file of yours",
    ),
]
