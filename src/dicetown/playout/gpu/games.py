"""Games between bots on a GPU: one in each of some ten thousand threads, the same games as on the CPU.

With a GPU, a million games of Deluxe between four greedy bots are::

    CudaTable(Ruleset("deluxe"), ["greedy"] * 4, seed=1).play(0, 1_000_000)

Compiling takes about a minute and is done anew in each process, for the very ruleset and bots: what the
tables say is then known to the compiler, which leaves out whatever the game does not have.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from importlib.util import find_spec
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dicetown.bots import minds_for
from dicetown.bots.rules.choose import choose_as
from dicetown.errors import DicetownError
from dicetown.playout.whole_game import RESULT
from dicetown.readiness import say_aside
from dicetown.rules.layout import CHOICES, LOG, STATE, new, record_class
from dicetown.rules.rng import halves
from dicetown.rules.ruleset import Ruleset
from dicetown.rules.step import start
from dicetown.rules.tables import tables_for

ABOUT_SECONDS = 60
_WARP = 32
_MOST_THREADS = 1024  # of a block
_REGISTERS = 65536  # of a multiprocessor
_QUARTERS = 4  # of a multiprocessor, each with its own registers for whole warps
#: Of a thread: with a few more, a quarter fewer threads would find room.
MOST_REGISTERS = 128
_SIMULATED_THREADS = 4


class GpuError(DicetownError):
    """A GPU that is not there, or cannot be used."""


def import_cuda() -> Any:
    """Numba's `cuda`, where there is a GPU or its simulator; else the sentence that says what is missing."""
    if not hasattr(np, "row_stack"):
        np.row_stack = np.vstack  # noqa: NPY201 - NumPy 2.5 has dropped what numba-cuda asks for
    from numba import cuda

    if not is_simulated() and find_spec("numba_cuda") is None:
        raise GpuError("Playing on a GPU needs the package numba-cuda: pip install 'dicetown[cuda]'.")
    if not cuda.is_available():
        raise GpuError(
            "There is no CUDA GPU here, or its driver does not answer; --device cpu plays without."
        )
    return cuda


def is_simulated() -> bool:
    """Whether Numba's CUDA simulator stands in for a GPU."""
    from numba import config

    return bool(config.ENABLE_CUDASIM)


def describe_gpu() -> str:
    """The name of the GPU, or of what stands in for it."""
    cuda = import_cuda()
    if is_simulated():
        return "Numba's CUDA simulator"
    name = cuda.get_current_device().name
    return name.decode() if isinstance(name, bytes) else str(name)


def announce_compiling() -> None:
    """Say that compiling for the GPU takes a while; it does so in each process."""
    say_aside(f"Compiling the rules for {describe_gpu()} (about {ABOUT_SECONDS} s) …")


