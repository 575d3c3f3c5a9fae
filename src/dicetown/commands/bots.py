"""``dicetown bots``: who can be played against."""

from __future__ import annotations

from dicetown.bots import BOTS
from dicetown.commands.figures import print_json
from dicetown.commands.inputs import read_language
from dicetown.terminal.play import make_console


def run(language: str | None, as_json: bool) -> None:
    """List the bots with what they do."""
    spoken = read_language(language)
    described = {name: bot.description[spoken] for name, bot in BOTS.items()}
    if as_json:
        print_json(described)
        return
    console = make_console()
    wide = max(map(len, described))
    for name, description in described.items():
        console.print(f"{name.ljust(wide)}  {description}", soft_wrap=True)
