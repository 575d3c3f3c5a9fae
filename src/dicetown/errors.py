"""Dicetown's own mistakes: each can be said to a person in one sentence."""

from __future__ import annotations


class DicetownError(Exception):
    """A mistake that can be said in one sentence, and whose sentence says what would be right."""


class MaterialError(DicetownError):
    """A card, edition or language file that cannot be used as it is written."""


class RulesetError(DicetownError):
    """An edition, set, house rule or number of players that cannot be played."""


class TooFewLandmarks(RulesetError):
    """Nobody could win: ``wanted`` landmarks are needed, and everybody can build only ``most``."""

    def __init__(self, reason: str, wanted: int = 0, most: int = 0) -> None:
        super().__init__(reason)
        self.wanted, self.most = wanted, most

    def __reduce__(self) -> tuple[type[TooFewLandmarks], tuple[str, int, int]]:
        """How it is sent from one process to another."""
        return type(self), (str(self), self.wanted, self.most)


class IllegalAction(DicetownError):
    """A move the rules do not allow now; the game is unchanged."""


class NotationError(DicetownError):
    """A text that is no move, no position or no saved game."""


class ScenarioError(DicetownError):
    """A scenario file that cannot be read as one."""


class BotError(DicetownError):
    """A bot that is not known, or options it does not take."""


class BotFault(BotError):
    """A bot that did not choose as it must; ``kind`` says in a word what it did."""

    def __init__(self, kind: str, reason: str) -> None:
        super().__init__(reason)
        self.kind = kind

    def __reduce__(self) -> tuple[type[BotFault], tuple[str, str]]:
        """How it is sent from one process to another."""
        return type(self), (self.kind, str(self))


class ArenaError(DicetownError):
    """A tournament that cannot be played, or a log that cannot be continued."""


class MissingExtra(DicetownError):
    """An optional package that is not installed; the sentence says what brings it."""


class LabError(DicetownError):
    """Figures that cannot be gathered, or a results folder that cannot be used."""


class EnvError(DicetownError):
    """An environment that cannot be made as asked for."""
