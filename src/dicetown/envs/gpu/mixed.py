"""A batch of games of many kinds on a GPU: one kernel, compiled once, steps all of them.

:class:`~dicetown.envs.gpu.batch.GpuBatch` is compiled for its table, which makes it fast and takes a minute.
Who learns many tables at once has no such minute for each. Here what is played is data: one slot plays the
base game with two players, its neighbour Deluxe with all sets and five, both by the same code.

    batch = MixedGpuBatch([(Table.of(Ruleset("ciudad"), 4), 4096), (Table.of(Ruleset("deluxe"), 2), 4096)])

Observations and masks are those of each slot's own :class:`~dicetown.sight.spec.Spec`, in rows as wide as
the widest.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property, lru_cache
from types import SimpleNamespace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dicetown.bots.mind import MIND
from dicetown.bots.rules.choose import choose_as
from dicetown.envs.core.batch import PATIENCE, Table, opening_of
from dicetown.errors import EnvError
from dicetown.playout.gpu.games import (
    MOST_REGISTERS,
    SimulatedGames,
    announce_compiling,
    fill_block,
    import_cuda,
    is_simulated,
)
from dicetown.rules.codes import MAX_PLAYERS
from dicetown.rules.layout import TABLES, new, record_class
from dicetown.rules.rng import halves
from dicetown.sight.spec import Spec
from dicetown.sight.write import SIGHT

#: Games of a block; a group of games is a multiple of it, so that neighbours play the same.
THREADS = 128
_SIMULATED_THREADS = 4


class MixedGpuBatch:
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
        self._cuda = import_cuda()
        from dicetown.playout.gpu.layout import choices_layout, fit, game_layout

        if not groups or any(games < 1 for _, games in groups):
            raise EnvError("A mixed batch needs at least one group, and each at least one game.")
        self.tables = [table for table, _ in groups]
        self.groups = np.repeat(np.arange(len(groups)), [games for _, games in groups])
        self.games, self.seed, self._give_up = len(self.groups), seed, give_up
        room = room_for([*widest, *(table.spec for table in self.tables)])
        self._layout, self._offers = game_layout(room), choices_layout(room)
        self._openings = np.concatenate([self._opening_of(table, fit) for table in self.tables])
        self.width = max(table.spec.size for table in self.tables)
        self.breadth = max(table.spec.actions for table in self.tables)
        games = self.games
        self.observations = self._room((games, self.width), np.int16)
        self.masks = self._room((games, self.breadth), np.int8)
        self.seats = self._room((games,), np.int8)
        self.payoffs = self._room((games, MAX_PLAYERS), np.float32)
        self.ends = self._room((games,), np.int8)
        self.numbers = self._room((games,), np.int64)
        self._nothing_wanted = self._room((games,), np.int64)

    def reset(self, seed: int | None = None) -> None:
        """Begin all games anew, under another seed if one is given."""
        if seed is not None:
            self.seed = seed
        self.numbers.copy_to_device(np.arange(self.games))
        self.ends.copy_to_device(np.zeros(self.games, np.int8))
        self._run(self._nothing_wanted, beginning=True)

    def step(self, actions: Any) -> None:
        """Take one action in each game: an array of 64-bit integers on the GPU.

        A game whose action is not legal stays as it is.
        """
        wanted = np.asarray(actions) if is_simulated() else self._cuda.as_cuda_array(actions)
        self._run(wanted, beginning=False)

    def _run(self, wanted: Any, beginning: bool) -> None:
        flat = [array.reshape(-1) for array in (self.observations, self.masks, self.payoffs)]
        self._launch(
            self.numbers, *halves(self.seed), flat[0], self.width, flat[1], self.breadth, self.seats, wanted,
            flat[2], self.ends, self._give_up, int(beginning),
        )  # fmt: skip

    def _opening_of(self, table: Table, fit: Callable[..., Any]) -> NDArray[Any]:
        opening = np.zeros(1, self._layout)
        opening["state"] = fit(opening_of(table.spec), self._layout["state"])
        return opening

    def _room(self, shape: tuple[int, ...], dtype: Any) -> Any:
        return self._cuda.to_device(np.zeros(shape, dtype))

    def _records(self) -> tuple[NDArray[Any], ...]:
        """What the games' kinds are: tables, sights, bots and who learns."""
        tables = np.zeros(len(self.tables), TABLES)
        sights = np.zeros(len(self.tables), SIGHT)
        minds = np.zeros((len(self.tables), MAX_PLAYERS), MIND)
        for number, table in enumerate(self.tables):
            tables[number] = table.spec.tables.array[0]
            sights[number] = table.spec.sight.array[0]
            minds[number, : table.spec.players] = table.minds()
        learners = np.array([table.learner for table in self.tables], np.int64)
        return tables, sights, minds, learners

    @cached_property
    def _launch(self) -> Callable[..., None]:
        if is_simulated():
            return self._simulated()
        from dicetown.playout.gpu.layout import WORD

        kernel, threads, room = _compiled_kernel(_Layouts(self._layout, self._offers))
        words = self._cuda.device_array(self.games * self._layout.itemsize // WORD, np.int32)
        records = [self._cuda.to_device(array) for array in (self._openings, *self._records())]
        groups = self._cuda.to_device(self.groups)
        configured = kernel[-(-self.games // threads), threads, 0, room]
        return lambda *arguments: configured(words, *records, groups, *arguments)

    def _simulated(self) -> Callable[..., None]:
        """The same in Numba's CUDA simulator, which cannot hand records to kernels as a GPU does."""
        from dicetown.envs.gpu.mixed_steps import simulated_kernel, step_mixed
        from dicetown.playout.gpu.layout import SILENCE
        from dicetown.playout.gpu.twins import DeviceTwins

        step = DeviceTwins(choose_as).of(step_mixed)
        games = SimulatedGames(np.zeros(self.games, self._layout))
        here = SimulatedGames(np.zeros(_SIMULATED_THREADS, self._layout))
        choices = [new(self._offers) for _ in range(_SIMULATED_THREADS)]
        kinds = []
        for table in self.tables:
            minds = table.minds()
            bots = [record_class(MIND)(minds[seat : seat + 1]) for seat in range(len(minds))]
            kinds.append((table.spec.tables, table.spec.sight, bots, table.learner))
        kernel = simulated_kernel(
            step, kinds, self.groups.tolist(), new(SILENCE), here, games, choices, self._openings
        )
        configured: Callable[..., None] = kernel[-(-self.games // _SIMULATED_THREADS), _SIMULATED_THREADS]
        return configured


def room_for(specs: Sequence[Spec]) -> Any:
    """What the layouts of a game must hold, if it may be of any of these."""
    tables = [spec.tables for spec in specs]
    most = {name: max(int(getattr(t, name)) for t in tables) for name in ("players", "cards", "landmarks")}
    return SimpleNamespace(**most, n_agenda=np.max([t.n_agenda for t in tables], axis=0))


class _Layouts:
    """A game's layouts, told apart by what they are."""

    def __init__(self, game: np.dtype[Any], offers: np.dtype[Any]) -> None:
        self.game, self.offers = game, offers
        self._key = repr((game.descr, game.itemsize, offers.descr))

    def __hash__(self) -> int:
        return hash(self._key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Layouts) and self._key == other._key


@lru_cache(maxsize=2)
def _compiled_kernel(layouts: _Layouts) -> tuple[Any, int, int]:
    """The kernel for games of these layouts, with the threads and bytes of a block."""
    from numba import cuda

    announce_compiling()
    function, signature = mixed_kernel(layouts.game, layouts.offers)
    kernel = cuda.jit(signature, shared_memory_carveout="maxshared", max_registers=MOST_REGISTERS)(function)
    return kernel, *fill_block(kernel, layouts.game.itemsize, THREADS)


def mixed_kernel(layout: np.dtype[Any], offered: np.dtype[Any]) -> tuple[Callable[..., None], Any]:
    """The kernel as a function, and its signature."""
    from numba import cuda, float32, from_dtype, int8, int16, int32, int64

    from dicetown.envs.gpu.mixed_steps import step_mixed
    from dicetown.envs.gpu.steps import bring_back, fetch
    from dicetown.playout.gpu.layout import SILENCE, WORD
    from dicetown.playout.gpu.twins import DeviceTwins

    step = DeviceTwins(choose_as).of(step_mixed)
    into_block, out_of_block = (DeviceTwins().of(function) for function in (fetch, bring_back))
    game, silence, offers = from_dtype(layout), from_dtype(SILENCE), from_dtype(offered)
    length = layout.itemsize // WORD

    def step_games(  # type: ignore[no-untyped-def]
        words, openings, tables, sights, minds, learners, groups, numbers, low, high, sheets, width, masks,
        breadth, seats, actions, payoffs, ends, give_up, beginning,
    ):  # fmt: skip
        group = groups[min(cuda.grid(1), len(groups) - 1)]
        log = cuda.local.array(1, silence)[0]
        log.capacity = 0
        here = cuda.shared.array(0, game)  # as many as there is room for
        memory = cuda.shared.array(0, int32)  # the same memory, word by word
        choices = cuda.local.array(1, offers)[0]
        into_block(words, memory, length)
        step(
            tables[group], sights[group], minds[group], learners[group], log, here, choices, openings, group,
            numbers, low, high, sheets, width, masks, breadth, seats, actions, payoffs, ends, give_up,
            beginning,
        )  # fmt: skip
        out_of_block(words, memory, length)

    kinds = from_dtype(TABLES)[::1], from_dtype(SIGHT)[::1], from_dtype(MIND)[:, ::1], int64[::1], int64[::1]
    shown = int16[::1], int64, int8[::1], int64, int8[::1]
    outcome = float32[::1], int8[::1]
    signature = (
        int32[::1], game[::1], *kinds, int64[::1], int64, int64, *shown, int64[::1], *outcome, int64, int64,
    )  # fmt: skip
    return step_games, signature
