"""What the judge has learned, as files: one for each kind of game, small enough to ship.

Weights are kept by the names of cards and landmarks, not by their numbers, so that what was learned serves
every edition that has them, and a card nobody has learned about counts for nothing but its income.
"""

from __future__ import annotations

from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dicetown.bots.learning.judge import NET
from dicetown.bots.rules.scripts import game_of
from dicetown.game.notation import numbers_of
from dicetown.rules.layout import record_class
from dicetown.rules.ruleset import Ruleset

#: The weights that are the same for all cards.
_COMMON = ("seen", "bias", "out")
_BY_THING = ("own", "others")


def net_for(ruleset: Ruleset) -> Any:
    """A judge's knowledge of a ruleset: a record of its own, since judging writes into it."""
    lessons = _read(game_of(ruleset))
    net = np.zeros(1, NET)
    for name in _COMMON:
        net[name][0] = lessons[name]
    learned = {str(thing): place for place, thing in enumerate(lessons["things"])}
    for thing, number in numbers_of(ruleset).items():
        if thing in learned:
            for name in _BY_THING:
                net[name][0, number] = lessons[name][learned[thing]]
    return record_class(NET)(net)


@cache
def _read(game: str) -> dict[str, NDArray[Any]]:
    with (resources.files("dicetown.bots.learning") / "nets" / f"{game}.npz").open("rb") as file:
        return dict(np.load(file))


def write_net(net: Any, things: dict[str, int], file: Path) -> None:
    """Keep what was learned about these things, in half precision: more is noise."""
    numbers = list(things.values())
    arrays: dict[str, NDArray[Any]] = {"things": np.array(list(things))}
    for name in _BY_THING:
        arrays[name] = getattr(net, name)[numbers].astype(np.float16)
    for name in _COMMON:
        arrays[name] = np.asarray(getattr(net, name)).astype(np.float16)
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("wb") as out:
        np.savez_compressed(out, **arrays)  # type: ignore[arg-type]
