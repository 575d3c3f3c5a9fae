"""A card in words: its line and its sentence."""

from __future__ import annotations

from rich.text import Text

from dicetown.material import Establishment, Landmark, colour_name
from dicetown.text.paint import BUILT, COIN, GOLD, QUIET, STRONG, STYLES, SYMBOLS, ink
from dicetown.words import Speaker


def describe_card(speaker: Speaker, thing: str) -> list[Text]:
    """A card's line (number, name, colour, price) and its sentence."""
    card = speaker.card(thing)
    if isinstance(card, Establishment):
        head, cost = _establishment(speaker, card), str(card.cost)
    else:
        head, cost = _landmark(speaker, card), "" if card.standing else "/".join(map(str, card.cost))
    if cost:
        head.append(f"  {cost}", style=STRONG).append(COIN, style=GOLD)
    return [head, Text(f"  {speaker.effect(thing)}")]


def _establishment(speaker: Speaker, card: Establishment) -> Text:
    sign = f"{SYMBOLS[card.colour]} {speaker.number(card.id)}"
    colour = colour_name(card.colour, speaker.language)
    icon = speaker.ruleset.game.icons[card.icon][speaker.language]
    return (
        ink(sign, style=STYLES[card.colour])
        .append(f"  {speaker.thing(card.id)}", style=STRONG)
        .append(f"  {speaker.say('card.kind', colour=colour, icon=icon)}", style=QUIET)
    )


def _landmark(speaker: Speaker, card: Landmark) -> Text:
    head = ink(f"{BUILT} ", style=GOLD).append(f" {card.name[speaker.language]}", style=STRONG)
    kind = "card.standing" if card.standing else "card.landmark"
    return head.append(f"  {speaker.say(kind)}", style=QUIET)
