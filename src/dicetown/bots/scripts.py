"""The scripted strategies, read from ``scripts.toml``."""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import Any

import msgspec

from dicetown.bots.mind import MAX_WANTS, SCRIPT, make_mind
from dicetown.errors import BotError
from dicetown.material.reading import read, read_toml
from dicetown.rules import codes as c
from dicetown.rules.ruleset import Ruleset


class Script(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A strategy as data: what to buy, in order of priority, and how many dice to roll."""

    game: str = msgspec.field(name="for")
    description: dict[str, str]
    build: list[str]
    dice: int = 0

    def wants(self) -> list[tuple[int, str]]:
        """Copies and thing, the most wanted first.

        >>> Script(game="base", description={}, build=["6 ranch", "1 train_station"]).wants()
        [(6, 'ranch'), (1, 'train_station')]
        """
        found = []
        for line in self.build:
            copies, _, thing = line.partition(" ")
            if not copies.isdecimal() or not thing:
                raise BotError(f'A script wants "copies thing", such as "6 ranch", not "{line}".')
            found.append((int(copies), thing))
        return found

    def mind(self, ruleset: Ruleset) -> Any:
        """The script as compiled play reads it; things the ruleset has not are left out."""
        numbers = {card.id: number for number, card in enumerate(ruleset.cards)}
        numbers |= {mark.id: c.MAX_CARDS + bit for bit, mark in enumerate(ruleset.landmarks)}
        known = [(copies, numbers[thing]) for copies, thing in self.wants() if thing in numbers]
        if len(known) > MAX_WANTS:
            raise BotError(f"A script may want {MAX_WANTS} things, not {len(known)}.")
        mind = make_mind(SCRIPT)
        mind.dice, mind.wants = self.dice, len(known)
        for place, (copies, thing) in enumerate(known):
            mind.copies[place], mind.thing[place] = copies, thing
        return mind


@cache
def load_scripts() -> dict[str, Script]:
    """All scripted strategies by name.

    >>> load_scripts()["cheese"].dice
    2
    """
    file = resources.files("dicetown.bots") / "scripts.toml"
    return {name: read(Script, table, f"scripts.toml, {name}") for name, table in read_toml(file).items()}
