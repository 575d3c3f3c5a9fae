"""The ``dicetown`` command."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from dicetown import __version__
from dicetown.commands.contests import arena, ladder
from dicetown.commands.keepers import backup, erase, restore
from dicetown.commands.lab import lab
from dicetown.commands.options import (
    Address,
    Database,
    Edition,
    Engine,
    House,
    Json,
    Language,
    Seed,
    Sets,
    Thinker,
    Threads,
)
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
            "bots may have options (greedy:slips=50) or be programs (pipe:python3 my_bot.py). "
            "A number is you and bots.",
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
def serve(
    host: Annotated[
        str, typer.Option(help="The address to listen at; 0.0.0.0 lets other machines in.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="The port; 0 takes a free one.", min=0, max=65535)] = 8000,
    open_page: Annotated[bool, typer.Option("--open", help="Open the page in the browser.")] = False,
    db: Database = None,
    secret: Annotated[
        str | None,
        typer.Option(
            help="The key that guests' cookies are signed with; else one is kept beside the database.",
            envvar="DICETOWN_SECRET",
            show_default=False,
        ),
    ] = None,
    grace: Annotated[
        float, typer.Option(help="Seconds until a bot plays for somebody who is gone.", min=0)
    ] = 60.0,
    origin: Annotated[
        list[str] | None,
        typer.Option(
            help="Another address of the page, as behind a proxy that does not pass the host on.",
            metavar="URL",
            show_default=False,
        ),
    ] = None,
    host_name: Annotated[
        list[str] | None,
        typer.Option(
            help="A name that the table is opened by, besides this machine's own; addresses need none.",
            metavar="NAME",
            show_default=False,
        ),
    ] = None,
    trusted_proxy: Annotated[
        list[str] | None,
        typer.Option(
            help="A proxy on another machine, which is believed whom it speaks for: an address or a network.",
            metavar="ADDRESS",
            show_default=False,
        ),
    ] = None,
    bot: Annotated[
        list[str] | None,
        typer.Option(
            help="A bot of yours that guests can give a seat, as often as needed: 'My agent=pipe:COMMAND'.",
            metavar="NAME=BOT",
            show_default=False,
        ),
    ] = None,
    limit: Annotated[
        list[str] | None,
        typer.Option(
            help="How much may be done, as often as needed: tables_of_address=500; docs/running.md has more.",
            metavar="NAME=NUMBER",
            show_default=False,
        ),
    ] = None,
    abandoned_days: Annotated[
        float,
        typer.Option(
            help="Days without anybody after which a game of one person against bots is closed; "
            "it goes on when they come back.",
            min=0.01,
        ),
    ] = 7.0,
    keep_days: Annotated[
        int | None,
        typer.Option(
            help="Days after which tables that have ended are deleted for good.",
            min=1,
            show_default="for ever",
        ),
    ] = None,
    prepare: Annotated[
        bool,
        typer.Option(
            help="Compile what hints need in the background, before anybody asks for one.",
            envvar="DICETOWN_PREPARE",
        ),
    ] = True,
    log_level: Annotated[
        str | None,
        typer.Option(
            help="debug, info, warning or error; usually warning at a terminal and info elsewhere.",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Serve the table in the browser: play with people here, with friends by link, with bots.

    Ctrl-C ends it; the games go on from where they were when it is started again.

    For example: dicetown serve --open

    Or, for everybody in the house: dicetown serve --host 0.0.0.0 --port 8080

    Or: dicetown serve --db postgresql://dicetown@localhost/dicetown

    Or, with a bot of your own: dicetown serve --bot 'My agent=pipe:python3 my_agent.py'
    """
    from dicetown.commands.serve import run

    pages, names, proxies = origin or [], host_name or [], trusted_proxy or []
    settings = grace, pages, names, proxies, bot or [], limit or [], abandoned_days, keep_days, prepare
    raise typer.Exit(run(host, port, open_page, db, secret, *settings, log_level))


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
    threads: Threads = None,
    device: Annotated[str, typer.Option(help="cpu, or cuda for a GPU.")] = "cpu",
    engine: Engine = "local",
    address: Address = None,
    json: Json = False,
) -> None:
    """Play many games between bots: who wins how often, how long games last, how fast they run.

    For example: dicetown simulate --edition deluxe --sets base,harbor --bots greedy,random --games 100000

    Or: dicetown simulate --edition neue_stadt --players 3 --bots greedy --house max_turns=500 --json

    Or, on a GPU: dicetown simulate --bots greedy --games 10000000 --device cuda

    Or, on a cluster: dicetown simulate --bots greedy --games 1000000000 --engine ray --address 10.0.0.1:6379
    """
    from dicetown.commands.simulate import run

    where = engine, threads, address
    raise typer.Exit(run(edition, sets, house, players, bots, games, seed, where, json, device))


app.command()(arena)
app.command()(ladder)
app.command()(lab)
app.command()(backup)
app.command()(restore)
app.command()(erase)


