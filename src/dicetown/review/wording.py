"""Advice and reviews in words: percentages, moments and main lines, in the reader's language."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dicetown.game import Game
from dicetown.game.events import (
    DiceRolled,
    Drawn,
    Event,
    ExtraTurnEarned,
    Forced,
    Paid,
    TunaRolled,
    TurnBegan,
)
from dicetown.game.notation import Action
from dicetown.review.advice import Advice
from dicetown.review.moments import Decision, Moment, Stroke
from dicetown.words import Speaker, narrate
from dicetown.words.actions import name_move, sign

_ASIDE = (TurnBegan, Paid, Forced, ExtraTurnEarned)
_CHANCE = (DiceRolled, TunaRolled, Drawn)


def percent(speaker: Speaker, chance: float) -> str:
    """A chance: ``62.3%``, or ``62,3 %`` where that is how it is written."""
    number = f"{100 * chance:.1f}".replace(".", speaker.say("part.decimal"))
    return speaker.say("part.percent", number=number)


def points(speaker: Speaker, change: float, digits: int = 1) -> str:
    """A change of a chance, in points of a hundred: ``+3.4``."""
    parts = round(10**digits * 100 * change)
    text = f"{sign(parts)[:1] if parts else ''}{abs(parts) / 10**digits:.{digits}f}"
    return text.replace(".", speaker.say("part.decimal"))


def tell_line(speaker: Speaker, advice: Advice) -> list[str]:
    """How the bot expects the game to go on, a sentence for each thing that happens."""
    game = Game.from_position(advice.position, seed=0, chance="manual")
    told: list[str] = []
    for step in advice.main_line:
        sentences = [
            line.text for line in narrate(speaker, _first_turn(game.play(step.move))) if _matters(line.event)
        ]
        if not sentences and isinstance(step.move, Action) and not game.waits_for_chance:
            sentences = [f"{speaker.names[step.seat]}: {name_move(speaker, step.move.text)}."]
        told += sentences
    return told


def _matters(event: Event) -> bool:
    return not isinstance(event, _ASIDE)


def _first_turn(events: Sequence[Event]) -> list[Event]:
    """What happens until the next turn begins: what then cannot be chosen is no part of a move."""
    until = next((k for k, event in enumerate(events) if isinstance(event, TurnBegan)), len(events))
    return list(events[:until]) or list(events)


def tell_moment(speaker: Speaker, moment: Moment) -> str:
    """What happened, in a few words: a choice, or how the dice fell."""
    if isinstance(moment, Decision):
        return name_move(speaker, moment.action.text)
    return " ".join(
        line.text for line in narrate(speaker, [e for e in moment.events if isinstance(e, _CHANCE)])
    )


def tell_turning_point(speaker: Speaker, moment: Moment) -> str:
    """What happened, and what it did to the chance of who was moved most."""
    moved = max(range(len(moment.change)), key=lambda seat: abs(moment.change[seat]))
    if isinstance(moment, Decision):
        moved = moment.seat
    chances: dict[str, Any] = {
        "turn": moment.turn,
        "name": speaker.names[moved],
        "before": percent(speaker, moment.before[moved]),
        "after": percent(speaker, moment.after[moved]),
    }
    if isinstance(moment, Decision):
        better = name_move(speaker, moment.alternative.action.text)
        return speaker.say("review.point_choice", what=tell_moment(speaker, moment), better=better, **chances)
    assert isinstance(moment, Stroke)
    told = [line.text for line in narrate(speaker, _of_this_turn(moment.events))]
    return speaker.say("review.point_luck", what=" ".join(told), **chances)


def _of_this_turn(events: Sequence[Event]) -> list[Event]:
    """Until somebody else's turn begins; market cards that are drawn after a turn still belong to it."""
    kept: list[Event] = []
    for event in events:
        if isinstance(event, TurnBegan) and kept:
            break
        if not isinstance(event, TurnBegan | Forced):
            kept.append(event)
    return kept
