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

from collections.abc import Callable, Sequence
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from dicetown.bots.mind import MIND
from dicetown.bots.rules.choose import choose_as
from dicetown.envs.core.batch import PATIENCE, Table
from dicetown.envs.core.steps import Outcome, Shown
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

#: Games of a block: as fast as 64 or 256, and half as fast again as 512.
THREADS = 128
_SIMULATED_THREADS = 4


class GamesOnGpu:
    """Groups of games in step on a GPU, each group at a table, and where it is written how they stand."""

    def __init__(
        self, groups: Sequence[tuple[Table, int]], seed: int, give_up: int, room: Any, purses: int
    ) -> None:
        """`room` is what the layout of a game must hold, `purses` how many payoffs a game has."""
        self._cuda = import_cuda()
        from dicetown.playout.gpu.layout import choices_layout, fit, game_layout

        self.tables = [table for table, _ in groups]
        self.groups = np.repeat(np.arange(len(groups)), [games for _, games in groups])
        self.games, self.seed, self._give_up = len(self.groups), seed, give_up
        self._layout, self._offers = game_layout(room), choices_layout(room)
        self._openings = np.zeros(len(groups), self._layout)
        for number, table in enumerate(self.tables):
            self._openings["state"][number] = fit(table.opening, self._layout["state"])[0]
        self.width = max(table.spec.size for table in self.tables)
        self.breadth = max(table.spec.actions for table in self.tables)
        games = self.games
        self.observations = self._room((games, self.width), np.int16)
        self.masks = self._room((games, self.breadth), np.int8)
        self.seats = self._room((games,), np.int8)  # whose choice it is
        self.payoffs = self._room((games, purses), np.float32)  # of the game that has just ended
        self.ends = self._room((games,), np.int8)  # GOES_ON, IS_OVER or GIVEN_UP
        self.finals = self._room((0, self.width), np.int16)  # what was seen when a game ended
        self.dice = self._room((games,), np.int8)  # the first thrown after the action: 1 to 6, 11 to 66, or 0
        self.numbers = self._room((games,), np.int64)  # which game a slot plays
        self._nothing_wanted = self._room((games,), np.int64)

    def reset(self, seed: int | None = None) -> None:
        """Begin all games anew, under another seed if one is given."""
        if seed is not None:
            self.seed = seed
        self.numbers.copy_to_device(np.arange(self.games))
        self.ends.copy_to_device(np.zeros(self.games, np.int8))
        self.payoffs.copy_to_device(np.zeros(self.payoffs.shape, np.float32))
        self._run(self._nothing_wanted, beginning=True)

    def _run(self, wanted: Any, beginning: bool) -> None:
        sheets, masks, payoffs, finals = (
            array.reshape(-1) for array in (self.observations, self.masks, self.payoffs, self.finals)
        )
        shown = Shown(sheets, self.width, masks, self.breadth, self.seats)
        outcome = Outcome(self.ends, payoffs, self.payoffs.shape[1], finals, self.dice)
        self._launch(halves(self.seed), self.numbers, wanted, shown, outcome, int(beginning))

    def _on_gpu(self, actions: Any) -> Any:
        return np.asarray(actions) if is_simulated() else self._cuda.as_cuda_array(actions)

    def _room(self, shape: tuple[int, ...], dtype: Any) -> Any:
        return self._cuda.to_device(np.zeros(shape, dtype))

    @cached_property
    def _launch(self) -> Callable[..., None]:
        """The kernel with its launch configuration, the games of this batch and what they need."""
        if is_simulated():
            return self._simulated()
        from dicetown.playout.gpu.layout import WORD

        kernel, threads, room = self._compiled()
        words = self._cuda.device_array(self.games * self._layout.itemsize // WORD, np.int32)
        records = [self._cuda.to_device(array) for array in (self._openings, *self._records())]
        configured = kernel[-(-self.games // threads), threads, 0, room]
        return lambda *arguments: configured(words, *records, *arguments)

    def _compiled(self) -> tuple[Any, int, int]:
        """The kernel, with the threads and bytes of a block."""
        raise NotImplementedError

    def _records(self) -> Sequence[Any]:
        """What the kernel is handed beside the openings."""
        return ()

    def _simulated(self) -> Callable[..., None]:
        """The same in Numba's CUDA simulator, which cannot hand records to kernels as a GPU does."""
        from dicetown.envs.gpu.steps import simulated_kernel, step_on_device
        from dicetown.playout.gpu.layout import SILENCE
        from dicetown.playout.gpu.twins import DeviceTwins

        here = SimulatedGames(np.zeros(_SIMULATED_THREADS, self._layout))
        kinds = []
        for table in self.tables:
            minds = table.minds()
            bots = [record_class(MIND)(minds[seat : seat + 1]) for seat in range(len(minds))]
            kinds.append((table.spec.tables, table.spec.sight, bots, table.learner, self._give_up))
        kernel = simulated_kernel(
            DeviceTwins(choose_as).of(step_on_device),
            kinds,
            self._openings,
            self.groups.tolist(),
            SimulatedGames(np.zeros(self.games, self._layout)),
            [(here, new(self._offers), new(SILENCE)) for _ in range(_SIMULATED_THREADS)],
        )
        configured: Callable[..., None] = kernel[-(-self.games // _SIMULATED_THREADS), _SIMULATED_THREADS]
        return configured


class GpuBatch(GamesOnGpu):
    """So many games in step on a GPU. Slot k plays games k, k + games, k + 2·games, … of a seed."""

    def __init__(self, table: Table, games: int, seed: int = 0, give_up: int = PATIENCE) -> None:
        if games < 1:
            raise EnvError(f"The number of games is {games}; it must be at least 1.")
        super().__init__([(table, games)], seed, give_up, table.spec.tables, table.spec.players)
        self.table, self.spec = table, table.spec
        self.finals = self._room((games, self.spec.size), np.int16)

    def step(self, actions: Any, check: bool = True) -> None:
        """Take one action in each game: an array of 64-bit integers on the GPU.

        If one is not legal, nothing happens in any game. Looking for that waits for the GPU; without `check`
        the games whose actions are not legal just stay as they are.
        """
        wanted = self._on_gpu(actions)
        if wanted.shape != (self.games,) or wanted.dtype != np.int64:
            raise EnvError(
                f"{self.games} games want {self.games} actions of 64 bits, "
                f"not an array of shape {wanted.shape} and type {wanted.dtype}."
            )
        if check:
            self._check(wanted)
        self._run(wanted, beginning=False)

    def _check(self, wanted: Any) -> None:
        found = self._cuda.to_device(np.full(1, self.games))
        threads = _SIMULATED_THREADS if is_simulated() else THREADS
        check = _checking_kernel()[-(-self.games // threads), threads]
        check(wanted, self.masks.reshape(-1), self.spec.actions, found)
        if (slot := int(found.copy_to_host()[0])) < self.games:
            legal = np.flatnonzero(self.masks[slot].copy_to_host())
            names = ", ".join(self.spec.action_names[number] for number in legal)
            raise EnvError(f"The action in game {slot} of the batch is not legal; legal are: {names}.")

    def _compiled(self) -> tuple[Any, int, int]:
        return _compile_for(self.table, self._give_up, self._layout, self._offers)


@lru_cache(maxsize=8)
def _compile_for(
    table: Table, give_up: int, layout: np.dtype[Any], offered: np.dtype[Any]
) -> tuple[Any, int, int]:
    """The kernel for a table, whatever the number of games."""
    from numba import cuda, from_dtype, int32

    from dicetown.envs.gpu.steps import OnDevice, Played
    from dicetown.playout.gpu.layout import SILENCE, WORD

    step, into_block, out_of_block = device_functions()
    tables, sight, minds = table.spec.tables.array, table.spec.sight.array, table.minds()
    learner, length = table.learner, layout.itemsize // WORD
    game, offers, silence = from_dtype(layout), from_dtype(offered), from_dtype(SILENCE)

    def step_games(words, openings, seed, numbers, actions, shown, outcome, beginning):  # type: ignore[no-untyped-def]
        t, seen = cuda.const.array_like(tables)[0], cuda.const.array_like(sight)[0]
        bots = cuda.const.array_like(minds)
        log = cuda.local.array(1, silence)[0]
        log.capacity = 0
        here = cuda.shared.array(0, game)  # as many as there is room for
        memory = cuda.shared.array(0, int32)  # the same memory, word by word
        at_hand = OnDevice(here, cuda.local.array(1, offers)[0], log, openings[0])
        into_block(words, memory, length)
        played = Played(t, seen, bots, learner, give_up, seed[0], seed[1])
        step(played, at_hand, numbers, actions, shown, outcome, beginning)
        out_of_block(words, memory, length)

    return compile_kernel(step_games, layout)


def device_functions() -> tuple[Any, Any, Any]:
    """What every kernel calls: the step, and what brings the games of a block there and back."""
    from dicetown.envs.gpu.steps import bring_back, fetch, step_on_device
    from dicetown.playout.gpu.twins import DeviceTwins

    twins = DeviceTwins(choose_as)
    return twins.of(step_on_device), twins.of(fetch), twins.of(bring_back)


def compile_kernel(function: Any, layout: np.dtype[Any], *records: Any) -> tuple[Any, int, int]:
    """A kernel for games of a layout that is handed such records; with the threads and bytes of a block."""
    from numba import cuda

    announce_compiling()
    signature = signature_of(layout, *records)
    kernel = cuda.jit(signature, shared_memory_carveout="maxshared", max_registers=MOST_REGISTERS)(function)
    return kernel, *fill_block(kernel, layout.itemsize, THREADS)


def signature_of(layout: np.dtype[Any], *records: Any) -> tuple[Any, ...]:
    """What a kernel is handed: words, openings, records of its own, and what :meth:`GamesOnGpu._run` adds."""
    from numba import float32, from_dtype, int8, int16, int32, int64, types

    shown = types.NamedTuple([int16[::1], int64, int8[::1], int64, int8[::1]], Shown)
    outcome = types.NamedTuple([int8[::1], float32[::1], int64, int16[::1], int8[::1]], Outcome)
    seed = types.UniTuple(int64, 2)
    return (
        int32[::1], from_dtype(layout)[::1], *records, seed, int64[::1], int64[::1], shown, outcome, int64
    )  # fmt: skip


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
