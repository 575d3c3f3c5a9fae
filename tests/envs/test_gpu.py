"""The GPU's batches in Numba's CUDA simulator: number for number the same as the CPU's."""

from textwrap import dedent

import pytest
from tests.simulated_gpu import simulate_gpu

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
        for what in ("observations", "masks", "seats", "payoffs", "ends", "finals", "numbers", "dice"):
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
    run = simulate_gpu(program)
    assert run.returncode == 0, run.stdout + run.stderr


def test_without_a_gpu_a_sentence_says_so() -> None:
    from dicetown import Ruleset
    from dicetown.envs.core.batch import Table
    from dicetown.envs.gpu.batch import GpuBatch
    from dicetown.playout.gpu.games import GpuError

    with pytest.raises(GpuError, match=r"numba-cuda|no CUDA GPU"):
        GpuBatch(Table.of(Ruleset("deluxe", sets=["base"]), 2), 4)


MIXED = dedent("""
    import numpy as np
    from dicetown import Ruleset
    from dicetown.envs.core.batch import Batch, Table
    from dicetown.envs.gpu.mixed import MixedGpuBatch

    tables = [
        Table.of(Ruleset("ciudad", sets=["base"], house={"max_turns": 4}), 2),
        Table.of(Ruleset("deluxe", house={"max_turns": 4}), 3, ["planner", "greedy"]),
    ]
    mixed = MixedGpuBatch([(table, 2) for table in tables], seed=5)
    alone = [Batch(table, 4, seed=5) for table in tables]
    mixed.reset()
    for batch in alone:
        batch.reset()
    ended = 0
    for turn in range(12):
        wanted = np.zeros(4, np.int64)
        for number, batch in enumerate(alone):
            rows, size, actions = slice(2 * number, 2 * number + 2), batch.spec.size, batch.spec.actions
            assert np.array_equal(mixed.observations.copy_to_host()[rows, :size], batch.observations[rows])
            assert np.array_equal(mixed.masks.copy_to_host()[rows, :actions], batch.masks[rows])
            for what in ("seats", "ends", "numbers", "dice"):
                assert np.array_equal(getattr(mixed, what).copy_to_host()[rows], getattr(batch, what)[rows])
            over = np.flatnonzero(batch.ends[rows])
            paid = mixed.payoffs.copy_to_host()[rows][over, : batch.spec.players]
            assert np.array_equal(paid, batch.payoffs[rows][over])
            last = batch.spec.actions - 1 - batch.masks[:, ::-1].argmax(axis=1)
            choice = last if turn % 3 else batch.masks.argmax(axis=1)
            wanted[rows] = choice[rows]
            batch.step(choice)
            ended += int((batch.ends[rows] != 0).sum())
        mixed.step(wanted)
    assert ended, "no game was played to its end"
""")


@pytest.mark.slow
def test_games_of_many_tables_in_one_batch_are_each_the_cpus_own() -> None:
    done = simulate_gpu(MIXED)
    assert done.returncode == 0, done.stderr
