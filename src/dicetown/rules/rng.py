"""Random numbers by counting: Philox4x32-10.

The n-th number of game g under seed s is a function of (s, g, n) alone, so a game is the same on
every backend, in any order and on any number of threads. All arithmetic stays within what Python's
and Numba's integers agree on: only the low 32 bits of each half of a product are ever used.

Algorithm: Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3" (SC 2011).
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

from dicetown.rules.kernel import kernel, name_record
from dicetown.rules.layout import new

_LOW = 0xFFFFFFFF
_MULTIPLIER_A = 0xD2511F53
_MULTIPLIER_B = 0xCD9E8D57
_WEYL_A = 0x9E3779B9
_WEYL_B = 0xBB67AE85

#: Fields are 64 bits wide and hold 32-bit words: mixing signed and unsigned would give floats.
RNG = np.dtype(
    [
        ("seed_low", "i8"),
        ("seed_high", "i8"),
        ("game_low", "i8"),
        ("game_high", "i8"),
        ("block", "i8"),
        ("left", "i8"),
        ("words", "i8", 4),
    ],
    align=True,
)

Rng: TypeAlias = Any
name_record("Rng", RNG)


def seeded(seed: int, game: int = 0) -> Any:
    """The random numbers of one game, from their beginning.

    >>> one, two = seeded(7, 3), seeded(7, 3)
    >>> [below(one, 6) for _ in range(5)] == [below(two, 6) for _ in range(5)]
    True
    """
    rng = new(RNG)
    start(rng, *halves(seed), game)
    return rng


def halves(seed: int) -> tuple[int, int]:
    """A seed as the two 32-bit words that kernels take, the low one first.

    >>> halves((3 << 32) + 7)
    (7, 3)
    """
    return seed & _LOW, (seed >> 32) & _LOW


@kernel
def start(rng: Rng, seed_low: int, seed_high: int, game: int) -> None:
    """Begin the numbers of a game."""
    rng.seed_low = seed_low
    rng.seed_high = seed_high
    rng.game_low = game & _LOW
    rng.game_high = (game >> 32) & _LOW
    rng.block = 0
    rng.left = 0


@kernel
def multiply_high(a: int, b: int) -> int:
    """The upper 32 bits of the product of two 32-bit numbers."""
    return ((a * b) >> 32) & _LOW


@kernel
def next_block(rng: Rng) -> None:
    """Ten rounds of Philox turn the block's number into four words."""
    x0 = int(rng.block) & _LOW
    x1 = int(rng.block) >> 32
    x2 = int(rng.game_low)
    x3 = int(rng.game_high)
    key_a = int(rng.seed_low)
    key_b = int(rng.seed_high)
    for _ in range(10):
        high_a = multiply_high(_MULTIPLIER_A, x0)
        low_a = (_MULTIPLIER_A * x0) & _LOW
        high_b = multiply_high(_MULTIPLIER_B, x2)
        low_b = (_MULTIPLIER_B * x2) & _LOW
        x0, x1, x2, x3 = high_b ^ x1 ^ key_a, low_b, high_a ^ x3 ^ key_b, low_a
        key_a = (key_a + _WEYL_A) & _LOW
        key_b = (key_b + _WEYL_B) & _LOW
    rng.words[0] = x3
    rng.words[1] = x2
    rng.words[2] = x1
    rng.words[3] = x0
    rng.block = int(rng.block) + 1
    rng.left = 4


@kernel
def below(rng: Rng, bound: int) -> int:
    """A number from 0 to bound - 1, each equally likely (to within bound / 2**32)."""
    if rng.left == 0:
        next_block(rng)
    left = int(rng.left) - 1
    rng.left = left
    return multiply_high(int(rng.words[left]), bound)
