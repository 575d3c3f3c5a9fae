"""What happened, in sentences: "Ben takes 2 from Ana (Café ×2)."."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from dicetown.game.events import (
    Built,
    Closed,
    Demolished,
    DiceRolled,
    Discarded,
    Drawn,
    Event,
    ExtraTurnEarned,
    Forced,
    GameDrawn,
    HandedOver,
    Invested,
    Paid,
    Passed,
    Reopened,
    Returned,
    TotalRaised,
    TunaRolled,
    TurnBegan,
    Won,
)
from dicetown.material import kind_of
from dicetown.words.actions import name_move
from dicetown.words.speaker import Speaker


class Line(NamedTuple):
    """A sentence and the event it tells of."""

    text: str
    event: Event


def narrate(speaker: Speaker, events: Sequence[Event]) -> list[Line]:
    """Put events into words, one sentence each; what another sentence tells already is left out."""
    return list(_lines(speaker, events))


def _lines(speaker: Speaker, events: Sequence[Event]) -> Iterator[Line]:
    could_not_build = False
    crowning: str | None = None
    for _, run in groupby(events, _belongs_to):
        several = list(run)
        event = several[0]
        if isinstance(event, Paid):
            if len(several) > 1:
                yield Line(_earned(speaker, several), event)
            elif event.cause != "price":  # "builds" says it
                yield Line(_paid(speaker, event), event)
        elif isinstance(event, Drawn):
            yield Line(_drawn(speaker, several), event)
        elif isinstance(event, Forced) and event.action == "pass":
            could_not_build = True
        elif isinstance(event, Passed) and could_not_build:
            could_not_build = False
            yield Line(speaker.say("event.cannot_build", name=speaker.names[event.seat]), event)
        elif isinstance(event, Won) and crowning is not None:
            card = speaker.thing(crowning)
            yield Line(speaker.say("event.won_by", name=speaker.names[event.seat], card=card), event)
        else:
            crowning = _wins_by_itself(speaker, event) or crowning
            yield Line(_sentence(speaker, event), event)


def _belongs_to(event: Event) -> object:
    """What makes events that follow each other one sentence: a deal, or one card that pays several."""
    if isinstance(event, Drawn):
        return Drawn
    if isinstance(event, Paid) and event.payer is None and event.cause != "help":
        return event.cause
    return id(event)


def _earned(speaker: Speaker, events: Sequence[Event]) -> str:
    """A card that pays several at once: "Ranch: Ana +1, Ben +3."."""
    paid = [event for event in events if isinstance(event, Paid)]
    gains = ", ".join(f"{speaker.names[one.receiver or 0]} +{one.coins}" for one in paid)
    return speaker.say("event.earned", cause=speaker.thing(paid[0].cause), gains=gains)


def _drawn(speaker: Speaker, events: Sequence[Event]) -> str:
    """Several cards dealt at once make one sentence."""
    counts = Counter(event.thing for event in events if isinstance(event, Drawn))
    things = ", ".join(speaker.copies(thing, copies) for thing, copies in counts.items())
    return speaker.say("event.drawn", things=things)


def _sentence(speaker: Speaker, event: Event) -> str:  # noqa: PLR0912 - one branch for each kind of event
    say, names = speaker.say, speaker.names
    match event:
        case TurnBegan(seat, extra):
            return say("event.extra_turn" if extra else "event.turn", name=names[seat])
        case DiceRolled(seat, dice):
            return _rolled(speaker, names[seat], dice)
        case TotalRaised(seat, total, by):
            return say("event.total", name=names[seat], total=total, by=by)
        case TunaRolled(_, dice):
            return say("event.tuna", dice=add_up(dice))
        case Paid():
            return _paid(speaker, event)
        case Built(seat, thing, price):
            key = "event.built" if price else "event.built_free"
            return say(key, name=names[seat], thing=speaker.thing(thing), coins=speaker.coins(price))
        case Passed(seat):
            return say("event.passed", name=names[seat])
        case HandedOver(giver, receiver, card, closed, cause):
            moved = speaker.thing(card) if not closed else say("part.closed", thing=speaker.thing(card))
            cause = speaker.thing(cause)
            return say(
                "event.handed_over", giver=names[giver], receiver=names[receiver], card=moved, cause=cause
            )
        case Closed(owner, card, copies, cause):
            cards = speaker.copies(card, copies)
            if cause == card:
                return say("event.closed_itself", name=names[owner], cards=cards)
            return say("event.closed", name=names[owner], cards=cards, cause=speaker.thing(cause))
        case Reopened(owner, card, copies):
            return say("event.reopened", name=names[owner], cards=speaker.copies(card, copies))
        case Demolished(seat, landmark, cause):
            thing, cause = speaker.thing(landmark), speaker.thing(cause)
            return say("event.demolished", name=names[seat], thing=thing, cause=cause)
        case Discarded(card, copies):
            return say("event.discarded", cards=speaker.copies(card, copies))
        case Returned(seat, card):
            return say("event.returned", name=names[seat], card=speaker.thing(card))
        case Invested(seat, coins):
            return say("event.invested", coins, name=names[seat], card=_startup(speaker))
        case ExtraTurnEarned(seat, cause):
            key = "event.extra_turn_earned" if cause else "event.extra_turn_kept"
            return say(key, name=names[seat], cause=speaker.thing(cause) if cause else "")
        case Forced(seat, action):
            return say("event.forced", name=names[seat], choice=name_move(speaker, action))
        case Won(seat):
            return say("event.won", name=names[seat])
        case GameDrawn():
            return say("event.game_drawn")
        case Drawn():
            return _drawn(speaker, [event])


def _wins_by_itself(speaker: Speaker, event: Event) -> str | None:
    """The landmark that is being built, if building it wins the game (R55)."""
    if not isinstance(event, Built) or kind_of(speaker.card(event.thing).effect) != "win":
        return None
    return event.thing


def _rolled(speaker: Speaker, name: str, dice: tuple[int, ...]) -> str:
    if len(dice) == 1:
        return speaker.say("event.dice_one", name=name, die=dice[0])
    return speaker.say("event.dice_two", name=name, dice=add_up(dice))


def add_up(dice: tuple[int, ...]) -> str:
    """Dice as a sum.

    >>> add_up((3, 4))
    '3 + 4 = 7'
    """
    return " + ".join(map(str, dice)) + f" = {sum(dice)}"


def _paid(speaker: Speaker, event: Paid) -> str:
    say, names = speaker.say, speaker.names
    slots: dict[str, Any] = {
        "payer": "" if event.payer is None else names[event.payer],
        "receiver": "" if event.receiver is None else names[event.receiver],
        "coins": speaker.coins(event.coins),
        "n": event.coins,
        "owed": event.owed,
    }
    if event.cause == "help":
        return say("event.help", **slots)
    slots["cause"] = _cause(speaker, event)
    if event.payer is None:
        return say("event.from_bank", **slots)
    if event.receiver is None:
        return say(_to_bank(event), **slots)
    if event.coins == 0:
        return say("event.taken_nothing", **slots)
    return say("event.taken" if event.coins == event.owed else "event.taken_short", **slots)


def _to_bank(event: Paid) -> str:
    if event.coins == event.owed:
        return "event.to_bank"
    return "event.to_bank_short" if event.coins else "event.to_bank_nothing"


def _cause(speaker: Speaker, event: Paid) -> str:
    """The card that moved the coins; a renovation counts the cards it closed, not itself."""
    renovates = kind_of(speaker.card(event.cause).effect) == "renovate"
    return speaker.copies(event.cause, 1 if renovates else event.copies)


def _startup(speaker: Speaker) -> str:
    """The card that coins are put on."""
    cards = speaker.ruleset.cards
    return next(card.name[speaker.language] for card in cards if kind_of(card.effect) == "startup")
