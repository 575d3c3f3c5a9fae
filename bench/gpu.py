"""How fast games are played on a GPU, beside one core of the CPU: python bench/gpu.py [games per case]."""

import sys
import time
from datetime import date

import numpy as np
from rich.console import Console
from rich.table import Table

from dicetown.arena import BotTable, ready
from dicetown.arena.benchmark import BOTS, GAMES, PLAYERS
from dicetown.playout.gpu.games import CudaTable, describe_gpu
from dicetown.rules.ruleset import Ruleset

SEED = 1
COMPARED = 2000  # games that both play, and must play alike
RUNS = 3


def main() -> None:
    console = Console(width=110)
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 4_000_000
    console.print(f"{describe_gpu()}, {date.today()}, {games:,} games each, four players")
    ready(console.print)
    table = Table()
    for heading in (
        "sets",
        "bot",
        "GPU decisions/s",
        "GPU games/s",
        "one core decisions/s",
        "ratio",
        "compiling",
    ):
        table.add_column(heading, justify="left" if heading in {"sets", "bot"} else "right")
    for game, (edition, sets) in GAMES.items():
        for bot in BOTS:
            row = measure(Ruleset(edition, sets), bot, games)
            console.print(game, bot, *row)
            table.add_row(game, bot, *row)
    console.print(table)


def measure(ruleset: Ruleset, bot: str, games: int) -> list[str]:
    """A row of figures; the best of some runs, results brought back to the CPU and all."""
    gpu = CudaTable(ruleset, [bot] * PLAYERS, SEED)
    cpu = BotTable(ruleset, [bot] * PLAYERS, SEED)
    begun = time.perf_counter()
    gpu.get_ready()
    compiling = time.perf_counter() - begun
    one, same = gpu.play(0, COMPARED), cpu.play(0, COMPARED)
    assert np.array_equal(one, same), "the GPU plays other games than the CPU"
    fast = max(rates(gpu, games) for _ in range(RUNS))
    slow = max(rates(cpu, COMPARED) for _ in range(RUNS))
    return [
        f"{fast[0]:,.0f}",
        f"{fast[1]:,.0f}",
        f"{slow[0]:,.0f}",
        f"× {fast[0] / slow[0]:,.0f}",
        f"{compiling:.0f} s",
    ]


def rates(table: CudaTable | BotTable, games: int) -> tuple[float, float]:
    begun = time.perf_counter()
    results = table.play(0, games)
    seconds = time.perf_counter() - begun
    return float(results["decisions"].sum()) / seconds, games / seconds


if __name__ == "__main__":
    main()
