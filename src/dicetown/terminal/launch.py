"""A terminal game put together and run: the console, the view, the lines people type.

However it ends, nothing is lost: interruptions, signals and ends of input keep the game.
"""

from __future__ import annotations

import os
import shlex
import sys
from contextlib import suppress
from importlib import import_module
from pathlib import Path

from dicetown.console import INTERRUPTED, Stopped, make_console, stops_ignored, stops_raised
from dicetown.errors import DicetownError, NotationError
from dicetown.game import Game
from dicetown.game.notation import Action
from dicetown.terminal.saves import FileExists, Keeper
from dicetown.terminal.seats import Seat
from dicetown.terminal.session import Session
from dicetown.terminal.setup_dialogue import NotPlaying, Plan, SetupDialogue
from dicetown.terminal.views import SPEEDS, Ask, PlainView, ScreenView, View
from dicetown.words import catalogue_for

_SMALLEST = (60, 20)  # columns and lines a screen needs; below that, plain lines


def is_interactive() -> bool:
    """Whether a person sits at a terminal that can be redrawn."""
    return sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM", "") != "dumb"


def set_up(plan: Plan) -> Plan | None:
    """Let a person change the plan; None if they leave."""
    try:
        return SetupDialogue(plan, ask_keyboard, make_console().print).run()
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


# ------------------------------------------------------------------ nothing is lost


def run_safely(session: Session, keep_at_end_of_input: bool) -> int:
    """Run a session and return the exit status; however it ends, the game is kept."""
    with stops_raised():
        broken = True
        try:
            session.run()
            broken = False
        except EOFError:
            broken = False
            return _input_ended(session, keep_at_end_of_input)
        except KeyboardInterrupt as stop:
            broken = False
            _keep(session)
            return 128 + stop.number if isinstance(stop, Stopped) else INTERRUPTED
        finally:
            if broken:  # whatever it is, also that nobody reads what we say: it goes on from here
                _keep(session)
    return 0


def _input_ended(session: Session, keep: bool) -> int:
    """The last line was read: at a keyboard that is Ctrl-D, in a pipe the script is over."""
    if keep or session.keeper.save_to is not None:
        _keep(session)
    else:
        _say(session, session.speaker.say("save.input_ended"))
    return 0


def _keep(session: Session) -> None:
    """Save what has been played, and say where and how to go on."""
    with stops_ignored():
        if not any(isinstance(move, Action) for move in session.game.moves):
            _say(session, session.speaker.say("save.bye"))
            return
        try:
            path = session.keeper.recover(session.game, session.seats)
        except DicetownError as problem:
            _say(session, str(problem))
        else:
            _say(
                session,
                session.speaker.say("save.kept"),
                f"  dicetown play --resume {shlex.quote(str(path))}",
            )


def _say(session: Session, *messages: str) -> None:
    """Say something to whoever may still be there: the terminal can be gone already."""
    with suppress(OSError):
        for message in ("", *messages):
            session.view.say(message)
