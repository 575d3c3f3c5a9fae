"""Running a session so that nothing is lost: interruptions, signals and ends of input keep the game."""

from __future__ import annotations

import shlex
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from dicetown.errors import DicetownError
from dicetown.game.notation import Action
from dicetown.terminal.session import Session

INTERRUPTED = 128 + signal.SIGINT


class Stopped(KeyboardInterrupt):
    """The system told us to end."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number


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
    with _stops_ignored():
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


def _signals() -> list[int]:
    return [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]


@contextmanager
def stops_raised() -> Iterator[None]:
    """Let the system's wish to end arrive like a Ctrl-C."""

    def stop(number: int, frame: Any) -> None:
        raise Stopped(number)

    with _handled(_signals(), stop):
        yield


@contextmanager
def _stops_ignored() -> Iterator[None]:
    """Nothing shall interrupt what is being saved."""
    with _handled([signal.SIGINT, *_signals()], signal.SIG_IGN):
        yield


@contextmanager
def _handled(signals: list[int], handler: Any) -> Iterator[None]:
    """Handle signals in a way for a while; outside the main thread that cannot be, and is left out."""
    try:
        before = [(number, signal.signal(number, handler)) for number in signals]
    except ValueError:
        before = []
    try:
        yield
    finally:
        for number, old in before:
            signal.signal(number, old)
