"""The bot interface: what every player that is no person can do.

A bot of your own is a subclass of :class:`Bot` with a name, a description and :meth:`Bot.choose`. Named as
an entry point of the group ``dicetown.bots``, it is known wherever Dicetown's own bots are::

    [project.entry-points."dicetown.bots"]
    lucky = "lucky_bot:LuckyBot"
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random
from typing import ClassVar

from dicetown.bots.view import View
from dicetown.errors import BotError
from dicetown.game.notation import Action

OptionValue = int | float | str | bool


@dataclass(frozen=True)
class Option:
    """Something that can be set about a bot: its usual value, and what it means."""

    usual: OptionValue
    meaning: str

    def read(self, text: str) -> OptionValue:
        """A value written as text, of the same kind as the usual one.

        >>> Option(1.0, "seconds to think").read("0.5")
        0.5
        """
        if isinstance(self.usual, str):
            return text
        kind = type(self.usual)
        try:
            return {"true": True, "false": False}[text] if kind is bool else kind(text)
        except (ValueError, KeyError):
            wanted = {int: "a whole number", float: "a number", bool: "true or false"}[kind]
            raise BotError(f'must be {wanted}, not "{text}"') from None


class Bot(ABC):
    """A player that chooses by itself.

    One bot may be asked for many seats and games, one after the other; it must not rely on having been
    asked before. ``rng`` is its own source of random numbers: with the same one it chooses the same,
    unless a limit of time cuts its thinking short.
    """

    name: str
    description: Mapping[str, str]  # by language
    options: ClassVar[Mapping[str, Option]] = {}
    #: Seconds that a choice may take; None where it takes next to nothing.
    budget: float | None = None

    @abstractmethod
    def choose(self, view: View, rng: Random) -> Action:
        """The action to take, one of ``view.legal_actions``."""

    def close(self) -> None:  # noqa: B027 - most bots hold nothing
        """Let go of what the bot holds, such as a process; it is not asked again."""


@dataclass(frozen=True)
class BotMaker:
    """What makes a bot when it is asked for by name."""

    name: str
    description: Mapping[str, str]
    options: Mapping[str, Option]
    make: Callable[..., Bot]  # takes the options by name

    @classmethod
    def of(cls, kind: type[Bot]) -> BotMaker:
        """The maker of a class of bots."""
        return cls(kind.name, kind.description, kind.options, kind)
