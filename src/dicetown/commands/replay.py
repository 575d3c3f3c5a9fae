"""``dicetown replay``: a saved game in words."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from dicetown.commands.inputs import UsageProblem, read_language
from dicetown.commands.options import Language
from dicetown.console import make_console
from dicetown.game import Game
from dicetown.game.events import TurnBegan
from dicetown.text.log import turns
from dicetown.text.result import result_rows
from dicetown.words import Line, Speaker


def run(
    file: Annotated[Path, typer.Argument(help="A saved game.", show_default=False)],
    lang: Language = None,
    first: Annotated[int, typer.Option("--from", help="Begin at this turn.", metavar="TURN")] = 1,
    position: Annotated[
        bool, typer.Option("--position", help="Print only where the game stands, as position text.")
    ] = False,
) -> None:
    """Tell a saved game in words, turn by turn.

    For example: dicetown replay game.json --from 20 --lang es
    """
    spoken = read_language(lang)
    game = Game.load(file)  # whoever sat there, also a bot that is not installed here
    if position:
        print(game.position())
        return
    speaker = Speaker(game.ruleset, game.names, spoken)
    parts = turns(speaker, game.events)
    count = sum(isinstance(part[0].event, TurnBegan) for part in parts)
    if not 1 <= first <= max(count, 1):
        raise UsageProblem(f"{file}: there is no turn {first}; the game has {count}.")
    console = make_console()
    number = 0
    for part in parts:
        number += isinstance(part[0].event, TurnBegan)
        if number >= first or (number == 0 and first == 1):
            console.print(_head(number, part[0]), style="bold", soft_wrap=True)
            for line in part[1:]:
                console.print(f"  {line.text}", soft_wrap=True)
    if game.over:
        console.print()
        for row in result_rows(speaker, game):
            console.print(row, soft_wrap=True)


def _head(number: int, line: Line) -> str:
    return f"{number}. {line.text}" if number else line.text
