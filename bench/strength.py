"""How strong the champion is, whether its chances come true, and how fast it chooses: `docs/strength.md`.

    python bench/strength.py strength --games 2048
    python bench/strength.py chances --games 2048
    python bench/strength.py chances --games 200 --bot planner
    python bench/strength.py speed
    python bench/strength.py playouts --games 1024 --positions 32 --device cuda
    python bench/strength.py options --games 512 --positions 24 --device cuda
    python bench/strength.py ceiling --positions 150

Games are stepped by `dicetown.envs.core.batch.Batch`; the weights as they ship choose for all at once.
"""

from __future__ import annotations

import argparse
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from random import Random
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from dicetown import Game
from dicetown.bots import View, make_bot
from dicetown.bots.learning.champion import champion_at, chances_of, weights_of
from dicetown.bots.search.playouts import Playouts
from dicetown.bots.search.think import REACH, WIDE, Manner, Thinker, ready
from dicetown.cores import usable_cores
from dicetown.envs.core.batch import Batch, Table
from dicetown.intervals import Z, wilson
from dicetown.playout.in_step import TableInStep
from dicetown.review.glance import glance_at
from dicetown.rules.layout import STATE, copy, record_class
from dicetown.rules.ruleset import Ruleset
from dicetown.sight.write import seen_from

#: The tables of the page: a name, the edition and its sets, and the numbers of players.
TABLES = (
    ("base", "ciudad", ["base"], (2, 4)),
    ("Harbor", "ciudad", None, (2, 4)),
    ("Deluxe, all sets", "deluxe", None, (2, 4)),
    ("Großstadt, all sets", "grossstadt", None, (2, 4)),
    ("neue_stadt", "neue_stadt", None, (2, 4)),
)
ROUNDS = (2, 3, 7, 14)
#: A choice among so many actions at least is an open one; an action that costs so much of the chance is dear.
MANY, DEAR = 5, 0.01


def tables_of(asked: argparse.Namespace) -> Iterator[tuple[str, Ruleset, int]]:
    """The tables that are asked for and can be played so: a name, what is played, the number of players."""
    for name, edition, sets, numbers in TABLES:
        if asked.tables and name not in asked.tables.split(";"):
            continue
        ruleset = Ruleset(edition, sets=sets)
        for players in (asked.players,) if asked.players else numbers:
            if ruleset.min_players <= players <= ruleset.max_players:
                yield name, ruleset, players


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
        for name, ruleset, players in tables_of(asked):
            won, played = play_against(ruleset, players, [opponent], asked.games, asked.seed)
            low, high = wilson(won, played)
            share = f"{won / played:.1%} | {low:.1%} – {high:.1%}"
            print(f"| {name} | {players} | {opponent} | {share} | {played} |", flush=True)


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


