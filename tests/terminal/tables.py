"""Tables to test at: a session whose lines are written beforehand, and positions in words."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from rich.console import Console

from dicetown import Game, Ruleset
from dicetown.terminal.saves import Keeper, load_game
from dicetown.terminal.seats import Seat, SeatedGame, choose_for, read_players
from dicetown.terminal.session import Session
from dicetown.terminal.views import PlainView
from dicetown.words import Speaker

NAMES = ["Ana", "Ben", "Carolina", "Dan", "Friederike-Charlotte"]


class Script:
    """Lines that somebody will type; then the input ends. An exception among them is raised."""

    def __init__(self, lines: Iterable[str | BaseException]) -> None:
        self.lines: Iterator[str | BaseException] = iter(lines)
        self.prompts: list[str] = []

    def __call__(self, prompt: str) -> str:
        self.prompts.append(prompt)
        line = next(self.lines, None)
        if line is None:
            raise EOFError
        if isinstance(line, BaseException):
            raise line
        return line


class Sitting:
    """A plain session with a script, and what it printed."""

    def __init__(
        self,
        lines: Iterable[str | BaseException] | Callable[[str], str],
        players: str = "Ana,greedy",
        edition: str = "deluxe",
        sets: tuple[str, ...] | None = ("base",),
        language: str = "en",
        seed: int = 7,
        keeper: Keeper | None = None,
        resume: Path | None = None,
    ) -> None:
        if resume is not None:
            game, seats = load_game(resume)
        else:
            seats = read_players(players, you="Eve")
            game = Game(Ruleset(edition, sets=sets), names=[seat.name for seat in seats], seed=seed)
        self.out = io.StringIO()
        view = PlainView(Console(file=self.out, color_system=None))
        ask = lines if callable(lines) else Script(lines)
        self.session = Session(game, seats, language, view, ask, keeper or Keeper())

    def run(self) -> str:
        """Run to the end of the session or of the script; returns what was printed."""
        with suppress(EOFError):
            self.session.run()
        return self.text

    @property
    def text(self) -> str:
        return self.out.getvalue()

    @property
    def game(self) -> Game:
        return self.session.game

    @property
    def moves(self) -> list[str]:
        return [str(move) for move in self.game.moves]


def table_after(
    turns: int,
    edition: str = "deluxe",
    players: int = 4,
    language: str = "en",
    seed: int = 1,
    sets: tuple[str, ...] | None = None,
    house: dict[str, object] | None = None,
    phase: int | None = None,
) -> SeatedGame:
    """A table of people, some turns into a game that bots began; at a phase, if one is named."""
    game = Game(Ruleset(edition, sets=sets, house=house), names=NAMES[:players], seed=seed)
    while not game.over and (game.turns < turns or (phase is not None and game.state.phase != phase)):
        game.play(choose_for("random", game))
    return SeatedGame(game, [Seat(name) for name in game.names], Speaker(game.ruleset, game.names, language))


def table_at(phase: int, edition: str, players: int, language: str) -> SeatedGame:
    """A table where a person is asked what that phase asks, in the first game in which it comes up."""
    for seed in range(1, 50):
        table = table_after(20, edition, players, language, seed, phase=phase)
        if table.game.state.phase == phase:
            return table
    raise AssertionError(f"phase {phase} does not come up")


def saved(folder: Path) -> list[Path]:
    """The files of a folder and those below."""
    return sorted(path for path in folder.rglob("*") if path.is_file())
