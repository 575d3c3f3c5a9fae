"""How an environment shows its table: as text, printed, or as a picture."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from rich.console import Console

from dicetown.envs.rendering.lines import WIDTH, table_lines
from dicetown.errors import EnvError
from dicetown.extras import need
from dicetown.game import Game
from dicetown.words import Speaker

#: ``human`` prints the table, ``ansi`` gives it as text, ``rgb_array`` as a picture.
RENDER_MODES = ("human", "ansi", "rgb_array")


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
    console = Console(width=WIDTH)
    for line in lines:
        console.print(line, no_wrap=True, crop=True)
    return None
