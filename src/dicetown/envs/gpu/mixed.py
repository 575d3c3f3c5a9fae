"""A batch of games of many kinds on a GPU: one kernel, compiled once, steps all of them.

:class:`~dicetown.envs.gpu.batch.GpuBatch` is compiled for its table, which makes it fast and takes a minute.
Who learns many tables at once has no such minute for each. Here what is played is data: one slot plays the
base game with two players, its neighbour Deluxe with all sets and five, both by the same code.

    batch = MixedGpuBatch([(Table.of(Ruleset("ciudad"), 4), 4096), (Table.of(Ruleset("deluxe"), 2), 4096)])

Observations and masks are those of each slot's own :class:`~dicetown.sight.spec.Spec`, in rows as wide as
the widest. What was seen when a game ended is not kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from types import SimpleNamespace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dicetown.bots.mind import MIND
from dicetown.envs.core.batch import PATIENCE, Table
from dicetown.envs.gpu.batch import GamesOnGpu, compile_kernel, device_functions
from dicetown.errors import EnvError
from dicetown.rules.codes import MAX_PLAYERS
from dicetown.rules.layout import TABLES
from dicetown.sight.spec import Spec
from dicetown.sight.write import SIGHT


class MixedGpuBatch(GamesOnGpu):
    """Groups of games in step on a GPU, each at a table of its own.

    Batches that are given the same `widest` specs share one compiled kernel, whatever they play.
    """

    def __init__(
        self,
        groups: Sequence[tuple[Table, int]],
        seed: int = 0,
        give_up: int = PATIENCE,
        widest: Sequence[Spec] = (),
    ) -> None:
        if not groups or any(games < 1 for _, games in groups):
            raise EnvError("A mixed batch needs at least one group, and each at least one game.")
        room = _room_for([*widest, *(table.spec for table, _ in groups)])
        super().__init__(groups, seed, give_up, room, MAX_PLAYERS)

    def step(self, actions: Any) -> None:
        """Take one action in each game: an array of 64-bit integers on the GPU.

        A game whose action is not legal stays as it is.
        """
        self._run(self._on_gpu(actions), beginning=False)

    def _compiled(self) -> tuple[Any, int, int]:
        return _compile_for_all(self._layout, self._offers)

    def _records(self) -> Sequence[NDArray[Any]]:
        """What the games' kinds are, and which each game is of."""
        tables = np.zeros(len(self.tables), TABLES)
        sights = np.zeros(len(self.tables), SIGHT)
        minds = np.zeros((len(self.tables), MAX_PLAYERS), MIND)
        for number, table in enumerate(self.tables):
            tables[number] = table.spec.tables.array[0]
            sights[number] = table.spec.sight.array[0]
            minds[number, : table.spec.players] = table.minds()
        learners = np.array([table.learner for table in self.tables], np.int64)
        give_up = np.full(1, self._give_up, np.int64)
        return tables, sights, minds, learners, give_up, self.groups


def _room_for(specs: Sequence[Spec]) -> Any:
    """What the layouts of a game must hold, if it may be of any of these."""
    tables = [spec.tables for spec in specs]
    most = {name: max(int(getattr(t, name)) for t in tables) for name in ("players", "cards", "landmarks")}
    return SimpleNamespace(**most, n_agenda=np.max([t.n_agenda for t in tables], axis=0))


@lru_cache(maxsize=2)
def _compile_for_all(layout: np.dtype[Any], offered: np.dtype[Any]) -> tuple[Any, int, int]:
    """The kernel for games of these layouts, whatever they play."""
    from numba import cuda, from_dtype, int32, int64

    from dicetown.envs.gpu.steps import OnDevice, Played
    from dicetown.playout.gpu.layout import SILENCE, WORD

    step, into_block, out_of_block = device_functions()
    game, offers, silence = from_dtype(layout), from_dtype(offered), from_dtype(SILENCE)
    length = layout.itemsize // WORD

    def step_games(  # type: ignore[no-untyped-def]
        words, openings, tables, sights, minds, learners, give_up, groups, seed, numbers, actions, shown,
        outcome, beginning,
    ):  # fmt: skip
        group = groups[min(cuda.grid(1), len(groups) - 1)]
        log = cuda.local.array(1, silence)[0]
        log.capacity = 0
        here = cuda.shared.array(0, game)  # as many as there is room for
        memory = cuda.shared.array(0, int32)  # the same memory, word by word
        at_hand = OnDevice(here, cuda.local.array(1, offers)[0], log, openings[group])
        into_block(words, memory, length)
        played = Played(
            tables[group], sights[group], minds[group], learners[group], give_up[0], seed[0], seed[1]
        )
        step(played, at_hand, numbers, actions, shown, outcome, beginning)
        out_of_block(words, memory, length)

    kinds = from_dtype(TABLES)[::1], from_dtype(SIGHT)[::1], from_dtype(MIND)[:, ::1]
    return compile_kernel(step_games, layout, *kinds, int64[::1], int64[::1], int64[::1])
