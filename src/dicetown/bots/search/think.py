"""Thinking: what the champion likes and foresees, tried out in playouts.

Every action begins with what is foreseen after it, which counts as much as a few playouts. Those that look
best, by their worth and by how much the network likes them, are played out, and the weaker half is dropped,
again and again: sequential halving spends the budget where it matters. With a budget of playouts the answer
follows from position and seed, to rounding; with one of time it depends on how fast the machine is.
"""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import pairwise
from math import ceil, log2, sqrt

import numpy as np
from numpy.typing import NDArray

from dicetown.bots.encode import encode
from dicetown.bots.learning.champion import Champion, champion_at
from dicetown.bots.learning.foresight import after_each
from dicetown.bots.learning.unfold import unfold
from dicetown.bots.search.main_line import Step, expect
from dicetown.bots.search.playouts import Playouts, play_on
from dicetown.bots.view import View
from dicetown.cores import usable_cores
from dicetown.readiness import Say, get_ready
from dicetown.rules.kernel import is_on_disk
from dicetown.sight.write import seen_from

ABOUT_SECONDS = 30  # to compile
#: Playouts in step, of all actions on all cores together: as many as make good use of them.
IN_STEP = 256
#: What is foreseen counts for so many playouts, …
FORESEEN = 24
#: … which would scatter so much.
SCATTER = 0.1
#: What it counts for that the network likes an action by one more in its scores, where all is open.
LIKING = 0.002
#: So many actions are played out at most, …
WIDE = 8
#: … and of these, by who only has to choose, none that looks worse than the best by more, where all is open.
REACH = 0.04
#: An action that is so many standard errors ahead of all others needs no more thinking.
CLEARLY = 4.0


@dataclass(frozen=True)
class Manner:
    """How to think."""

    seconds: float = 1.0
    playouts: int = 0  # a budget that does not depend on the clock; 0: time counts
    enough: int = 0  # playouts after which no more time is taken, though there is some left; 0: all is used
    threads: int = 0  # 0: one for each core
    rounds: int = 4  # that a playout goes on before it is judged; -1: to the end

    @property
    def cores(self) -> int:
        """How many threads think."""
        return self.threads or usable_cores()


@dataclass(frozen=True)
class Candidate:
    """What thinking found out about an action."""

    action: int
    visits: int  # playouts; with none it is foreseen only
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

    @property
    def best(self) -> Candidate:
        """The action to take."""
        return self.candidates[0]

    def main_line(self) -> list[Step]:
        """How the game is most expected to go on."""
        return expect(self.view, self.best.action)


def ready(say: Say | None = None) -> None:
    """Make thinking ready, saying so first if that takes a while."""
    get_ready("the search", ABOUT_SECONDS, play_on, unfold, say=say)


def is_ready() -> bool:
    """Whether the compiled search is on disk already."""
    return is_on_disk(play_on) and is_on_disk(unfold)


class Thinker:
    """A thinker: asked about one position after the other, none of which it remembers."""

    def __init__(self, manner: Manner) -> None:
        self.manner = manner

    def think(self, view: View, seed: int, hasty: bool = False) -> Thought:
        """Compare the legal actions of a position; who is hasty stops as soon as one is clearly the best."""
        begun = time.perf_counter()
        champion = champion_at(view.ruleset, view.players)  # where it refuses a table, nothing is compiled
        ready()
        halving = _Halving(view, champion, self.manner, seed, begun, hasty)
        halving.run()
        seconds = time.perf_counter() - begun
        return Thought(view.seat, halving.ranking(), halving.playouts, seconds, view)


class _Seen:
    """What is known of an action so far."""

    def __init__(self, action: int, foreseen: tuple[float, ...], liking: float) -> None:
        self.action, self.liking = action, liking
        self.visits = 0
        self._sum = np.array(foreseen) * FORESEEN
        self._squares = (np.array(foreseen) ** 2 + SCATTER**2) * FORESEEN

    def add(self, chances: NDArray[np.float64]) -> None:
        """Some playouts more: a row for each, a column for each player."""
        self.visits += len(chances)
        self._sum += chances.sum(axis=0)
        self._squares += (chances**2).sum(axis=0)

    @property
    def worth(self) -> NDArray[np.float64]:
        """Everybody's chances to win after it."""
        return np.asarray(self._sum / (FORESEEN + self.visits))

    def merit(self, seat: int) -> float:
        """How good it looks to a player: its worth, and the network's liking as far as all is open."""
        return float(self.worth[seat]) + LIKING * self.liking * self.openness(seat)

    def openness(self, seat: int) -> float:
        """How open it is whether a player wins: 1 if both are equally likely, 0 if it is certain."""
        worth = float(self.worth[seat])
        return 4 * worth * (1 - worth)

    def error(self, seat: int) -> float:
        """The standard error of a player's chance."""
        weight = FORESEEN + self.visits
        scatter = self._squares[seat] / weight - self.worth[seat] ** 2
        return sqrt(max(0.0, float(scatter)) / weight)


