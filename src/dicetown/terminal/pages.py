"""Pages to read: help, a card's text, cities and market in full, the whole log."""

from __future__ import annotations

from rich.text import Text

from dicetown.game.events import TurnBegan
from dicetown.terminal.seats import SeatedGame
from dicetown.text.cards import describe_card
from dicetown.text.city import skyline
from dicetown.text.log import turns
from dicetown.text.market import landmarks_to_build, market_title
from dicetown.text.odds import odds_rows
from dicetown.text.paint import BUILT, COIN, GOLD, QUIET, STRONG, STYLES, SYMBOLS, UNBUILT, ink
from dicetown.words.actions import price_of

_HOW_TO_PLAY = ("goal", "turn", "colours")
_WHAT_TO_TYPE = ("choose", "enter", "card", "look", "undo", "save", "quit")


def help_page(table: SeatedGame) -> list[Text]:
    """How to play, and what can be typed."""
    speaker = table.speaker
    to_win = speaker.ruleset.landmarks_to_win
    lines = [ink(speaker.say("help.title"), style=STRONG)]
    lines += [Text(speaker.say(f"help.{key}", n=to_win)) for key in _HOW_TO_PLAY]
    for colour, symbol in SYMBOLS.items():
        lines.append(ink(f"  {symbol} ", style=STYLES[colour]).append(speaker.say(f"help.{colour}")))
    lines += [Text(speaker.say("help.signs")), Text()]
    return lines + [Text(speaker.say(f"help.{key}")) for key in _WHAT_TO_TYPE]


def card_page(table: SeatedGame, thing: str) -> list[Text]:
    """All about one card: what it does, what it costs, who has it."""
    speaker, game = table.speaker, table.game
    lines = describe_card(speaker, thing)
    owners = []
    for seat, name in enumerate(speaker.names):
        if copies := game.cards(seat).get(thing, 0):
            owners.append(f"{name} ×{copies}")
        elif thing in game.landmarks(seat):
            owners.append(name)
    if owners:
        lines.append(ink("  " + speaker.say("card.owners", names=", ".join(owners)), style=QUIET))
    return lines


def cities_page(table: SeatedGame, seat: int | None = None) -> list[Text]:
    """One city or all of them in full, with what each card does."""
    shown = range(table.game.players) if seat is None else [seat]
    return [line for one in shown for line in [*_city(table, one), Text()]][:-1]


def _city(table: SeatedGame, seat: int) -> list[Text]:
    speaker, game = table.speaker, table.game
    name = speaker.names[seat]
    if bot := table.seats[seat].bot:
        name = speaker.say("screen.bot_name", name=name, bot=bot)
    head = ink(name, style=STRONG).append(f"  {speaker.coins(game.coins(seat))}  ", style="")
    lines = [head.append_text(skyline(speaker, game, seat))]
    for card, copies in game.cards(seat).items():
        colour = speaker.establishments[card].colour
        line = ink(f"  {SYMBOLS[colour]}{speaker.number(card):<6}", style=STYLES[colour])
        line.append(speaker.copies(card, copies))
        if closed := game.closed(seat).get(card, 0):
            line.append(f"  {speaker.say('screen.closed', closed)}", style=STRONG)
        lines.append(line)
    if game.invested(seat):
        lines.append(ink(f"  {speaker.say('screen.invested', game.invested(seat))}", style=GOLD))
    for mark in game.landmarks(seat):
        lines.append(ink(f"  {BUILT}      {speaker.thing(mark)}", style=GOLD))
    if not speaker.ruleset.edition.shared_landmarks:
        for one in speaker.ruleset.landmarks:
            if one.id not in game.landmarks(seat):
                price = price_of(game, one.id, seat)
                lines.append(ink(f"  {UNBUILT}      {speaker.thing(one.id)}  {price}{COIN}", style=QUIET))
    return lines


def market_page(table: SeatedGame) -> list[Text]:
    """The market with every card's text, and the landmarks to build."""
    speaker, game = table.speaker, table.game
    lines: list[Text] = [ink(market_title(speaker, game), style=STRONG)]
    for thing, copies in game.market.items():
        head, text = describe_card(speaker, thing)
        lines += [head.append(f" ×{copies}"), text]
    for mark in landmarks_to_build(speaker, game):
        lines += describe_card(speaker, mark)
    return lines


def log_page(table: SeatedGame) -> list[Text]:
    """Everything that happened, a line each."""
    lines = []
    for turn in turns(table.speaker, table.game.events):
        for line in turn:
            began = isinstance(line.event, TurnBegan)
            lines.append(ink(line.text, style=STRONG) if began else Text(f"  {line.text}"))
    return lines


def odds_page(table: SeatedGame, width: int) -> list[Text]:
    """What each total would bring everybody."""
    return odds_rows(table.speaker, table.game, width) or [Text(table.speaker.say("refuse.not_now"))]
