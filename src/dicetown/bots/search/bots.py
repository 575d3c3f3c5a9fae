"""Bots that think: a search tree, and its honest baseline without a tree."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from random import Random
from typing import Any, ClassVar

from dicetown.bots.bot import Bot, Option
from dicetown.bots.description import Description
from dicetown.bots.roster import make_bot
from dicetown.bots.rules.bots import RuleBot
from dicetown.bots.search.think import Manner, Thinker, Thought
from dicetown.bots.view import View
from dicetown.errors import BotError
from dicetown.game.notation import Action

_BITS = 64
_USUAL = Manner()
NO_TREE = 2  # moves: the root and a candidate


class ThinkingBot(Bot):
    """A bot that compares its actions in playouts for a time, or for a number of playouts."""

    manner = _USUAL
    options: ClassVar[Mapping[str, Option]] = {
        "seconds": Option(_USUAL.seconds, "time to think about a decision"),
        "playouts": Option(_USUAL.playouts, "playouts instead of time: the same answer on any machine"),
        "enough": Option(_USUAL.enough, "playouts after which it takes no more time; 0 is never"),
        "threads": Option(_USUAL.threads, "cores to think with; 0 is all"),
        "rounds": Option(_USUAL.rounds, "rounds a playout goes on before it is judged; -1 is to the end"),
        "policy": Option(_USUAL.policy, "the bot that plays the playouts"),
    }

    def __init__(self, **options: Any) -> None:
        self.manner = replace(type(self).manner, **options)
        if self.manner.playouts < 0 or (self.manner.playouts == 0 and not self.manner.seconds > 0):
            raise BotError(f'The bot "{self.name}" needs time: seconds or playouts above 0.')
        if self.manner.enough < 0:
            raise BotError(f'The bot "{self.name}" cannot have enough after {self.manner.enough} playouts.')
        if self.manner.threads < 0:
            raise BotError(f'The bot "{self.name}" cannot think with {self.manner.threads} threads.')
        _check_policy(self.manner.policy)
        self.budget = None if self.manner.playouts else self.manner.seconds
        self._thinker = Thinker(self.manner)

    @property
    def threads(self) -> int:
        """How many cores it thinks with."""
        return self.manner.cores

    def choose(self, view: View, rng: Random) -> Action:
        """The best action found; a single legal one needs no thought."""
        seed = rng.getrandbits(_BITS)
        if len(view.legal_actions) == 1:
            return view.legal_actions[0]
        return view.notation.action(self._thinker.think(view, seed, hasty=True).best.action)

    def think(self, view: View, seed: int) -> Thought:
        """What the bot thinks of every legal action."""
        return self._thinker.think(view, seed)


def _check_policy(policy: str) -> None:
    if not isinstance(make_bot(policy), RuleBot):
        raise BotError(f'The bot "{policy}" thinks, and so is too slow to play playouts.')


class SearchBot(ThinkingBot):
    """Monte-Carlo tree search."""

    name = "search"
    description: Mapping[str, str] = Description("search")


class FlatBot(ThinkingBot):
    """Flat Monte Carlo with sequential halving."""

    name = "flat"
    manner = replace(_USUAL, deepest=NO_TREE)
    description: Mapping[str, str] = Description("flat")
