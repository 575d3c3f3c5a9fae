"""Options that several commands have in common."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from dicetown.languages import LANGUAGES


def unset(says: str, metavar: str | None = None, **more: Any) -> Any:
    """An option that has no value unless somebody gives one, so that its help shows none."""
    return typer.Option(help=says, metavar=metavar, show_default=False, **more)


# ------------------------------------------------------------------------ what is played

Edition = Annotated[str, typer.Option(help="ciudad, deluxe, grossstadt or neue_stadt.")]
Sets = Annotated[str | None, unset("Sets with commas (base,harbor); all of the edition's if not given.")]
HouseRules = Annotated[
    list[str],
    unset(
        "A house rule, as often as needed: --house start_coins=5 --house without_cards=stadium,park.",
        "RULE=VALUE",
        default_factory=list,
    ),
]
DiceSeed = Annotated[int, typer.Option(help="The same seed, the same dice.")]

# --------------------------------------------------------------------- how it is thought

Thinker = Annotated[
    str | None,
    typer.Option(help="A bot that thinks: search, master, …", metavar="BOT", show_default="search"),
]
PlayoutSeed = Annotated[int, typer.Option(help="The same seed, the same playouts.")]
Seconds = Annotated[
    float | None,
    typer.Option(help="To think, for programs and bots of other packages.", min=0.01, show_default="1"),
]

# ------------------------------------------------------------------------- where it runs

Threads = Annotated[int | None, unset("How many; else one for each core.", min=1)]
Engine = Annotated[
    str, typer.Option(help="local, or ray for a cluster of machines; docs/cluster.md says how to start one.")
]
Address = Annotated[
    str | None,
    unset(
        "Where the cluster is (10.0.0.1:6379); else the one of RAY_ADDRESS or of this machine, "
        "or a new one on this machine.",
        "HOST:PORT",
    ),
]
Database = Annotated[
    str | None,
    typer.Option(
        help="Where tables are kept: a file, or postgresql://user@host/name.",
        metavar="FILE|URL",
        show_default="a file of yours",
    ),
]

# ----------------------------------------------------------------------- what is printed

Language = Annotated[
    str | None, typer.Option("--lang", help=f"{', '.join(LANGUAGES)}; else the system's.", show_default=False)
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
