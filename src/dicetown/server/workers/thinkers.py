"""Who thinks: bots that choose, hints, odds and what cards are worth, each in a process of its own.

Bots that follow rules are quick, and so is a glance at a position. Thinking needs compiled code, which the
first has to wait for: about a minute on a machine that has not compiled it before. A service compiles it
before anybody asks, and what is seen at a glance must do meanwhile.

A game waits for a bot's move, a person for a hint, and hardly anybody for a review. So they never wait for
each other: each has processes of its own, and what is more urgent gets more of the machine's time. Among
those who wait for the same, everybody has a turn.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cache
from random import Random
from secrets import randbits
from typing import Any

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
from dicetown.server.workers.processes import Errand, Workers, WorkFailed, tell_progress
from dicetown.server.workers.snapshot import Snapshot

#: Who decides for people who are gone or out of time, and for bots that fail.
STAND_IN = stand_in()
#: Who is asked for hints, and how long it thinks.
ADVISER, ADVISER_SECONDS = "search", 1.0
#: Who reviews games.
REVIEWER = f"{USUAL_BOT}:playouts={USUAL_PLAYOUTS}"

_QUICK_SECONDS = 20.0  # that a bot may take, the start of its process included
_HEAVY_SECONDS = 30.0
_WARMING_SECONDS = 400.0
_REVIEW_SECONDS = 1800.0
_PREPARING_SECONDS = 1800.0  # on a machine that is busy with other things
_SEED_BITS = 63
_SERVICE = Asker("", "")  # the service itself asks
_log: Any = structlog.get_logger("dicetown")


class NoChances(WorkFailed):
    """Nobody knows the chances to win at a table."""


class Thinkers:
    """The processes that think for all tables."""

    def __init__(self, brought: Mapping[str, str] | None = None, limits: Limits | None = None) -> None:
        self._brought = brought or {}  # names of bots, and what they stand for
        allowed = limits or Limits()
        self._quick = Workers(
            max(1, min(4, usable_cores() - 1)), Capacity(*allowed.moves_waiting), niceness=5
        )
        self._heavy = Workers(1, Capacity(*allowed.moves_waiting), niceness=10)
        self._adviser = Workers(1, Capacity(*allowed.hints_waiting), niceness=14)
        # Odds come when there is time for them.
        self._aside = Workers(1, Capacity(*allowed.odds_waiting), niceness=15)
        self._reviewer = Workers(1, Capacity(*allowed.reviews_waiting), niceness=19)  # it thinks for a minute
        self._preparing: asyncio.Task[None] | None = None
        self._loading: asyncio.Task[None] | None = None
        self._noted: set[str] = set()  # why there are no chances to win

    async def choose(self, bot: str, position: Snapshot, asker: Asker) -> str:
        """What a bot does; a :class:`~dicetown.server.workers.processes.WorkFailed` if it does nothing
        sensible.
        """
        meant, seed = self._brought.get(bot, bot), randbits(_SEED_BITS)
        if not is_heavy(meant):
            return await self._quick.do(Errand(asker, _QUICK_SECONDS), choose, meant, position, seed)
        errand = _thoughtful(asker) if is_own(meant) else Errand(asker, _HEAVY_SECONDS)
        return await self._heavy.do(errand, choose, meant, position, seed)

    def takes_time(self, bot: str) -> bool:
        """Whether people should be told that a bot thinks."""
        return is_heavy(self._brought.get(bot, bot))

    def is_warming(self, bot: str) -> bool:
        """Whether a bot has to be compiled before it can think."""
        return self.takes_time(bot) and self._heavy.answered == 0

    async def first_hint(self, position: Snapshot, language: str, asker: Asker) -> wire.Hint:
        """What can be said about a position at a glance."""
        hint, problem = await self._aside.do(_thoughtful(asker), first_hint, position, language)
        if problem is not None:
            self._note(problem)
        return hint

    def thinks_on(self, first: wire.Hint) -> bool:
        """Whether there is more to say: not where chances are unknown, nor before all is compiled."""
        return first.meanwhile is None and not self._is_preparing

    async def hint(self, position: Snapshot, language: str, asker: Asker) -> wire.Hint:
        """What the adviser says about a position once it has thought about it."""
        return await self._adviser.do(_thoughtful(asker), hint, position, language)

    def _note(self, problem: str) -> None:
        """Say once why there are no chances to win."""
        if problem not in self._noted:
            self._noted.add(problem)
            _log.warning("hints without chances to win", problem=problem)

    async def odds(self, position: Snapshot, moves: int, asker: Asker) -> bytes:
        """What the totals would bring everybody, ready to be sent."""
        return await self._aside.do(Errand(asker, _QUICK_SECONDS), odds, position, moves)

    async def worth(self, position: Snapshot, seat: int, thing: str, asker: Asker) -> wire.Worth:
        """What a card would earn."""
        return await self._aside.do(Errand(asker, _QUICK_SECONDS), worth, position, seat, thing)

    async def first_review(self, record: str, asker: Asker) -> dict[str, Any]:
        """Look back on a game at a glance; who makes reviews may be at another for a while."""
        return _known(await self._adviser.do(_thoughtful(asker), first_review, record))

    async def review(self, record: str, asker: Asker, begun: Callable[[], None]) -> dict[str, Any]:
        """Look back on a game; once that is begun, :attr:`review_progress` says how far it is."""

        def begin() -> None:
            self._reviewer.forget_progress()
            begun()

        return _known(await self._reviewer.do(Errand(asker, _REVIEW_SECONDS, begun=begin), review, record))

    @property
    def review_progress(self) -> tuple[int, int]:
        """How many positions of the review under way are done, and how many there are."""
        return self._reviewer.progress

    @property
    def waiting(self) -> dict[str, int]:
        """How many wait for what."""
        return {
            "move": self._quick.waiting + self._heavy.waiting,
            "hint": self._adviser.waiting,
            "odds": self._aside.waiting,
            "review": self._reviewer.waiting,
        }

    def warm_up(self) -> None:
        """Start the quick processes before somebody waits for them."""
        self._quick.start()
        self._loading = asyncio.create_task(self._load())

    async def _load(self) -> None:
        """Let the network be there when somebody asks for a first hint."""
        with suppress(WorkFailed):  # who asks then waits for it
            for problem in await self._aside.do(_thoughtful(_SERVICE), load_network):
                self._note(problem)

    def prepare(self) -> None:
        """Let what hints and reviews need be compiled before somebody waits for it."""
        self._preparing = asyncio.create_task(self._prepare())

    async def _prepare(self) -> None:
        """Compile it in the process that disturbs others least; the adviser finds it on the disk then."""
        with suppress(WorkFailed):  # who asks then waits, as if nobody had tried
            for workers in (self._reviewer, self._adviser):
                await workers.do(Errand(_SERVICE, _PREPARING_SECONDS), get_ready)

    @property
    def _is_preparing(self) -> bool:
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


def _thoughtful(asker: Asker) -> Errand:
    """What is thought about; a new process may have to load or compile what it needs first."""
    return Errand(asker, _HEAVY_SECONDS, first=_WARMING_SECONDS)


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
