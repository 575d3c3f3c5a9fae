"""What is compiled: one program for what Python calls, and parts that only it is made of."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from types import FunctionType

import numba
import pytest
from numba.core.registry import cpu_target

from dicetown.rules import kernel
from dicetown.rules.kernel import compiled
from dicetown.rules.rng import below, seeded

PROGRAM = """
from dicetown.rules import kernel
from dicetown.rules.rng import below

twin = kernel.compiled(below)
print(sum(twin.stats.cache_misses.values()), len(kernel._parts))
"""


def start(folder: Path) -> subprocess.Popen[str]:
    """A process that needs a kernel, and says how often it compiled it, and how many parts it needed."""
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(folder)}
    return subprocess.Popen(
        [sys.executable, "-c", PROGRAM], env=environment, stdout=subprocess.PIPE, text=True
    )


def test_of_processes_that_need_the_same_kernel_one_compiles(tmp_path: Path) -> None:
    read, made = sorted(process.communicate()[0].split() for process in [start(tmp_path), start(tmp_path)])
    assert read == ["0", "0"], "what lies on disk needs no parts"
    assert made[0] == "1"
    assert int(made[1]) > 0


def test_where_nothing_can_be_kept_nobody_waits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("Here should be a folder.")
    monkeypatch.setattr(kernel, "_twins", {})
    monkeypatch.setattr(kernel, "cache_root", lambda: tmp_path / "file")
    kernel.cache_folder.cache_clear()
    assert isinstance(below, FunctionType)
    with kernel._one_process(below):
        assert not kernel.is_on_disk(below)
    kernel.cache_folder.cache_clear()


def test_functions_of_others_are_compiled_whole_after_parts_were_made() -> None:
    """Those of Numba's own functions that a part calls are parts, too, and others may call them."""
    assert isinstance(below, FunctionType)
    kernel._part_of(below)
    assert compiled(below)(seeded(7).array[0], 6) == below(seeded(7), 6)

    @numba.njit
    def larger(number: float, other: int) -> int:
        return max(int(number), other)

    assert larger(numba.int16(3), 2) == larger(numba.int64(3), 2) == 3
    assert cpu_target.target_context.codegen()._library_class.__name__ == "JITCodeLibrary"
