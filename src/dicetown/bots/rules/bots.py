"""Bots that follow rules: anything goes, the greedy one, the planner, and the scripted strategies."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from random import Random
from typing import Any, ClassVar

from dicetown.bots.bot import Bot, Option
from dicetown.bots.description import Description
from dicetown.bots.mind import GREEDY, RANDOM, make_mind
from dicetown.bots.rules.choose import choose_as
from dicetown.bots.rules.planner_weights import mind_by_players, weights_for
from dicetown.bots.rules.scripts import Script
from dicetown.bots.view import View
from dicetown.game.notation import Action
from dicetown.rules.rng import seeded
from dicetown.rules.ruleset import Ruleset

_BITS = 64


class RuleBot(Bot):
    """A bot that follows rules: quick enough for millions of games, since compiled play knows its mind."""

    @abstractmethod
    def mind(self, ruleset: Ruleset) -> Any:
        """What compiled play must know of the bot: a record of :data:`dicetown.bots.mind.MIND`."""

    def choose(self, view: View, rng: Random) -> Action:
        """The action the rules lead to; interpreted, so there is no waiting for a compiler."""
        numbers = seeded(rng.getrandbits(_BITS))
        mind = self.mind(view.ruleset)
        return view.notation.action(choose_as(mind, view.tables, view.state, view.choices, numbers))


class RandomBot(RuleBot):
    """Each legal action equally likely."""

    name = "random"
    description: Mapping[str, str] = Description("random")

    def mind(self, ruleset: Ruleset) -> Any:
        """Nothing to know."""
        return make_mind(RANDOM)


class SlippingBot(RuleBot):
    """A bot that can be made to err: for weaker opponents, and to see unusual cities."""

    options: ClassVar[Mapping[str, Option]] = {
        "slips": Option(0, "choices in a thousand that it makes at random"),
    }

    def __init__(self, slips: int = 0) -> None:
        self.slips = slips

    @abstractmethod
    def steady_mind(self, ruleset: Ruleset) -> Any:
        """How it plays when it does not slip."""

    def mind(self, ruleset: Ruleset) -> Any:
        """How it plays, with its slips."""
        mind = self.steady_mind(ruleset)
        mind.slips = self.slips
        return mind


class GreedyBot(SlippingBot):
    """Income against price, and landmarks in time."""

    name = "greedy"
    description: Mapping[str, str] = Description("greedy")

    def steady_mind(self, ruleset: Ruleset) -> Any:
        """Nothing to know but that it is greedy."""
        return make_mind(GREEDY)


class PlannerBot(SlippingBot):
    """The way to the end, reckoned with what many games have taught."""

    name = "planner"
    description: Mapping[str, str] = Description("planner")

    def steady_mind(self, ruleset: Ruleset) -> Any:
        """The weights tuned for the game."""
        return mind_by_players(weights_for(ruleset))


class ScriptBot(RuleBot):
    """A shopping list, followed to the letter."""

    def __init__(self, name: str, script: Script) -> None:
        self.name = name
        self.script = script
        self.description = script.description

    def mind(self, ruleset: Ruleset) -> Any:
        """The list, as far as the ruleset has its things."""
        return self.script.mind(ruleset)
