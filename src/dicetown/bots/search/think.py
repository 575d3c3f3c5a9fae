"""Thinking: candidates are tried out in playouts, and the weaker half is dropped, again and again.

Sequential halving spends the budget where it matters: all candidates get a first look, and the longer the
thinking goes on, the fewer are compared, the more closely. Each core grows a tree of its own; what they saw
is added up. With a budget of playouts the answer follows from the seed; with a budget of time it depends on
how fast the machine is, and on what was seen of the position before, in thinking about earlier ones.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from math import ceil, log2, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dicetown.bots.learning.nets import net_for
from dicetown.bots.mind import MIND
from dicetown.bots.roster import minds_for
from dicetown.bots.rules.choose import choose_as
from dicetown.bots.search.main_line import Step, follow
from dicetown.bots.search.recognise import recognise
from dicetown.bots.search.regrowth import FURTHEST, NOWHERE, find_position
from dicetown.bots.search.tree import LONGEST_PATH, NODE, PLAN, grow
from dicetown.bots.view import View
from dicetown.cores import usable_cores
from dicetown.readiness import Say, get_ready
from dicetown.rules.kernel import compiled, is_on_disk
from dicetown.rules.layout import CHOICES, LOG, STATE, new
from dicetown.rules.rng import RNG, halves, seeded
from dicetown.rules.ruleset import Ruleset
from dicetown.rules.tables import tables_for

ABOUT_SECONDS = 90  # to compile
#: A call into compiled code takes about so long, in seconds: between two calls the clock is looked at.
SLICE = 0.008
FIRST_SLICE = 8  # playouts of each candidate, before the speed is known
#: A candidate that is so many standard errors ahead of all others needs no more thinking, …
CLEARLY = 4.0
#: … which is looked for so many times between two halvings, where playouts are counted.
PAUSES = 4
#: So many standard errors an action must be better than the playout policy's own choice to replace it.
DOUBT = 1.0
#: Before that is believed, it must have been looked at so often.
OFTEN = 400


@dataclass(frozen=True)
class Manner:
    """How to think."""

    seconds: float = 1.0
    playouts: int = 0  # a budget that does not depend on the clock; 0: time counts
    enough: int = 0  # playouts after which no more time is taken, though there is some left; 0: all is used
    threads: int = 0  # 0: one for each core
    rounds: int = -1  # rounds that a playout goes on before it is judged; -1: to the end
    policy: str = "greedy"  # the bot that plays playouts
    deepest: int = LONGEST_PATH  # moves of the tree; 2 is no tree at all
    explore: float = 0.15
    widen: float = 0.4
    widen_power: float = 0.35
    room: int = 400_000  # nodes of each tree
    recognises: bool = True  # opponents who follow a known strategy

    @property
    def cores(self) -> int:
        """How many threads think."""
        return self.threads or usable_cores()


@dataclass(frozen=True)
class Candidate:
    """What thinking found out about an action."""

    action: int
    visits: int
    worth: tuple[float, ...]  # each player's chance to win after it
    error: float  # the standard error of the thinker's own chance


@dataclass(frozen=True)
class Thought:
    """What thinking came to: the best candidate first."""

    seat: int
    candidates: list[Candidate]
    playouts: int
    seconds: float
    view: View = field(repr=False)
    tree: Tree = field(repr=False)  # of the first core; it is another one once the thinker thinks again

    @property
    def best(self) -> Candidate:
        """The action to take."""
        return self.candidates[0]

    def main_line(self) -> list[Step]:
        """How the game is most expected to go on; to be asked before the thinker thinks again."""
        return follow(self.tree.nodes, int(self.tree.plan["root"][0]), self.view, self.best.action)


def ready(say: Say | None = None) -> None:
    """Make thinking ready, saying so first if that takes a while."""
    get_ready("the search", ABOUT_SECONDS, grow, find_position, say=say)


def is_ready() -> bool:
    """Whether the compiled search is on disk already."""
    return is_on_disk(grow) and is_on_disk(find_position)


class Tree:
    """A tree and what a thread needs to grow it."""

    def __init__(self, ruleset: Ruleset, players: int, manner: Manner) -> None:
        self.tables = tables_for(ruleset, players)
        self.players = players
        self.nodes = np.zeros(manner.room, NODE)
        self.plan = np.zeros(1, PLAN)
        self.states = np.zeros(2, STATE)
        self.minds = np.zeros(players, MIND)
        self._net = net_for(ruleset).array
        self._records = [new(layout).array for layout in (LOG, CHOICES, CHOICES, RNG)]
        self._path, self._worth = np.zeros(LONGEST_PATH, np.int64), np.zeros(players)
        self._trail, self._next_child = np.zeros(FURTHEST, STATE), np.zeros(FURTHEST, np.int64)
        for name in ("explore", "widen", "widen_power", "deepest"):
            self.plan[name] = getattr(manner, name)

    def plant(self, state: Any, minds: NDArray[Any], horizon: int) -> None:
        """Begin a new tree at a position."""
        self.states[1] = state.array[0]
        self.minds[:] = minds
        self.plan["horizon"] = horizon
        self.plan["root"], self.plan["used"] = 0, 1
        self.nodes[0] = np.zeros((), NODE)

    def follow(self, state: Any, minds: NDArray[Any]) -> bool:
        """Go on from a position that the tree has reached already; False if it has not, or is too full."""
        same_seat = int(self.states[1]["turn"]) == int(state.turn)
        is_roomy = int(self.plan["used"][0]) < len(self.nodes) // 2
        if not (same_seat and is_roomy and (self.minds == minds).all()):
            return False
        self._trail[0] = self.states[1]
        quiet, choices = self._records[0][0], self._records[1][0]
        found = compiled(find_position)(
            self.tables.array[0], self._trail, quiet, choices, self.nodes, self._next_child,
            int(self.plan["root"][0]), state.array[0],
        )  # fmt: skip
        if found == NOWHERE:
            return False
        self.plan["root"] = found
        self.states[1] = state.array[0]
        return True

    def usual_action(self, view: View) -> int:
        """What the playout policy would do in a position."""
        records = (view.tables.array[0], view.state.array[0], view.choices.array[0], seeded(0).array[0])
        return int(compiled(choose_as)(self.minds[view.seat], *records))

    def grow(self, candidates: Sequence[int], seed: int, first: int, playouts: int) -> None:
        """Look at each candidate so many times; the interpreter's lock is free meanwhile."""
        run = compiled(grow)
        records = [record[0] for record in self._records]
        for action in candidates:
            run(
                self.tables.array[0], self.states, *records, self.minds, self.plan[0], self._net[0],
                self.nodes, self._path, self._worth, action, *halves(seed), first, playouts,
            )  # fmt: skip

    def seen(self) -> dict[int, tuple[int, NDArray[np.float64], float]]:
        """For each candidate so far: visits, what they were worth to all, and the thinker's squares."""
        found = {}
        child = int(self.nodes[int(self.plan["root"][0])]["child"])
        while child:
            node = self.nodes[child]
            found[int(node["move"])] = (
                int(node["visits"]),
                node["worth"][: self.players].copy(),
                float(node["squares"]),
            )
            child = int(node["sibling"])
        return found


