"""How fast bots think, and what a second of thought is worth.

    python bench/search.py [--games 40] [--seconds 2]

Prints playouts per second on one core (whole games by the greedy policy, and judged after two rounds), nodes
per second of the tree, and the share of games won against three greedy bots, by seconds of thought; beside
it what the greedy bot itself wins there, and the baseline without a tree, all in one run.
"""

from __future__ import annotations

import argparse
import time

from dicetown import Ruleset
from dicetown.arena import ready as games_ready
from dicetown.arena.contests.contestants import enter
from dicetown.arena.contests.report import Report
from dicetown.arena.contests.tournament import Tournament, play_tournament
from dicetown.bots import View
from dicetown.bots.search.bots import NO_TREE
from dicetown.bots.search.think import Manner, Tree, expected_minds, ready
from dicetown.game import Game

GAMES = {
    "base": Ruleset("deluxe", sets=["base"]),
    "everything": Ruleset("deluxe"),
    "neue_stadt": Ruleset("neue_stadt"),
}
PLAYERS = 4
BUDGETS = (0.02, 0.1, 0.5)


def measure_speed(ruleset: Ruleset, rounds: int, deepest: int, seconds: float) -> tuple[float, float]:
    """Playouts and nodes per second from the opening, on one core."""
    view = View.of(_opening(ruleset))
    manner = Manner(rounds=rounds, deepest=deepest, threads=1, room=2_000_000)
    tree = Tree(ruleset, PLAYERS, manner)
    tree.plant(view.state, expected_minds(view, manner), rounds * PLAYERS if rounds >= 0 else -1)
    actions = [action.number for action in view.legal_actions]
    tree.grow(actions, 1, 0, 1)
    playouts, begun, nodes = 0, time.perf_counter(), int(tree.plan["used"][0])
    while (passed := time.perf_counter() - begun) < seconds:
        tree.grow(actions, 1, playouts, 64)
        playouts += 64 * len(actions)
    return playouts / passed, (int(tree.plan["used"][0]) - nodes) / passed


def _opening(ruleset: Ruleset) -> Game:
    """The first position in which there is something to decide."""
    game = Game(ruleset, players=PLAYERS, seed=1)
    while len(game.legal_actions()) == 1:
        game.play(game.legal_actions()[0])
    return game


def share(bot: str, games: int) -> str:
    """What a bot wins of games against three greedy ones."""
    tournament = Tournament(GAMES["base"], PLAYERS, enter([bot, "greedy"]), games, seed=1)
    line = Report(play_tournament(tournament)).lines[0]
    low, high = line.interval
    return f"{line.share:6.1%}  ({low:.1%} – {high:.1%})"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--games", type=int, default=40, help="games for each strength; 0 for none")
    parser.add_argument("--seconds", type=float, default=2.0, help="seconds for each speed")
    options = parser.parse_args()
    games_ready(print)
    ready(print)
    print(f"{'game':12} {'playouts/s':>12} {'judged after 2 rounds/s':>24} {'nodes/s':>10}   (one core)")
    for name, ruleset in GAMES.items():
        whole, _ = measure_speed(ruleset, -1, NO_TREE, options.seconds)
        judged, _ = measure_speed(ruleset, 2, NO_TREE, options.seconds)
        _, nodes = measure_speed(ruleset, 2, Manner().deepest, options.seconds)
        print(f"{name:12} {whole:12,.0f} {judged:24,.0f} {nodes:10,.0f}   x{judged / whole:.1f} by judging")
    if options.games == 0:
        return
    print(f"\nwins against three greedy bots, base game, {options.games} games each")
    print(f"{'greedy':24} {share('greedy', options.games)}")
    for kind in ("flat", "search"):
        for seconds in BUDGETS:
            print(f"{kind:12} {seconds:8.2f} s  {share(f'{kind}:seconds={seconds}', options.games)}")


if __name__ == "__main__":
    main()
