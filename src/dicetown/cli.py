"""The ``dicetown`` command."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from dicetown import __version__
from dicetown.errors import DicetownError

app = typer.Typer(
    name="dicetown",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

# What a mistake in the command line raises; Typer gives the class no public name.
_UsageError: type[Exception] = typer.BadParameter.__bases__[0]

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
    str | None, typer.Option("--lang", help="en, es or de; else the system's.", show_default=False)
]
Seed = Annotated[int | None, typer.Option(help="The same seed, the same dice.", show_default=False)]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]


def _show_version(wanted: bool) -> None:
    if wanted:
        print(f"dicetown {__version__}")
        raise typer.Exit


@app.callback()
def dicetown(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Machi Koro as software: play it, replay it, simulate it.

    Begin with: [bold]dicetown play[/bold]
    """


@app.command()
def play(
    house: House,
    edition: Annotated[
        str | None,
        typer.Option(help="ciudad, deluxe, grossstadt or neue_stadt.", show_default="deluxe"),
    ] = None,
    sets: Sets = None,
    players: Annotated[
        str | None,
        typer.Option(
            help="Names with commas. A bot's name is that bot (greedy, random), name:bot a bot with a name; "
            "a number is you and bots.",
            show_default="2",
        ),
    ] = None,
    lang: Language = None,
    seed: Seed = None,
    resume: Annotated[
        Path | None, typer.Option(help="Go on with a saved game.", metavar="FILE", show_default=False)
    ] = None,
    save_to: Annotated[
        Path | None,
        typer.Option(
            help="Keep the game in this file whenever play stops.", metavar="FILE", show_default=False
        ),
    ] = None,
    speed: Annotated[
        str, typer.Option(help="How long bots' moves are shown: slow, normal or instant.")
    ] = "normal",
    plain: Annotated[
        bool, typer.Option("--plain", help="Plain lines instead of a screen, as over a pipe.")
    ] = False,
) -> None:
    """Play in the terminal, with people and bots.

    Without options it asks what to play. In the game, h shows what can be typed.

    Ctrl-C never loses a game: it is kept, and you are told how to go on.

    For example: dicetown play --edition deluxe --sets base,harbor --players Ana,Ben,greedy

    Or: dicetown play --edition neue_stadt --players 4 --lang de

    Or: dicetown play --resume game.json
    """
    from dicetown.commands.play import run

    raise typer.Exit(run(edition, sets, house, players, lang, seed, resume, save_to, speed, plain))


@app.command()
def scenario(
    files: Annotated[list[Path], typer.Argument(help="YAML files, or folders of them.", show_default=False)],
) -> None:
    """Check positions with expectations.

    Exits with 0 when all hold, with 1 when some do not, and ends with a line like "12 passed, 0 failed".

    For example: dicetown scenario tests/scenarios
    """
    from dicetown.scenario import run_files

    _, failed = run_files(files)
    raise typer.Exit(1 if failed else 0)


@app.command()
def simulate(
    house: House,
    edition: Edition = "deluxe",
    sets: Sets = None,
    players: Annotated[
        int | None, typer.Option(help="How many; else one for each bot named.", show_default=False)
    ] = None,
    bots: Annotated[
        str, typer.Option(help="A bot for each seat, with commas (greedy,random), or one for all.")
    ] = "greedy",
    games: Annotated[int, typer.Option(help="How many games.", min=1)] = 10_000,
    seed: Annotated[int, typer.Option(help="The same seed, the same games, on any number of threads.")] = 0,
    threads: Annotated[
        int | None, typer.Option(help="How many; else one for each core.", min=1, show_default=False)
    ] = None,
    json: Json = False,
) -> None:
    """Play many games between bots: who wins how often, how long games last, how fast they run.

    For example: dicetown simulate --edition deluxe --sets base,harbor --bots greedy,random --games 100000

    Or: dicetown simulate --edition neue_stadt --players 3 --bots greedy --house max_turns=500 --json
    """
    from dicetown.commands.simulate import run

    raise typer.Exit(run(edition, sets, house, players, bots, games, seed, threads, json))


@app.command()
def bench(
    seconds: Annotated[float, typer.Option(help="How long to measure each case.", min=0.01)] = 1.0,
    json: Json = False,
) -> None:
    """Measure decisions and games per second on one core, interpreted and compiled.

    For example: dicetown bench --json
    """
    from dicetown.commands.bench import run

    run(seconds, json)


@app.command()
def replay(
    file: Annotated[Path, typer.Argument(help="A saved game.", show_default=False)],
    lang: Language = None,
    first: Annotated[int, typer.Option("--from", help="Begin at this turn.", metavar="TURN")] = 1,
    position: Annotated[
        bool, typer.Option("--position", help="Print only where the game stands, as position text.")
    ] = False,
) -> None:
    """Tell a saved game in words, turn by turn.

    For example: dicetown replay game.json --from 20 --lang es
    """
    from dicetown.commands.replay import run

    run(file, lang, first, position)


@app.command()
def cards(
    house: House,
    names: Annotated[
        list[str] | None, typer.Argument(help="Cards by name; all if none is named.", show_default=False)
    ] = None,
    edition: Edition = "deluxe",
    sets: Sets = None,
    lang: Language = None,
) -> None:
    """List the cards of an edition and what they do.

    For example: dicetown cards cafe harbor

    Or: dicetown cards --edition neue_stadt --lang de
    """
    from dicetown.commands.cards import run

    run(names or [], edition, sets, house, lang)


@app.command()
def bots(lang: Language = None, json: Json = False) -> None:
    """List the bots, by the names that --players and --bots take.

    For example: dicetown bots --lang de
    """
    from dicetown.commands.bots import run

    run(lang, json)


def main(arguments: list[str] | None = None) -> NoReturn:
    """Run the command; a mistake is one sentence on stderr and status 2."""
    _accept_any_text()
    try:
        status = app(arguments, prog_name="dicetown", standalone_mode=False)
        sys.stdout.flush()
    except DicetownError as problem:
        _refuse(str(problem))
    except _UsageError as problem:
        if sentence := _sentence_of(problem):
            _refuse(sentence)
        sys.exit(2)  # no command was named, and the help has been shown
    except typer.Abort:
        sys.exit(1)
    except BrokenPipeError:  # the reader has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    sys.exit(status or 0)


def _refuse(sentence: str) -> NoReturn:
    print(f"dicetown: {sentence}", file=sys.stderr)
    sys.exit(2)


def _sentence_of(problem: Exception) -> str:
    """What is wrong with the command line, and where the right way is explained."""
    context = getattr(problem, "ctx", None)
    command = context.command_path if context else "dicetown"
    message = str(problem.format_message() if hasattr(problem, "format_message") else problem).strip()
    if not message:
        return ""
    stop = "" if message[-1] in ".?!" else "."
    return f"{message}{stop} {command} --help shows what is accepted."


def _accept_any_text() -> None:
    """Letters that a terminal cannot show, or a pipe cannot bring, are replaced and break nothing."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