def watch_bots(
    bot: str, ruleset: Ruleset, players: int, games: int, seed: int
) -> list[tuple[dict[int, Any], int]]:
    """The same for games among bots of another kind."""
    chooser, seen = make_bot(bot), []
    for number in range(games):
        game, rng = Game(ruleset, players=players, seed=seed * games + number), Random(number)
        told: dict[int, Any] = {}
        while not game.over:
            view = View.of(game)
            if len(view.legal_actions) > 1:
                told.setdefault(game.turns // players + 1, chances_of(view))
            game.play(chooser.choose(view, rng))
        if game.winner is not None:
            seen.append((told, game.winner))
    return seen


def chances(asked: argparse.Namespace) -> None:
    """What was stated, and what came true."""
    head = " | ".join(f"round {r}" for r in ROUNDS)
    print(f"| table | players | knowing nothing | {head} | all rounds |")
    print(f"|---|--:|--:|{'--:|' * (len(ROUNDS) + 1)}")
    bins = np.zeros((10, 3))
    for name, ruleset, players in tables_of(asked):
        table = ruleset, players, asked.games, asked.seed
        seen = watch(*table) if asked.bot == "champion" else watch_bots(asked.bot, *table)
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


def positions_of(
    ruleset: Ruleset, players: int, count: int, seed: int, thought: int
) -> dict[int, list[Position]]:
    """From games among champions, by round: positions in which somebody chooses, and the chances told."""
    batch, champion = Batch(Table.of(ruleset, players), count, seed), champion_at(ruleset, players)
    thinker = Thinker(Manner(playouts=thought))
    batch.reset()
    unfinished = np.ones(count, bool)
    found: dict[int, dict[int, Any]] = {number: {} for number in ROUNDS}
    while unfinished.any():
        rounds = batch._states["turns"][:count] // players + 1
        for k in np.flatnonzero(unfinished).tolist():
            here = found.get(int(rounds[k]), {k: None})
            if k not in here:
                glance = champion.chances(batch.observations[k : k + 1])[0]
                state = batch._states[k : k + 1].copy()
                view = View(ruleset, players, record_class(STATE)(state))
                first, later = glance_at(view)[0].chances, thinker.think(view, k).best.worth
                here[k] = Position(view, np.roll(glance, int(batch.seats[k])), first, later)
        batch.step(champion.choose(batch.observations, batch.masks))
        unfinished &= batch.ends == 0
    batch.close()
    return {number: list(here.values()) for number, here in found.items()}


class Position(NamedTuple):
    """A position, and everybody's chances there by seat, as told in three ways."""

    view: View
    glance: NDArray[np.float32]  # by the second tower,
    first: tuple[float, ...]  # to people at first,
    later: tuple[float, ...]  # and to people when it has been thought about


def playouts(asked: argparse.Namespace) -> None:
    """What is stated beside many playouts between champions from the same positions.

    If a share q of the playouts comes out so, stating p costs the cross entropy of q and p on average, and
    stating what playouts say costs the entropy of q: the difference is printed, in nats, for what the second
    tower says at a glance, for what people read in the first moment, and for what they read when the search
    has thought. Shares of n playouts look surer than chances are, by (players - 1) / 2n, which
    is taken off.
    """
    play_out = on_device(asked) if asked.device != "cpu" else here_and_now
    print("| table | players | round | positions | playouts | glance worse by | stated | thought |")
    print("|---|--:|--:|--:|--:|--:|--:|--:|")
    for name, ruleset, players in tables_of(asked):
        found = positions_of(ruleset, players, asked.positions, asked.seed, asked.thought)
        for number, here in found.items():
            if not here:
                continue
            true = play_out([one.view for one in here], asked.games, asked.seed)
            known = -(true * np.log(np.maximum(true, 1e-9))).sum(axis=1)
            known += (players - 1) / (2 * asked.games)
            worse = [
                mean_within(-(true * np.log(np.maximum(told, 1e-6))).sum(axis=1) - known)
                for told in (np.array([one[way] for one in here]) for way in (1, 2, 3))
            ]
            print(
                f"| {name} | {players} | {number} | {len(here)} | {known.mean():.3f} | {' | '.join(worse)} |",
                flush=True,
            )


def options(asked: argparse.Namespace) -> None:
    """What a hint says at first of each legal action, beside playouts between champions after it.

    A champion would take few of them, and people ask about all. By how much the chance to win of who chooses
    is off: as root of the mean square, less what the luck of so many playouts is worth, and on average; of
    actions that cost less than a point of that chance, and of those that cost more. Half of the playouts say
    what an action costs, the others by how much it is off, or luck would choose what looks best.
    """
    play_out = on_device(asked) if asked.device != "cpu" else here_and_now
    kinds = "good options | off by | on average | bad options | off by | on average"
    print(f"| table | players | round | choices | {kinds} |")
    print(f"|---|{'--:|' * 9}")
    half = asked.games // 2
    for name, ruleset, players in tables_of(asked):
        for number, views in open_choices(ruleset, players, asked.positions, asked.seed).items():
            if not views:
                continue
            seen = [(choice, view, one) for choice, view in enumerate(views) for one in glance_at(view)]
            taken = [one.action.number for _, _, one in seen]
            seats = np.array([view.seat for _, view, _ in seen])
            one_half, other = (
                play_out([view for _, view, _ in seen], half, seed, taken)[np.arange(len(seen)), seats]
                for seed in (asked.seed, asked.seed + 1)
            )
            best = np.zeros(len(views))
            choices = np.array([choice for choice, _, _ in seen])
            np.maximum.at(best, choices, one_half)
            cost = best[choices] - one_half
            off = np.array([one.chances[view.seat] for _, view, one in seen]) - other
            luck = other * (1 - other) / half
            told = [
                f"{chosen.sum()} | {np.sqrt(max(0, np.mean(off[chosen] ** 2 - luck[chosen]))):.1%} "
                f"| {off[chosen].mean():+.1%}"
                if chosen.any()
                else "0 | |"
                for chosen in (cost < DEAR, cost >= DEAR)
            ]
            print(f"| {name} | {players} | {number} | {len(views)} | {' | '.join(told)} |", flush=True)


def open_choices(ruleset: Ruleset, players: int, count: int, seed: int) -> dict[int, list[View]]:
    """From games among champions, by round: the first choice in it among many actions."""
    chooser = make_bot("champion")
    found: dict[int, list[View]] = {number: [] for number in (1, *ROUNDS)}
    for number in range(count):
        game, rng = Game(ruleset, players=players, seed=seed * 10_000 + number), Random(number)
        seen: set[int] = set()
        while not game.over:
            view, here = View.of(game), game.turns // players + 1
            if here in found and here not in seen and len(view.legal_actions) >= MANY:
                seen.add(here)
                found[here].append(replace(view, state=copy(view.state)))
            game.play(chooser.choose(view, rng))
    return found


class PlayOut(Protocol):
    """How often each seat wins from positions, after these actions or what champions do."""

    def __call__(
        self, views: Sequence[View], games: int, seed: int, first: Sequence[int] | None = None
    ) -> NDArray[np.float64]: ...


def on_device(asked: argparse.Namespace) -> PlayOut:
    """How often each seat wins from positions: with PyTorch, all games from all of them at once."""
    from dicetown.training.network import Network
    from dicetown.training.playouts import play_out
    from dicetown.training.tables import games as all_games
    from dicetown.training.tables import specs_of

    widest = [spec for game in all_games() for spec in specs_of(game)]
    networks = {game: Network.holding(weights_of(game), asked.device) for game in all_games()}

    def play(
        views: Sequence[View], games: int, seed: int, first: Sequence[int] | None = None
    ) -> NDArray[np.float64]:
        table = Table.of(views[0].ruleset, views[0].players)
        starts = [replace(table, position=view.state.array) for view in views]
        network, spec = networks[views[0].ruleset.edition.game], table.spec
        taken = first and [
            int(spec.sight.number[seen_from(spec.tables, view.seat, action)])
            for view, action in zip(views, first, strict=True)
        ]
        return play_out(network, starts, games, asked.device, widest, seed, taken)[:, : views[0].players]

    return play


def here_and_now(
    views: Sequence[View], games: int, seed: int, first: Sequence[int] | None = None
) -> NDArray[np.float64]:
    """The same in NumPy, one position after the other, on all cores."""
    ready()

    def play(view: View, taken: int) -> NDArray[np.float64]:
        champion = champion_at(view.ruleset, view.players)
        won = Playouts(champion, view.state, rounds=-1).run([taken], seed, 0, games)[0].sum(axis=0)
        return np.asarray(won / won.sum())

    chooser = make_bot("champion")
    taken = first or [chooser.choose(view, Random(0)).number for view in views]
    with ThreadPoolExecutor(usable_cores()) as pool:
        return np.array(list(pool.map(play, views, taken)))


def ceiling(asked: argparse.Namespace) -> None:
    """How much there is to find for who tries out each choice as long as they like.

    From games among champions, choices in which several actions look alike. Half of the playouts, four rounds
    each, say what is best; the other half, what that gains over what the champion takes. Times such choices
    of a seat in a game, that is how many more games of a hundred such a searcher would win among champions,
    if deviations add up, and the network is right about who wins after four rounds.
    """
    ready()
    print("| table | players | contested choices of a game | gained in each, points | in a game |")
    print("|---|--:|--:|--:|--:|")
    for name, ruleset, players in tables_of(asked):
        contested, games = contested_choices(ruleset, players, asked.positions, asked.seed)
        champion, gains = champion_at(ruleset, players), []
        for number, view in enumerate(contested):
            taken = make_bot("champion").choose(view, Random(0)).number
            actions = [one.action.number for one in glance_at(view)[:WIDE]]
            actions += [taken] if taken not in actions else []
            luck = Playouts(champion, view.state, Manner.rounds)
            halves = [
                luck.run(actions, asked.seed, half * asked.thought, asked.thought).mean(axis=1)[:, view.seat]
                for half in (2 * number, 2 * number + 1)
            ]
            usual = actions.index(taken)
            gains.append(
                np.mean([true[said.argmax()] - true[usual] for said, true in (halves, halves[::-1])])
            )
        each, often = mean_within(np.array(gains) * 100), len(contested) / games / players
        total = np.mean(gains) * 100 * often
        print(f"| {name} | {players} | {often:.1f} | {each} | {total:+.1f} |", flush=True)


def contested_choices(ruleset: Ruleset, players: int, count: int, seed: int) -> tuple[list[View], float]:
    """Choices in which what looks best is not clearly so, from whole games; and how many games those were."""
    chooser, games = make_bot("champion"), 0
    found: list[View] = []
    while len(found) < count:
        game, rng = Game(ruleset, players=players, seed=seed * 10_000 + games), Random(games)
        games += 1
        while not game.over:
            view = View.of(game)
            if len(view.legal_actions) > 1 and is_contested(view):
                found.append(replace(view, state=copy(view.state)))
            game.play(chooser.choose(view, rng))
    return found, games


def is_contested(view: View) -> bool:
    """Whether at least two actions look almost as good."""
    best, second = (one.chances[view.seat] for one in glance_at(view)[:2])
    return best - second < REACH * 4 * best * (1 - best)


def mean_within(figures: NDArray[np.float64]) -> str:
    """A mean with its 95 % interval."""
    reach = Z * figures.std(ddof=1) / np.sqrt(len(figures)) if len(figures) > 1 else np.nan
    return f"{figures.mean():.4f} ± {reach:.4f}"


def speed(asked: argparse.Namespace) -> None:
    """How quickly it chooses, alone and for many, and plays whole games; in seconds that one core worked."""
    print("| table | players | one choice | decisions/s, 1,024 at once | games/s |\n|---|--:|--:|--:|--:|")
    for name, ruleset, players in tables_of(asked):
        batch, champion = Batch(Table.of(ruleset, players), 1024, 3), champion_at(ruleset, players)
        batch.reset()
        for _ in range(20):
            batch.step(champion.choose(batch.observations, batch.masks))
        one, many = (
            min(cpu_seconds(champion.choose, batch.observations[:n], batch.masks[:n]) for _ in range(20))
            for n in (1, 1024)
        )
        batch.close()
        hall = TableInStep(ruleset, [["champion"] * players], asked.seed)
        games = 256 / cpu_seconds(hall.play, 0, 256)
        print(f"| {name} | {players} | {one * 1e3:.2f} ms | {1024 / many:,.0f} | {games:,.0f} |", flush=True)


def cpu_seconds(work: Callable[..., object], *given: object) -> float:
    """How long cores worked for something."""
    begun = time.process_time()
    work(*given)
    return time.process_time() - begun


def main() -> None:
    """Do what is asked."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    asks = {
        "strength": strength,
        "chances": chances,
        "playouts": playouts,
        "speed": speed,
        "options": options,
        "ceiling": ceiling,
    }
    parser.add_argument("what", choices=asks)
    parser.add_argument("--games", type=int, default=2048, help="games at each table, or from each position")
    parser.add_argument("--opponents", default="planner", help="strength: whom to play against, with commas")
    parser.add_argument("--positions", type=int, default=32, help="playouts: positions of each round")
    parser.add_argument("--thought", type=int, default=1000, help="ceiling, playouts: to think with")
    parser.add_argument("--device", default="cpu", help="playouts: cpu, or cuda with PyTorch")
    parser.add_argument("--bot", default="champion", help="chances: who plays")
    parser.add_argument("--tables", default="", help="names of tables, with semicolons; all if none")
    parser.add_argument("--players", type=int, default=0, help="how many, if not as in the table")
    parser.add_argument("--seed", type=int, default=7)
    asked = parser.parse_args()
    asks[asked.what](asked)


if __name__ == "__main__":
    main()
