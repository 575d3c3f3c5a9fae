"""Compiling, announced: the commands do it, too; else the first reset would be half a minute of silence."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dicetown.readiness import get_ready, say_aside

ABOUT_SECONDS = 30


def compile_aloud(*kernels: Callable[..., Any]) -> None:
    """Compile what all steps of an environment need, at once, so that none of them waits without a word."""
    get_ready("the environment", ABOUT_SECONDS, *kernels, say=say_aside)