class Thinker:
    """A thinker: asked about one position after the other."""

    def __init__(self, manner: Manner) -> None:
        self.manner = manner
        self.trees: list[Tree] = []
        self._game: tuple[Ruleset, int] | None = None

    def think(self, view: View, seed: int, hasty: bool = False) -> Thought:
        """Compare the legal actions of a position; who is hasty stops as soon as one is clearly the best."""
        begun = time.perf_counter()
        self._sit_down(view)
        actions = sorted(view.choices.action[: view.choices.count].tolist())
        with ThreadPoolExecutor(len(self.trees)) as pool:
            usual = self.trees[0].usual_action(view)
            halving = _Halving(self.trees, pool, actions, usual, view.seat, seed, self.manner, begun, hasty)
            halving.run()
        seconds = time.perf_counter() - begun
        return Thought(view.seat, halving.ranking(), halving.playouts, seconds, view, self.trees[0])

    def _sit_down(self, view: View) -> None:
        """Trees for this ruleset, planted at this position."""
        if self._game != (view.ruleset, view.players):
            ready()  # all of it: who loads a part of it only at a second decision is late there
            self.trees = [Tree(view.ruleset, view.players, self.manner) for _ in range(self.manner.cores)]
            self._game = view.ruleset, view.players
        minds = expected_minds(view, self.manner)
        horizon = self.manner.rounds * view.players if self.manner.rounds >= 0 else -1
        for tree in self.trees:
            # With a budget of playouts an answer shall follow from position and seed alone.
            if self.manner.playouts or not tree.follow(view.state, minds):
                tree.plant(view.state, minds, horizon)


def expected_minds(view: View, manner: Manner) -> NDArray[Any]:
    """How everybody is expected to play on: by the policy, or by the strategy they seem to follow."""
    minds = minds_for([manner.policy] * view.players, view.ruleset)
    if manner.recognises:
        for seat in range(view.players):
            if seat != view.seat and (script := recognise(view, seat)) is not None:
                minds[seat] = script.mind(view.ruleset).array[0]
    return minds


