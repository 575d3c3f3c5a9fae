"""The table in lines of text, and the words above it."""

from __future__ import annotations

from rich.text import Text

from dicetown.game import Game
from dicetown.rules import codes as c
from dicetown.text.city import city_forms
from dicetown.text.market import market_forms, market_title
from dicetown.text.paint import STRONG, heading, ink
from dicetown.words import Speaker, question
from dicetown.words.events import add_up

WIDTH = 112  # three columns of the market, with numbers of copies


def table_lines(speaker: Speaker, game: Game) -> list[Text]:
    """The table in lines: who has what, what lies in the market, and what is asked."""
    lines = [heading(title(speaker, game), WIDTH)]
    for seat in range(game.players):
        lines += city_forms(speaker, game, seat, WIDTH)[-1]
    lines.append(heading(market_title(speaker, game), WIDTH))
    lines += market_forms(speaker, game, {}, WIDTH)[-2]
    lines.append(ink(situation(speaker, game), STRONG))
    return lines


def title(speaker: Speaker, game: Game) -> str:
    """What is played, and how far it has come."""
    turn = speaker.say("screen.turn", n=game.turns + 1)
    return f"{speaker.edition()} · {speaker.sets()} · {turn}"


def situation(speaker: Speaker, game: Game) -> str:
    """The dice, and what is asked of whom; or how the game has ended."""
    if game.over:
        won = game.winner
        return "Nobody has won." if won is None else f"{speaker.names[won]} has won."
    name, asked = speaker.names[game.turn], question(speaker, game)
    if dice := thrown(game):
        return f"{name} rolled {add_up(dice) if len(dice) > 1 else dice[0]}. {asked}"
    return speaker.say("screen.asks", name=name, question=asked)


def thrown(game: Game) -> tuple[int, ...]:
    """The dice on the table; none before the first roll of a turn."""
    s = game.state
    if not c.ROLL < s.phase <= c.LAST_DECISION or s.start_left:
        return ()
    return (s.die, s.other_die)[: s.dice]
