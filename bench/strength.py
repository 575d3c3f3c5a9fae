"""How strong the champion is, whether its chances come true, and how fast it chooses: `docs/strength.md`.

    python bench/strength.py strength --games 2048
    python bench/strength.py chances --games 2048
    python bench/strength.py speed

Games are stepped by `dicetown.envs.core.batch.Batch`; the weights as they ship choose for all at once.
"""

from __future__ import annotations

import argparse
import time
from collections import defaultdict
from collections.abc import Sequence
from typing import Any

import numpy as np

from dicetown.bots.learning.champion import champion_at
from dicetown.envs.core.batch import Batch, Table
from dicetown.intervals import wilson
from dicetown.rules.ruleset import Ruleset

#: The tables of the page: a name, the edition and its sets, and the numbers of players.
TABLES = (
    ("base", "ciudad", ["base"], (2, 4)),
    ("Harbor", "ciudad", None, (2, 4)),
    ("Deluxe, all sets", "deluxe", None, (2, 4)),
    ("Großstadt, all sets", "grossstadt", None, (2, 4)),
    ("neue_stadt", "neue_stadt", None, (2, 4)),
)
ROUNDS = (2, 3, 7, 14)


def play_against(
    ruleset: Ruleset, players: int, opponents: Sequence[str], games: int, seed: int
) -> tuple[int, int]:
    """Games won and played, the first of each slot; the agent's seat moves on from game to game."""
    batch, champion = Batch(Table.of(ruleset, players, opponents), games, seed), champion_at(ruleset, players)
    batch.reset()
    unfinished, won = np.ones(games, bool), 0
    while unfinished.any():
        seats = batch.seats.copy()
        batch.step(champion.choose(batch.observations, batch.masks))
        over = unfinished & (batch.ends != 0)
        won += int((batch.payoffs[over, seats[over]] > 0.5).sum())
        unfinished &= ~over
    batch.close()
    return won, games


def strength(asked: argparse.Namespace) -> None:
    """Games won against other bots."""
    print("| table | players | against | wins | 95 % | games |\n|---|--:|---|--:|--:|--:|")
    for opponent in asked.opponents.split(","):
        for name, edition, sets, numbers in TABLES:
            for players in numbers:
                won, played = play_against(
                    Ruleset(edition, sets=sets), players, [opponent], asked.games, asked.seed
                )
                low, high = wilson(won, played)
                print(
                    f"| {name} | {players} | {opponent} | {won / played:.1%} "
                    f"| {low:.1%} – {high:.1%} | {played} |",
                    flush=True,
                )


def watch(ruleset: Ruleset, players: int, games: int, seed: int) -> list[tuple[dict[int, Any], int]]:
    """Games among champions: at the first choice of each round, the chances told, and who won."""
    batch, champion = Batch(Table.of(ruleset, players), games, seed), champion_at(ruleset, players)
    batch.reset()
    unfinished = np.ones(games, bool)
    told: dict[int, dict[int, Any]] = defaultdict(dict)  # by game, then by round: chances by seat
    winners: dict[int, int | None] = {}
    while unfinished.any():
        rounds = batch._states["turns"][:games] // players + 1
        fresh = [k for k in np.flatnonzero(unfinished).tolist() if int(rounds[k]) not in told[k]]
        if fresh:
            chances = champion.chances(batch.observations[fresh])
            for row, k in enumerate(fresh):
                told[k][int(rounds[k])] = np.roll(chances[row], int(batch.seats[k]))
        batch.step(champion.choose(batch.observations, batch.masks))
        for k in np.flatnonzero(unfinished & (batch.ends != 0)).tolist():
            winners[k] = int(batch.payoffs[k].argmax()) if batch.payoffs[k].max() > 0.5 else None
            unfinished[k] = False
    batch.close()
    return [(told[k], winner) for k, winner in winners.items() if winner is not None]


def chances(asked: argparse.Namespace) -> None:
    """What was stated, and what came true."""
    head = " | ".join(f"round {r}" for r in ROUNDS)
    print(f"| table | players | knowing nothing | {head} | all rounds |")
    print(f"|---|--:|--:|{'--:|' * (len(ROUNDS) + 1)}")
    bins = np.zeros((10, 3))
    for name, edition, sets, numbers in TABLES:
        for players in numbers:
            seen = watch(Ruleset(edition, sets=sets), players, asked.games, asked.seed)
            losses: dict[int, list[float]] = defaultdict(list)
            for told, winner in seen:
                for number, stated in told.items():
                    losses[number].append(-np.log(max(stated[winner], 1e-6)))
                    for seat, chance in enumerate(stated):
                        bins[min(int(chance * 10), 9)] += (1, chance, seat == winner)
            by_round = " | ".join(f"{np.mean(losses[r]):.3f}" if losses[r] else "" for r in ROUNDS)
            whole = np.mean([loss for found in losses.values() for loss in found])
            print(f"| {name} | {players} | {np.log(players):.3f} | {by_round} | {whole:.3f} |", flush=True)
    print("\n| stated | on average | came true | seats |\n|---|--:|--:|--:|")
    for number, (count, stated, true) in enumerate(bins):
        if count:
            print(
                f"| {number * 10} – {number * 10 + 10} % | {stated / count:.1%} "
                f"| {true / count:.1%} | {count:.0f} |"
            )


def speed(_asked: argparse.Namespace) -> None:
    """How quickly it chooses, alone and for many."""
    print("| table | players | one choice | decisions/s, 4,096 at once |\n|---|--:|--:|--:|")
    for name, edition, sets, numbers in TABLES:
        for players in numbers:
            ruleset = Ruleset(edition, sets=sets)
            batch, champion = Batch(Table.of(ruleset, players), 4096, 3), champion_at(ruleset, players)
            batch.reset()
            for _ in range(20):
                batch.step(champion.choose(batch.observations, batch.masks))
            one, many = [], []
            for _ in range(20):
                begun = time.perf_counter()
                champion.choose(batch.observations[:1], batch.masks[:1])
                one.append(time.perf_counter() - begun)
                begun = time.perf_counter()
                champion.choose(batch.observations, batch.masks)
                many.append(time.perf_counter() - begun)
            batch.close()
            print(f"| {name} | {players} | {min(one) * 1e3:.2f} ms | {4096 / min(many):,.0f} |", flush=True)


def main() -> None:
    """Do what is asked."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=("strength", "chances", "speed"))
    parser.add_argument("--games", type=int, default=2048)
    parser.add_argument("--opponents", default="planner")
    parser.add_argument("--seed", type=int, default=7)
    asked = parser.parse_args()
    {"strength": strength, "chances": chances, "speed": speed}[asked.what](asked)


if __name__ == "__main__":
    main()
