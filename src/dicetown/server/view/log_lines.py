"""Sentences for a page: the words of a game in a reader's language, and its events as lines of a log."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from dicetown.game import Game
from dicetown.game.events import (
    Built,
    Closed,
    Demolished,
    Discarded,
    Drawn,
    Event,
    ExtraTurnEarned,
    GameDrawn,
    HandedOver,
    Paid,
    Reopened,
    Returned,
)
from dicetown.rules.ruleset import Ruleset
from dicetown.server import wire
from dicetown.words import Speaker, narrate

_SPEAKERS_KEPT = 512
#: Causes of payments that are no card.
_NO_THING = ("price", "help")


def speaker_of(game: Game, language: str) -> Speaker:
    """Who names the cards and players of a game, in a language.

    >>> speaker_of(Game(names=["Ana", "Ben"]), "de").thing("bakery")
    'Bäckerei'
    """
    return _speaker(game.ruleset, tuple(game.names), language)


@lru_cache(maxsize=_SPEAKERS_KEPT)
def _speaker(ruleset: Ruleset, names: tuple[str, ...], language: str) -> Speaker:
    return Speaker(ruleset, names, language)


def lines_of(game: Game, events: Sequence[Event], language: str, moves: int | None) -> list[wire.Line]:
    """What happened, as lines of the log; ``moves`` is the moment they belong to.

    >>> game = Game(names=["Ana", "Ben"], seed=1)
    >>> line = lines_of(game, game.events, "en", 0)[-1]
    >>> line.text, line.icon, line.seat
    ("Ana's turn.", 'turn_began', 0)
    """
    return [
        wire.Line(
            text=line.text,
            icon=kind_of_event(line.event),
            seat=seat_of_event(line.event),
            thing=thing_of_event(line.event),
            moves=moves,
        )
        for line in narrate(speaker_of(game, language), events)
    ]


def kind_of_event(event: Event) -> str:
    """The kind of an event in a word, as its data has it: ``dice_rolled``."""
    return str(event.__struct_config__.tag)


def seat_of_event(event: Event) -> int | None:
    """The player an event is about; of two, the one who gains."""
    match event:
        case Paid(payer, receiver):
            return payer if receiver is None else receiver
        case HandedOver(receiver=seat) | Closed(owner=seat) | Reopened(owner=seat):
            return seat
        case Drawn() | Discarded() | GameDrawn():
            return None
    return event.seat


def thing_of_event(event: Event) -> str | None:
    """The card or landmark an event is about."""
    match event:
        case Paid(cause=cause):
            return None if cause in _NO_THING else cause
        case Built(thing=thing) | Drawn(thing=thing):
            return thing
        case HandedOver(card=card) | Closed(card=card) | Reopened(card=card):
            return card
        case Discarded(card=card) | Returned(card=card):
            return card
        case Demolished(landmark=landmark):
            return landmark
        case ExtraTurnEarned(cause=landmark):
            return landmark
    return None
