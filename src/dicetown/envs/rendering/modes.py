"""How an environment shows its table: as text, printed, or as a picture."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.text import Text

from dicetown.errors import EnvError
from dicetown.extras import need
from dicetown.game import Game
from dicetown.rules import codes as c
from dicetown.text.city import city_forms
from dicetown.text.market import market_forms, market_title
from dicetown.text.paint import STRONG, heading, ink
from dicetown.words import Speaker, question
from dicetown.words.events import add_up

#: ``human`` prints the table, ``ansi`` gives it as text, ``rgb_array`` as a picture.
RENDER_MODES = ("human", "ansi", "rgb_array")
_WIDTH = 112  # three columns of the market, with numbers of copies


def check_mode(mode: str | None) -> str | None:
    """The way to render, if it is one."""
    if mode is not None and mode not in RENDER_MODES:
        raise EnvError(f'render_mode="{mode}" is not known; it is one of: {", ".join(RENDER_MODES)}.')
    if mode == "rgb_array":
        need("envs", "PIL", what="A picture of the table")
    return mode


def render(game: Game, names: Sequence[str], mode: str | None) -> str | NDArray[np.uint8] | None:
    """Show a game in the way asked for."""
    if mode is None:
        raise EnvError(f"Say how to render when you make the environment: {', '.join(RENDER_MODES)}.")
    speaker = Speaker(game.ruleset, names, "en")
    if mode == "rgb_array":
        from dicetown.envs.rendering.picture import paint_table

        return paint_table(speaker, game)
    lines = table_lines(speaker, game)
    if mode == "ansi":
        return "\n".join(line.plain.rstrip() for line in lines)
    console = Console(width=_WIDTH)
    for line in lines:
        console.print(line, no_wrap=True, crop=True)
    return None


def table_lines(speaker: Speaker, game: Game) -> list[Text]:
    """The table in lines: who has what, what lies in the market, and what is asked."""
    lines = [heading(title(speaker, game), _WIDTH)]
    for seat in range(game.players):
        lines += city_forms(speaker, game, seat, _WIDTH)[-1]
    lines.append(heading(market_title(speaker, game), _WIDTH))
    lines += market_forms(speaker, game, {}, _WIDTH)[-2]
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
