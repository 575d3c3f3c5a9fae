"""The planner's weights: what they are called, where they begin, and which belong to a game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources
from typing import Any, NamedTuple

import msgspec

from dicetown.bots.mind import PLANNER, make_mind
from dicetown.bots.rules import planner
from dicetown.bots.rules.planner import WHOLE
from dicetown.bots.rules.scripts import GAMES, game_of
from dicetown.errors import BotError
from dicetown.material.reading import listed, read, read_toml
from dicetown.rules.ruleset import Ruleset

Weights = dict[str, int]  # by name


class Weight(NamedTuple):
    """Where tuning begins, how wide it looks around at first, and what makes sense at all."""

    place: int
    start: int
    step: int
    least: int
    most: int


#: A middle of what the games have turned out to want; at first tuning looks about a step around it.
START: dict[str, Weight] = {
    "growth": Weight(planner.GROWTH, 150, 120, -20, 4000),
    "hurry": Weight(planner.HURRY, 0, 64, -400, 4000),
    "far": Weight(planner.FAR, 10, 10, -20, 100),
    "builds": Weight(planner.BUILDS, 48, 16, 0, 400),
    "shorter": Weight(planner.SHORTER, 16, 10, 0, WHOLE),
    "others": Weight(planner.OTHERS, 44, 12, 0, 300),
    "fees": Weight(planner.FEES, 36, 12, 0, 300),
    "majors": Weight(planner.MAJORS, 52, 12, 0, 300),
    "roll_again": Weight(planner.ROLL_AGAIN, 48, 12, 0, 300),
    "doubles": Weight(planner.DOUBLES, 60, 20, 0, 300),
    "idle": Weight(planner.IDLE, 16, 8, 0, 100),
    "long_road": Weight(planner.LONG_ROAD, 58, 12, 0, 200),
    "before_station": Weight(planner.BEFORE_STATION, 36, 10, 0, WHOLE),
    "spread": Weight(planner.SPREAD, -100, 80, -1000, 4000),
    "next": Weight(planner.NEXT, 6, 6, -WHOLE, 300),
    "denial": Weight(planner.DENIAL, 16, 16, -100, 1000),
    "shared": Weight(planner.SHARED, 64, 16, -WHOLE, 2 * WHOLE),
    "two_dice": Weight(planner.TWO_DICE, 4, 8, -100, 100),
    "landmark": Weight(planner.LANDMARK, 60, 80, -1000, 4000),
    "high": Weight(planner.HIGH, 84, 12, 16, 300),
}


def start_weights() -> Weights:
    """The weights that tuning begins with."""
    return {name: weight.start for name, weight in START.items()}


def mind_of(weights: Mapping[str, int]) -> Any:
    """A planner's mind with the same weights for any number of players."""
    return mind_by_players({0: weights})


def mind_by_players(weights: Mapping[int, Mapping[str, int]]) -> Any:
    """A planner's mind with weights by number of players; where there are none, the nearest number's."""
    mind = make_mind(PLANNER)
    for players in range(len(mind.weights)):
        chosen = weights[nearest(players, list(weights))]
        for name, weight in START.items():
            mind.weights[players, weight.place] = chosen.get(name, weight.start)
    return mind


def nearest(wanted: int, numbers: Sequence[int]) -> int:
    """The number that comes nearest, the greater of two that are as near.

    >>> nearest(3, [2, 4]), nearest(5, [2, 4])
    (4, 4)
    """
    return min(numbers, key=lambda number: (abs(number - wanted), -number))


class Planned(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Weights as a file keeps them, with the command that has found them."""

    weights: Weights
    command: str = ""


ByGame = dict[str, dict[int, Planned]]  # by number of players


@cache
def load_weights() -> ByGame:
    """The tuned weights, by game and by number of players."""
    file = resources.files("dicetown.bots.rules") / "planner.toml"
    return read_weights(read_toml(file), file.name)


def weights_for(ruleset: Ruleset) -> dict[int, Weights]:
    """The weights tuned for a game, by number of players; where nothing is tuned, those to begin with.

    >>> 4 in weights_for(Ruleset("ciudad"))
    True
    """
    by_players = load_weights().get(game_of(ruleset), {})
    return {players: planned.weights for players, planned in by_players.items()} or {0: start_weights()}


# ------------------------------------------------------------------------------- files


def read_weights(tables: Mapping[str, Any], file: str) -> ByGame:
    """Weights as they stand in a file: a table for each game, in it one for each number of players.

    >>> read_weights({"base": {"4": {"weights": {"groth": 90}}}}, "my.toml")
    Traceback (most recent call last):
    dicetown.errors.BotError: my.toml, base.4: there is no weight "groth"; known are growth, ...
    """
    found: ByGame = {}
    for game, by_players in tables.items():
        if game not in GAMES or not isinstance(by_players, dict):
            raise BotError(f'{file}: there is no game "{game}"; known are {listed(GAMES)}.')
        for players, table in by_players.items():
            place = f"{file}, {game}.{players}"
            if not players.isdecimal():
                raise BotError(f'{place}: "{players}" must be a number of players, such as 4.')
            planned = read(Planned, table, place)
            for name, value in planned.weights.items():
                _check(name, value, place)
            found.setdefault(game, {})[int(players)] = planned
    return found


def _check(name: str, value: int, place: str) -> None:
    if name not in START:
        raise BotError(f'{place}: there is no weight "{name}"; known are {listed(START)}.')
    least, most = START[name].least, START[name].most
    if not least <= value <= most:
        raise BotError(f'{place}: the weight "{name}" must lie between {least} and {most}, not at {value}.')


_HEADING = """\
# The planner's weights: a table for each game and number of players, with the command that has found them.
# What each weight means stands in planner.py; where they begin, in planner_weights.py.
"""


def write_weights(weights: ByGame) -> str:
    """The text of a file with weights.

    >>> print(write_weights({"base": {4: Planned({"growth": 90})}}).splitlines()[-1])
    weights.growth = 90
    """
    text = _HEADING
    for game in sorted(weights, key=GAMES.index):
        for players, planned in sorted(weights[game].items()):
            text += f'\n[{game}.{players}]\ncommand = "{planned.command}"\n'
            text += "".join(f"weights.{name} = {value}\n" for name, value in planned.weights.items())
    return text