def threads_of_block(registers: int, itemsize: int, room: int, most: int = _MOST_THREADS) -> int:
    """How many threads make a block: whole warps, as many as there are registers and memory for.

    Registers are dealt out to each quarter of a multiprocessor and in steps of eight, so that a few more than
    128 of them cost a quarter of the threads:

    >>> threads_of_block(128, 360, 232_448), threads_of_block(130, 360, 232_448)
    (512, 384)
    """
    of_a_warp = -(-registers // 8) * 8 * _WARP
    by_registers = _REGISTERS // _QUARTERS // of_a_warp * _QUARTERS * _WARP
    return min(most, room // itemsize, by_registers) // _WARP * _WARP


def fill_block(kernel: Any, itemsize: int, most: int = _MOST_THREADS) -> tuple[int, int]:
    """How many threads make a block, at most, and how many bytes their games take in its fast memory."""
    from numba import cuda
    from numba.cuda.cudadrv import driver

    device = cuda.get_current_device()
    compiled = next(iter(kernel.overloads.values()))
    room = device.MAX_SHARED_MEMORY_PER_BLOCK_OPTIN - compiled.shared_mem_per_block
    threads = threads_of_block(compiled.regs_per_thread, itemsize, room, most)
    # More than 48 KB must be asked for, and Numba has no option for that.
    driver.driver.cuKernelSetAttribute(
        driver.binding.CUfunction_attribute.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
        threads * itemsize,
        compiled._codelibrary.get_cufunc().handle,
        device.id,
    )
    return threads, threads * itemsize


class CudaTable:
    """Seats taken by bots, who play game after game of a ruleset and a seed, many at a time.

    What it plays equals what :class:`dicetown.playout.table.BotTable` plays, game for game.
    """

    def __init__(self, ruleset: Ruleset, bots: Sequence[str], seed: int) -> None:
        self._cuda = import_cuda()
        from dicetown.playout.gpu.layout import fit, game_layout

        self.tables = tables_for(ruleset, len(bots))
        self.minds = minds_for(bots, ruleset)
        self._seed = halves(seed)
        self._layout = game_layout(self.tables)
        state, choices = new(STATE), new(CHOICES)
        start(self.tables, state, new(LOG), choices)
        self._opening = np.zeros(1, self._layout)
        self._opening["state"] = fit(state.array, self._layout["state"])

    def play(self, first: int, games: int) -> NDArray[Any]:
        """Play some games; what became of them, in order, as records of :data:`RESULT`."""
        return np.asarray(self.play_on_device(first, games).copy_to_host())

    def play_on_device(self, first: int, games: int) -> Any:
        """Play some games and leave the results on the GPU: a device array of records of :data:`RESULT`.

        The call comes back at once; reading the array, or ``numba.cuda.synchronize()``, waits for the games.
        """
        results = self._cuda.device_array(games, RESULT)
        begun = self._cuda.to_device(np.zeros(1, np.int64))
        self._launch(*self._seed, first, begun, results)
        return results

    def get_ready(self) -> None:
        """Compile now rather than with the first games."""
        _ = self._launch

    @cached_property
    def _launch(self) -> Callable[..., None]:
        """The compiled kernel with its launch configuration and the games' opening."""
        if is_simulated():
            return self._simulate
        announce_compiling()
        kernel = self._compile()
        # All games of a multiprocessor are in one block, so that all its threads keep step and fetch the
        # same instructions.
        threads, room = fill_block(kernel, self._layout.itemsize)
        processors = self._cuda.get_current_device().MULTIPROCESSOR_COUNT
        configured = kernel[processors, threads, 0, room]
        opening = self._cuda.to_device(self._opening)

        def launch(*arguments: Any) -> None:
            configured(opening, *arguments)

        return launch

    def _compile(self) -> Any:
        """The kernel for this ruleset and these bots."""
        from numba import cuda, from_dtype, int64

        from dicetown.playout.gpu.layout import SILENCE, choices_layout
        from dicetown.playout.gpu.twins import DeviceTwins
        from dicetown.playout.gpu.whole_game import play_in_step

        play = DeviceTwins(choose_as).with_constants(play_in_step, ONE_MIND=self._has_one_mind)
        tables, minds = self.tables.array, self.minds
        game, silence = from_dtype(self._layout), from_dtype(SILENCE)
        offers = from_dtype(choices_layout(self.tables))

        def play_games_on_gpu(opening, seed_low, seed_high, first, begun, results):  # type: ignore[no-untyped-def]
            t = cuda.const.array_like(tables)[0]
            log = cuda.local.array(1, silence)[0]
            log.capacity = 0
            games = cuda.shared.array(0, game)  # as many as there is room for
            choices = cuda.local.array(1, offers)[0]
            place = cuda.threadIdx.x
            all_minds = cuda.const.array_like(minds)
            play(
                t, log, all_minds, games, choices, opening, place, seed_low, seed_high, first, begun, results
            )  # fmt: skip

        signature = (game[::1], int64, int64, int64, int64[::1], from_dtype(RESULT)[::1])
        return cuda.jit(signature, shared_memory_carveout="maxshared", max_registers=MOST_REGISTERS)(
            play_games_on_gpu
        )

    @property
    def _has_one_mind(self) -> bool:
        return all(mind == self.minds[0] for mind in self.minds)

    def _simulate(self, *arguments: Any) -> None:
        """The same kernels in Numba's CUDA simulator: plain Python, some threads and no speed."""
        from dicetown.bots.mind import MIND
        from dicetown.playout.gpu.layout import SILENCE, choices_layout
        from dicetown.playout.gpu.twins import DeviceTwins
        from dicetown.playout.gpu.whole_game import play_in_step, simulated_kernel

        play = DeviceTwins(choose_as).with_constants(play_in_step, ONE_MIND=self._has_one_mind)
        minds = [record_class(MIND)(self.minds[seat : seat + 1]) for seat in range(len(self.minds))]
        games = SimulatedGames(np.zeros(_SIMULATED_THREADS, self._layout))
        choices = [new(choices_layout(self.tables)) for _ in range(_SIMULATED_THREADS)]
        kernel = simulated_kernel(play, self.tables, new(SILENCE), minds, games, choices, self._opening)
        kernel[1, _SIMULATED_THREADS](*arguments)


class SimulatedGames:
    """The games of a block as interpreted kernels see them."""

    def __init__(self, games: NDArray[Any]) -> None:
        self._games = games
        self._faces = [_SimulatedGame(games[place : place + 1]) for place in range(len(games))]

    def __getitem__(self, place: int) -> _SimulatedGame:
        return self._faces[place]

    def __setitem__(self, place: int, game: Any) -> None:
        self._games[place] = game.array[0] if isinstance(game, _SimulatedGame) else game


class _SimulatedGame:
    """One game: its records, each with its fields as attributes."""

    def __init__(self, game: NDArray[Any]) -> None:
        self.array, layout = game, game.dtype
        self.state, self.rng = (record_class(layout[name])(game[name]) for name in ("state", "rng"))
