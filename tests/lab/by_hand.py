"""Little tables of games, players and purchases, written by hand, for studies to read."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from dicetown import Ruleset
from dicetown.game.notation import numbers_of
from dicetown.lab.record.bulk import Rows
from dicetown.lab.record.files import as_files
from dicetown.lab.record.folder import Recorded, ResultsFolder
from dicetown.lab.record.manifest import Manifest
from dicetown.lab.record.rows import GAME_ROW, NEVER, PLAYER_ROW, PURCHASE_ROW
from dicetown.lab.record.sample import Sample, name_sample

BASE = Ruleset("deluxe", sets=["base"])
NUMBERS = numbers_of(BASE)
Row = Mapping[str, Any]

_PLAYER = {
    "first": NEVER,
    "second": NEVER,
    "third": NEVER,
    "first_landmark": NEVER,
    "own_turns": 10,
    "rolls": 10,
}


def write_sample(
    folder: Path,
    sample: Sample,
    games: Sequence[Row],
    players: Iterable[Row] = (),
    purchases: Iterable[Row] = (),
) -> Recorded:
    """A sample with these rows; what a row does not say is nothing, or never."""
    results = ResultsFolder.to_fill(folder, resume=True)
    results.begin([Manifest.of(sample, games_per_part=len(games), command="by hand")])
    rows = Rows(
        _records(GAME_ROW, ({"game": number, **row} for number, row in enumerate(games))),
        _records(PLAYER_ROW, ({**_PLAYER, "bot": row["seat"], **row} for row in players)),
        _records(PURCHASE_ROW, purchases),
    )
    results.add(sample.name, 0, as_files(rows))
    return results.recorded(sample.name)


def base_sample(players: int, games: int, *bots: str) -> Sample:
    """A sample of the base game."""
    return name_sample(BASE, players, bots or ("greedy",), seed=0, games=games)


def _records(kind: "np.dtype[Any]", rows: Iterable[Row]) -> Any:
    found = list(rows)
    records = np.zeros(len(found), kind)
    for place, row in enumerate(found):
        for name, value in row.items():
            records[name][place] = value
    return records
