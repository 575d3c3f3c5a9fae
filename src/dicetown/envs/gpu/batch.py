"""A batch of games on a GPU: the same games as :class:`~dicetown.envs.core.batch.Batch`, number for number.

All arrays lie on the GPU and have ``__cuda_array_interface__``, so that PyTorch, CuPy and JAX take them as
they are, without copying, and hand their own arrays of actions in::

    batch = GpuBatch(Table.of(Ruleset("deluxe", sets=["base"]), 4, ["greedy"]), games=65_536, seed=1)
    batch.reset()
    observations = torch.as_tensor(batch.observations, device="cuda")  # written anew by each step
    batch.step(policy(observations))

Compiling takes about a minute and is done anew in each process, for the very ruleset and bots.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, lru_cache
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

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
from dicetown.rules.layout import new, record_class
from dicetown.rules.rng import halves

_THREADS = 128  # of a block: as fast as 64 or 256, and half as fast again as 512
_SIMULATED_THREADS = 4


class GpuBatch:
    """So many games in step on a GPU. Slot k plays games k, k + games, k + 2·games, … of a seed."""

    def __init__(self, table: Table, games: int, seed: int = 0, give_up: int = PATIENCE) -> None:
        if games < 1:
            raise EnvError(f"The number of games is {games}; it must be at least 1.")
        self._cuda = import_cuda()
        from dicetown.playout.gpu.layout import fit, game_layout

        self.table, self.spec, self.games, self.seed = table, table.spec, games, seed
        self._give_up = give_up
        self._layout = game_layout(self.spec.tables)
        self._opening = np.zeros(1, self._layout)
        self._opening["state"] = fit(opening_of(self.spec), self._layout["state"])
        spec = self.spec
        self.observations = self._room((games, spec.size), np.int16)
        self.masks = self._room((games, spec.actions), np.int8)
        self.seats = self._room((games,), np.int8)  # whose choice it is
        self.payoffs = self._room((games, spec.players), np.float32)  # of the game that has just ended
        self.ends = self._room((games,), np.int8)  # GOES_ON, IS_OVER or GIVEN_UP
        self.finals = self._room((games, spec.size), np.int16)  # what was seen when a game ended
        self.numbers = self._room((games,), np.int64)  # which game a slot plays
        self._nothing_wanted = self._room((games,), np.int64)

    def reset(self, seed: int | None = None) -> None:
        """Begin all games anew, under another seed if one is given."""
        if seed is not None:
            self.seed = seed
        self.numbers.copy_to_device(np.arange(self.games))
        self.ends.copy_to_device(np.zeros(self.games, np.int8))
        self.payoffs.copy_to_device(np.zeros((self.games, self.spec.players), np.float32))
        self._run(self._nothing_wanted, beginning=True)

    def step(self, actions: Any, check: bool = True) -> None:
        """Take one action in each game: an array of 64-bit integers on the GPU.

        If one is not legal, nothing happens in any game. Looking for that waits for the GPU; without `check`
        the games whose actions are not legal just stay as they are.
        """
        wanted = self._cuda.as_cuda_array(actions) if not is_simulated() else np.asarray(actions)
        if wanted.shape != (self.games,) or wanted.dtype != np.int64:
            raise EnvError(
                f"{self.games} games want {self.games} actions of 64 bits, "
                f"not an array of shape {wanted.shape} and type {wanted.dtype}."
            )
        if check:
            self._check(wanted)
        self._run(wanted, beginning=False)

    def _run(self, wanted: Any, beginning: bool) -> None:
        shown = (array.reshape(-1) for array in (self.observations, self.masks, self.seats))
        outcome = (array.reshape(-1) for array in (self.payoffs, self.ends, self.finals))
        self._launch(self.numbers, *halves(self.seed), *shown, wanted, *outcome, int(beginning))

    def _check(self, wanted: Any) -> None:
        found = self._cuda.to_device(np.full(1, self.games))
        threads = _SIMULATED_THREADS if is_simulated() else _THREADS
        check = _checking_kernel()[-(-self.games // threads), threads]
        check(wanted, self.masks.reshape(-1), self.spec.actions, found)
        if (slot := int(found.copy_to_host()[0])) < self.games:
            legal = np.flatnonzero(self.masks[slot].copy_to_host())
            names = ", ".join(self.spec.action_names[number] for number in legal)
            raise EnvError(f"The action in game {slot} of the batch is not legal; legal are: {names}.")

    # ---------------------------------------------------------------------------- on the GPU

    def _room(self, shape: tuple[int, ...], dtype: Any) -> Any:
        return self._cuda.to_device(np.zeros(shape, dtype))

    @cached_property
    def _launch(self) -> Callable[..., None]:
        """The kernel with its launch configuration, the games of this batch and their opening."""
        from dicetown.playout.gpu.layout import WORD

        if is_simulated():
            games = SimulatedGames(np.zeros(self.games, self._layout))
            kernel = _simulated_kernel(self.table, self._give_up, self._layout, games, self._opening)
            return cast(
                "Callable[..., None]", kernel[-(-self.games // _SIMULATED_THREADS), _SIMULATED_THREADS]
            )
        kernel, threads, room = _compiled_kernel(self.table, self._give_up)
        words = self.games * self._layout.itemsize // WORD
        records = self._cuda.device_array(words, np.int32), self._cuda.to_device(self._opening)
        configured = kernel[-(-self.games // threads), threads, 0, room]
        return lambda *arguments: configured(*records, *arguments)


def _step_for(table: Table, give_up: int) -> Any:
    """The device twin of a step at a table."""
    from dicetown.envs.gpu.steps import step_on_device
    from dicetown.playout.gpu.twins import DeviceTwins

    return DeviceTwins(choose_as).with_constants(step_on_device, LEARNER=table.learner, GIVE_UP=give_up)


@lru_cache(maxsize=8)
def _compiled_kernel(table: Table, give_up: int) -> tuple[Any, int, int]:
    """The kernel for a table, whatever the number of games, with the threads and bytes of a block."""
    from numba import cuda, float32, from_dtype, int8, int16, int32, int64

    from dicetown.envs.gpu.steps import bring_back, fetch
    from dicetown.playout.gpu.layout import SILENCE, WORD, choices_layout, game_layout
    from dicetown.playout.gpu.twins import DeviceTwins

    announce_compiling()
    step = _step_for(table, give_up)
    into_block, out_of_block = (DeviceTwins().of(function) for function in (fetch, bring_back))
    tables, sight, minds = table.spec.tables.array, table.spec.sight.array, table.minds()
    layout = game_layout(table.spec.tables)
    game, silence = from_dtype(layout), from_dtype(SILENCE)
    offers = from_dtype(choices_layout(table.spec.tables))
    length = layout.itemsize // WORD

    def step_games(  # type: ignore[no-untyped-def]
        words, opening, numbers, low, high, sheets, masks, seats, actions, payoffs, ends, finals, beginning
    ):
        t, seen = cuda.const.array_like(tables)[0], cuda.const.array_like(sight)[0]
        log = cuda.local.array(1, silence)[0]
        log.capacity = 0
        bots = cuda.const.array_like(minds)
        here = cuda.shared.array(0, game)  # as many as there is room for
        memory = cuda.shared.array(0, int32)  # the same memory, word by word
        choices = cuda.local.array(1, offers)[0]
        into_block(words, memory, length)
        step(
            t, seen, bots, log, here, choices, opening, numbers, low, high, sheets, masks, seats, actions,
            payoffs, ends, finals, beginning,
        )  # fmt: skip
        out_of_block(words, memory, length)

    shown = int16[::1], int8[::1], int8[::1]
    outcome = float32[::1], int8[::1], int16[::1]
    signature = (int32[::1], game[::1], int64[::1], int64, int64, *shown, int64[::1], *outcome, int64)
    kernel = cuda.jit(signature, shared_memory_carveout="maxshared", max_registers=MOST_REGISTERS)(step_games)
    return kernel, *fill_block(kernel, layout.itemsize, _THREADS)


@lru_cache(maxsize=1)
def _checking_kernel() -> Any:
    """The kernel that looks for actions that are not legal."""
    from numba import cuda

    from dicetown.envs.gpu.steps import look_for_illegal
    from dicetown.playout.gpu.twins import DeviceTwins

    look = DeviceTwins().of(look_for_illegal)

    def check_actions(actions, masks, width, found):  # type: ignore[no-untyped-def]
        look(actions, masks, width, found)

    return cuda.jit(check_actions)


def _simulated_kernel(
    table: Table, give_up: int, layout: np.dtype[Any], games: SimulatedGames, opening: NDArray[Any]
) -> Any:
    """The same in Numba's CUDA simulator, which cannot hand records to kernels as a GPU does."""
    from dicetown.bots.mind import MIND
    from dicetown.envs.gpu.steps import simulated_kernel
    from dicetown.playout.gpu.layout import SILENCE, choices_layout

    step = _step_for(table, give_up)
    minds = table.minds()
    bots = [record_class(MIND)(minds[seat : seat + 1]) for seat in range(len(minds))]
    here = SimulatedGames(np.zeros(_SIMULATED_THREADS, layout))
    choices = [new(choices_layout(table.spec.tables)) for _ in range(_SIMULATED_THREADS)]
    records = table.spec.tables, table.spec.sight, bots, new(SILENCE)
    return simulated_kernel(step, here, games, choices, opening, *records)
