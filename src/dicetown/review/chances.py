"""How the chances stood: a bot thinks about every position of a game.

Thinking drops weak actions early, after a few playouts, which say little about what somebody has really done.
So what was done is looked at again, beside the best action and as often as that, with fresh luck.

Each position is thought about by one core with a seed of its own, and several positions at a time; so with a
budget of playouts a review comes out the same on any machine.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from queue import SimpleQueue
from typing import Any

from dicetown.bots.roster import find_bot
from dicetown.bots.search.bots import ThinkingBot
from dicetown.bots.view import View
from dicetown.cores import usable_cores
from dicetown.game.notation import Action
from dicetown.review.advice import Option, make_thinker, options_of
from dicetown.rules.layout import CHOICES, new

Progress = Callable[[int, int], None]
#: Added to the seed for the second look: whatever luck chose the best action, this is another.
_FRESH = 1 << 40


def estimate(
    views: Sequence[View],
    taken: Sequence[Action | None],
    bot: str,
    seed: int = 0,
    progress: Progress | None = None,
) -> list[list[Option]]:
    """For each position its legal actions, the best first; ``taken`` is what was done there, if anything."""
    workers = min(usable_cores(), max(1, len(views)))
    idle: SimpleQueue[ThinkingBot] = SimpleQueue()
    for _ in range(workers):
        idle.put(_alone(bot))

    def think(number: int) -> list[Option]:
        thinker = idle.get()
        try:
            return look(thinker, views[number], taken[number], seed + number)
        finally:
            idle.put(thinker)

    pool = ThreadPoolExecutor(workers)
    try:
        found: list[list[Option]] = []
        for options in pool.map(think, range(len(views))):
            found.append(options)
            if progress is not None:
                progress(len(found), len(views))
        return found
    finally:
        pool.shutdown(cancel_futures=True)  # who interrupts does not wait for the rest


def look(thinker: ThinkingBot, view: View, taken: Action | None, seed: int) -> list[Option]:
    """The options of a position; what was done has been compared with the best on equal terms."""
    options = options_of(thinker.think(view, seed))
    best = options[0].action
    if taken is None or taken == best:
        return options
    pair = Pair(view.ruleset, view.players, view.state, best, taken)
    rest = [option for option in options[1:] if option.action != taken]
    return options_of(thinker.think(pair, seed + _FRESH)) + rest


@dataclass(frozen=True, eq=False)
class Pair(View):
    """A position in which only two of the legal actions are compared."""

    one: Action
    other: Action

    @cached_property
    def choices(self) -> Any:
        """The two actions as kernels read them."""
        choices = new(CHOICES)
        choices.action[:2] = self.one.number, self.other.number
        choices.count = 2
        return choices


def _alone(bot: str) -> ThinkingBot:
    """The bot, thinking with one core unless it was told otherwise or cannot be told."""
    can_be_told = "threads" in find_bot(bot.partition(":")[0].strip()).options
    return make_thinker(bot, threads=1 if can_be_told and "threads" not in bot else None)
