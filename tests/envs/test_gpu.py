"""The GPU's batches in Numba's CUDA simulator: number for number the same as the CPU's."""

import os
import subprocess
import sys
from textwrap import dedent

import pytest

STEP = dedent("""
    import numpy as np
    from dicetown import Ruleset
    from dicetown.envs.core.batch import Batch, Table
    from dicetown.envs.gpu.batch import GpuBatch
    from dicetown.errors import EnvError

    table = Table.of(Ruleset({edition!r}, sets={sets!r}, house={{"max_turns": 4}}), {players}, {opponents!r})
    on_gpu, on_cpu = GpuBatch(table, 5, seed=5 << 33), Batch(table, 5, seed=5 << 33)
    on_gpu.reset()
    on_cpu.reset()
    ended = 0
    for turn in range(16):
        for what in ("observations", "masks", "seats", "payoffs", "ends", "finals", "numbers"):
            assert np.array_equal(getattr(on_gpu, what).copy_to_host(), getattr(on_cpu, what)), (turn, what)
        first, last = on_cpu.masks.argmax(axis=1), on_cpu.masks[:, ::-1].argmax(axis=1)
        actions = (table.spec.actions - 1 - last if turn % 3 else first).astype(np.int64)
        on_gpu.step(actions)
        on_cpu.step(actions)
        ended += int((on_cpu.ends != 0).sum())
    assert ended, "no game was played to its end"
    before = on_gpu.observations.copy_to_host()
    wrong = on_cpu.masks.argmin(axis=1).astype(np.int64)
    for batch in (on_gpu, on_cpu):
        try:
            batch.step(wrong)
        except EnvError as refused:
            assert "not legal" in str(refused)
        else:
            raise AssertionError("an illegal action was taken")
    on_gpu.step(wrong, check=False)  # nobody looks: all stay as they are
    assert np.array_equal(on_gpu.observations.copy_to_host(), before)
    assert not on_gpu.ends.copy_to_host().any()
""")

CASES = [
    ("deluxe", ["base"], 3, ["greedy"]),
    ("neue_stadt", None, 2, None),
]


@pytest.mark.slow
@pytest.mark.parametrize(("edition", "sets", "players", "opponents"), CASES)
def test_a_gpu_steps_the_same_games(
    edition: str, sets: list[str] | None, players: int, opponents: list[str] | None
) -> None:
    program = STEP.format(edition=edition, sets=sets, players=players, opponents=opponents)
    environment = {**os.environ, "NUMBA_ENABLE_CUDASIM": "1"}
    run = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stdout + run.stderr


def test_without_a_gpu_a_sentence_says_so() -> None:
    from dicetown import Ruleset
    from dicetown.envs.core.batch import Table
    from dicetown.envs.gpu.batch import GpuBatch
    from dicetown.playout.gpu.games import GpuError

    with pytest.raises(GpuError, match=r"numba-cuda|no CUDA GPU"):
        GpuBatch(Table.of(Ruleset("deluxe", sets=["base"]), 2), 4)
