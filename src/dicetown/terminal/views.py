"""Two ways to show a table: a screen that is redrawn, and plain lines for a pipe or a screen reader."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Protocol

from rich.console import Console
from rich.text import Text

from dicetown.game.events import Event, TurnBegan
from dicetown.terminal.screen import draw
from dicetown.terminal.seats import SeatedGame
from dicetown.text.city import skyline
from dicetown.text.paint import wrap
from dicetown.words import label, narrate

#: Reads a line after a prompt; raises EOFError when there are no more.
Ask = Callable[[str], str]
#: Seconds to look at each move of a bot.
SPEEDS = {"slow": 1.6, "normal": 0.7, "instant": 0.0}


class View(Protocol):
    """How a table is shown."""

    def happen(self, table: SeatedGame, events: Sequence[Event]) -> None:
        """Show what a move caused."""

    def ask(self, table: SeatedGame, message: str = "") -> None:
        """Show what is asked, and a message if there is one."""

    def page(self, table: SeatedGame, lines: Sequence[Text]) -> None:
        """Show something to read."""

    def say(self, message: str) -> None:
        """Show one sentence, outside the game."""

    @property
    def width(self) -> int:
        """How many characters a line has."""


class PlainView:
    """Lines of text, one after another, without any codes."""

    def __init__(self, console: Console) -> None:
        self.console = console
        self.width = 80
        self._asked = -1  # after how many moves the question was asked last

    def happen(self, table: SeatedGame, events: Sequence[Event]) -> None:
        """One line for each thing that happened."""
        for line in narrate(table.speaker, events):
            if isinstance(line.event, TurnBegan):
                self.say("")
            self.say(line.text)

    def ask(self, table: SeatedGame, message: str = "") -> None:
        """The question and its numbered answers; not again when all there is to say is a message."""
        asked, self._asked = self._asked, len(table.game.moves)
        if message:
            self.say(message)
            if asked == self._asked:
                return
        if table.game.phase == "roll":
            self._standings(table)
        self.say(table.question())
        for number, choice in enumerate(table.choices(), start=1):
            self.say(f"  {number}  {label(table.speaker, table.game, choice.action)}")

    def _standings(self, table: SeatedGame) -> None:
        """Before a roll: how everybody stands."""
        for seat, name in enumerate(table.speaker.names):
            stars = skyline(table.speaker, table.game, seat).plain
            self.say(f"  {name}: {table.speaker.coins(table.game.coins(seat))}  {stars}")

    def page(self, table: SeatedGame, lines: Sequence[Text]) -> None:
        """All of it."""
        for line in lines:
            self.say(line.plain)

    def say(self, message: str) -> None:
        """One line."""
        self.console.print(Text(message), soft_wrap=True)


class ScreenView:
    """The whole screen, redrawn after every move; bots' moves stay a moment."""

    def __init__(self, console: Console, ask: Ask, pause: float = 0) -> None:
        self.console = console
        self.ask_line = ask
        self.pause = pause

    @property
    def width(self) -> int:
        """How many characters a line has."""
        return self.console.width

    def happen(self, table: SeatedGame, events: Sequence[Event]) -> None:
        """Redraw; then wait a moment if a bot goes on."""
        self._redraw(draw(table, self.console.width, self.console.height))
        if self.pause and not table.person_decides and not table.game.over:
            time.sleep(self.pause)

    def ask(self, table: SeatedGame, message: str = "") -> None:
        """Redraw, with the question at the bottom."""
        self._redraw(draw(table, self.console.width, self.console.height, message))

    def page(self, table: SeatedGame, lines: Sequence[Text]) -> None:
        """Screen after screen, until all is read."""
        wrapped = [part for line in lines for part in wrap(line, self.console.width)]
        room = max(self.console.height - 1, 1)
        for at in range(0, len(wrapped), room):
            self._redraw(wrapped[at : at + room])
            more = at + room < len(wrapped)
            answer = self.ask_line(table.speaker.say("screen.more" if more else "screen.back"))
            if more and answer.strip():
                return

    def say(self, message: str) -> None:
        """A sentence below what is there."""
        self.console.print(Text(message), soft_wrap=True)

    def _redraw(self, lines: Sequence[Text]) -> None:
        with self.console:  # everything in one go, so that nothing flickers
            self.console.clear()
            for line in lines:
                self.console.print(line, no_wrap=True, overflow="crop", crop=True)
