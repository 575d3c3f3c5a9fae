"""`python -m tests.faults`: do faults to a service, and say what came of them."""

import argparse
import asyncio
import random
import sys
import time
from pathlib import Path

from rich.console import Console
from rich.progress import Progress
from rich.table import Column, Table
from tests.faults.faults import FAULTS
from tests.faults.run import FROZEN, SLOW, Outcome, plan, run


def show(outcome: Outcome, console: Console) -> None:
    """A table: fault → tried → lost, doubled, frozen, crashed; and what else there is to say."""
    table = Table(
        Column("fault", no_wrap=True),
        "tried",
        "lost",
        "doubled",
        "frozen",
        "over 10 s",
        "crashed",
        "slowest s",
        "grew MB",
        title=outcome.database,
    )
    for name, row in sorted(outcome.rows.items()):
        counts = (row.tried, row.lost, row.doubled, row.frozen, row.slow, row.crashed)
        table.add_row(name, *map(str, counts), f"{row.seconds:.1f}", f"{row.megabytes:.0f}")
    console.print(table)
    found, total = outcome.findings, outcome.total
    told = (
        f"{outcome.faults} faults on {outcome.database}: {len(found.lost)} lost",
        f"{len(found.doubled)} doubled",
        f"{total.frozen} frozen",
        f"{total.slow} for more than {SLOW:g} s",
        f"slowest {total.seconds:.1f} s",
        f"{total.crashed} crashed; {outcome.acknowledged} decisions acknowledged",
        f"{found.entries} entries of {found.tables} tables",
        f"{outcome.games} games to their end",
        f"{outcome.lives} lives of the service.",
    )
    console.print(", ".join(told), soft_wrap=True)
    for sentence in [*sorted(found.lost)[:20], *sorted(found.doubled)[:20], *outcome.troubles[:40]]:
        console.print(f"  {sentence}", soft_wrap=True, markup=False)
    for complaint, times in sorted(outcome.complaints.items(), key=lambda one: -one[1])[:20]:
        console.print(f"  logged {times} times: {complaint}", soft_wrap=True, markup=False)


async def both(wanted: argparse.Namespace) -> list[Outcome]:
    """Run on each database asked for, side by side."""
    console = Console(stderr=True)
    with Progress(console=console, disable=not console.is_terminal) as bar:

        async def one(database: str) -> Outcome:
            rng = random.Random(f"{wanted.seed} {database}")
            faults = plan(database, wanted.rounds, rng, wanted.only)
            task = bar.add_task(database, total=len(faults))

            def tell(name: str, took: float) -> None:
                bar.update(task, advance=1, description=f"{database}: {name}")
                if wanted.verbose:
                    console.print(f"{time.strftime('%X')} {database}: {name}, {took:.1f} s until all went on")

            wanted.keep.mkdir(parents=True, exist_ok=True)
            return await run(
                database, faults, wanted.seconds, rng, tell, wanted.frozen, wanted.keep, wanted.at_once
            )

        return await asyncio.gather(*(one(database) for database in wanted.database))


def main() -> int:
    """Do as asked; 0 if nothing broke."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults", description=__doc__)
    known = ["sqlite", "postgres", "fleet"]
    on = "one process on a database, or several (fleet) on PostgreSQL; usually all, side by side"
    parser.add_argument("--database", nargs="+", choices=known, default=known, help=on)
    parser.add_argument("--rounds", type=int, default=40, help="faults on each")
    parser.add_argument("--at-once", type=int, default=1, help="faults that happen at the same time, at most")
    parser.add_argument("--seconds", type=float, default=3600.0, help="after which no new fault is begun")
    parser.add_argument("--seed", type=int, default=time.time_ns() % 1_000_000)
    parser.add_argument("--only", nargs="+", default=(), choices=list(FAULTS), metavar="FAULT")
    parser.add_argument("--frozen", type=float, default=FROZEN, help="seconds until a table stands still")
    kept = "folder for what explains a trouble (usually build/faults)"
    parser.add_argument("--keep", type=Path, default=Path("build/faults"), help=kept)
    parser.add_argument("--verbose", action="store_true", help="a line for each fault")
    wanted = parser.parse_args()
    console = Console(width=None if sys.stdout.isatty() else 110)
    console.print(f"Seed {wanted.seed}.")
    outcomes = asyncio.run(both(wanted))
    for outcome in outcomes:
        show(outcome, console)
    return 0 if all(outcome.is_good for outcome in outcomes) else 1


if __name__ == "__main__":
    sys.exit(main())
