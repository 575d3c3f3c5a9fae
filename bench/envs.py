"""Steps per second of the environments, beside OpenSpiel's backgammon and PettingZoo's Connect Four.

    python bench/envs.py [--seconds 2] [--games 4096]

A step is a choice of an agent; dice and draws between two choices are not counted, neither here nor there.
All choose at random among what is legal. Single games are played as their libraries' own loops play them,
choosing included. Of many games in step two figures are shown: their steps alone, and with the choosing, by
NumPy.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import random
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import gymnasium
import numpy as np
import pyspiel  # type: ignore[import-not-found]
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table as Sheet

import dicetown.envs.open_spiel  # noqa: F401  (makes the game known)
from dicetown.cores import usable_cores
from dicetown.envs import dicetown_v0
from dicetown.envs.core.batch import Batch, Table
from dicetown.envs.vector import DicetownVectorEnv
from dicetown.rules.ruleset import Ruleset

BASE: dict[str, Any] = {"edition": "deluxe", "sets": ["base"], "players": 4}
DELUXE: dict[str, Any] = {"edition": "deluxe", "sets": None, "players": 4}
NEUE_STADT: dict[str, Any] = {"edition": "neue_stadt", "sets": None, "players": 4}
WARM_UP = 100  # steps, into the middle of the games
SEED = 7
BACKGAMMON = "OpenSpiel's backgammon"
CONNECT_FOUR = "PettingZoo's Connect Four"


@dataclass(frozen=True)
class Speed:
    """Steps in a second: with the choosing, and, where that can be told apart, alone."""

    chosen: float
    alone: float | None = None

    @property
    def best(self) -> float:
        """What is compared with others."""
        return self.alone or self.chosen


# ------------------------------------------------------------------------------ many games in step


def step_many(
    step: Callable[[NDArray[Any]], NDArray[Any]], masks: NDArray[Any], games: int, seconds: float
) -> Speed:
    """Step games for some seconds; `step` takes actions and gives the masks of the next ones."""
    rng = np.random.default_rng(SEED)
    for _ in range(WARM_UP):
        masks = step(choose(masks, rng))
    steps, alone, begun = 0, 0.0, time.perf_counter()
    while time.perf_counter() - begun < seconds:
        actions = choose(masks, rng)
        before = time.perf_counter()
        masks = step(actions)
        alone += time.perf_counter() - before
        steps += games
    return Speed(steps / (time.perf_counter() - begun), steps / alone)


def choose(masks: NDArray[Any], rng: np.random.Generator) -> NDArray[Any]:
    """A legal action for each game, all equally likely."""
    return np.asarray(np.argmax(rng.random(masks.shape, np.float32) * masks, axis=1))


def many_in_batch(game: dict[str, Any], games: int, threads: int, seconds: float) -> Speed:
    """Without any library: the batch that the vector environment is built on."""
    table = Table.of(Ruleset(game["edition"], sets=game["sets"]), game["players"])
    batch = Batch(table, games, seed=SEED, threads=threads)
    batch.reset()

    def step(actions: NDArray[Any]) -> NDArray[Any]:
        batch.step(actions)
        return batch.masks

    speed = step_many(step, batch.masks, games, seconds)
    batch.close()
    return speed


def many_in_vector(
    game: dict[str, Any], opponents: list[str] | None, games: int, threads: int, copy: bool, seconds: float
) -> Speed:
    """Gymnasium's native vector environment."""
    envs = DicetownVectorEnv(games, **game, opponents=opponents, threads=threads, copy=copy)
    _, shown = envs.reset(seed=SEED)

    def step(actions: NDArray[Any]) -> NDArray[Any]:
        *_, shown = envs.step(actions)
        masks: NDArray[Any] = shown["action_mask"]
        return masks

    speed = step_many(step, shown["action_mask"], games, seconds)
    envs.close()
    return speed


# ------------------------------------------------------------------------------ one game after the other


def timed(games: Iterator[int], seconds: float) -> Speed:
    """Play for some seconds; each step of the iterator is so many choices."""
    next(games)  # what is compiled or loaded at first
    steps, begun = 0, time.perf_counter()
    for choices in games:
        steps += choices
        if time.perf_counter() - begun >= seconds:
            break
    return Speed(steps / (time.perf_counter() - begun))


def in_open_spiel(name: str) -> Iterator[int]:
    """Random games through OpenSpiel's states."""
    game, rng = pyspiel.load_game(name), random.Random(SEED)
    while True:
        state, choices = game.new_initial_state(), 0
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, chances = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(rng.choices(outcomes, chances)[0])
            else:
                state.apply_action(rng.choice(state.legal_actions()))
                choices += 1
        yield choices


