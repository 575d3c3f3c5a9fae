"""Playouts: one position played on many times, by champions, and then judged by what they foresee.

All playouts are in step: each goes on to its next real choice, and then the network chooses for all of them
at once. The n-th playout of every action that is compared draws the same random numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from dicetown.bots.learning.champion import Champion
from dicetown.bots.learning.foresight import chances_at_tips
from dicetown.bots.learning.unfold import TIP, Tips, look
from dicetown.rules.chance import draw_outcome, waits_for_chance
from dicetown.rules.codes import OVER
from dicetown.rules.kernel import compiled, is_made, kernel
from dicetown.rules.layout import CHOICES, LOG, Choices, Log, Shelf, States, Tables, new
from dicetown.rules.rng import RNG, halves
from dicetown.rules.step import befall, settle, take
from dicetown.sight.write import Sight, flags, mark_legal, meant_by, seen_from, shorts

Rngs: TypeAlias = Any
ints: TypeAlias = Any

#: A playout that is to go on to the end is judged after so many turns all the same.
TOO_LONG = 2_000


@kernel(apart=True)
def play_on(
    t: Tables,
    sight: Sight,
    quiet: Log,
    choices: Choices,
    states: States,
    rngs: Rngs,
    slots: ints,
    actions: ints,
    sheets: shorts,
    masks: flags,
    tips: Tips,
) -> None:
    """Take an agent's action in each of these slots, and play on to the next real choice or to the end.

    What is seen and legal there is written row by row, in the order of the slots.
    """
    for row in range(len(slots)):
        slot = int(slots[row])
        s = states[slot]
        rng = rngs[slot]
        take(t, s, quiet, meant_by(t, sight, int(s.turn), int(actions[row])))
        settle(t, s, quiet, choices)
        while s.phase != OVER and choices.count < 2:
            if waits_for_chance(s):
                befall(t, s, quiet, draw_outcome(t, s, rng))
            else:
                take(t, s, quiet, int(choices.action[0]))
            settle(t, s, quiet, choices)
        look(t, sight, s, tips[row], sheets, row * int(sight.size))
        mark_legal(t, sight, int(tips[row].seat), choices, masks, row * int(sight.actions))


class Playouts:
    """Playouts from one position."""

    def __init__(self, champion: Champion, state: Any, rounds: int) -> None:
        self._champion, self._spec, self._state = champion, champion.spec, state
        self._last = int(state.turns) + (rounds * self._spec.players if rounds >= 0 else TOO_LONG)

    def run(self, actions: Sequence[int], seed: int, first: int, count: int) -> NDArray[np.float64]:
        """So many playouts of each action, from that number of luck on: everybody's chances after each.

        The first axis are the actions, the second the playouts, the third the seats.
        """
        spec, seat = self._spec, int(self._state.turn)
        numbers = [int(spec.sight.number[seen_from(spec.tables, seat, action)]) for action in actions]
        chosen, slots = np.repeat(numbers, count), np.arange(len(actions) * count)
        games = _Games(spec, self._state, len(slots))
        games.shuffle(seed, np.tile(np.arange(first, first + count), len(actions)))
        found = np.zeros((len(slots), spec.players))
        while len(slots):
            sheets, masks, tips = games.play_on(slots, chosen)
            done = (tips["over"] != 0) | (games.states["turns"][slots] >= self._last)
            if done.any():
                found[slots[done]] = chances_at_tips(self._champion, sheets[done], tips[done])
            slots = slots[~done]
            if len(slots):
                chosen = self._champion.choose(sheets[~done], masks[~done])
        return found.reshape(len(actions), count, spec.players)


class _Games:
    """So many games that begin in the same position."""

    def __init__(self, spec: Any, state: Any, many: int) -> None:
        self._spec, self._records = spec, (new(LOG), new(CHOICES))
        self.states, self._rngs = np.repeat(state.array, many), np.zeros(many, RNG)
        self._shelves = Shelf(self.states), Shelf(self._rngs)

    def shuffle(self, seed: int, luck: NDArray[np.int64]) -> None:
        """Begin the random numbers of each game: of one seed, by the number of its luck."""
        self._rngs["seed_low"], self._rngs["seed_high"] = halves(seed)
        self._rngs["game_low"] = luck

    def play_on(
        self, slots: NDArray[np.int64], actions: NDArray[np.int64]
    ) -> tuple[NDArray[np.int16], NDArray[np.int8], NDArray[Any]]:
        """What is seen, legal and known at the next choice of each of these games."""
        many, spec = len(slots), self._spec
        sheets, masks = np.empty((many, spec.size), np.int16), np.empty((many, spec.actions), np.int8)
        tips = np.empty(many, TIP)
        records = (spec.tables, spec.sight, *self._records)
        shown = sheets.reshape(-1), masks.reshape(-1)
        if is_made(play_on):
            plain = [record.array[0] for record in records]
            compiled(play_on)(*plain, self.states, self._rngs, slots, actions, *shown, tips)
        else:
            play_on(*records, *self._shelves, slots, actions, *shown, Shelf(tips))
        return sheets, masks, tips
