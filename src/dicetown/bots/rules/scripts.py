"""The scripted strategies, read from ``scripts.toml``."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Annotated, Any, Literal, get_args

import msgspec

from dicetown.bots.description import Description
from dicetown.bots.mind import MAX_WANTS, SCRIPT, make_mind
from dicetown.errors import BotError
from dicetown.game.notation import numbers_of
from dicetown.material.reading import read, read_toml
from dicetown.rules.ruleset import Ruleset

#: The kinds of game, each with cards and a market of its own; one more set makes another game.
GameKind = Literal["base", "harbor", "millionaires_row", "neue_stadt"]
GAMES: tuple[GameKind, ...] = get_args(GameKind)


class Script(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A strategy as data: what to buy, in order of priority, how many cards are enough, and which dice."""

    game: GameKind = msgspec.field(name="for")
    description: Mapping[str, str]
    build: list[str]
    dice: Annotated[int, msgspec.Meta(ge=0, le=2)] = 0
    enough: Annotated[int, msgspec.Meta(ge=0)] = 0

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
        numbers = numbers_of(ruleset)
        known = [(copies, numbers[thing]) for copies, thing in self.wants() if thing in numbers]
        if len(known) > MAX_WANTS:
            raise BotError(f"A script may want {MAX_WANTS} things, not {len(known)}.")
        mind = make_mind(SCRIPT)
        mind.dice, mind.enough, mind.wants = self.dice, self.enough, len(known)
        for place, (copies, thing) in enumerate(known):
            mind.copies[place], mind.thing[place] = copies, thing
        return mind


@cache
def load_scripts() -> dict[str, Script]:
    """All scripted strategies by name.

    >>> load_scripts()["cheese"].dice
    2
    """
    file = resources.files("dicetown.bots.rules") / "scripts.toml"
    return {name: _read_script(name, table) for name, table in read_toml(file).items()}


def _read_script(name: str, table: dict[str, Any]) -> Script:
    script = read(Script, {"description": {}, **table}, f"scripts.toml, {name}")
    return msgspec.structs.replace(script, description=Description(name))


def game_of(ruleset: Ruleset) -> GameKind:
    """Which of the games a ruleset plays.

    >>> game_of(Ruleset("ciudad")), game_of(Ruleset("deluxe", sets=["base"])), game_of(Ruleset("neue_stadt"))
    ('harbor', 'base', 'neue_stadt')
    """
    if ruleset.edition.shared_landmarks:
        return "neue_stadt"
    if "millionaires_row" in ruleset.set_ids:
        return "millionaires_row"
    return "harbor" if "harbor" in ruleset.set_ids else "base"


def scripts_for(ruleset: Ruleset) -> dict[str, Script]:
    """The strategies meant for what a ruleset plays, by name.

    >>> list(scripts_for(Ruleset("deluxe", sets=["base"])))[:2]
    ['cheese', 'convenience']
    """
    game = game_of(ruleset)
    return {name: script for name, script in load_scripts().items() if script.game == game}
