"""The moments of a game: decisions and strokes of chance, with everybody's chance before and after."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from dicetown.game.events import Event
from dicetown.game.notation import Action, Move
from dicetown.review.advice import Option

#: Each player's chance to win.
Chances: TypeAlias = tuple[float, ...]

#: A choice is called a mistake only if it lost more than so many standard errors.
CLEARLY = 2.0


@dataclass(frozen=True)
class Moment:
    """Something that may have changed who wins."""

    number: int  # of its first move in the record, from 1
    turn: int  # from 1
    seat: int  # whose turn it is
    before: Chances
    after: Chances
    events: list[Event]

    @property
    def change(self) -> Chances:
        """What it brought or cost each player."""
        return tuple(after - before for before, after in zip(self.before, self.after, strict=True))

    @property
    def swing(self) -> float:
        """How much it moved, for whom it moved most."""
        return max(map(abs, self.change))

    def as_dict(self) -> dict[str, Any]:
        """What all moments have, for JSON."""
        return {
            "move": self.number,
            "turn": self.turn,
            "seat": self.seat,
            "before": list(self.before),
            "after": list(self.after),
            "change": list(self.change),
        }


@dataclass(frozen=True)
class Stroke(Moment):
    """Dice or draws: what they changed is luck."""

    moves: list[Move]

    def as_dict(self) -> dict[str, Any]:
        """The stroke, for JSON."""
        return super().as_dict() | {"kind": "luck", "moves": [move.text for move in self.moves]}


@dataclass(frozen=True)
class Decision(Moment):
    """What somebody chose among several options: what that changed is choice."""

    options: list[Option]  # the best first
    taken: Option

    @property
    def action(self) -> Action:
        """What was chosen."""
        return self.taken.action

    @property
    def alternative(self) -> Option:
        """The best that was not chosen."""
        return next(option for option in self.options if option.action != self.action)

    @property
    def loss(self) -> float:
        """What the best option would have brought more, as it was measured."""
        return measured_loss(self.options, self.taken, self.seat)

    @property
    def error(self) -> float:
        """The standard error of the loss."""
        return error_between(self.options[0], self.taken)

    @property
    def is_mistake(self) -> bool:
        """Whether the loss is more than the measure's noise; only then it counts."""
        return is_clear(self.loss, self.error)

    def as_dict(self) -> dict[str, Any]:
        """The decision, for JSON."""
        return super().as_dict() | {
            "kind": "choice",
            "action": self.action.text,
            "chances": list(self.taken.chances),
            "best": self.options[0].action.text,
            "alternative": self.alternative.as_dict(),
            "loss": self.loss,
            "error": self.error,
            "mistake": self.is_mistake,
        }


def measured_loss(options: Sequence[Option], taken: Option, seat: int) -> float:
    """How far an option is behind the best one; an early guess may even have seen it ahead."""
    return max(0.0, options[0].chances[seat] - taken.chances[seat])


def error_between(best: Option, taken: Option) -> float:
    """The standard error of the difference of two options; on the safe side, as they share their luck."""
    return 0.0 if best is taken else float((best.error**2 + taken.error**2) ** 0.5)


def is_clear(loss: float, error: float) -> bool:
    """Whether a loss is more than noise.

    >>> is_clear(0.05, 0.02), is_clear(0.03, 0.02), is_clear(0.0, 0.0)
    (True, False, False)
    """
    return loss > CLEARLY * error