def in_pettingzoo(env: Any) -> Iterator[int]:
    """Random games as PettingZoo's loop plays them."""
    number = SEED
    while True:
        env.reset(seed=number)
        number += 1
        choices = 0
        for agent in env.agent_iter():
            seen, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.step(None)
                continue
            env.step(env.action_space(agent).sample(seen["action_mask"]))
            choices += 1
        yield choices


def in_gymnasium(opponent: str) -> Iterator[int]:
    """Random games of one agent against bots, as Gymnasium's loop plays them."""
    env = gymnasium.make("dicetown/Dicetown-v0", **BASE, opponents=[opponent])
    _, shown = env.reset(seed=SEED)
    while True:
        over, choices = False, 0
        while not over:
            _, _, terminated, truncated, shown = env.step(env.action_space.sample(shown["action_mask"]))
            over = terminated or truncated
            choices += 1
        _, shown = env.reset()
        yield choices


# ------------------------------------------------------------------------------ the table


def cases(games: int, seconds: float) -> Iterator[tuple[str, str, Callable[[], Speed]]]:
    """What is measured: who plays, how, and the measuring itself."""
    vector = partial(many_in_vector, games=games, seconds=seconds)
    for threads in sorted({1, usable_cores()}):
        on = f"{games:,} games, {threads} thread{'s' * (threads > 1)}"
        copied, viewed = (
            partial(vector, threads=threads, copy=True),
            partial(vector, threads=threads, copy=False),
        )
        yield "Batch, base", on, partial(many_in_batch, BASE, games, threads, seconds)
        yield "VectorEnv, base", f"{on}, views", partial(viewed, BASE, None)
        yield "VectorEnv, base", f"{on}, copies", partial(copied, BASE, None)
        for bot in ("random", "greedy"):
            yield f"VectorEnv, base, against {bot}", f"{on}, copies", partial(copied, BASE, [bot])
        yield "VectorEnv, Deluxe with all sets", f"{on}, copies", partial(copied, DELUXE, None)
        yield "VectorEnv, Machi Koro 2", f"{on}, copies", partial(copied, NEUE_STADT, None)
    single = partial(timed, seconds=seconds)
    for bot in ("random", "greedy"):
        yield f"Gymnasium, base, against {bot}", "one game", partial(single, in_gymnasium(bot))
    yield "PettingZoo, base", "one game", partial(single, in_pettingzoo(dicetown_v0.env(**BASE)))
    yield (
        "OpenSpiel, base",
        "one game",
        partial(single, in_open_spiel("python_dicetown(sets=base,players=4)")),
    )
    yield BACKGAMMON, "one game, C++", partial(single, in_open_spiel("backgammon"))
    if importlib.util.find_spec("pygame"):
        os.environ["PYGAME_HIDE_SUPPORT_PROMPT"] = "1"
        from pettingzoo.classic import connect_four_v3  # type: ignore[import-untyped]

        yield CONNECT_FOUR, "one game", partial(single, in_pettingzoo(connect_four_v3.env()))


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--seconds", type=float, default=2.0, help="seconds for each row")
    parser.add_argument("--games", type=int, default=4096, help="games in step")
    options = parser.parse_args()
    console = Console(width=130)
    rows = []
    for who, how, measure in cases(options.games, options.seconds):
        with console.status(f"{who}, {how}"):
            rows.append((who, how, measure()))
    console.print(show(rows))
    if not importlib.util.find_spec("pygame"):
        console.print("PettingZoo's Connect Four was left out: it needs the package pygame.")


def show(rows: list[tuple[str, str, Speed]]) -> Sheet:
    """The figures as a table; all are compared with the environments of others."""
    peers = {who: speed for who, _, speed in rows if who in {BACKGAMMON, CONNECT_FOUR}}
    sheet = Sheet(
        title="Steps per second, four players", caption="Ratios are of the steps alone, where they are known."
    )
    for heading in ("environment", "how"):
        sheet.add_column(heading)
    for heading in ("alone", "with choosing", *(f"× {who.split(maxsplit=1)[1]}" for who in peers)):
        sheet.add_column(heading, justify="right")
    for who, how, speed in rows:
        ratios = (f"{speed.best / peer.best:,.2f}" for peer in peers.values())
        alone = "" if speed.alone is None else f"{speed.alone:,.0f}"
        sheet.add_row(who, how, alone, f"{speed.chosen:,.0f}", *ratios)
    return sheet


if __name__ == "__main__":
    main()
