"""Who thinks: bots that choose, hints, odds and what cards are worth, each in a process of its own.

Bots that follow rules are quick, and so is a glance at a position. Thinking needs compiled code, which the
first has to wait for: about a minute on a machine that has not compiled it before. A service compiles it
before anybody asks, and what is seen at a glance must do meanwhile.

A game waits for a bot's move, a person for a hint, and hardly anybody for a review. So moves, hints and
reviews have processes of their own, and what is more urgent gets more of the machine's time; where two share
one, the more urgent is always next. Among those who wait for the same, everybody has a turn.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from functools import cache
from random import Random
from secrets import randbits
from typing import Any, NamedTuple

import msgspec
import structlog

from dicetown.bots.roster import make_bot
from dicetown.bots.search.bots import ThinkingBot
from dicetown.bots.search.think import ready
from dicetown.bots.seats import is_own, seat_bot, stand_in
from dicetown.cores import usable_cores
from dicetown.errors import BotError
from dicetown.game import Game
from dicetown.review.advice import advise, make_thinker
from dicetown.review.chances import USUAL_BOT, USUAL_PLAYOUTS
from dicetown.review.review import review as look_back
from dicetown.review.review import review_at_a_glance
from dicetown.server import wire
from dicetown.server.common.fair_line import Asker, Capacity
from dicetown.server.common.settings import Limits
from dicetown.server.view import forecast
from dicetown.server.workers.hints import first_hint, load_network, thoughtful_hint
from dicetown.server.workers.jobs import (
    HEAVY_SECONDS,
    QUICK_SECONDS,
    REVIEW_SECONDS,
    WARMING_SECONDS,
    AnyJob,
    Choose,
    FirstHint,
    FirstReview,
    Odds,
    ThoughtfulHint,
    ThoughtfulReview,
    Worth,
)
from dicetown.server.workers.processes import Errand, HowFar, Workers, WorkFailed, tell_progress
from dicetown.server.workers.snapshot import Snapshot

#: Who decides for people who are gone or out of time, and for bots that fail.
STAND_IN = stand_in()
#: Who is asked for hints, and how long it thinks.
ADVISER, ADVISER_SECONDS = "search", 1.0
#: Who reviews games.
REVIEWER = f"{USUAL_BOT}:playouts={USUAL_PLAYOUTS}"

#: Who is told that something is begun, and how to find out how far it is.
Begun = Callable[[HowFar], None]

_PREPARING_SECONDS = 1800.0  # on a machine that is busy with other things
_SEED_BITS = 63
_SERVICE = Asker("", "")  # the service itself asks
_log: Any = structlog.get_logger("dicetown")


class NoChances(WorkFailed):
    """Nobody knows the chances to win at a table."""


class _Plan(NamedTuple):
    """Who does a job, and what that is in their process."""

    workers: Workers
    seconds: float
    task: Callable[..., Any]
    arguments: tuple[Any, ...]
    first: float = 0.0
    rank: int = 0


def tell_nobody(how_far: HowFar) -> None:
    """Nobody wants to know."""


class Thinkers:
    """The processes that think for all tables; of each kind of thoughts so many at a time."""

    def __init__(
        self, brought: Mapping[str, str] | None = None, limits: Limits | None = None, at_once: int = 1
    ) -> None:
        self._brought = brought or {}  # names of bots, and what they stand for
        allowed = limits or Limits()
        moves, hints = Capacity(*allowed.moves_waiting), Capacity(*allowed.hints_waiting)
        odds, reviews = Capacity(*allowed.odds_waiting), Capacity(*allowed.reviews_waiting)
        # Whoever is as nice as the service keeps its event loop from the processor for tens of milliseconds.
        self._quick = Workers(max(at_once, min(4, usable_cores() - 1)), moves, niceness=10)
        self._heavy = Workers(at_once, moves, niceness=12)
        # Who makes reviews may be at one for a minute, so first pictures of games are not made there.
        self._adviser = Workers(at_once, hints, reviews, niceness=14)
        # Odds come when there is time for them; somebody waits for a first hint.
        self._aside = Workers(at_once, hints, odds, niceness=15)
        self._reviewer = Workers(at_once, reviews, niceness=19)
        self._preparing: asyncio.Task[None] | None = None
        self._loading: asyncio.Task[None] | None = None
        self._noted: set[str] = set()  # why there are no chances to win

    # ----------------------------------------------------------------- what can be asked

    async def choose(self, bot: str, position: Snapshot, asker: Asker) -> str:
        """What a bot does; a :class:`~dicetown.server.workers.processes.WorkFailed` if it does nothing
        sensible.
        """
        action: str = await self.think(Choose(bot, position, randbits(_SEED_BITS)), asker)
        return action

    async def first_hint(self, position: Snapshot, language: str, asker: Asker) -> wire.Hint:
        """What can be said about a position at a glance."""
        hint: wire.Hint
        hint, problem = await self.think(FirstHint(position, language), asker)
        if problem is not None:
            self._note(problem)
        return hint

    async def hint(self, position: Snapshot, language: str, asker: Asker) -> wire.Hint:
        """What the adviser says about a position once it has thought about it."""
        hint: wire.Hint = await self.think(ThoughtfulHint(position, language), asker)
        return hint

    async def odds(self, position: Snapshot, moves: int, asker: Asker) -> bytes:
        """What the totals would bring everybody, ready to be sent."""
        odds: bytes = await self.think(Odds(position, moves), asker)
        return odds

    async def worth(self, position: Snapshot, seat: int, thing: str, asker: Asker) -> wire.Worth:
        """What a card would earn."""
        worth: wire.Worth = await self.think(Worth(position, seat, thing), asker)
        return worth

    async def first_review(self, record: str, asker: Asker) -> dict[str, Any]:
        """Look back on a game at a glance."""
        return _known(await self.think(FirstReview(record), asker))

    async def review(self, record: str, asker: Asker, begun: Begun) -> dict[str, Any]:
        """Look back on a game; who waits is told when it is begun, and how to find out how far it is."""
        return _known(await self.think(ThoughtfulReview(record), asker, begun))

    async def think(self, job: AnyJob, asker: Asker, begun: Begun = tell_nobody) -> Any:
        """Have a job done, when its turn has come."""
        plan = self._plan(job)
        errand = Errand(asker, plan.seconds, plan.first, plan.rank, begun)
        return await plan.workers.do(errand, plan.task, *plan.arguments)

    def _plan(self, job: AnyJob) -> _Plan:
        """Who does a job; a new process may have to load or compile first what it needs."""
        heavy, warming = HEAVY_SECONDS, WARMING_SECONDS
        match job:
            case Choose(bot, position, seed):
                meant = self._brought.get(bot, bot)
                if not is_heavy(meant):
                    return _Plan(self._quick, QUICK_SECONDS, choose, (meant, position, seed))
                first = warming if is_own(meant) else 0.0
                return _Plan(self._heavy, heavy, choose, (meant, position, seed), first)
            case FirstHint(position, language):
                return _Plan(self._aside, heavy, first_hint, (position, language), warming)
            case ThoughtfulHint(position, language):
                return _Plan(self._adviser, heavy, hint, (position, language), warming)
            case Odds(position, moves):
                return _Plan(self._aside, QUICK_SECONDS, odds, (position, moves), rank=1)
            case Worth(position, seat, thing):
                return _Plan(self._aside, QUICK_SECONDS, worth, (position, seat, thing), rank=1)
            case FirstReview(record):
                return _Plan(self._adviser, heavy, first_review, (record,), warming, rank=1)
            case ThoughtfulReview(record):
                return _Plan(self._reviewer, REVIEW_SECONDS, review, (record,))

    # -------------------------------------------------------------------- what is known

    def takes_time(self, bot: str) -> bool:
        """Whether people should be told that a bot thinks."""
        return is_heavy(self._brought.get(bot, bot))

    def is_warming(self, bot: str) -> bool:
        """Whether a bot has to be compiled before it can think."""
        return self.takes_time(bot) and self._heavy.answered == 0

    def thinks_on(self, first: wire.Hint) -> bool:
        """Whether there is more to say: not where chances are unknown, nor before all is compiled."""
        return first.meanwhile is None and not self.is_preparing

    def _note(self, problem: str) -> None:
        """Say once why there are no chances to win."""
        if problem not in self._noted:
            self._noted.add(problem)
            _log.warning("hints without chances to win", problem=problem)

    @property
    def connected(self) -> int:
        """How many thinkers elsewhere can be asked."""
        return 0

    @property
    def waiting(self) -> dict[str, int]:
        """How many wait for what."""
        return {
            "move": self._quick.waiting + self._heavy.waiting,
            "hint": self._adviser.waiting_at(0) + self._aside.waiting_at(0),
            "odds": self._aside.waiting_at(1),
            "review": self._adviser.waiting_at(1) + self._reviewer.waiting,
        }

    def warm_up(self) -> None:
        """Start the quick processes before somebody waits for them."""
        self._quick.start()
        self._loading = asyncio.create_task(self._load())

    async def _load(self) -> None:
        """Let the network be there when somebody asks for a first hint."""
        with suppress(WorkFailed):  # who asks then waits for it
            errand = Errand(_SERVICE, HEAVY_SECONDS, first=WARMING_SECONDS)
            for problem in await self._aside.do(errand, load_network):
                self._note(problem)

    def meet(self, addresses: Collection[str]) -> None:
        """These thinkers elsewhere have said that they are there; who thinks here alone asks none."""

    def prepare(self) -> None:
        """Let what hints and reviews need be compiled before somebody waits for it."""
        self._preparing = asyncio.create_task(self._prepare())

    async def _prepare(self) -> None:
        """Compile it in the process that disturbs others least; the adviser finds it on the disk then."""
        with suppress(WorkFailed):  # who asks then waits, as if nobody had tried
            for workers in (self._reviewer, self._adviser):
                await workers.do(Errand(_SERVICE, _PREPARING_SECONDS), get_ready)

    @property
    def is_preparing(self) -> bool:
        """Whether what thinks is being compiled."""
        return self._preparing is not None and not self._preparing.done()

    def close(self) -> None:
        """End all of them."""
        for task in (self._preparing, self._loading):
            if task is not None:
                task.cancel()
        for workers in (self._quick, self._heavy, self._adviser, self._aside, self._reviewer):
            workers.close()


def _known(seen: dict[str, Any] | str) -> dict[str, Any]:
    """What was seen, unless it is why nothing was."""
    if isinstance(seen, str):
        raise NoChances(seen)
    return seen


@cache
def is_heavy(bot: str) -> bool:
    """Whether a bot searches, or is one of another package, which may do anything.

    >>> is_heavy("normal"), is_heavy("master")
    (False, True)
    """
    return not is_own(bot) or isinstance(make_bot(bot), ThinkingBot)


# ---------------------------------------------------------------------- in the process

_bot = cache(seat_bot)


@cache
def get_ready() -> None:
    """Compile what searches, or load it: no second of thinking shall be lost to that."""
    ready()
    advise(Game(seed=0), make_thinker(ADVISER, playouts=1))


def choose(bot: str, position: Snapshot, seed: int) -> str:
    """What a bot does in a position.

    >>> choose("normal", Snapshot.of(Game(seed=1)), 0)
    'roll 1'
    """
    if isinstance(_bot(bot), ThinkingBot):
        get_ready()
    return _bot(bot).choose(position.view(), Random(seed)).text


def odds(position: Snapshot, moves: int) -> bytes:
    """The odds of a position as a message."""
    found = forecast.odds_of(position.game())
    return msgspec.json.encode(wire.OddsShown(moves=moves, odds=found))


def worth(position: Snapshot, seat: int, thing: str) -> wire.Worth:
    """What one more copy of a card would earn in a position."""
    return forecast.worth_of(position.game(), seat, thing)


def hint(position: Snapshot, language: str) -> wire.Hint:
    """Advice about a position that was thought about, in words."""
    get_ready()
    game = position.game()
    return thoughtful_hint(game, advise(game, make_thinker(ADVISER, seconds=ADVISER_SECONDS)), language)


def first_review(record: str) -> dict[str, Any] | str:
    """What a network sees in a saved game; a sentence if it does not know the table."""
    try:
        return review_at_a_glance(record).as_dict()
    except BotError as problem:
        return str(problem)


def review(record: str) -> dict[str, Any] | str:
    """Look back on a saved game; a sentence if nobody knows the chances to win there."""
    try:
        return look_back(record, REVIEWER, progress=tell_progress).as_dict()
    except BotError as problem:
        return str(problem)
