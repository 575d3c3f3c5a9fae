"""Cities on the screen: a player's coins, landmarks and establishments, in more or less room."""

from __future__ import annotations

from rich.text import Text

from dicetown.game import Game
from dicetown.text.paint import (
    BUILT,
    COIN,
    GOLD,
    QUIET,
    STRONG,
    STYLES,
    SYMBOLS,
    UNBUILT,
    crop,
    flow,
    ink,
)
from dicetown.words import Speaker

NAME_WIDTH = 10


def city_forms(speaker: Speaker, game: Game, seat: int, width: int) -> list[list[Text]]:
    """A city in ever more room: one line; numbers of all cards; names of all cards and landmarks."""
    head = _head(speaker, game, seat)
    short = [_in_short(speaker, game, seat, card) for card in game.cards(seat)]
    named = [_by_name(speaker, game, seat, card) for card in game.cards(seat)]
    named += [ink(f"{BUILT} {speaker.thing(mark)}", style=GOLD) for mark in game.landmarks(seat)]
    if game.invested(seat):
        put = ink(speaker.say("screen.invested", game.invested(seat)), style=GOLD)
        short.append(put)
        named.append(put)
    indent = len(head.plain) + 2
    return [
        [_one_line(head, short, width)],
        _hang(head, short, width, indent),
        _hang(head, named, width, indent),
    ]


def _head(speaker: Speaker, game: Game, seat: int) -> Text:
    """Name, coins and landmarks, the same width for every player."""
    on_turn = game.to_move == seat
    head = ink("▶ " if on_turn else "  ", style=STRONG if on_turn else "")
    head.append_text(crop(ink(speaker.names[seat], style=STRONG if on_turn else ""), NAME_WIDTH))
    head.append(f" {game.coins(seat):>3}", style=STRONG).append(f"{COIN} ", style=GOLD)
    return head.append_text(skyline(speaker, game, seat))


def skyline(speaker: Speaker, game: Game, seat: int) -> Text:
    """A star for each landmark built and an outline for each that is still needed."""
    built, needed = len(game.landmarks(seat)), speaker.ruleset.landmarks_to_win
    if needed > 6:
        return ink(f"{BUILT}{built}/{needed}", style=GOLD)
    return ink(BUILT * built, style=GOLD).append(UNBUILT * (needed - built), style=QUIET)


def _in_short(speaker: Speaker, game: Game, seat: int, card: str) -> Text:
    colour = speaker.establishments[card].colour
    return ink(f"{SYMBOLS[colour]}{speaker.number(card)}{_counts(game, seat, card)}", style=STYLES[colour])


def _by_name(speaker: Speaker, game: Game, seat: int, card: str) -> Text:
    colour = speaker.establishments[card].colour
    text = ink(f"{SYMBOLS[colour]}{speaker.number(card)}·", style=STYLES[colour])
    return text.append(speaker.thing(card)).append(_counts(game, seat, card), style=STRONG)


def _counts(game: Game, seat: int, card: str) -> str:
    """Copies, and how many of them are closed: ``×3`` or ``×3✕1``."""
    copies, closed = game.cards(seat)[card], game.closed(seat).get(card, 0)
    return (f"×{copies}" if copies > 1 else "") + (f"✕{closed}" if closed else "")


def _one_line(head: Text, items: list[Text], width: int) -> Text:
    """As many items as one line holds, and how many there are more."""
    for shown in range(len(items), -1, -1):
        more = len(items) - shown
        line = head.copy().append("  ")
        line.append_text(Text(" ").join(items[:shown]))
        if more:
            line.append(f" +{more}", style=QUIET)
        if line.cell_len <= width:
            return line
    return crop(head, width)


def _hang(head: Text, items: list[Text], width: int, indent: int) -> list[Text]:
    """Items beside the head, and below it where they need more lines."""
    lines = flow(items, width, indent)
    lines[0] = head.copy().append("  ").append_text(lines[0][indent:])
    return lines
