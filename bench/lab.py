"""How fast games are written down and looked at, and how much memory that takes.

    python bench/lab.py [--games 100000,1000000]

Prints games per second recorded beside games per second merely simulated, in turns and in one run, with
greedy bots at a table of four in the base game. Then `dicetown lab balance` is run as a whole, report
included, for growing numbers of games: seconds of waiting, the largest memory of the process, and megabytes
on disk.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from dicetown import Ruleset
from dicetown.arena.simulate import simulate
from dicetown.lab.record.bulk import record_games
from dicetown.lab.record.gather import gather, name_sample
from dicetown.rules.kernel import compiled

BASE = Ruleset("deluxe", sets=["base"])
PLAYERS = 4
TURNS = 3  # of each, alternately


def compare_speed(games: int) -> tuple[float, float]:
    """Games per second simulated, and recorded with everything written to disk; the best of some turns."""
    compiled(record_games)
    plain, recorded = 0.0, 0.0
    for turn in range(TURNS):
        plain = max(plain, simulate(BASE, PLAYERS, ["greedy"], games, turn).games_per_second)
        with tempfile.TemporaryDirectory() as folder:
            sample = name_sample(BASE, PLAYERS, ["greedy"], turn, games)
            found = gather([sample], Path(folder) / "lab")
            recorded = max(recorded, games / found.seconds)
    return plain, recorded


def measure_balance(games: int) -> tuple[float, float, float]:
    """Seconds, megabytes of memory at most, and megabytes on disk of a whole `lab balance`."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "lab"
        options = ["--sets", "base", "--players", str(PLAYERS), "--games", str(games), "--out", str(out)]
        begun = time.perf_counter()
        process = subprocess.Popen(
            [sys.executable, "-m", "dicetown", "lab", "balance", *options],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        _, status, used = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - begun
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            raise SystemExit(f"lab balance ended with {process.returncode}")
        disk = sum(file.stat().st_size for file in out.rglob("*") if file.is_file())
    return seconds, used.ru_maxrss / 1024, disk / 1e6


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--games", default="100000,1000000", help="numbers of games, with commas")
    sizes = [int(size) for size in parser.parse_args().games.split(",")]
    plain, recorded = compare_speed(min(sizes))
    print(f"simulated  {plain:>10,.0f} games/s")
    print(f"recorded   {recorded:>10,.0f} games/s   {plain / recorded:.2f} times as long")
    print()
    print("lab balance        seconds   MB memory   MB on disk")
    for size in sizes:
        seconds, memory, disk = measure_balance(size)
        print(f"{size:>11,} games  {seconds:>7.1f}  {memory:>10.0f}  {disk:>11.0f}", flush=True)


if __name__ == "__main__":
    main()
