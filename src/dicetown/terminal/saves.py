"""Where games are kept: files people name, and a place for games that were interrupted."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path

from dicetown.errors import DicetownError, NotationError
from dicetown.game import Game
from dicetown.game.record import GameRecord
from dicetown.terminal.seats import Seat, seats_of


class FileExists(DicetownError):
    """A file that is there already and that nobody allowed to be replaced."""


def recovery_folder() -> Path:
    """Where interrupted games are kept."""
    import platformdirs

    return platformdirs.user_state_path("dicetown", appauthor=False) / "games"


def interrupted_games() -> list[Path]:
    """The games that were interrupted, newest first."""
    folder = recovery_folder()
    found = folder.glob("*.json") if folder.is_dir() else ()
    return sorted(found, key=lambda path: path.stat().st_mtime, reverse=True)


def load_game(path: Path, seed: int | None = None) -> tuple[Game, list[Seat]]:
    """A saved game and who sits at it."""
    record = GameRecord.read(path)
    game = Game.load(path, seed=seed)
    try:
        return game, seats_of(game.names, record.bots)
    except DicetownError as problem:
        raise NotationError(f"{path}: {problem}") from None


class Keeper:
    """Saves a game, and never over something else without being told so.

    ``save_to`` is where the game shall be kept whenever play stops; ``resumed`` where it came from.
    """

    def __init__(self, save_to: Path | None = None, resumed: Path | None = None) -> None:
        self.save_to = save_to
        self.resumed = resumed
        self._mine: set[Path] = set()  # files this session has written, or was told to replace
        self._saved: list[str] | None = None

    def claim(self, path: Path) -> None:
        """Allow a file to be replaced."""
        self._mine.add(path.resolve())

    def may_write(self, path: Path) -> bool:
        """Whether a file can be written without asking."""
        return not path.exists() or path.resolve() in self._mine

    def suggest(self, game: Game) -> Path:
        """A file to save to, if no other is named."""
        if self.save_to or self.resumed:
            return self.save_to or self.resumed or Path()
        return next(_free_names(Path(), f"dicetown-{game.ruleset.edition.id}"))

    def save(self, game: Game, seats: Sequence[Seat], path: Path) -> None:
        """Write the game to a file that may be written."""
        if not self.may_write(path):
            raise FileExists(f"{path} is there already; name another file, or remove it first.")
        record_of(game, seats).write(path)
        self.claim(path)
        self._saved = [move.text for move in game.moves]

    def is_saved(self, game: Game) -> bool:
        """Whether the last save holds the game as it stands."""
        return self._saved == [move.text for move in game.moves]

    def recover(self, game: Game, seats: Sequence[Seat]) -> Path:
        """Keep a game that is being interrupted: where it was to be kept, or else in a safe place."""
        problem: NotationError | None = None
        for path in self._places(game):
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
                record_of(game, seats).write(path)
            except NotationError as refused:
                problem = refused
            except OSError as refused:
                problem = NotationError(f"{path}: the game cannot be saved there ({refused.strerror}).")
            else:
                return path
        assert problem is not None
        raise problem

    def _places(self, game: Game) -> Iterator[Path]:
        if self.save_to is not None and self.may_write(self.save_to):
            yield self.save_to
        name = f"{game.ruleset.edition.id}-{datetime.now():%Y-%m-%d-%H%M%S}"
        for folder in (recovery_folder(), Path(tempfile.gettempdir())):
            yield next(_free_names(folder, name))


def _free_names(folder: Path, name: str) -> Iterator[Path]:
    """Names in a folder that nothing has yet."""
    number = 1
    while True:
        path = folder / (f"{name}.json" if number == 1 else f"{name}-{number}.json")
        if not path.exists():
            yield path
        number += 1


def record_of(game: Game, seats: Sequence[Seat]) -> GameRecord:
    """The game as a record, with its bots."""
    return GameRecord(
        ruleset=game.ruleset.as_dict(),
        players=game.names,
        moves=[move.text for move in game.moves],
        bots=[seat.bot for seat in seats],
    )
