"""A folder of results: samples, each with its manifest and its games as Parquet files.

::

    FOLDER/manifest.json                           that this is a folder of results
    FOLDER/samples/NAME/manifest.json              what was played
    FOLDER/samples/NAME/games/part-00000.parquet   one row for each game
    FOLDER/samples/NAME/players/…                  one row for each player of each game
    FOLDER/samples/NAME/purchases/…                one row for each thing bought

A part is there when its file of games is there: it is the last of the three to get its name.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import msgspec

from dicetown.errors import LabError
from dicetown.game.notation import numbers_of
from dicetown.lab.record.files import count_rows
from dicetown.lab.record.manifest import FORMAT, NAME, Manifest, check_format, write_whole
from dicetown.lab.record.sample import Sample
from dicetown.rules.ruleset import Ruleset

TABLES = ("games", "players", "purchases")
_SAMPLES = "samples"


def part_name(number: int) -> str:
    """The file of a part, in each of the three folders."""
    return f"part-{number:05d}.parquet"


@dataclass(frozen=True)
class Recorded:
    """A sample that has been played, at least some of it."""

    folder: Path
    manifest: Manifest
    parts: tuple[int, ...]  # that are there, in order
    count: int  # games that are there

    @cached_property
    def sample(self) -> Sample:
        """What was asked for."""
        return self.manifest.sample

    @property
    def name(self) -> str:
        """What the sample is called."""
        return self.manifest.name

    @property
    def ruleset(self) -> Ruleset:
        """What was played."""
        return self.sample.ruleset

    @property
    def seats(self) -> int:
        """How many sat at the table."""
        return self.manifest.players

    @property
    def bots(self) -> tuple[str, ...]:
        """Who sat there, seat by seat."""
        return self.manifest.bots

    @property
    def games(self) -> str:
        """All files of games, as DuckDB and Polars read them."""
        return self._all_of("games")

    @property
    def players(self) -> str:
        """All files of players."""
        return self._all_of("players")

    @property
    def purchases(self) -> str:
        """All files of purchases."""
        return self._all_of("purchases")

    def file(self, table: str, part: int) -> str:
        """The file of a table in a part."""
        return str(self.folder / table / part_name(part))

    @property
    def is_whole(self) -> bool:
        """Whether all games that were asked for are there."""
        return self.count >= self.manifest.games

    @cached_property
    def things(self) -> Mapping[int, str]:
        """The ids of cards and landmarks by the numbers that the files have."""
        return {number: name for name, number in numbers_of(self.ruleset).items()}

    def thing_name(self, thing: int, language: str = "en") -> str:
        """What a card or landmark is called."""
        game, name = self.ruleset.game, self.things[thing]
        part = game.establishments.get(name) or game.landmarks[name]
        return part.name[language]

    def _all_of(self, table: str) -> str:
        return str(self.folder / table / "part-*.parquet")


class ResultsFolder:
    """A folder of results that is read or added to."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @classmethod
    def open(cls, path: Path) -> ResultsFolder:
        """A folder that has results already."""
        if not path.is_dir():
            raise LabError(f"{path}: there is no such folder.")
        check_format(path)
        return cls(path)

    @classmethod
    def to_fill(cls, path: Path, resume: bool) -> ResultsFolder:
        """A new folder, or one with results that are to be gone on with; nothing is written yet."""
        if path.exists() and not path.is_dir():
            raise LabError(f"{path}: this is a file; name a folder for the results.")
        if path.is_dir() and any(path.iterdir()):
            if not (path / NAME).exists():
                raise LabError(f"{path}: this folder has something else in it; name a new one.")
            check_format(path)
            if not resume:
                raise LabError(
                    f"{path}: this folder has results already; --resume goes on with them, "
                    "another folder begins anew."
                )
        return cls(path)

    def begin(self, manifests: Sequence[Manifest]) -> None:
        """Write down what the folder is going to hold."""
        write_whole(self.path / NAME, msgspec.json.encode({"format": FORMAT}) + b"\n")
        for manifest in manifests:
            manifest.write(self.place_of(manifest.name))

    def place_of(self, name: str) -> Path:
        """Where a sample is kept."""
        return self.path / _SAMPLES / name

    @property
    def names(self) -> list[str]:
        """The samples that are there, in alphabetical order."""
        places = sorted((self.path / _SAMPLES).glob(f"*/{NAME}"))
        return [place.parent.name for place in places]

    def recorded(self, name: str) -> Recorded:
        """What was recorded of a sample."""
        place = self.place_of(name)
        manifest = Manifest.read(place)
        parts = tuple(sorted(_parts_in(place / "games")))
        for table in TABLES:
            if odd := set(_parts_in(place / table)) ^ set(parts):
                raise LabError(
                    f"{place}: part {min(odd)} is not whole, as after a crash; the same command with "
                    "--resume mends it."
                )
        return Recorded(place, manifest, parts, sum(_rows(place, part) for part in parts))

    def parts_there(self, name: str) -> dict[int, int]:
        """The parts of a sample that are there, and how many games each has."""
        place = self.place_of(name)
        return {part: _rows(place, part) for part in _parts_in(place / "games")}

    def add(self, name: str, part: int, tables: Mapping[str, bytes]) -> None:
        """Keep a part of a sample, its games last."""
        for table in reversed(TABLES):
            write_whole(self.place_of(name) / table / part_name(part), tables[table])


def _parts_in(folder: Path) -> Iterator[int]:
    return (int(file.stem.removeprefix("part-")) for file in folder.glob("part-*.parquet"))


def _rows(place: Path, part: int) -> int:
    return count_rows(place / "games" / part_name(part))