class _Halving:
    """One sequential halving: what is still compared, and what was seen so far."""

    def __init__(
        self, view: View, champion: Champion, manner: Manner, seed: int, begun: float, hasty: bool
    ) -> None:
        self.seat, self.seed, self.manner, self.begun, self.hasty = view.seat, seed, manner, begun, hasty
        self._games = Playouts(champion, view.state, manner.rounds)
        self._compared = _first_look(view, champion)
        self._sort()
        self._dropped = self._compared[self._width() :]  # the latest first
        self._compared = self._compared[: self._width()]
        self.playouts = 0
        self._looks = 0
        self._per_playout = 0.0  # seconds

    def _width(self) -> int:
        """How many actions are worth playing out; who wants to know no more than the best leaves more out."""
        if not self.hasty:
            return WIDE
        best = self._compared[0]
        least = best.merit(self.seat) - REACH * best.openness(self.seat)
        return sum(one.merit(self.seat) >= least for one in self._compared[:WIDE])

    def run(self) -> None:
        """Halve the candidates until one is left or clearly best; the last comparison gets the rest."""
        if len(self._compared) == 1 and self.hasty:
            return
        rounds = max(1, ceil(log2(len(self._compared))))
        with ThreadPoolExecutor(self.manner.cores) as pool:
            for number in range(1, rounds + 1):
                while count := self._next_count(number / rounds):
                    self._look(pool, count)
                    if self.hasty and self._leads_clearly():
                        return
                if number < rounds:
                    keep = (len(self._compared) + 1) // 2
                    self._dropped = self._compared[keep:] + self._dropped
                    self._compared = self._compared[:keep]

    def _next_count(self, share: float) -> int:
        """Playouts of each candidate in the next look; 0 when that share of the budget is spent."""
        width = len(self._compared)
        count = max(1, IN_STEP // width)
        if most := self.manner.playouts or self.manner.enough:
            count = min(count, (int(most * share) - self.playouts) // width)
        if not self.manner.playouts:
            left = self.begun + self.manner.seconds * share - time.perf_counter()
            if self._per_playout:
                count = min(count, int(left / (self._per_playout * width)))
            else:
                count = min(count, max(1, IN_STEP // (8 * width)))  # the speed is not known yet
        return max(count, 0)

    def _look(self, pool: ThreadPoolExecutor, count: int) -> None:
        """Play all candidates out, with the same luck, on all cores; the best is first then."""
        begun = time.perf_counter()
        actions, cores = [one.action for one in self._compared], min(self.manner.cores, count)
        ends = [self._looks + count * core // cores for core in range(cores + 1)]
        jobs = [
            pool.submit(self._games.run, actions, self.seed, first, last - first)
            for first, last in pairwise(ends)
        ]
        found = np.concatenate([job.result() for job in jobs], axis=1)
        for one, chances in zip(self._compared, found, strict=True):
            one.add(chances)
        self._looks += count
        self.playouts += count * len(actions)
        self._per_playout = (time.perf_counter() - begun) / (count * len(actions))
        self._sort()

    def _sort(self) -> None:
        """The best first; of equal ones that with the lower number, so that the order is settled."""
        self._compared.sort(key=lambda one: (-one.merit(self.seat), one.action))

    def _leads_clearly(self) -> bool:
        """Whether the first is so far ahead that more thinking would change nothing."""
        first, *others = self._compared
        lead = first.merit(self.seat)
        return all(
            lead - one.merit(self.seat)
            > CLEARLY * sqrt(first.error(self.seat) ** 2 + one.error(self.seat) ** 2)
            for one in others
        )

    def ranking(self) -> list[Candidate]:
        """All candidates: those still compared, and then those dropped last to first."""
        return [
            Candidate(one.action, one.visits, tuple(one.worth.tolist()), one.error(self.seat))
            for one in [*self._compared, *self._dropped]
        ]


def _first_look(view: View, champion: Champion) -> list[_Seen]:
    """Every legal action: what is foreseen after it, and how much less than the best the network likes it."""
    observation, mask = encode(view)
    scores = champion.scores(observation[None], mask[None])[0]
    sight, best = champion.spec.sight, float(scores.max())

    def liking(action: int) -> float:
        return float(scores[int(sight.number[seen_from(view.tables, view.seat, action)])]) - best

    return [_Seen(action, chances, liking(action)) for action, chances in after_each(view).items()]
