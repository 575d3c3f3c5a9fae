"""What Ray costs on one machine, beside plain threads: python bench/cluster.py [games] [rounds].

Both play the same games of four greedy bots in turns, so that a busy machine slows both down alike. Starting
Ray, and the first games of its processes (which load the compiled rules), are counted by themselves.
"""

import statistics
import sys
import time
from datetime import date

from rich.console import Console
from rich.table import Table

from dicetown.arena import ready, simulate
from dicetown.arena.engines import Engine, LocalEngine, open_engine
from dicetown.arena.simulate import Simulation
from dicetown.rules.ruleset import Ruleset

BASE = Ruleset("deluxe", sets=["base"])
ALLOWED = 0.15  # of the time on threads may be added


def play(engine: Engine, games: int) -> Simulation:
    return simulate(BASE, 4, ["greedy"], games, seed=1, engine=engine)


def main() -> None:
    console = Console(width=110)
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    ready(console.print)
    begun = time.perf_counter()
    with open_engine("ray", address="local") as cluster:
        started = time.perf_counter()
        play(cluster, cluster.workers * cluster.games_at_once)
        warm = time.perf_counter()
        threads = LocalEngine(cluster.workers)
        play(threads, 10_000)
        table = Table(title=f"{games:,} games of four greedy bots, {cluster.workers} cores, {date.today()}")
        for heading in ("round", "threads", "Ray", "threads games/s", "Ray games/s", "Ray takes more by"):
            table.add_column(heading, justify="right")
        ratios = []
        for number in range(rounds):
            local, remote = play(threads, games), play(cluster, games)
            assert remote.tally == local.tally
            ratios.append(remote.seconds / local.seconds)
            table.add_row(
                str(number + 1),
                f"{local.seconds:.2f} s",
                f"{remote.seconds:.2f} s",
                f"{local.games_per_second:,.0f}",
                f"{remote.games_per_second:,.0f}",
                f"{ratios[-1] - 1:+.1%}",
            )
    console.print(table)
    more = statistics.median(ratios) - 1
    console.print(f"Median: {more:+.1%} (allowed: {ALLOWED:+.0%}); the results are the same in every round.")
    console.print(
        f"Before that: {started - begun:.1f} s to start Ray, {warm - started:.1f} s until its processes had "
        f"loaded the rules and played {cluster.games_at_once:,} games each."
    )
    sys.exit(more > ALLOWED)


if __name__ == "__main__":
    main()
