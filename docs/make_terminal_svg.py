"""Draws docs/terminal.svg, the picture of a terminal game in the README: python docs/make_terminal_svg.py."""

from __future__ import annotations

import io
import re
from pathlib import Path

from rich.console import Console
from rich.text import Text

from dicetown import Game, Ruleset
from dicetown.rules import codes as c
from dicetown.terminal.screen import draw
from dicetown.terminal.seats import Seat, SeatedGame, choose_for
from dicetown.words import Speaker

WIDTH, HEIGHT = 80, 24
PICTURE = Path(__file__).with_name("terminal.svg")


def a_table() -> SeatedGame:
    """Ana against two bots, when she can build something and has choices."""
    seats = [Seat("Ana"), Seat("Greta", "greedy"), Seat("Max", "random")]
    game = Game(Ruleset("deluxe", sets=["base", "harbor"]), names=[seat.name for seat in seats], seed=12)
    while (
        game.turns < 33 or game.to_move != 0 or game.state.phase != c.BUILD or len(game.legal_actions()) < 5
    ):
        game.play(choose_for("greedy" if game.to_move != 2 else "random", game))
    return SeatedGame(game, seats, Speaker(game.ruleset, game.names, "en"))


def picture(table: SeatedGame) -> str:
    """The screen as SVG, in whatever fixed-width font the reader has."""
    console = Console(
        record=True,
        width=WIDTH,
        height=HEIGHT,
        file=io.StringIO(),
        force_terminal=True,
        color_system="standard",
    )
    for line in draw(table, WIDTH, HEIGHT):
        console.print(line, no_wrap=True, overflow="crop")
    console.print(Text(table.speaker.say("screen.prompt") + "▁"))
    svg = console.export_svg(title="dicetown play", unique_id="dicetown")
    svg = re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.DOTALL)  # no fonts from elsewhere
    svg = svg.replace("<svg ", '<svg xml:space="preserve" ', 1)  # columns are made of spaces
    return svg.replace("Fira Code, monospace", "ui-monospace, Menlo, Consolas, DejaVu Sans Mono, monospace")


if __name__ == "__main__":
    PICTURE.write_text(picture(a_table()), encoding="utf-8")
    print(f"{PICTURE} drawn.")
