"""Putting a terminal game together: the console, the view, and the lines people type."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import TextIO

from rich.console import Console

from dicetown.errors import NotationError
from dicetown.game import Game
from dicetown.terminal.runner import run_safely
from dicetown.terminal.saves import FileExists, Keeper
from dicetown.terminal.seats import Seat
from dicetown.terminal.session import Ask, Session
from dicetown.terminal.setup import NotPlaying, Plan, SetUp
from dicetown.terminal.views import SPEEDS, PlainView, ScreenView, View
from dicetown.words import catalogue_for

_SMALLEST = (60, 20)  # columns and lines a screen needs; below that, plain lines


def is_interactive() -> bool:
    """Whether a person sits at a terminal that can be redrawn."""
    return sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM", "") != "dumb"


def set_up(plan: Plan) -> Plan | None:
    """Let a person change the plan; None if they leave."""
    console = make_console()
    dialogue = SetUp(plan, ask_keyboard, lambda line: console.print(line, markup=False, highlight=False))
    try:
        return dialogue.run()
    except (NotPlaying, EOFError):
        return None


def play(
    game: Game,
    seats: list[Seat],
    language: str,
    speed: str,
    save_to: Path | None,
    resumed: Path | None,
    plain: bool,
) -> int:
    """Play a game at this terminal, or over this pipe; returns the exit status."""
    console = make_console()
    keeper = Keeper(save_to, resumed)
    interactive = is_interactive()
    ask: Ask = ask_keyboard if interactive else ask_pipe
    if save_to is not None and not claim(keeper, save_to, resumed, language, ask if interactive else None):
        return 1
    view: View
    roomy = console.width >= _SMALLEST[0] and console.height >= _SMALLEST[1]
    if interactive and roomy and not plain:
        view = ScreenView(console, ask, SPEEDS[speed])
    else:
        view = PlainView(console)
    return run_safely(Session(game, seats, language, view, ask, keeper), keep_at_end_of_input=interactive)


def claim(keeper: Keeper, path: Path, resumed: Path | None, language: str, ask: Ask | None) -> bool:
    """Make sure before the game that it can be kept where it is to be kept; False if the person says no."""
    if not path.parent.is_dir():
        raise NotationError(f"{path}: games cannot be saved there; the folder {path.parent} does not exist.")
    if path.is_dir():
        raise NotationError(f"{path}: games cannot be saved there; it is a folder.")
    if path.exists() and (resumed is None or not path.samefile(resumed)):
        if ask is None:
            raise FileExists(f"{path} is there already; name another file for --save-to, or remove it first.")
        words = catalogue_for(language)
        answer = ask(words.say("save.replace", file=path)).strip().lower()
        if not answer or answer[0] not in words.say("save.yes"):
            return False
    keeper.claim(path)
    return True


def make_console(stream: TextIO | None = None) -> Console:
    """A console that keeps to what its output can show: no codes in a pipe or with NO_COLOR."""
    stream = stream or sys.stdout
    plain = not stream.isatty() or bool(os.environ.get("NO_COLOR"))
    return Console(
        file=stream, color_system=None if plain else "auto", highlight=False, markup=False, emoji=False
    )


def ask_keyboard(prompt: str) -> str:
    """A line typed at the keyboard, with the usual keys to edit it."""
    with suppress(ImportError):  # not every Python has it
        import_module("readline")
    return input(prompt)


def ask_pipe(prompt: str) -> str:
    """The next line of a pipe, shown as if it had been typed."""
    print(prompt, end="", flush=True)
    line = sys.stdin.readline()
    if not line:
        print()
        raise EOFError
    print(line.rstrip("\n"))
    return line
