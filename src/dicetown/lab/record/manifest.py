"""The manifest of a sample: what was played, by which code, how it was asked for, and when."""

from __future__ import annotations

import hashlib
import subprocess
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec

import dicetown
from dicetown import whole_files
from dicetown.arena.fingerprint import code_of
from dicetown.errors import LabError
from dicetown.lab.record.changes import changed_material
from dicetown.lab.record.sample import Sample
from dicetown.rules.ruleset import Ruleset

FORMAT = "dicetown-lab/1"
NAME = "manifest.json"


class Manifest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What defines the games of a sample, and where they come from."""

    format: str
    dicetown: str  # the version
    code: str  # a fingerprint of all code that has a say in a row
    name: str
    edition: str
    sets: tuple[str, ...]
    house: dict[str, Any]
    changes: tuple[str, ...]
    players: int
    bots: tuple[str, ...]
    seed: int
    games: int  # that were asked for
    games_per_part: int
    date: str
    command: str
    commit: str | None

    @classmethod
    def of(cls, sample: Sample, games_per_part: int, command: str = "") -> Manifest:
        """The manifest of a sample that is about to be played."""
        return cls(
            format=FORMAT,
            dicetown=dicetown.__version__,
            code=code_for(sample),
            name=sample.name,
            edition=sample.ruleset.edition.id,
            sets=sample.ruleset.set_ids,
            house=dict(sample.ruleset.house),
            changes=sample.changes,
            players=sample.players,
            bots=sample.bots,
            seed=sample.seed,
            games=sample.games,
            games_per_part=games_per_part,
            date=datetime.now(UTC).isoformat(timespec="seconds"),
            command=command,
            commit=commit_of_package(),
        )

    @classmethod
    def read(cls, folder: Path) -> Manifest:
        """The manifest in a folder of a sample."""
        check_format(folder)
        try:
            return msgspec.json.decode((folder / NAME).read_bytes(), type=cls)
        except (msgspec.DecodeError, UnicodeDecodeError) as problem:
            raise LabError(f"{folder / NAME}: this manifest cannot be read ({problem}).") from None

    def write(self, folder: Path) -> None:
        """Keep the manifest in the folder of its sample."""
        text = msgspec.json.format(msgspec.json.encode(self), indent=2) + b"\n"
        write_whole(folder / NAME, text)

    @property
    def sample(self) -> Sample:
        """The sample, as it was asked for."""
        material = changed_material(self.edition, self.changes)
        ruleset = Ruleset(self.edition, self.sets, self.house, material)
        return Sample(self.name, ruleset, self.players, self.bots, self.seed, self.games, self.changes)

    def going_on_with(self, there: Manifest) -> Manifest:
        """The manifest of a sample that was begun before: cut into parts as it was."""
        return msgspec.structs.replace(self, games_per_part=there.games_per_part)

    def check_same(self, other: Manifest, folder: Path) -> None:
        """Refuse to go on with games that were begun otherwise; how many are played may change."""
        if self.dicetown != other.dicetown:
            raise LabError(
                f"{folder}: these results are of Dicetown {other.dicetown}, and this is {self.dicetown}; "
                "name another folder."
            )
        if self.code != other.code:
            raise LabError(
                f"{folder}: these results were begun with other code of Dicetown or of a bot; "
                "name another folder."
            )
        for field in ("edition", "sets", "house", "changes", "players", "bots", "seed"):
            mine, theirs = (_as_read(getattr(one, field)) for one in (self, other))
            if mine != theirs:
                was, now = (msgspec.json.encode(one).decode() for one in (theirs, mine))
                raise LabError(
                    f"{folder}: these results are of other games: {field} is {was}, not {now}; "
                    "name another folder."
                )


def _as_read(value: object) -> object:
    """A value as JSON gives it back: lists only, no tuples."""
    return msgspec.json.decode(msgspec.json.encode(value))


def check_format(folder: Path) -> None:
    """Refuse a folder whose manifest is missing, is none, or is of another format."""
    path = folder / NAME
    try:
        found = msgspec.json.decode(path.read_bytes())
    except OSError:
        raise LabError(f"{folder}: this is no folder of results; it has no {NAME}.") from None
    except (msgspec.DecodeError, UnicodeDecodeError):
        found = None
    written = found.get("format") if isinstance(found, dict) else None
    if not isinstance(written, str) or not written.startswith("dicetown-lab/"):
        raise LabError(f"{path}: this is no manifest of results; name another folder.")
    if written != FORMAT:
        version = f" (of Dicetown {found['dicetown']})" if "dicetown" in found else ""
        raise LabError(
            f"{folder}: these results have the format {written}{version}, and this Dicetown reads "
            f"{FORMAT}; name another folder."
        )


def write_whole(path: Path, content: bytes) -> None:
    """Write a file so that nobody ever finds half of it."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        whole_files.write_whole(path, content)
    except OSError as problem:
        raise LabError(f"{path}: this file cannot be written ({problem.strerror}).") from None


def code_for(sample: Sample) -> str:
    """A fingerprint of the code that plays a sample and of the code that writes it down."""
    fingerprint = hashlib.sha256(code_of(sample.bots).encode())
    for name in ("rows", "watch", "bulk", "stepped"):
        fingerprint.update((Path(__file__).parent / f"{name}.py").read_bytes())
    return fingerprint.hexdigest()[:16]


def commit_of_package() -> str | None:
    """The commit that the package's folder stands at; None where it is no working copy of its own."""
    package = Path(dicetown.__file__)
    try:
        subprocess.run(  # a package that merely lies in somebody's repository is not under its commits
            ["git", "-C", package.parent, "ls-files", "--error-unmatch", package.name],
            capture_output=True,
            check=True,
        )
        found = subprocess.run(
            ["git", "-C", package.parent, "rev-parse", "HEAD"], capture_output=True, check=True, text=True
        )
    except (OSError, subprocess.CalledProcessError):
        return None
    return found.stdout.strip()
