"""How long people wait for chances to win, and what players of all strengths lose: `docs/thinking.md`.

    python bench/review.py waiting
    python bench/review.py losses --games 4 --bot search:playouts=300:rounds=1

Times are seconds that a core worked (CPU), as others may use the machine; what compiles does so beforehand.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from functools import partial
from multiprocessing import get_context
from random import Random

import numpy as np

from dicetown.bots.roster import make_bot
from dicetown.bots.search.think import ready
from dicetown.bots.view import View
from dicetown.game import Game
from dicetown.review.grades import GRADES
from dicetown.review.review import Player, review, review_at_a_glance
from dicetown.rules.ruleset import Ruleset
from dicetown.server.workers.hints import first_hint, load_network
from dicetown.server.workers.snapshot import Snapshot
from dicetown.server.workers.thinkers import REVIEWER

TABLES = (
    ("base", "ciudad", ["base"], 4),
    ("Deluxe, all sets", "deluxe", None, 4),
    ("neue_stadt", "neue_stadt", None, 4),
    ("Großstadt, all sets", "grossstadt", None, 3),
    ("Deluxe, all sets", "deluxe", None, 2),
    ("neue_stadt", "neue_stadt", None, 2),
)
PLAYERS = ("champion", "planner", "greedy", "beginner", "random")


def play(ruleset: Ruleset, bots: Sequence[str], seed: int, decisions: int | None = None) -> Game:
    """A game between bots, to its end or for some decisions."""
    game, rng, players = Game(ruleset, names=bots, seed=seed), Random(seed), [make_bot(bot) for bot in bots]
    while not game.over and decisions != 0:
        game.play(players[game.turn].choose(View.of(game), rng))
        decisions = None if decisions is None else decisions - 1
    return game


def time_first_hint(edition: str, sets: list[str] | None, players: int) -> tuple[float, float, int]:
    """In a new process: seconds to read the weights and to give the first hint, and its options."""
    game = play(Ruleset(edition, sets=sets), ["planner"] * players, seed=5, decisions=8 * players)
    while len(game.legal_actions()) < 6:
        game.play(make_bot("planner").choose(View.of(game), Random(1)))
    begun = time.process_time()
    load_network()
    loaded = time.process_time()
    hint, _ = first_hint(Snapshot.of(game), "en")
    return loaded - begun, time.process_time() - loaded, len(hint.options)


def waiting(_asked: argparse.Namespace) -> None:
    """The first hint of a new process; a game's first picture, interpreted and compiled; the exact one."""
    print("| table | players | weights | first hint | choices |\n|---|--:|--:|--:|--:|")
    with get_context("spawn").Pool(1, maxtasksperchild=1) as pool:
        for name, edition, sets, players in TABLES:
            weights, hint, options = pool.apply(time_first_hint, (edition, sets, players))
            print(f"| {name} | {players} | {weights:.3f} s | {hint:.3f} s | {options} |", flush=True)
    games = [play(Ruleset(one[1], sets=one[2]), _seat(one[3], 3), seed=3) for one in TABLES]
    interpreted = [_time(partial(review_at_a_glance, game.save()))[0] for game in games]
    ready()
    print("\n| table | players | moments | first picture | compiled | exact | (by the clock) |")
    print("|---|--:|--:|--:|--:|--:|--:|")
    for (name, _, _, players), game, slowly in zip(TABLES, games, interpreted, strict=True):
        quickly, _ = _time(partial(review_at_a_glance, game.save()))
        moments = len(review_at_a_glance(game.save()).moments)
        exact, clock = _time(partial(review, game.save(), REVIEWER))
        print(
            f"| {name} | {players} | {moments} | {slowly:.1f} s | {quickly:.1f} s | {exact:.0f} s "
            f"| {clock:.0f} s |",
            flush=True,
        )


def _time(do: Callable[[], object]) -> tuple[float, float]:
    """Seconds that all cores together worked, and that passed."""
    worked, begun = time.process_time(), time.perf_counter()
    do()
    return time.process_time() - worked, time.perf_counter() - begun


def _seat(players: int, seed: int) -> list[str]:
    return Random(seed).sample(PLAYERS, players)


def losses(asked: argparse.Namespace) -> None:
    """What everybody loses per decision, in points of chance to win, and the grades for whole games."""
    ready()
    graded: dict[str, Counter[str]] = defaultdict(Counter)
    print(f"| table | players | {' | '.join(PLAYERS)} |\n|---|--:{'|--:' * len(PLAYERS)}|")
    for name, edition, sets, players in TABLES:
        found: dict[str, list[float]] = defaultdict(list)
        for seed in range(asked.games):
            game = play(Ruleset(edition, sets=sets), _seat(players, seed), seed)
            for player in _reviewed(game, asked.bot):
                if player.average_loss is not None:
                    found[player.name].append(player.average_loss)
                    graded[player.name][str(player.grade)] += 1
        told = [f"{100 * np.mean(found[bot]):.2f}" if found[bot] else "–" for bot in PLAYERS]
        print(f"| {name} | {players} | {' | '.join(told)} |", flush=True)
    print(f"\n| player | {' | '.join(GRADES)} |\n|---{'|--:' * len(GRADES)}|")
    for bot in PLAYERS:
        shares = [f"{graded[bot][grade] / graded[bot].total():.0%}" for grade in GRADES]
        print(f"| `{bot}` | {' | '.join(shares)} |")


def _reviewed(game: Game, bot: str | None) -> list[Player]:
    return (review(game.save(), bot) if bot else review_at_a_glance(game.save())).players


def main() -> None:
    """Do what is asked."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=("waiting", "losses"))
    parser.add_argument("--games", type=int, default=60, help="at each table")
    parser.add_argument("--bot", help="who reviews them; else they are looked at at a glance")
    asked = parser.parse_args()
    {"waiting": waiting, "losses": losses}[asked.what](asked)


if __name__ == "__main__":
    main()
