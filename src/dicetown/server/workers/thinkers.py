"""Who thinks: bots that choose, hints, odds and what cards are worth, each in a process of its own.

Bots that follow rules are quick. Those that search, and hints, need compiled code, which the first of them
has to wait for: about a minute on a machine that has not compiled it before. A service compiles it before
anybody asks, and lets a bot that follows rules give hints meanwhile.

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

from dicetown.bots.roster import make_bot
from dicetown.bots.search.bots import ThinkingBot
from dicetown.bots.search.think import ready
from dicetown.bots.seats import is_own, seat_bot, stand_in
from dicetown.cores import usable_cores
from dicetown.game import Game
from dicetown.review.advice import advise, make_thinker
from dicetown.review.wording import tell_line
from dicetown.server import wire
from dicetown.server.common.fair_line import Asker, Capacity
from dicetown.server.common.settings import Limits
from dicetown.server.view import catalogue, forecast
from dicetown.server.view.results import review_record
from dicetown.server.workers.processes import Errand, Workers, WorkFailed, tell_progress
from dicetown.server.workers.snapshot import Snapshot
from dicetown.words import Speaker, label

#: Who decides for people who are gone or out of time, and for bots that fail.
STAND_IN = stand_in()
#: Who is asked for hints, and how long it thinks.
ADVISER, ADVISER_SECONDS = "search", 1.0
#: Who is asked for hints while that one is getting ready.
QUICK_ADVISER = "planner"
#: Who reviews games.
REVIEWER = "search:playouts=3000"

_QUICK_SECONDS = 20.0  # that a bot may take, the start of its process included
_HEAVY_SECONDS = 30.0
_WARMING_SECONDS = 400.0
_REVIEW_SECONDS = 1800.0
_PREPARING_SECONDS = 1800.0  # on a machine that is busy with other things
_SEED_BITS = 63
_SERVICE = Asker("", "")  # the service itself asks


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

    @property
    def adviser_is_warming(self) -> bool:
        """Whether somebody who asks for a hint waits until the adviser is compiled."""
        return self._adviser.answered == 0 and not self._is_preparing

    async def hint(self, position: Snapshot, language: str, asker: Asker) -> wire.Hint:
        """What the adviser says about a position; while it is getting ready, a bot that is quick."""
        if self._is_preparing:
            return await self._aside.do(Errand(asker, _QUICK_SECONDS), quick_hint, position, language)
        return await self._adviser.do(_thoughtful(asker), hint, position, language)

    async def odds(self, position: Snapshot, moves: int, asker: Asker) -> str:
        """What the totals would bring everybody, ready to be sent."""
        return await self._aside.do(Errand(asker, _QUICK_SECONDS), odds, position, moves)

    async def worth(self, position: Snapshot, seat: int, thing: str, asker: Asker) -> wire.Worth:
        """What a card would earn."""
        return await self._aside.do(Errand(asker, _QUICK_SECONDS), worth, position, seat, thing)

    async def review(self, record: str, asker: Asker, begun: Callable[[], None]) -> dict[str, Any]:
        """Look back on a game; once that is begun, :attr:`review_progress` says how far it is."""

        def begin() -> None:
            self._reviewer.forget_progress()
            begun()

        return await self._reviewer.do(Errand(asker, _REVIEW_SECONDS, begun=begin), review, record)

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
        for workers in (self._quick, self._aside):
            workers.start()

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
        if self._preparing is not None:
            self._preparing.cancel()
        for workers in (self._quick, self._heavy, self._adviser, self._aside, self._reviewer):
            workers.close()


def _thoughtful(asker: Asker) -> Errand:
    """What needs compiled code; a new process may have to compile it first."""
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


def odds(position: Snapshot, moves: int) -> str:
    """The odds of a position as a message."""
    found = forecast.odds_of(position.game())
    return wire.OddsShown(moves=moves, odds=found).model_dump_json()


def worth(position: Snapshot, seat: int, thing: str) -> wire.Worth:
    """What one more copy of a card would earn in a position."""
    return forecast.worth_of(position.game(), seat, thing)


def hint(position: Snapshot, language: str) -> wire.Hint:
    """Advice about a position, in words."""
    get_ready()
    game = position.game()
    speaker = Speaker(game.ruleset, game.names, language)
    advice = advise(game, make_thinker(ADVISER, seconds=ADVISER_SECONDS))
    options = [
        wire.HintOption(
            action=option.action.text,
            text=label(speaker, game, option.action),
            chance=option.chances[advice.seat],
            low=option.low,
            high=option.high,
        )
        for option in advice.options
    ]
    return wire.Hint(options=options, line=tell_line(speaker, advice))


def quick_hint(position: Snapshot, language: str) -> wire.Hint:
    """What a bot that needs no compiled code would do in a position, in words.

    >>> quick_hint(Snapshot.of(Game(seed=1)), "en").meanwhile.action
    'roll 1'
    """
    game = position.game()
    action = _bot(QUICK_ADVISER).choose(position.view(), Random(0))
    text = label(Speaker(game.ruleset, game.names, language), game, action)
    bot = next(one.name for one in catalogue.bots(language) if one.id == QUICK_ADVISER)
    advice = wire.QuickAdvice(bot=bot, action=action.text, text=text)
    return wire.Hint(options=[], line=[], meanwhile=advice)


def review(record: str) -> dict[str, Any]:
    """Look back on a saved game."""
    return review_record(record, REVIEWER, progress=tell_progress)
