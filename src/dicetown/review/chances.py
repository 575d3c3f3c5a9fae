"""How the chances stood in every position of a game: first at a glance, then thought about where it matters.

At a glance the champion's network compares what was done with what else could have been done. Where that is
close, or something else seems better, a bot thinks about the two: with the same luck for both, and luck that
has not chosen them.

Each position is thought about by one core with a seed of its own, and several positions at a time; so with a
budget of playouts a review comes out the same on any machine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from queue import SimpleQueue
from typing import TypeAlias

from dicetown.bots.roster import find_bot
from dicetown.bots.search.bots import ThinkingBot
from dicetown.bots.view import View
from dicetown.cores import usable_cores
from dicetown.game.notation import Action
from dicetown.review.advice import Option, make_thinker, options_of
from dicetown.review.glance import Few, favourites_and, glance_at_all
from dicetown.review.replay import Replayed

Progress = Callable[[int, int], None]
#: For each position in which somebody had to decide its actions, the best first.
Estimates: TypeAlias = list[list[Option]]
#: Who thinks if nobody says otherwise: its standard errors are some tenths of a point. One round tells two
#: actions apart well enough; who has to choose by it looks further.
USUAL_BOT, USUAL_PLAYOUTS = "search:rounds=1", 800
#: What was done is thought about unless it seems better than anything else by more than this.
CLOSE = 0.05


def estimate_at_a_glance(replayed: Replayed) -> Estimates:
    """What the network sees of what was done and of what it likes; a table it does not know is refused."""
    return _glance(replayed, favourites_and)


def estimate(replayed: Replayed, bot: str, seed: int = 0, progress: Progress | None = None) -> Estimates:
    """What the network sees of all actions, and what a bot thinks where that needs thought."""
    found = _glance(replayed, lambda views, taken: views)
    views, taken = replayed.views, replayed.taken
    rivals = {k: rival_of(found[k], done, views[k].seat) for k, done in enumerate(taken) if done is not None}
    hard = {k: rival for k, rival in rivals.items() if rival is not None}
    for k, pair in _think(views, taken, hard, bot, seed, progress):
        others = [option for option in found[k] if option.action not in (hard[k], taken[k])]
        found[k] = [*pair, *others]
    return _carry_on(replayed, found)


def _glance(replayed: Replayed, choose: Callable[[list[View], list[Action | None]], list[View]]) -> Estimates:
    views, taken, carried = replayed.views, replayed.taken, replayed.carried
    looked_at = [k for k in range(len(views)) if k not in carried]
    chosen = choose([views[k] for k in looked_at], [taken[k] for k in looked_at])
    seen = dict(zip(looked_at, glance_at_all(chosen), strict=True))
    return _carry_on(replayed, [seen.get(k, []) for k in range(len(views))])


def rival_of(options: Sequence[Option], done: Action, seat: int) -> Action | None:
    """What seems better than what was done, or nearly as good; None where nothing does."""
    rival = next((option for option in options if option.action != done), None)
    if rival is None or rival.chances[seat] < find_option(options, done).chances[seat] - CLOSE:
        return None
    return rival.action


def find_option(options: Sequence[Option], action: Action) -> Option:
    """The option that an action was."""
    return next(option for option in options if option.action == action)


def _carry_on(replayed: Replayed, estimates: Estimates) -> Estimates:
    """Where a decision left only one thing to do, that has the chances which the decision led to."""
    for k in replayed.carried:
        led_here = replayed.taken[k - 1]
        assert led_here is not None
        before = find_option(estimates[k - 1], led_here)
        estimates[k] = [replace(before, action=action) for action in replayed.views[k].legal_actions]
    return estimates


def _think(
    views: Sequence[View],
    taken: Sequence[Action | None],
    rivals: Mapping[int, Action],
    bot: str,
    seed: int,
    progress: Progress | None,
) -> Iterator[tuple[int, list[Option]]]:
    """What was done and its rival as a bot sees them, for some positions by their numbers."""
    workers = min(usable_cores(), max(1, len(rivals)))
    idle: SimpleQueue[ThinkingBot] = SimpleQueue()
    for _ in range(workers):
        idle.put(_alone(bot))

    def think(number: int) -> list[Option]:
        done = taken[number]
        assert done is not None
        thinker = idle.get()
        try:
            return compare(thinker, views[number], [done, rivals[number]], seed + number)
        finally:
            idle.put(thinker)

    pool = ThreadPoolExecutor(workers)
    try:
        for thought, (number, pair) in enumerate(zip(rivals, pool.map(think, rivals), strict=True), start=1):
            if progress is not None:
                progress(thought, len(rivals))
            yield number, pair
    finally:
        pool.shutdown(cancel_futures=True)  # who interrupts does not wait for the rest


def compare(thinker: ThinkingBot, view: View, actions: Sequence[Action], seed: int) -> list[Option]:
    """Some of the legal actions as a bot sees them, the best first: none was looked at more than another."""
    options = options_of(thinker.think(Few.of_view(view, actions), seed))
    return sorted(options, key=lambda option: -option.chances[view.seat])


def _alone(bot: str) -> ThinkingBot:
    """The bot, thinking with one core unless it was told otherwise or cannot be told."""
    can_be_told = "threads" in find_bot(bot.partition(":")[0].strip()).options
    return make_thinker(bot, threads=1 if can_be_told and "threads" not in bot else None)
