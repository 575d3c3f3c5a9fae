"""Steps per second of the batched environments on a GPU, beside the CPU's, in one run.

    python bench/gpu_envs.py [--games 524288] [--steps 200] [--cases 1]

Each table is stepped by code made for it, and by the code that steps all of them (its games in one group).

First some steps are compared with the CPU's, number for number. Actions are drawn by PyTorch on the GPU, each
legal one equally likely; drawing them is timed apart. PyTorch must be installed.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import numpy as np
import torch

from dicetown import Ruleset
from dicetown.envs.core.batch import Batch, Table
from dicetown.envs.gpu.batch import GpuBatch
from dicetown.envs.gpu.mixed import MixedGpuBatch
from dicetown.sight.spec import spec_for

CASES = [
    ("deluxe", ["base"], 4, None),
    ("deluxe", ["base"], 4, ["random"]),
    ("deluxe", ["base"], 4, ["greedy"]),
    ("deluxe", None, 4, None),
    ("neue_stadt", None, 4, None),
]


def draw(masks: torch.Tensor) -> torch.Tensor:
    """A legal action for each game."""
    return (torch.rand(masks.shape, device=masks.device) * masks).argmax(dim=1)


def compare(table: Table, games: int = 512, steps: int = 300) -> int:
    """Step both and stop where they differ; how many games ended."""
    on_gpu, on_cpu = GpuBatch(table, games, seed=3), Batch(table, games, seed=3)
    on_gpu.reset()
    on_cpu.reset()
    ended = 0
    for _ in range(steps):
        for what in ("observations", "masks", "seats", "payoffs", "ends", "numbers"):
            assert np.array_equal(getattr(on_gpu, what).copy_to_host(), getattr(on_cpu, what)), what
        actions = draw(torch.as_tensor(on_gpu.masks, device="cuda"))
        on_gpu.step(actions)
        on_cpu.step(actions.cpu().numpy())
        ended += int((on_cpu.ends != 0).sum())
    on_cpu.close()
    return ended


def measure(batch: Any, choose: Any, steps: int, wait: Any) -> tuple[float, float]:
    """Steps per second of the games alone, and with the drawing of actions."""
    batch.reset(seed=7)
    for _ in range(100):  # into the middle of the games
        batch.step(choose())
    alone = 0.0
    wait()
    begun = time.perf_counter()
    for _ in range(steps):
        actions = choose()
        wait()
        before = time.perf_counter()
        batch.step(actions)
        wait()
        alone += time.perf_counter() - before
    whole = time.perf_counter() - begun
    return batch.games * steps / alone, batch.games * steps / whole


def measure_on_gpu(batch: Any, steps: int) -> tuple[float, float]:
    """The same, with actions that are drawn on the GPU."""
    masks = torch.as_tensor(batch.masks, device="cuda")
    return measure(batch, lambda: draw(masks), steps, torch.cuda.synchronize)


def main() -> None:
    """Compare, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=524_288)
    parser.add_argument("--steps", type=int, default=200)
    parser.add_argument("--cases", type=int, default=len(CASES), help="how many of the tables")
    arguments = parser.parse_args()
    print(torch.cuda.get_device_name(), "PyTorch", torch.__version__)
    for case in CASES[: arguments.cases]:
        report(*case, arguments.games, arguments.steps)


def report(
    edition: str, sets: list[str] | None, players: int, opponents: list[str] | None, games: int, steps: int
) -> None:
    """One line for the comparison, one for the speed."""
    table = Table.of(Ruleset(edition, sets=sets), players, opponents)
    begun = time.perf_counter()
    ended = compare(table)
    seconds = time.perf_counter() - begun
    print(f"{edition} {','.join(sets or ['all'])} {players}p against {(opponents or ['itself'])[0]}:")
    print(f"  equal to the CPU over 153,600 steps, {ended} games ended ({seconds:.0f} s with compiling)")
    alone, whole = measure_on_gpu(GpuBatch(table, games), steps)
    widest = [spec_for(Ruleset("deluxe"), 5), spec_for(Ruleset("neue_stadt"), 5)]
    for_all, _ = measure_on_gpu(MixedGpuBatch([(table, games)], widest=widest), steps)
    cpu = Batch(table, 4096, threads=1)
    rng = np.random.default_rng(1)
    by_numpy = lambda: (cpu.masks * rng.random(cpu.masks.shape, np.float32)).argmax(axis=1)  # noqa: E731
    one_core, _ = measure(cpu, by_numpy, 30, lambda: None)
    print(
        f"  GPU {alone / 1e6:.1f} M steps/s, {whole / 1e6:.1f} M with drawing; "
        f"by the code for all tables {for_all / 1e6:.1f} M; "
        f"one CPU core {one_core / 1e6:.2f} M; ratio {alone / one_core:.0f}",
        flush=True,
    )
    cpu.close()


if __name__ == "__main__":
    main()
