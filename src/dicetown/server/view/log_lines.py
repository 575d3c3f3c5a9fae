"""Sentences for a page: the words of a game in a reader's language, and its events as lines of a log."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from operator import attrgetter
from typing import Any

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
    return Speaker(ruleset, names, language, on_page=True)


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
            seat=_SEATS.get(type(line.event), _seat)(line.event),
            thing=_THINGS.get(type(line.event), _nobody)(line.event),
            moves=moves,
        )
        for line in narrate(speaker_of(game, language), events)
    ]


@cache
def _name_of(kind: type[Event]) -> str:
    return str(kind.__struct_config__.tag)


def kind_of_event(event: Event) -> str:
    """The kind of an event in a word, as its data has it: ``dice_rolled``."""
    return _name_of(type(event))


def _who_gains(event: Paid) -> int | None:
    return event.payer if event.receiver is None else event.receiver


def _nobody(event: Event) -> None:
    return None


#: The player an event is about, where it does not simply have a seat; of two, the one who gains.
_SEATS: dict[type[Event], Callable[[Any], int | None]] = {
    Paid: _who_gains,
    HandedOver: attrgetter("receiver"),
    Closed: attrgetter("owner"),
    Reopened: attrgetter("owner"),
    Drawn: _nobody,
    Discarded: _nobody,
    GameDrawn: _nobody,
}
#: The card or landmark an event is about, where it is about one.
_THINGS: dict[type[Event], Callable[[Any], str | None]] = {
    Paid: lambda paid: None if paid.cause in _NO_THING else paid.cause,
    Built: attrgetter("thing"),
    Drawn: attrgetter("thing"),
    HandedOver: attrgetter("card"),
    Closed: attrgetter("card"),
    Reopened: attrgetter("card"),
    Discarded: attrgetter("card"),
    Returned: attrgetter("card"),
    Demolished: attrgetter("landmark"),
    ExtraTurnEarned: attrgetter("cause"),
}
_seat: Callable[[Any], int | None] = attrgetter("seat")