class _Halving:
    """One sequential halving: what is still compared, and what was seen so far."""

    def __init__(
        self,
        trees: list[Tree],
        pool: ThreadPoolExecutor,
        actions: list[int],
        usual: int,
        seat: int,
        seed: int,
        manner: Manner,
        begun: float,
        hasty: bool,
    ) -> None:
        self.usual = usual  # what the playout policy would do
        self.trees, self.pool, self.seat, self.seed, self.manner = trees, pool, seat, seed, manner
        self.actions = actions  # still compared, the best first once they have been looked at
        self.dropped: list[int] = []  # the latest first
        self.begun, self.hasty = begun, hasty
        self.playouts = 0
        self._looks = 0
        self._is_clear = False
        self._per_look = 0.0  # seconds that one look at one candidate takes
        self._rounds = max(1, ceil(log2(len(actions))))

    def run(self) -> None:
        """Halve the candidates until one is left or clearly best; the last comparison gets the rest."""
        for number in range(self._rounds):
            if self.manner.playouts:
                self._look_often(self.manner.playouts // (self._rounds * len(self.actions) * len(self.trees)))
            else:
                share = (number + 1) / self._rounds
                self._look_until(self.begun + self.manner.seconds * share, int(self.manner.enough * share))
            if self._is_settled:
                return
            if number < self._rounds - 1:
                keep = (len(self.actions) + 1) // 2
                self.dropped = self.actions[keep:] + self.dropped
                self.actions = self.actions[:keep]

    def _look_often(self, looks: int) -> None:
        """So many looks at each candidate on each core."""
        looks = max(1, looks)
        for part in range(PAUSES):
            if more := looks * (part + 1) // PAUSES - looks * part // PAUSES:
                self._look(more)
                if self._is_settled:
                    return

    def _look_until(self, deadline: float, enough: int) -> None:
        """Look again and again until the time is up, or enough has been seen; at least once."""
        while True:
            left = deadline - time.perf_counter()
            if self._looks and left <= self._per_look * len(self.actions):
                return
            if self._per_look:
                looks = int(min(SLICE, left) / (self._per_look * len(self.actions)))
            else:
                looks = 1 if left < SLICE else FIRST_SLICE
            if enough:
                looks = min(looks, (enough - self.playouts) // (len(self.actions) * len(self.trees)))
                if looks < 1 and self._looks:
                    return
            begun = time.perf_counter()
            looks = max(1, looks)
            self._look(looks)
            self._per_look = (time.perf_counter() - begun) / (looks * len(self.actions))
            if self._is_settled:
                return

    @property
    def _is_settled(self) -> bool:
        """Whether one is clearly the best already, for who wants to know no more than that."""
        return self.hasty and self._is_clear

    def _look(self, looks: int) -> None:
        """All cores look at all candidates, each with luck of its own; the best is first then."""
        jobs = [
            self.pool.submit(tree.grow, self.actions, self.seed, self._looks + number * looks, looks)
            for number, tree in enumerate(self.trees)
        ]
        for job in jobs:
            job.result()
        self._looks += looks * len(self.trees)
        self.playouts += looks * len(self.trees) * len(self.actions)
        self._rank()

    def _candidates(self) -> dict[int, Candidate]:
        """What all cores together have seen of every action."""
        everything = [tree.seen() for tree in self.trees]
        found = {}
        for action in [*self.actions, *self.dropped]:
            views = [seen[action] for seen in everything if action in seen]
            visits = sum(view[0] for view in views)
            worth = sum((view[1] for view in views), np.zeros(self.trees[0].players)) / max(1, visits)
            mine = float(worth[self.seat])
            scatter = max(0.0, sum(view[2] for view in views) / max(1, visits) - mine * mine)
            found[action] = Candidate(action, visits, tuple(worth.tolist()), sqrt(scatter / max(1, visits)))
        return found

    def _rank(self) -> None:
        """The best first; of equal ones that with the lower number, so that the order is settled."""
        seen = self._candidates()
        self.actions.sort(key=lambda action: (-self._merit(seen[action], seen.get(self.usual)), action))
        self._is_clear = self._leads_clearly([seen[action] for action in self.actions])

    def _merit(self, candidate: Candidate, usual: Candidate | None) -> float:
        """How good an action looks; what is not clearly better than the usual one shall not replace it.

        The usual action gets the benefit of the doubt, or noise would often choose a worse one.
        """
        if usual is None or candidate is usual:
            return candidate.worth[self.seat]
        doubt = sqrt(candidate.error**2 + usual.error**2)
        return candidate.worth[self.seat] - DOUBT * doubt

    def _leads_clearly(self, candidates: list[Candidate]) -> bool:
        """Whether the first is so far ahead that more thinking would change nothing."""
        first, *others = candidates
        if first.visits < OFTEN or not others:
            return not others
        lead = first.worth[self.seat]
        return all(
            lead - one.worth[self.seat] > CLEARLY * sqrt(first.error**2 + one.error**2) for one in others
        )

    def ranking(self) -> list[Candidate]:
        """All candidates: those still compared, and then those dropped last to first."""
        return list(self._candidates().values())
