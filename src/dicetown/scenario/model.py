"""What a scenario is, once its file has been read and checked."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, TypeAlias

from dicetown.rules.ruleset import Ruleset

Counts: TypeAlias = dict[str, int]


@dataclass(frozen=True, slots=True)
class Seat:
    """One player's part of a position."""

    coins: int
    cards: Counts
    landmarks: tuple[str, ...] = ()
    closed: Counts = field(default_factory=dict)
    invested: int = 0


@dataclass(frozen=True, slots=True)
class Position:
    """Where a scenario begins. What is None is as the edition has it."""

    seats: tuple[Seat, ...]
    turn: int = 0
    market: Counts | None = None
    deck: Counts | None = None
    landmark_market: tuple[str, ...] | None = None
    landmark_deck: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Expectation:
    """What must be true at one moment: only what is named is looked at."""

    wanted: dict[str, Any]


# --------------------------------------------------------------------------- steps


@dataclass(frozen=True, slots=True)
class Step:
    """One line of ``play``; ``text`` is how it is written."""

    text: str

    @property
    def word(self) -> str:
        """The key of the step, such as ``roll``, ``build`` or ``pass``."""
        return self.text.partition(":")[0]


@dataclass(frozen=True, slots=True)
class Throw(Step):
    """Dice that somebody decides to roll: ``roll`` or ``reroll``."""

    dice: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class TunaThrow(Step):
    """The tuna dice."""

    dice: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Decision(Step):
    """A decision in notation. Of several ways to mean it, the first that is legal is taken."""

    moves: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Take(Step):
    """A Business Center's other half: from whom, and which card."""

    player: int
    card: str
    moves: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Draw(Step):
    """The next cards to be drawn for the market."""

    things: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Check(Step):
    """An ``expect`` in the middle."""

    expect: Expectation


@dataclass(frozen=True, slots=True)
class Refusal(Step):
    """A step that must be refused."""

    step: Step


# ------------------------------------------------------------------------ the whole


@dataclass(frozen=True, slots=True)
class Scenario:
    """A scenario that can be run. ``place`` says which file and which document in it."""

    name: str
    rules: tuple[str, ...]
    place: str
    ruleset: Ruleset
    position: Position
    play: tuple[Step, ...]
    expect: Expectation

    @property
    def players(self) -> int:
        """How many play."""
        return len(self.position.seats)
