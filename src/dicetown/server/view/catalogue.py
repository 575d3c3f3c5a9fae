"""What is in the boxes, as a page shows it: editions with their sets and house rules, cards, bots.

What a house rule may be comes from the types of :class:`~dicetown.material.House`, what it usually is comes
from the edition; here are only the words for it.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any, Literal, Union, get_args, get_origin

import msgspec

from dicetown.bots.levels import LEVELS
from dicetown.bots.roster import find_bot, known_bots
from dicetown.bots.search.bots import ThinkingBot
from dicetown.bots.seats import seat_bot
from dicetown.errors import BotError
from dicetown.material import Edition, EditionSet, Establishment, House, Landmark, kind_of, load
from dicetown.material.catalogue import Catalogue, catalogue
from dicetown.rules.ruleset import Ruleset
from dicetown.server import wire
from dicetown.server.view.market_layout import layout_of
from dicetown.words import Speaker

#: The kind of effect of a card that closes after acting.
_CLOSES = "closes"
#: House rules that speak of something: of no use in a box without one of these effects.
_SPEAK_OF: dict[str, tuple[str, ...]] = {
    "reroll_may_change_dice": ("reroll",),
    "extra_turn_fixed_at_roll": ("doubles_turn",),
    "choose_order": ("demolish", "tax"),
    "business_center_optional": ("swap",),
    "renovation_payer": ("renovate",),
    "closed_reopens_unmet": ("renovate",),
    "winery_closes_without_vineyard": (_CLOSES,),
    "airport_before_invest": ("startup",),
    "tax_threshold": ("tax",),
    "max_extra_turns": ("doubles_turn", "extra_turn"),
}
_LEVELS = {level.name: number for number, level in enumerate(LEVELS, start=1)}


def _words(language: str) -> Catalogue:
    return catalogue("boxes", language)


# ------------------------------------------------------------------------------ editions


@cache
def editions(language: str) -> list[wire.EditionInfo]:
    """All editions, in the order of the boxes.

    >>> [(edition.name, edition.max_players) for edition in editions("en")][:2]
    [('Ciudad Machi Koro', 5), ('Deluxe Edition', 5)]
    """
    return [_edition(edition, language) for edition in load().editions.values()]


def _edition(edition: Edition, language: str) -> wire.EditionInfo:
    ruleset = Ruleset(edition.id)
    return wire.EditionInfo(
        id=edition.id,
        name=edition.name[language],
        sentence=edition.blurb[language],
        language=edition.language,
        min_players=ruleset.min_players,
        max_players=ruleset.max_players,
        sets=[_set(ruleset, part, language) for part in edition.sets],
        house=list(_house_rules(ruleset, language)),
    )


def _set(ruleset: Ruleset, part: EditionSet, language: str) -> wire.SetInfo:
    edition = ruleset.edition
    names = [card.name[language] for card in ruleset.cards if card.set == part.id]
    return wire.SetInfo(
        id=part.id,
        name=part.name[language],
        sentence=_words(language).say(f"set.{edition.game}_{part.id}", cards=", ".join(names)),
        needed=part is edition.sets[0],
        max_players=max(edition.max_players, part.max_players or 0),
    )


# --------------------------------------------------------------------------- house rules


def _house_rules(ruleset: Ruleset, language: str) -> Iterator[wire.HouseRule]:
    """The house rules that make a difference in a box, each with its usual value there."""
    effects = {_effect_of(thing) for thing in _things(ruleset)}
    for field in msgspec.structs.fields(House):
        wanted = _SPEAK_OF.get(field.name, ())
        if not wanted or effects.intersection(wanted):
            yield _house_rule(ruleset, field, language)


def _things(ruleset: Ruleset) -> list[Establishment | Landmark]:
    return [*ruleset.cards, *ruleset.landmarks]


def _effect_of(thing: Establishment | Landmark) -> str:
    """What a card does, in a word."""
    return _CLOSES if getattr(thing.effect, "then", None) == "close" else kind_of(thing.effect)


def _house_rule(ruleset: Ruleset, field: msgspec.structs.FieldInfo, language: str) -> wire.HouseRule:
    say = _words(language).say
    named: dict[str, Any] = {_effect_of(thing): thing.name[language] for thing in _things(ruleset)}
    rule: dict[str, Any] = {
        "id": field.name,
        "name": say(f"rule.{field.name}", **named),
        "sentence": say(f"about.{field.name}", **named),
        "usual": getattr(ruleset.rules, field.name),
    }
    kind = msgspec.inspect.type_info(field.type)
    if isinstance(kind, msgspec.inspect.BoolType):
        return wire.HouseRule(kind="switch", **rule)
    if isinstance(kind, msgspec.inspect.IntType):
        return wire.HouseRule(kind="number", least=kind.ge, most=kind.le, **rule)
    options = [wire.HouseOption(value=n, name=str(n)) for n in _numbers(ruleset, field.name)]
    for word in _literals(field.type):
        options.append(wire.HouseOption(value=word, name=say(f"value.{field.name}_{word}")))
    return wire.HouseRule(kind="choice", options=options, **rule)


def _literals(kind: Any) -> Iterator[str]:
    """The words among the values of a type, in its order."""
    if get_origin(kind) is Literal:
        yield from get_args(kind)
    elif get_origin(kind) is Union:
        for one in get_args(kind):
            yield from _literals(one)


def _numbers(ruleset: Ruleset, rule: str) -> range:
    """The numbers that make sense for a rule that may also be a word."""
    if rule == "major_limit":
        return range(1, ruleset.max_players + 1)
    if rule == "landmarks_to_win":
        shared_by = ruleset.min_players if ruleset.edition.shared_landmarks else 1
        return range(1, len(ruleset.landmarks) // shared_by + 1)
    return range(0)


# --------------------------------------------------------------------------------- cards


def cards(ruleset: Ruleset, language: str) -> list[wire.CardInfo]:
    """All cards of a ruleset, establishments by number and then landmarks; City Hall is among them.

    >>> card = cards(Ruleset("deluxe"), "en")[0]
    >>> card.name, card.number, card.colour, card.text
    ('Wheat Field', '1', 'blue', 'When anyone rolls this number, the bank pays you 1 coin.')
    """
    speaker = Speaker(ruleset, (), language)
    shown = [speaker.establishments[card] for _, card, _ in layout_of(ruleset).cards]
    return [
        *(_establishment(speaker, card) for card in shown),
        *(_landmark(speaker, mark) for mark in speaker.landmarks.values()),
    ]


def _establishment(speaker: Speaker, card: Establishment) -> wire.CardInfo:
    return wire.CardInfo(
        id=card.id,
        name=speaker.thing(card.id),
        text=speaker.effect(card.id),
        kind="establishment",
        colour=card.colour,
        rolls=list(card.rolls),
        number=speaker.number(card.id),
        symbol=card.icon,
        cost=card.cost,
        set=card.set,
        gist=gist_of(card),
    )


def gist_of(card: Establishment) -> wire.Gist:
    """What an establishment does, for signs.

    >>> gist = gist_of(load().games["classic"].establishments["cheese_factory"])
    >>> gist.coins, gist.symbols
    (3, ['cow'])
    """
    amount, per = getattr(card.effect, "amount", None), getattr(card.effect, "per", None)
    return wire.Gist(
        kind=kind_of(card.effect),
        coins=amount if isinstance(amount, int) else None,
        symbols=list(per.icons) if per else [],
        cards=list(per.cards) if per else [],
    )


def _landmark(speaker: Speaker, mark: Landmark) -> wire.CardInfo:
    return wire.CardInfo(
        id=mark.id,
        name=speaker.thing(mark.id),
        text=speaker.effect(mark.id),
        kind="landmark",
        colour="gold",
        rolls=[],
        number="",
        symbol="landmark",
        cost=0 if mark.standing else mark.cost[0],
        set=mark.set,
        gist=None,
    )


# ---------------------------------------------------------------------------------- bots


@cache
def bots(language: str) -> list[wire.BotInfo]:
    """The bots that can be given a seat: the levels first, from the easiest, then all others.

    >>> [(bot.name, bot.level) for bot in bots("es")][:3]
    [('Principiante', 1), ('Fácil', 2), ('Normal', 3)]
    """
    found = [bot for name in known_bots() if (bot := _bot(name, language)) is not None]
    return sorted(found, key=lambda bot: bot.level or len(_LEVELS) + 1)


def _bot(name: str, language: str) -> wire.BotInfo | None:
    """A bot in words; None for one of another package that cannot be used."""
    try:
        maker = find_bot(name)
        thinks = isinstance(maker.make(), ThinkingBot)
    except BotError:
        return None
    words, key = _words(language), f"bot.{name}"
    return wire.BotInfo(
        id=name,
        name=words.say(key) if key in words.templates else name.replace("_", " ").capitalize(),
        sentence=maker.description.get(language) or next(iter(maker.description.values()), ""),
        level=_LEVELS.get(name, 0),
        needs_warming=thinks,
    )


def brought_bot(name: str, meant: str, language: str) -> wire.BotInfo:
    """A bot that whoever started the service brought along, in words.

    >>> brought_bot("Careless", "greedy:slips=300", "en").sentence
    'Brought along by whoever runs this service.'
    """
    return wire.BotInfo(
        id=name,
        name=name,
        sentence=_words(language).say("brought.sentence"),
        level=0,
        needs_warming=isinstance(seat_bot(meant), ThinkingBot),
    )
