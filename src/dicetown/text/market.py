"""The market on the screen: what can be built, with the number to choose it by."""

from __future__ import annotations

from collections.abc import Mapping

from rich.text import Text

from dicetown.game import Game
from dicetown.text.paint import COIN, GOLD, QUIET, STRONG, STYLES, SYMBOLS, UNBUILT, crop, in_columns, ink
from dicetown.words import Speaker
from dicetown.words.actions import price_of

_ROOMY = 34  # cells from which an entry also tells how many copies lie out
_NARROW = 22


def market_forms(speaker: Speaker, game: Game, keys: Mapping[str, int], width: int) -> list[list[Text]]:
    """The market in ever more room. ``keys``: the number that builds a thing, where it can be built.

    The smallest form leaves out what cannot be built, so that all that can be chosen is on the screen.
    """
    things = [*game.market, *landmarks_to_build(speaker, game)]
    forms = []
    if keys:
        forms.append(_laid_out(speaker, game, [thing for thing in things if thing in keys], keys, 4, width))
    return forms + [_laid_out(speaker, game, things, keys, columns, width) for columns in (4, 3, 2)]


def market_title(speaker: Speaker, game: Game) -> str:
    """What the market is called, with what is still to come into it."""
    left = sum(game.deck.values())
    return speaker.say("screen.market_and_deck", left) if left else speaker.say("screen.market")


def landmarks_to_build(speaker: Speaker, game: Game) -> list[str]:
    """The landmarks that the player to move has not built, or that lie out for all."""
    if speaker.ruleset.edition.shared_landmarks:
        return game.landmark_market
    built = game.landmarks(game.turn)
    return [mark.id for mark in speaker.ruleset.landmarks if mark.id not in built]


def _laid_out(
    speaker: Speaker, game: Game, things: list[str], keys: Mapping[str, int], columns: int, width: int
) -> list[Text]:
    gap = 1 if columns > 3 else 2
    each = (width - gap * (columns - 1)) // columns
    return in_columns([_entry(speaker, game, thing, keys, each) for thing in things], columns, width, gap)


def _entry(speaker: Speaker, game: Game, thing: str, keys: Mapping[str, int], width: int) -> Text:
    """One thing: ``12 ■ 2–3  Bakery      1● ×5``; quiet where it cannot be paid."""
    price = price_of(game, thing)
    in_reach = price <= game.coins(game.turn)
    key = f"{keys[thing]:>2}" if thing in keys else "  "
    entry = ink(f"{key} ", style=STRONG).append_text(_sign(speaker, thing))
    amount = f"{price:>3}" if width >= _NARROW else f"{price:>2}"
    end = ink(amount, STRONG if in_reach else QUIET).append(COIN, style=GOLD if in_reach else QUIET)
    copies = game.market.get(thing, 0)
    if width >= _ROOMY:
        end.append(f" ×{copies:<2}" if copies else "    ", style="" if in_reach else QUIET)
    name = ink(speaker.thing(thing), style=STRONG if thing in keys else "" if in_reach else QUIET)
    room = width - entry.cell_len - end.cell_len
    if width < _NARROW:
        name.truncate(room, overflow="crop")  # an ellipsis would take the place of a letter
    return entry.append_text(crop(name, room)).append_text(end)


def _sign(speaker: Speaker, thing: str) -> Text:
    """The symbol of its colour, and its number."""
    if thing in speaker.landmarks:
        return ink(f"{UNBUILT}      ", style=GOLD)
    colour = speaker.establishments[thing].colour
    return ink(f"{SYMBOLS[colour]}{speaker.number(thing):<6}", style=STYLES[colour])
