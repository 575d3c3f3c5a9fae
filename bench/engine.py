"""How fast the engine plays, as a table: python bench/engine.py [seconds per case]."""

import sys

from rich.console import Console
from rich.table import Table

from dicetown.arena import benchmark
from dicetown.arena.benchmark import BOTS, GAMES


def main() -> None:
    console = Console()
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 1.0
    report = benchmark(seconds, say=console.print)
    table = Table(title="One core, four players", caption=f"A state is {report.state_bytes} bytes.")
    for heading in ("sets", "bot", "way", "decisions/s", "games/s", "ratio"):
        table.add_column(heading, justify="left" if heading in {"sets", "bot", "way"} else "right")
    for game in GAMES:
        for bot in BOTS:
            for is_compiled in (False, True):
                case = report.find(game, bot, is_compiled=is_compiled)
                table.add_row(
                    game,
                    bot,
                    "compiled" if is_compiled else "interpreted",
                    f"{case.decisions_per_second:,.0f}",
                    f"{case.games_per_second:,.1f}",
                    f"× {report.ratio(game, bot):,.0f}" if is_compiled else "",
                )
    console.print(table)
    compiled = report.readiness.compile_seconds
    console.print(
        f"Compiling took {compiled:.1f} s" if compiled is not None else "Compiled earlier",
        f"(from the cache now: {report.readiness.seconds:.1f} s)."
        if report.readiness.cached
        else "just now.",
    )


if __name__ == "__main__":
    main()
