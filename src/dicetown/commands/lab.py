"""``dicetown lab``: gather samples of games, study them, show and write what was found."""

from __future__ import annotations

import shutil
import tempfile
import webbrowser
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

import typer

from dicetown.arena.engines import LOCAL, Where
from dicetown.commands.figures import (
    make_table,
    print_json,
    print_table,
    progress_bar,
    stdout_for_figures,
    waiting,
)
from dicetown.commands.inputs import UsageProblem, read_bots, read_language, read_ruleset, same_again, split
from dicetown.commands.options import (
    Address,
    Edition,
    Engine,
    HouseRules,
    Json,
    Language,
    Sets,
    Threads,
    unset,
)
from dicetown.console import INTERRUPTED, make_console, stops_raised
from dicetown.errors import LabError
from dicetown.extras import need
from dicetown.lab.findings.section import Section
from dicetown.lab.record.changes import changed_ruleset
from dicetown.lab.record.folder import Recorded
from dicetown.lab.record.gather import Gathered, gather, is_ready
from dicetown.lab.record.sample import Sample
from dicetown.lab.studies.study import STUDIES, Wish, find_study, samples_for, usual_games, usual_samples
from dicetown.playout.table import ready
from dicetown.readiness import say_aside
from dicetown.rules.ruleset import Ruleset
from dicetown.suggestions import did_you_mean

GATHER, WHATIF, ALL = "gather", "whatif", "all"
_KNOWN = (GATHER, *STUDIES, WHATIF, ALL)
_USUAL_PLAYERS = 4
_USUAL_BOTS = ("greedy",)
_ABOUT_SECONDS = 5


@dataclass(frozen=True)
class Order:
    """What somebody has asked for, as it was typed."""

    study: str
    edition: str
    sets: str | None
    house: tuple[str, ...]
    changes: tuple[str, ...]
    players: str | None
    bots: tuple[str, ...]
    games: int | None
    seed: int
    out: Path | None
    language: str | None

    def __post_init__(self) -> None:
        if self.study not in _KNOWN:
            raise UsageProblem(f'There is no study "{self.study}"; {did_you_mean(self.study, _KNOWN)}.')
        if self.study == GATHER and self.out is None:
            raise UsageProblem("Where shall the games be kept? Name a folder: --out FOLDER.")

    @property
    def studies(self) -> tuple[str, ...]:
        """The studies that are wanted."""
        return {GATHER: (), ALL: STUDIES}.get(self.study, (self.study,))

    @property
    def command(self) -> str:
        """What to type for the same again; where its results are kept is left out if it is nobody else's."""
        return same_again(
            f"lab {self.study}",
            {
                "--edition": self.edition,
                "--sets": self.sets,
                "--house": self.house,
                "--set": self.changes,
                "--players": self.players,
                "--bots": self.bots,
                "--games": self.games,
                "--seed": self.seed,
                "--lang": self.language,
                "--out": None if self.out is None or self.out.is_absolute() else self.out,
            },
        )

    def wish(self, key: str) -> Wish:
        """What a study is to look at."""
        ruleset = changed_ruleset(read_ruleset(self.edition, self.sets, self.house), self.changes)
        lineups = read_lineups(self.bots or _USUAL_BOTS)
        players = read_players(self.players, lineups, ruleset)
        games = usual_games(key) if self.games is None else self.games
        return Wish(ruleset, players, lineups, games, self.seed, self.changes)


