"""Lessons for the judge: positions of games between bots, and who won them.

Bots of many kinds play each other, each with a slip now and then so that unusual cities are seen, too; some
positions of every game are kept. Everything follows from a seed.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from random import Random
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from dicetown.bots.learning.judge import N_SEEN, NET, Net, look_around
from dicetown.bots.mind import Minds
from dicetown.bots.roster import minds_for
from dicetown.bots.rules.choose import choose_as
from dicetown.rules import codes as c
from dicetown.rules.chance import draw_outcome, waits_for_chance
from dicetown.rules.codes import BUILD, OVER, ROLL
from dicetown.rules.kernel import compiled, kernel
from dicetown.rules.layout import CHOICES, LOG, STATE, Choices, Log, States, Tables, new
from dicetown.rules.rng import RNG, Rng, below, start
from dicetown.rules.ruleset import Ruleset
from dicetown.rules.step import befall, settle, take
from dicetown.rules.tables import tables_for
from dicetown.rules.turn import set_up

ints: TypeAlias = Any
floats: TypeAlias = Any

#: A game so long teaches nothing.
GIVEN_UP = 2_000
#: One of so many positions is kept: neighbours resemble each other.
EVERY = 6
#: Choices in a thousand that are made at random.
SLIPS = 80
#: What a network looks at for each seat: own things, the others' things, and what else is seen.
N_INPUTS = 2 * c.MAX_THINGS + N_SEEN


@dataclass(frozen=True)
class Lessons:
    """Positions seen with the eyes of each seat, and the seat that won."""

    inputs: NDArray[np.float32]  # position, seat, input
    winner: NDArray[np.int64]


@kernel(apart=True)
def watch_games(
    t: Tables,
    states: States,
    quiet: Log,
    choices: Choices,
    rng: Rng,
    minds: Minds,
    every: int,
    seed: int,
    first: int,
    kept: States,
    winner: ints,
) -> None:
    """Play games until enough positions are kept, each with the winner of its game."""
    n = 0
    game = first
    while n < len(kept):
        states[0] = states[1]
        s = states[0]
        start(rng, seed, 0, game)
        game += 1
        set_up(t, s, quiet)
        settle(t, s, quiet, choices)
        begun = n
        while s.phase != OVER and s.turns < GIVEN_UP:
            if waits_for_chance(s):
                befall(t, s, quiet, draw_outcome(t, s, rng))
            else:
                if n < len(kept) and (s.phase == BUILD or s.phase == ROLL) and below(rng, every) == 0:
                    kept[n] = states[0]
                    n += 1
                take(t, s, quiet, choose_as(minds[int(s.turn)], t, s, choices, rng))
            settle(t, s, quiet, choices)
        if s.winner < 0:
            n = begun
        for k in range(begun, n):
            winner[k] = s.winner


@kernel(apart=True)
def see_all(t: Tables, states: States, net: Net, seen: floats) -> None:
    """What the judge sees of every city in every position."""
    n = 0
    for k in range(len(states)):
        look_around(t, states[k], net)
        for seat in range(int(t.players)):
            for one in range(N_SEEN):
                seen[n] = net.eye[seat, one]
                n += 1


def gather(
    ruleset: Ruleset, players: int, bots: Sequence[str], positions: int, seed: int, line_ups: int = 48
) -> Lessons:
    """Lessons from games of a ruleset, in which half of the seats are the first bot's and half anyone's."""
    draw = Random(f"{seed} {players}")
    seats = [
        [bots[0] if draw.random() < 0.5 else draw.choice(bots) for _ in range(players)]
        for _ in range(line_ups)
    ]
    with ThreadPoolExecutor() as pool:
        parts = list(
            pool.map(
                lambda job: _watch(ruleset, job[1], positions // line_ups, seed, job[0]), enumerate(seats)
            )
        )
    states = np.concatenate([states for states, _ in parts])
    winner = np.concatenate([winner for _, winner in parts])
    return Lessons(inputs_of(ruleset, players, states), winner)


def _watch(
    ruleset: Ruleset, bots: Sequence[str], positions: int, seed: int, number: int
) -> tuple[NDArray[Any], NDArray[np.int64]]:
    kept, winner = np.zeros(positions, STATE), np.zeros(positions, np.int64)
    minds = minds_for(bots, ruleset)
    minds["slips"] = SLIPS
    tables = tables_for(ruleset, len(bots)).array[0]
    records = (new(layout).array[0] for layout in (LOG, CHOICES, RNG))
    first = number << 40
    compiled(watch_games)(tables, np.zeros(2, STATE), *records, minds, EVERY, seed, first, kept, winner)
    return kept, winner


def inputs_of(ruleset: Ruleset, players: int, states: NDArray[Any]) -> NDArray[np.float32]:
    """What a network looks at: for each position and seat, own things, others' things, and the rest."""
    own = np.zeros((len(states), players, c.MAX_THINGS), np.float32)
    own[:, :, : c.MAX_CARDS] = states["owned"][:, :players]
    built = states["built"][:, :players, None]
    own[:, :, c.MAX_CARDS :] = (built >> np.arange(c.MAX_LANDMARKS)) & 1
    others = own.sum(axis=1, keepdims=True) - own
    seen = np.zeros(len(states) * players * N_SEEN)
    compiled(see_all)(tables_for(ruleset, players).array[0], states, new(NET).array[0], seen)
    return np.concatenate(
        [own, others, seen.reshape(len(states), players, N_SEEN).astype(np.float32)], axis=2
    )
