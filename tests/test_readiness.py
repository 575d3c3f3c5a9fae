"""Compiled code that is there already is not waited for, and what is waited for is announced."""

import os
import subprocess
import sys
from pathlib import Path
from textwrap import dedent
from types import FunctionType

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
    monkeypatch.setattr(kernel, "cache_root", lambda: tmp_path)
    kernel.cache_folder.cache_clear()
    for state, ready in [("0123456789abcdef", False), (kernel.fingerprint(begin_games), True)]:
        folder = tmp_path / "dicetown.envs.core.steps.begin_games" / state / "whole" / "core_1"
        folder.mkdir(parents=True)
        (folder / "steps.begin_games-200.py311.1.nbc").touch()
        assert kernel.is_on_disk(begin_games) is ready
    kernel.cache_folder.cache_clear()


def test_of_the_states_of_a_kernel_three_stay_on_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kernel, "cache_root", lambda: tmp_path)
    kernel.cache_folder.cache_clear()
    states = tmp_path / "dicetown.envs.core.steps.begin_games"
    for age, state in enumerate(["a", "b", "c", "d"]):
        (states / state).mkdir(parents=True)
        os.utime(states / state, (1000 - age, 1000 - age))
    assert isinstance(begin_games, FunctionType)
    assert kernel._make_room(begin_games).parent == states
    assert sorted(folder.name for folder in states.iterdir()) == ["a", "b"]  # and the one to come
    kernel.cache_folder.cache_clear()


def test_only_kernels_can_be_ready() -> None:
    with pytest.raises(TypeError, match="is not a kernel"):
        kernel.is_on_disk(print)
