"""Bots in programs of their own, written in any language, which are spoken to over a pipe."""

from __future__ import annotations

import shlex
import shutil
import sys
from collections.abc import Callable, Sequence
from random import Random

from dicetown.bots.bot import Bot
from dicetown.bots.programs import protocol
from dicetown.bots.programs.process import Program
from dicetown.bots.view import View
from dicetown.errors import BotError, BotFault
from dicetown.game.notation import Action
from dicetown.languages import LANGUAGES

PIPE = "pipe:"
#: Seconds to think, where neither the bot nor who asks it says otherwise.
USUAL_SECONDS = 1.0
#: The most seconds that a program may ask for.
MOST_SECONDS = 60.0
#: Seconds until a program must have said hello: it may have to load a lot.
START = 30.0
#: A bot may take a fifth longer than its budget, and at least so many seconds: under load no system
#: wakes a program more exactly.
TOLERANCE = 0.2
LEAST_TOLERANCE = 0.1
#: The status with which a program ends that cannot be used in this way.
CALLED_WRONGLY = 2
_BITS = 63


def latest(budget: float) -> float:
    """The seconds after which a choice is late.

    >>> latest(1.0), latest(0.1)
    (1.2, 0.2)
    """
    return budget + max(TOLERANCE * budget, LEAST_TOLERANCE)


class PipeBot(Bot):
    """A program that chooses.

    It is started when it is first asked, or by :meth:`prepare`. Whatever it does wrong is raised as a
    :class:`~dicetown.errors.BotFault`; then the program is ended, and the next choice begins it anew.
    """

    def __init__(self, name: str, command: Sequence[str], seconds: float | None = None) -> None:
        self.name = name
        self.description = dict.fromkeys(LANGUAGES, name)
        self.command = list(command)
        self.budget: float = seconds or USUAL_SECONDS
        #: Whether nobody waits for the program any more; then it is not waited for.
        self.called_off: Callable[[], bool] = lambda: False
        self._may_ask = seconds is None  # for another budget
        self._program: Program | None = None
        self._no_start: BotFault | None = None

    @classmethod
    def read(cls, spec: str, seconds: float | None = None) -> PipeBot:
        """The bot of a text: ``pipe:COMMAND``, or with seconds to think ``pipe:seconds=2:COMMAND``.

        >>> bot = PipeBot.read("pipe:seconds=0.5:python3 my_bot.py")
        >>> bot.command, bot.budget
        (['python3', 'my_bot.py'], 0.5)
        """
        text = spec.removeprefix(PIPE).strip()
        if text.startswith("seconds="):
            number, _, text = text.removeprefix("seconds=").partition(":")
            seconds = _read_seconds(number)
        try:
            command = shlex.split(text)
        except ValueError as problem:
            raise BotError(f'"{spec}" is no command: {problem}.') from None
        if not command:
            raise BotError(f'"{spec}" names no program; it reads like pipe:python3 my_bot.py.')
        if shutil.which(command[0]) is None:
            raise BotError(f'There is no program "{command[0]}" to play as "{spec}".')
        return cls(spec, command, seconds)

    @classmethod
    def serving(cls, spec: str, seconds: float | None = None) -> PipeBot:
        """A bot of another package, in a Python process of its own."""
        return cls(spec, [sys.executable, "-m", "dicetown.bots.programs.serve", spec], seconds)

    # --------------------------------------------------------------------- choosing

    def prepare(self) -> None:
        """Start the program; if that fails, the next choice will say so."""
        if self._program is not None or self._no_start is not None:
            return
        try:
            program = self._program = Program(self.command, self._is_called_off)
            program.say(protocol.encode(protocol.hello(self.budget)))
            answer = _hear(program, "hello", START)
            if self._may_ask and "budget" in answer:
                self.budget = _grant(answer["budget"])
        except BotFault as fault:
            self._no_start = fault

    def _is_called_off(self) -> bool:
        return self.called_off()  # asked anew: it may be set after the program was started

    def check(self) -> None:
        """Start the program, and refuse one that says itself that it was called wrongly."""
        self.prepare()
        program = self._program
        if self._no_start is not None and program is not None and program.status == CALLED_WRONGLY:
            words = program.last_words() or "it does not say why"
            self.close()
            raise BotError(f'The bot "{self.name}" cannot play: {words.rstrip(".")}.')

    @property
    def failed_to_start(self) -> bool:
        """Whether the program did not come as far as hello."""
        return self._no_start is not None

    def choose(self, view: View, rng: Random) -> Action:
        """Ask the program."""
        self.prepare()
        if self._no_start is not None:
            raise self._no_start
        program = self._program
        assert program is not None
        try:
            return self._ask(program, view, rng)
        except BotFault:
            self.close(goodbye=False)
            raise

    def _ask(self, program: Program, view: View, rng: Random) -> Action:
        if said := program.overhear():
            raise BotFault("garbage", f'It said "{protocol.shorten(said)}" without being asked.')
        program.say(protocol.encode(protocol.position(view)))
        program.say(protocol.encode(protocol.go(self.budget, rng.getrandbits(_BITS))))
        answer = _hear(program, "choice", latest(self.budget))
        legal = {str(action): action for action in view.legal_actions}
        chosen = answer.get("action")
        if not isinstance(chosen, str) or chosen not in legal:
            shown = protocol.shorten(str(chosen))
            raise BotFault("illegal", f'It chose "{shown}", which is not possible now.')
        return legal[chosen]

    def close(self, goodbye: bool = True) -> None:
        """End the program."""
        if self._program is not None:
            self._program.end(protocol.encode({"type": "quit"}) if goodbye else b"")
            self._program = None
        self._no_start = None


def _hear(program: Program, wanted: str, seconds: float) -> protocol.Message:
    """The next message of a type; those of type info are passed over."""
    from time import monotonic

    deadline = monotonic() + seconds
    for _ in range(protocol.MOST_LINES):
        try:
            message = protocol.decode(program.hear(max(0.0, deadline - monotonic())))
        except BotFault as fault:
            if fault.kind == "late":
                raise BotFault("late", f"It did not say {wanted} within {seconds:.2f} s.") from None
            raise
        if message["type"] == wanted:
            return message
        if message["type"] != "info":
            said = protocol.shorten(message["type"])
            raise BotFault("garbage", f'It said "{said}" where "{wanted}" was due.')
    raise BotFault("garbage", f"It said {protocol.MOST_LINES:,} lines without saying {wanted}.")


def _read_seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds <= MOST_SECONDS:
        raise BotError(f'A bot cannot think for "{text}" seconds; more than 0 and at most {MOST_SECONDS:g}.')
    return seconds


def _grant(wanted: object) -> float:
    """The budget that a program asks for, if it can be had."""
    if isinstance(wanted, bool) or not isinstance(wanted, int | float) or not 0 < wanted <= MOST_SECONDS:
        raise BotFault("garbage", f'It asked for a budget of "{protocol.shorten(str(wanted))}" seconds.')
    return float(wanted)
