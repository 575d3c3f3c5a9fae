"""Bots that think."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from random import Random
from typing import Any, ClassVar

from dicetown.bots.bot import Bot, Option
from dicetown.bots.description import Description
from dicetown.bots.learning.champion_bot import is_refused
from dicetown.bots.rules.bots import RuleBot
from dicetown.bots.search.think import Manner, Thinker, Thought
from dicetown.bots.view import View
from dicetown.errors import BotError
from dicetown.game.notation import Action
from dicetown.sight.spec import spec_for

_BITS = 64
_USUAL = Manner()


class ThinkingBot(Bot):
    """A bot that compares its actions in playouts for a time, or for a number of playouts.

    Where there is another bot `instead`, that one plays at tables which the network refuses.
    """

    options: ClassVar[Mapping[str, Option]] = {
        "seconds": Option(_USUAL.seconds, "time to think about a decision"),
        "playouts": Option(_USUAL.playouts, "playouts instead of time: the same answer on any machine"),
        "enough": Option(_USUAL.enough, "playouts after which it takes no more time; 0 is never"),
        "threads": Option(_USUAL.threads, "cores to think with; 0 is all"),
        "rounds": Option(_USUAL.rounds, "rounds a playout goes on before it is judged; -1 is to the end"),
    }

    def __init__(self, instead: RuleBot | None = None, **options: Any) -> None:
        self.instead = instead
        self.manner = replace(_USUAL, **options)
        if self.manner.playouts < 0 or (self.manner.playouts == 0 and not self.manner.seconds > 0):
            raise BotError(f'The bot "{self.name}" needs time: seconds or playouts above 0.')
        if self.manner.enough < 0:
            raise BotError(f'The bot "{self.name}" cannot have enough after {self.manner.enough} playouts.')
        if self.manner.threads < 0:
            raise BotError(f'The bot "{self.name}" cannot think with {self.manner.threads} threads.')
        self.budget = None if self.manner.playouts else self.manner.seconds
        self._thinker = Thinker(self.manner)

    @property
    def threads(self) -> int:
        """How many cores it thinks with."""
        return self.manner.cores

    def choose(self, view: View, rng: Random) -> Action:
        """The best action found; a single legal one needs no thought."""
        if self.instead is not None and is_refused(spec_for(view.ruleset, view.players)):
            return self.instead.choose(view, rng)
        seed = rng.getrandbits(_BITS)
        if len(view.legal_actions) == 1:
            return view.legal_actions[0]
        return view.notation.action(self._thinker.think(view, seed, hasty=True).best.action)

    def think(self, view: View, seed: int) -> Thought:
        """What the bot thinks of every legal action."""
        return self._thinker.think(view, seed)


class SearchBot(ThinkingBot):
    """Sequential halving over what the champion likes."""

    name = "search"
    description: Mapping[str, str] = Description("search")