def read_lineups(values: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """Line-ups of bots: one for each value, or several with semicolons; a program is taken whole.

    >>> read_lineups(["greedy;greedy,random", "pipe:bot --wise; --quick"])
    (('greedy',), ('greedy', 'random'), ('pipe:bot --wise; --quick',))
    """
    lineups: list[tuple[str, ...]] = []
    for value in values:
        parts = [value] if "pipe:" in value else value.split(";")
        lineups += [tuple(read_bots([part])) for part in parts if part.strip()]
    return tuple(lineups)


def read_players(text: str | None, lineups: Sequence[tuple[str, ...]], ruleset: Ruleset) -> tuple[int, ...]:
    """Numbers of players; without any, as many as a line-up names, or four if the game allows.

    >>> deluxe = Ruleset("deluxe")
    >>> read_players("2,4", [], deluxe), read_players(None, [("greedy", "random")], deluxe)
    ((2, 4), (2,))
    """
    if text is None:
        named = sorted({len(lineup) for lineup in lineups if len(lineup) > 1})
        return tuple(named) or (min(_USUAL_PLAYERS, ruleset.max_players),)
    try:
        numbers = dict.fromkeys(int(number) for number in split(text))
    except ValueError:
        raise UsageProblem(f'The players are "{text}"; give numbers with commas, such as 2,3,4.') from None
    return tuple(ruleset.check_players(number) for number in numbers)


# ----------------------------------------------------------------------------- the work


def run(
    house: HouseRules,
    study: Annotated[
        str,
        typer.Argument(
            help="gather, balance, openings, pace, dice, skill, editions, whatif, claims or all.",
            show_default=False,
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
        str | None, typer.Option(help="How many, or several numbers with commas (2,3,4).", show_default="4")
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
    games: Annotated[int | None, unset("How many of each sample; else what a study needs.", min=1)] = None,
    seed: Annotated[int, typer.Option(help="The same seed, the same games, on any machine.")] = 0,
    out: Annotated[
        Path | None,
        unset(
            "Keep results and report in this folder; else figures are printed, and nothing is kept.", "FOLDER"
        ),
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with what the folder has: play only what is missing.")
    ] = False,
    open_page: Annotated[bool, typer.Option("--open", help="Open the report in the browser.")] = False,
    threads: Threads = None,
    engine: Engine = LOCAL,
    address: Address = None,
    lang: Language = None,
    json: Json = False,
) -> int:
    r"""Play many games between bots, write everything down, and see what the numbers say.

    [bold]balance[/bold]   which cards are worth their price

    [bold]openings[/bold]  what to buy first, and which landmark to build first

    [bold]pace[/bold]      how long games are, who comes back, what a seat is worth

    [bold]dice[/bold]      one die or two, and when

    [bold]skill[/bold]     weak players and strong side by side, and which cards are underrated

    [bold]editions[/bold]  the editions side by side

    [bold]whatif[/bold]    a changed card (--set) or house rule (--house) against the original

    [bold]claims[/bold]    what others have written about the game, put to the test

    [bold]all[/bold]       everything but whatif, in one report

    [bold]gather[/bold]    only play and write down: Parquet files for your own questions

    Ctrl-C keeps what was played, and --resume goes on. It needs some libraries: pip install 'dicetown\[lab]'

    For example: dicetown lab balance --sets base --players 2,4 --out balance --open

    Or: dicetown lab balance --bots 'greedy;planner' --games 100000

    Or: dicetown lab skill --players 2,4 --bots 'greedy;champion' --out skill --open

    Or: dicetown lab whatif --sets base --set convenience_store.cost=3 --games 50000

    Or: dicetown lab all --edition neue_stadt --lang de --out bericht

    Or, on a cluster: dicetown lab balance --games 10000000 --out balance --engine ray
    """
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
    need("lab", "duckdb", "pyarrow", "altair", "vl_convert", what="The lab")
    language = read_language(lang)
    wanted = _samples(order)
    samples = join_samples([sample for part in wanted.values() for sample in part])
    with _place(out) as folder, stops_raised():
        gathered = _gather(samples, folder, (engine, threads, address), resume, order.command)
        _say_how_it_went(gathered, samples, out)
        recorded = {one.name: one for one in gathered.recorded if one.count}
        sections = list(_study(wanted, recorded, language, gathered.interrupted))
        _show(order, gathered, sections, language, json)
        if sections and (out is not None or open_page):
            page = _write(order, sections, list(recorded.values()), language, folder)
            if open_page:
                webbrowser.open(page.resolve().as_uri())
        return _leave(gathered, folder, out, open_page)


def _samples(order: Order) -> dict[str, tuple[Sample, ...]]:
    """The samples that each study wants."""
    if order.study == GATHER:
        return {GATHER: usual_samples(order.wish(GATHER))}
    return {key: samples_for(key, order.wish(key)) for key in order.studies}


def join_samples(samples: Sequence[Sample]) -> list[Sample]:
    """Samples that several studies want are played once, with as many games as the hungriest needs."""
    joined: dict[str, Sample] = {}
    for sample in samples:
        games = max(sample.games, joined[sample.name].games if sample.name in joined else 0)
        grown = replace(sample, games=games)
        if sample.name in joined and replace(joined[sample.name], games=games) != grown:
            raise LabError(f'Two different samples are called "{sample.name}".')
        joined[sample.name] = grown
    return list(joined.values())


@contextmanager
def _place(out: Path | None) -> Iterator[Path]:
    """The folder of the results: the one named, or one for the time being."""
    if out is not None:
        yield out
        return
    folder = Path(tempfile.mkdtemp(prefix="dicetown-lab-"))
    try:
        yield folder
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise


def _gather(samples: Sequence[Sample], folder: Path, where: Where, resume: bool, command: str) -> Gathered:
    engine, threads, address = where
    if not is_ready():
        ready(say_aside)
        say_aside(f"Compiling what writes games down (once, about {_ABOUT_SECONDS} s) …")
    with stdout_for_figures(), progress_bar("games") as progress:
        return gather(
            samples,
            folder,
            engine=engine,
            threads=threads,
            address=address,
            progress=progress,
            resume=resume,
            command=command,
        )


def _say_how_it_went(gathered: Gathered, samples: Sequence[Sample], out: Path | None) -> None:
    if gathered.losses:
        say_aside(gathered.losses)
    if gathered.interrupted:
        asked = sum(sample.games for sample in samples)
        how = "the same command with --resume" if out is not None else f"--out {gathered.folder} --resume"
        say_aside(
            f"Interrupted: {gathered.games:,} of {asked:,} games are kept in {gathered.folder}; "
            f"{how} goes on from here."
        )


def _study(
    wanted: dict[str, tuple[Sample, ...]],
    recorded: dict[str, Recorded],
    language: str,
    interrupted: bool,
) -> Iterator[Section]:
    """A section for each study; after an interruption, one that lacks its games is left out, and says so."""
    for key, samples in wanted.items():
        there = [recorded[sample.name] for sample in samples if sample.name in recorded]
        if key == GATHER or not there:
            continue
        try:
            with waiting(f"Looking at {key} …"):
                section = find_study(key)(there, language)
        except LabError as problem:
            if not interrupted:
                raise
            say_aside(f"{key}: {problem}")
        else:
            yield section


# ----------------------------------------------------------------------------- showing


def _show(
    order: Order, gathered: Gathered, sections: Sequence[Section], language: str, as_json: bool
) -> None:
    if as_json:
        print_json(
            {
                "command": order.command,
                "interrupted": gathered.interrupted,
                "samples": [_sample_as_dict(one) for one in gathered.recorded],
                "sections": {section.key: section.as_dict() for section in sections},
            }
        )
    elif sections:
        _print_sections(sections, language)
    else:
        _print_samples(gathered)


def _sample_as_dict(one: Recorded) -> dict[str, object]:
    return {
        **one.ruleset.as_dict(),
        "changes": list(one.manifest.changes),
        "name": one.name,
        "players": one.seats,
        "bots": list(one.bots),
        "seed": one.manifest.seed,
        "games": one.count,
        "games_asked": one.manifest.games,
    }


def _print_sections(sections: Sequence[Section], language: str) -> None:
    from dicetown.lab.report.terminal import tables_of

    console = make_console()
    for section in sections:
        console.print(f"{section.title}\n", style="bold")
        console.print(f"{section.answer}\n", soft_wrap=not console.is_terminal)
        for table in tables_of(section, language):
            print_table(table)


def _print_samples(gathered: Gathered) -> None:
    table = make_table(["sample"], ["games"])
    for one in gathered.recorded:
        table.add_row(one.name, f"{one.count:,}")
    print_table(table)


def _write(
    order: Order, sections: Sequence[Section], recorded: Sequence[Recorded], language: str, folder: Path
) -> Path:
    from dicetown.lab.report.report import compose
    from dicetown.lab.report.write import write_report

    with waiting("Writing the report …"):
        page = write_report(compose(sections, recorded, language, order.command), folder)
    say_aside(f"The report: {page}")
    return page


def _leave(gathered: Gathered, folder: Path, out: Path | None, open_page: bool) -> int:
    """What nobody asked to keep goes, unless it was interrupted or is being looked at."""
    if out is None and not gathered.interrupted and not open_page:
        shutil.rmtree(folder, ignore_errors=True)
    return INTERRUPTED if gathered.interrupted else 0
