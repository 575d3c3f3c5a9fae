"""Bots in this process that fail on purpose, for tests."""

from __future__ import annotations

import time
from collections.abc import Mapping
from random import Random

from dicetown.bots import Bot, View
from dicetown.errors import BotError, BotFault
from dicetown.game.notation import Action


class Failing(Bot):
    """Rolls and builds like anybody, until its choices are up; then it fails as it was told."""

    name = "failing"
    description: Mapping[str, str] = {"en": "Fails."}

    def __init__(self, how: str, after: int = 0) -> None:
        self.how, self.left = how, after
        self.budget = 0.05 if how == "late" else None

    def choose(self, view: View, rng: Random) -> Action:
        self.left -= 1
        if self.left >= 0:
            return view.legal_actions[-1]
        match self.how:
            case "illegal":
                return Action(9999, "fly")
            case "nothing":
                return None  # type: ignore[return-value]
            case "late":
                time.sleep(0.3)
            case "died":
                raise BotFault("died", "It ended with status 1.")
            case "failed":
                raise BotError("The bot has lost its way.")
        return view.legal_actions[-1]


class Steady(Bot):
    """Takes the last of what is legal, and remembers what it saw."""

    name = "steady"
    description: Mapping[str, str] = {"en": "Takes the last."}

    def __init__(self) -> None:
        self.seen: list[str] = []
        self.numbers: list[float] = []

    def choose(self, view: View, rng: Random) -> Action:
        self.seen.append(view.position())
        self.numbers.append(rng.random())
        return view.legal_actions[-1]