@app.command()
def tune(
    edition: Edition = "deluxe",
    sets: Sets = None,
    players: Annotated[int, typer.Option(help="How many at a table.")] = 4,
    generations: Annotated[int, typer.Option(help="How often the guess is improved.", min=1)] = 40,
    games: Annotated[
        int, typer.Option(help="How many each candidate plays, in each generation.", min=1)
    ] = 1_600,
    seed: Annotated[int, typer.Option(help="The same seed, the same weights, on any number of threads.")] = 1,
    threads: Threads = None,
    out: Annotated[
        Path | None,
        typer.Option(
            help="Write the weights into this file, beside those of other games; else they are printed.",
            metavar="FILE",
            show_default=False,
        ),
    ] = None,
) -> None:
    r"""Tune the planner's weights by play against greedy bots and scripts, with CMA-ES.

    It needs the library cmaes: pip install 'dicetown\[tune]'

    For example: dicetown tune --edition deluxe --sets base --players 4 --out planner.toml

    Or: dicetown tune --edition neue_stadt --players 2 --generations 100 --games 5000 --seed 7
    """
    from dicetown.commands.tune import run

    raise typer.Exit(run(edition, sets, players, generations, games, seed, threads, out))


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
def advise(
    source: Annotated[
        str,
        typer.Argument(
            help="A saved game, a position's text, or - for either of them on stdin.",
            metavar="SAVE|POSITION",
            show_default=False,
        ),
    ],
    move: Annotated[
        int | None,
        typer.Option(
            help="Look at a saved game as it stood before this move; dice and draws count, too.",
            min=1,
            metavar="NUMBER",
            show_default="as it stands",
        ),
    ] = None,
    bot: Thinker = None,
    seconds: Annotated[
        float | None, typer.Option(help="To think.", min=0.01, show_default="2, or the bot's own")
    ] = None,
    playouts: Annotated[
        int | None,
        typer.Option(help="Instead of seconds: the same answer every time.", min=1, show_default=False),
    ] = None,
    seed: Annotated[int, typer.Option(help="The same seed, the same playouts.")] = 0,
    lang: Language = None,
    json: Json = False,
) -> None:
    """Ask a bot what to do: everybody's chance to win after each legal action, and how play would go on.

    dicetown replay --position prints the position of a saved game; the game itself will do as well.

    For example: dicetown advise game.json

    Or: dicetown advise game.json --move 57 --bot search --seconds 10 --lang es

    Or: dicetown replay game.json --position | dicetown advise - --json
    """
    from dicetown.commands.advise import run

    run(source, move, bot, seconds, playouts, seed, lang, json)


@app.command()
def review(
    file: Annotated[Path, typer.Argument(help="A saved game.", metavar="SAVE", show_default=False)],
    bot: Thinker = None,
    seconds: Annotated[
        float | None, typer.Option(help="To think about each position.", min=0.01, show_default=False)
    ] = None,
    playouts: Annotated[
        int | None,
        typer.Option(
            help="For each position, instead of seconds: the same review every time.",
            min=1,
            show_default="10000",
        ),
    ] = None,
    seed: Annotated[int, typer.Option(help="The same seed, the same playouts.")] = 0,
    picture: Annotated[
        Path | None,
        typer.Option(
            help="Draw the chances over the game into this file.", metavar="FILE.svg", show_default=False
        ),
    ] = None,
    brief: Annotated[
        bool, typer.Option("--brief", help="Only the sums and the turning points, not every moment.")
    ] = False,
    lang: Language = None,
    json: Json = False,
) -> None:
    """Look back on a saved game: what every choice and every roll did to the chance to win.

    Luck is told apart from choice: for every player, the chance at the end is that at the beginning, plus
    luck, plus what own mistakes cost, plus what the others' mistakes brought.

    A choice is called a mistake only if another was better by more than the noise of the estimates.

    For example: dicetown review game.json

    Or: dicetown review game.json --brief --picture game.svg --lang de

    Or, more closely: dicetown review game.json --playouts 100000 --json
    """
    from dicetown.commands.review import run

    run(file, bot, seconds, playouts, seed, picture, brief, lang, json)


@app.command()
def verify(
    records: Annotated[
        list[Path], typer.Argument(help="Saved games of a table.", metavar="RECORD", show_default=False)
    ],
    commitment: Annotated[
        list[str] | None,
        typer.Option(
            help="What the service showed before the game; SEAT=HEX for what it showed of a player.",
            metavar="HEX",
            show_default=False,
        ),
    ] = None,
    word: Annotated[
        list[str] | None,
        typer.Option(help="Your own word for the dice.", metavar="SEAT=WORD", show_default=False),
    ] = None,
    lang: Language = None,
    json: Json = False,
) -> None:
    """Check that the dice were fair: recompute every die and draw of a game from what was promised before it.

    A table promises its dice before the game and reveals their secret when it is over; the record has both,
    and the words of the players with what was promised of them. Whether that is what you were shown before
    the game, only you can say: the page at the table has the whole command to copy. Seats count from 0.

    Exits with 0 when all records hold, with 1 when one does not, and says at which move.

    For example: dicetown verify game.json
    """
    from dicetown.commands.verify import run

    raise typer.Exit(run(records, commitment or [], word or [], lang, json))


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
    """List the bots and their options, by the names that --players and --bots take.

    For example: dicetown bots --lang de
    """
    from dicetown.commands.bots import run

    run(lang, json)


_training = typer.Typer(
    no_args_is_help=True, help="Let a bot's knowledge grow: the judge's, or the champion's."
)
app.add_typer(_training, name="train")


@_training.command("judge")
def train_judge(
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
    from dicetown.commands.train import run

    run(game, positions, seed, out)


@_training.command("champion")
def train_champion(
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

    Needs PyTorch. Once a minute FOLDER gets the weights that play and a checkpoint to go on from.

    For example: dicetown train champion classic --minutes 18 --out champion
    """
    from dicetown.commands.train import run_champion

    run_champion(game, minutes, out, start, games, seed, device)


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
