"""Pages to read: help, a card's text, cities and market in full, the whole log, the result."""

from __future__ import annotations

from rich.text import Text

from dicetown.game.events import TurnBegan
from dicetown.material import Establishment, Landmark, colour_name
from dicetown.terminal.table import Table
from dicetown.text.city import skyline
from dicetown.text.log import turns
from dicetown.text.market import landmarks_to_build, market_title
from dicetown.text.odds import odds_rows
from dicetown.text.paint import BUILT, COIN, GOLD, QUIET, STRONG, STYLES, SYMBOLS, UNBUILT, ink
from dicetown.words import Speaker
from dicetown.words.actions import price_of

_HOW_TO_PLAY = ("goal", "turn", "colours")
_WHAT_TO_TYPE = ("choose", "enter", "card", "look", "undo", "save", "quit")


def help_page(table: Table) -> list[Text]:
    """How to play, and what can be typed."""
    speaker = table.speaker
    to_win = speaker.ruleset.landmarks_to_win
    lines = [ink(speaker.say("help.title"), style=STRONG)]
    lines += [Text(speaker.say(f"help.{key}", n=to_win)) for key in _HOW_TO_PLAY]
    for colour, symbol in SYMBOLS.items():
        lines.append(ink(f"  {symbol} ", style=STYLES[colour]).append(speaker.say(f"help.{colour}")))
    lines += [Text(speaker.say("help.signs")), Text()]
    return lines + [Text(speaker.say(f"help.{key}")) for key in _WHAT_TO_TYPE]


def card_page(table: Table, thing: str) -> list[Text]:
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


def cities_page(table: Table, seat: int | None = None) -> list[Text]:
    """One city or all of them in full, with what each card does."""
    shown = range(table.game.players) if seat is None else [seat]
    return [line for one in shown for line in [*_city(table, one), Text()]][:-1]


def _city(table: Table, seat: int) -> list[Text]:
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


def market_page(table: Table) -> list[Text]:
    """The market with every card's text, and the landmarks to build."""
    speaker, game = table.speaker, table.game
    lines: list[Text] = [ink(market_title(speaker, game), style=STRONG)]
    for thing, copies in game.market.items():
        head, text = describe_card(speaker, thing)
        lines += [head.append(f" ×{copies}"), text]
    for mark in landmarks_to_build(speaker, game):
        lines += describe_card(speaker, mark)
    return lines


def log_page(table: Table) -> list[Text]:
    """Everything that happened, a line each."""
    lines = []
    for turn in turns(table.speaker, table.game.events):
        for line in turn:
            began = isinstance(line.event, TurnBegan)
            lines.append(ink(line.text, style=STRONG) if began else Text(f"  {line.text}"))
    return lines


def odds_page(table: Table, width: int) -> list[Text]:
    """What each total would bring everybody."""
    return odds_rows(table.speaker, table.game, width) or [Text(table.speaker.say("refuse.not_now"))]


def result_page(table: Table) -> list[Text]:
    """Who has won, and how everybody stands."""
    speaker, game = table.speaker, table.game
    if game.winner is None:
        title = speaker.say("end.drawn", game.turns)
    else:
        title = speaker.say("end.won", game.turns, name=speaker.names[game.winner])
    lines = [ink(title, style=STRONG), Text()]
    columns = ("end.player", "end.landmarks", "end.coins", "end.cards", "end.turns")
    names_wide = max(len(name) for name in [*speaker.names, speaker.say(columns[0])]) + 2
    lines.append(ink(speaker.say(columns[0]).ljust(names_wide), style=QUIET))
    for column in columns[1:]:
        lines[-1].append(speaker.say(column).rjust(14), style=QUIET)
    order = sorted(range(game.players), key=lambda seat: (seat != game.winner, -len(game.landmarks(seat))))
    for seat in order:
        row = ink(speaker.names[seat].ljust(names_wide), style=STRONG if seat == game.winner else "")
        for number in _figures(table, seat):
            row.append(f"{number:>14}")
        lines.append(row)
    return lines


def _figures(table: Table, seat: int) -> tuple[int, int, int, int]:
    game = table.game
    begun = sum(isinstance(event, TurnBegan) and event.seat == seat for event in game.events)
    taken = begun - table.speaker.ruleset.rules.start_rounds
    return len(game.landmarks(seat)), game.coins(seat), sum(game.cards(seat).values()), taken
