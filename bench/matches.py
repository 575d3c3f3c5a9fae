"""Games of one bot against others that think, with luck taken off how they came out: `docs/strength.md`.

    python bench/matches.py --bot master --against champion --players 4 --games 40
    python bench/matches.py --bot champion --against "pipe:…" --tables "neue_stadt" --games 200

Bots that think for a second allow few games, and who wins those is mostly luck. So beside the games won
stands what they come to without it: whatever dice and draws changed in the chances to win, less what they
change on average, is taken off (`dicetown.bots.learning.foresight.luck_of_each`). The mean is the same,
whatever the network thinks of the players; the interval is narrower. Games of one number have the same dice
for every seat, and count as one for the interval. Who stops it early has more of the short games.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import cache
from multiprocessing import get_context
from random import Random
from typing import Any, NamedTuple

import numpy as np
from strength import tables_of

from dicetown import Game
from dicetown.bots import View
from dicetown.bots.learning.foresight import luck_of_each
from dicetown.bots.search.think import ready
from dicetown.bots.seats import seat_bot
from dicetown.cores import usable_cores
from dicetown.intervals import Z, wilson
from dicetown.rules.ruleset import Ruleset


class Task(NamedTuple):
    """One game: who plays whom, where, and under which dice."""

    one: str
    others: str
    edition: str
    sets: tuple[str, ...]
    players: int
    seed: int
    number: int

    @property
    def deal(self) -> int:
        """Which dice it has; every seat has the same once."""
        return self.number // self.players

    @property
    def seat(self) -> int:
        """Where the one sits."""
        return self.number % self.players


@cache
def seated(bot: str, seat: int) -> Any:
    """A bot for a seat in all games of this process; programs take long to start."""
    return seat_bot(bot)


def play(task: Task) -> tuple[Task, int, float]:
    """Whether the one has won, and that with luck taken off."""
    game = Game(Ruleset(task.edition, sets=list(task.sets)), players=task.players, chance="manual")
    bots = [seated(task.one if seat == task.seat else task.others, seat) for seat in range(task.players)]
    dice, luck, moves = Random(f"{task.seed} {task.deal}"), 0.0, 0
    while not game.over:
        if game.waits_for_chance:
            outcomes = game.chance_outcomes()
            weights = [float(likely) for _, likely in outcomes]
            (outcome,) = dice.choices([outcome for outcome, _ in outcomes], weights)
            if game.state.turn >= 0:  # what is dealt before anybody has a turn is nobody's luck
                luck += luck_of_each(View.of(game))[outcome.number][task.seat]
            game.play(outcome)
        else:
            own = Random(f"{task.seed} {task.number} {moves}")
            game.play(bots[game.turn].choose(View.of(game), own))
            moves += 1
    won = int(game.winner == task.seat)
    return task, won, won - luck


def told(games: list[tuple[Task, int, float]]) -> str:
    """What so many games say: won, and with luck taken off, with their 95 % intervals."""
    wins = sum(won for _, won, _ in games)
    low, high = wilson(wins, len(games))
    deals = defaultdict(list)
    for task, _, adjusted in games:
        deals[task.deal].append(adjusted)
    whole = np.array([np.mean(deal) for deal in deals.values()])
    reach = Z * whole.std(ddof=1) / np.sqrt(len(whole)) if len(whole) > 1 else np.nan
    mean = np.mean([adjusted for *_, adjusted in games])
    return f"{wins / len(games):.1%} | {low:.1%} – {high:.1%} | {mean:.1%} | ± {reach:.1%} | {len(games)}"


def main() -> None:
    """Play what is asked."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--bot", default="master", help="the one")
    parser.add_argument("--against", default="champion", help="the bot in all other seats")
    parser.add_argument("--tables", default="", help="names of tables, with semicolons; all if none")
    parser.add_argument("--players", type=int, default=0, help="how many, if not as in the table")
    parser.add_argument("--games", type=int, default=40, help="at each table")
    parser.add_argument("--processes", type=int, default=usable_cores(), help="games at a time")
    parser.add_argument("--seed", type=int, default=7)
    asked = parser.parse_args()
    ready()
    print(f"| {asked.bot} against {asked.against} | players | wins | 95 % | without luck | 95 % | games |")
    print("|---|--:|--:|--:|--:|--:|--:|")
    with ProcessPoolExecutor(asked.processes, get_context("spawn")) as pool:
        for name, ruleset, players in tables_of(asked):
            table = ruleset.edition.id, tuple(ruleset.set_ids), players, asked.seed
            tasks = [Task(asked.bot, asked.against, *table, number) for number in range(asked.games)]
            games = []
            for done in as_completed([pool.submit(play, task) for task in tasks]):
                games.append(done.result())
                if len(games) % (5 * players) == 0 or len(games) == len(tasks):
                    print(f"| {name} | {players} | {told(games)} |", flush=True)


if __name__ == "__main__":
    main()
