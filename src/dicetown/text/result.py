"""The result of a game."""

from __future__ import annotations

from rich.text import Text

from dicetown.game import Game
from dicetown.game.events import TurnBegan
from dicetown.text.paint import QUIET, STRONG, ink
from dicetown.words import Speaker


def result_rows(speaker: Speaker, game: Game) -> list[Text]:
    """Who has won, and how everybody stands."""
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
        for number in _figures(speaker, game, seat):
            row.append(f"{number:>14}")
        lines.append(row)
    return lines


def _figures(speaker: Speaker, game: Game, seat: int) -> tuple[int, int, int, int]:
    begun = sum(isinstance(event, TurnBegan) and event.seat == seat for event in game.events)
    taken = begun - speaker.ruleset.rules.start_rounds
    return len(game.landmarks(seat)), game.coins(seat), sum(game.cards(seat).values()), taken
