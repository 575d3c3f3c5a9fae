"""The bot that plays anything, each legal action equally likely."""

from __future__ import annotations

from dicetown.rules.kernel import kernel
from dicetown.rules.layout import Choices, State, Tables
from dicetown.rules.rng import Rng, below


@kernel(apart=True)
def play_anything(t: Tables, s: State, choices: Choices, rng: Rng) -> int:
    """Any legal action."""
    count = int(choices.count)
    return int(choices.action[below(rng, count) if count > 1 else 0])
