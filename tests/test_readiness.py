"""Compiled code that is there already is not waited for, and what is waited for is announced."""

import os
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest

from dicetown.envs.core.steps import begin_games
from dicetown.rules import kernel


def run(program: str, folder: Path) -> str:
    """Run a program that finds its compiled code in a folder; what it said aside."""
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(folder)}
    command = [sys.executable, "-c", dedent(program)]
    ran = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return ran.stderr


def test_compiling_is_announced_once_on_a_machine(tmp_path: Path) -> None:
    program = """
        from dicetown.readiness import get_ready, say_aside
        from dicetown.rules.rng import multiply_high

        for _ in range(2):
            get_ready("the dice", 1, multiply_high, say=say_aside)
        """
    assert run(program, tmp_path) == "Compiling the dice (once, about 1 s) …\n"
    assert run(program, tmp_path) == ""


def test_code_compiled_from_other_sources_does_not_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kernel, "_twins", {})
    monkeypatch.setattr(kernel, "cache_folder", lambda: tmp_path)
    for folder, ready in [("envs-0123456789abcdef", False), (f"envs-{kernel._fingerprint('envs')}", True)]:
        (tmp_path / folder / "envs_1").mkdir(parents=True)
        (tmp_path / folder / "envs_1" / "steps.begin_games-200.py311.1.nbc").touch()
        assert kernel.is_on_disk(begin_games) is ready


def test_only_kernels_can_be_ready() -> None:
    with pytest.raises(TypeError, match="is not a kernel"):
        kernel.is_on_disk(print)
