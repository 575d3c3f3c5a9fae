"""Compiled code made ready, and whoever waits for it told: compiling takes a while, once on a machine."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from dicetown.rules.kernel import cache_root, compiled, is_kept, is_on_disk

Say = Callable[[str], None]


def say_aside(message: str) -> None:
    """Say something on stderr, where it disturbs no figures."""
    print(message, file=sys.stderr, flush=True)


def get_ready(what: str, seconds: int, *kernels: Callable[..., Any], say: Say | None) -> bool:
    """Compile kernels, saying so first if that takes a while; whether they were compiled already.

    >>> from dicetown.rules.rng import multiply_high
    >>> already = get_ready("the dice", 1, multiply_high, say=None)
    >>> get_ready("the dice", 1, multiply_high, say=print)  # now there is nothing to wait for, nor to say
    True
    """
    was_there = all(is_on_disk(kernel) for kernel in kernels)
    if say is not None and not was_there:
        say(f"Compiling {what} (once, about {seconds} s) …")
    for kernel in kernels:
        compiled(kernel)
    if say is not None and not was_there and not all(is_kept(kernel) for kernel in kernels):
        say(f"{cache_root()}: what was compiled cannot be kept there, and is compiled again each time.")
    return was_there
