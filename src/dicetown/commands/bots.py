"""``dicetown bots``: who can be played against."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dicetown.bots import find_bot, known_bots
from dicetown.bots.roster import bots_of_others
from dicetown.commands.figures import print_json
from dicetown.commands.inputs import read_language
from dicetown.commands.options import Json, Language
from dicetown.console import make_console
from dicetown.errors import BotError

_INDENT = "    "


def run(lang: Language = None, json: Json = False) -> None:
    """List the bots and their options, by the names that --players and --bots take.

    For example: dicetown bots --lang de
    """
    spoken = read_language(lang)
    described = {name: describe(name, spoken) for name in known_bots()}
    if json:
        print_json(described)
        return
    console = make_console()
    wide = max(map(len, described))
    for name, bot in described.items():
        source = f" [{bot['package']}]" if bot["package"] else ""
        lines = [f"{name.ljust(wide)}  {bot['description']}{source}"]
        lines += [
            f"{' ' * wide}{_INDENT}{option}={one['usual']}: {one['meaning']}"
            for option, one in bot["options"].items()
        ]
        for line in lines:
            console.print(line, soft_wrap=True)


def describe(name: str, language: str) -> dict[str, Any]:
    """What is known about a bot; one of another package may turn out to be broken."""
    entry = bots_of_others().get(name)
    package = entry.dist.name if entry is not None and entry.dist is not None else None
    try:
        bot = find_bot(name)
    except BotError as problem:
        return {"description": str(problem), "options": {}, "package": package}
    options = {option: {"usual": one.usual, "meaning": one.meaning} for option, one in bot.options.items()}
    return {"description": _in(language, bot.description), "options": options, "package": package}


def _in(language: str, description: Mapping[str, str]) -> str:
    """A description in a language, or else in the first that it has."""
    return description.get(language) or next(iter(description.values()), "")
