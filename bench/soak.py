"""Half an hour at 60 % of what the machine can do: whether anything grows, or gets slower.

    .venv/bin/python bench/soak.py --out docs/soak.csv
    .venv/bin/python bench/soak.py --workers 2 --db postgres --minutes 5

First nobody stops to think (`bench/tables.py`): so many actions a second are all that service and clients
can do together on this machine. Then people think for so long that it is 60 % of that, and every quarter of
a minute is written down what an action took and what the processes of the service weigh. One game follows the
other at each table, so that tables come and go all the time.
"""

from __future__ import annotations

import argparse
import asyncio
import csv
import os
import re
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from tables import DATABASE, Bench, cpu_seconds, parts_of, share, the_service

WARM_UP = 20.0  # seconds of all out that count, after a few that do not
INTERVAL = 15.0
#: How much of a difference to the wanted rate is made up for with each interval.
PATIENCE = 0.5
Write = Callable[[Sequence[str]], object]
COLUMNS = (
    *("minutes", "actions_per_second", "p50_ms", "p99_ms", "worst_ms"),
    *("cpu", "clients_cpu", "machine_cpu", "megabytes"),  # CPU time in cores; the machine's with all it does
)


def machine_seconds() -> float:
    """The CPU time that the machine has used, whatever for."""
    spent = [int(ticks) for ticks in Path("/proc/stat").read_text().splitlines()[0].split()[1:8]]
    idle = spent[3] + spent[4]
    return (sum(spent) - idle) / os.sysconf("SC_CLK_TCK")


def megabytes(process: int) -> float:
    """What the processes weigh that serve; not those that think."""
    return sum(_megabytes_of(one) for one in (parts_of(process) or [process]))


def _megabytes_of(process: int) -> float:
    found = re.search(r"VmRSS:\s+(\d+) kB", Path(f"/proc/{process}/status").read_text())
    return int(found[1]) / 1024 if found else 0.0


async def saturate(address: str, tables: int, process: int) -> float:
    """How many actions a second there are when nobody stops to think."""
    bench = Bench(address, think=(0.0, 0.0), bots=0, pace="instant")
    row = await bench.run(tables, WARM_UP, process)
    return row.actions


class Soak:
    """Clients that think for so long that a given number of actions a second comes of it."""

    def __init__(self, address: str, tables: int, wanted: float, process: int) -> None:
        self._bench = Bench(address, think=(0.0, 0.0), bots=0, pace="instant")
        self._tables = tables
        self._wanted = wanted
        self._process = process
        self._mean = tables / wanted  # seconds that somebody thinks
        self._think()

    def _think(self) -> None:
        self._bench.think = (0.5 * self._mean, 1.5 * self._mean)

    async def run(self, seconds: float, write: Write) -> None:
        """Play, and write down how that goes."""
        bench = self._bench
        for number in range(self._tables):
            bench.tasks.add(asyncio.create_task(bench.seat(number)))
        while bench.ready < self._tables:
            await asyncio.sleep(0.1)
        bench.figures.measuring = True
        began = time.perf_counter()
        while (now := time.perf_counter()) < began + seconds:
            row = await self._interval(now, began)
            write(row)
            print(*row, flush=True)
        for task in bench.tasks:
            task.cancel()
        await asyncio.gather(*bench.tasks, return_exceptions=True)
        await bench.http.aclose()

    async def _interval(self, now: float, began: float) -> list[str]:
        figures, process = self._bench.figures, self._process
        figures.latencies.clear()
        cpu, mine, all_of_it = cpu_seconds(process), time.process_time(), machine_seconds()
        await asyncio.sleep(INTERVAL)
        took = time.perf_counter() - now
        times = sorted(figures.latencies)
        if not times:
            sys.exit("Nothing happens any more.")
        rate = len(times) / took
        # What the service takes for an action is part of the time between two of them, so it is made up for.
        self._mean *= (rate / self._wanted) ** PATIENCE
        self._think()
        figures_of_it = (
            (time.perf_counter() - began) / 60,
            rate,
            share(times, 0.5),
            share(times, 0.99),
            times[-1] * 1000,
            (cpu_seconds(process) - cpu) / took,
            (time.process_time() - mine) / took,
            (machine_seconds() - all_of_it) / took,
            megabytes(process),
        )
        return [f"{figure:.2f}" for figure in figures_of_it]


@contextmanager
def table_of_figures(place: Path | None) -> Iterator[Write]:
    """Where figures are written to: a file, or nowhere but the screen."""
    if place is None:
        place = Path("/dev/null")
    with place.open("w", newline="", buffering=1) as file:
        write = csv.writer(file, lineterminator="\n").writerow
        write(COLUMNS)
        yield write


async def soak(address: str, process: int, wanted: argparse.Namespace) -> None:
    """Find out what all is, and do a part of it for long."""
    most = await saturate(address, wanted.tables, process)
    rate = wanted.rate or most * wanted.load
    print(
        f"All out {most:.0f} actions/s; {rate:.0f} for {wanted.minutes:g} minutes at {wanted.tables} tables."
    )
    print(*COLUMNS, flush=True)
    with table_of_figures(wanted.out) as write:
        await Soak(address, wanted.tables, rate, process).run(wanted.minutes * 60, write)


def main() -> None:
    """Soak."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--minutes", type=float, default=30.0)
    parser.add_argument("--load", type=float, default=0.6, help="part of what is possible")
    parser.add_argument("--rate", type=float, help="actions a second, in place of a part of what is possible")
    parser.add_argument("--db", help=DATABASE)
    parser.add_argument("--workers", type=int, default=1, help="processes that share the tables, with --db")
    parser.add_argument("--out", type=Path, help="file for the figures, with commas")
    wanted = parser.parse_args()
    with the_service(wanted.db, wanted.workers) as (process, address):
        asyncio.run(soak(address, process, wanted))


if __name__ == "__main__":
    main()
