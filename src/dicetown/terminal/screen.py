"""The screen: everything one needs to decide, in the room there is.

Each part of the screen (a city, the market, the odds …) comes in several forms, from small to roomy.
All begin with the smallest; then they grow, the most useful first, as long as the whole still fits. The
log gets the lines that are left.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.cells import cell_len
from rich.text import Text

from dicetown.rules import codes as c
from dicetown.terminal.seats import SeatedGame
from dicetown.text.city import city_forms
from dicetown.text.log import journal_lines
from dicetown.text.market import market_forms, market_title
from dicetown.text.odds import odds_forms
from dicetown.text.paint import QUIET, STRONG, crop, crop_words, flow, heading, in_columns, ink, paragraph
from dicetown.words import Choice

_SMALL_LOG, _GOOD_LOG = 3, 6
_PROMPT = 1  # the line people type on
_FEW = 3  # choices that share a line
_MOST_IN_ONE_COLUMN = 6


@dataclass
class _Part:
    """A part of the screen: its forms, and which of them is shown."""

    forms: list[list[Text]]
    shown: int = 0

    @property
    def lines(self) -> list[Text]:
        return self.forms[self.shown]


class _Page:
    """Parts from top to bottom, growing into a number of lines."""

    def __init__(self, height: int) -> None:
        self.height = height
        self.parts: dict[str, _Part] = {}

    def add(self, name: str, forms: list[list[Text]]) -> None:
        """One more part, in its smallest form."""
        self.parts[name] = _Part(forms)

    @property
    def lines(self) -> list[Text]:
        """The page as it stands."""
        return [line for part in self.parts.values() for line in part.lines]

    @property
    def left(self) -> int:
        """How many lines are free."""
        return max(self.height - len(self.lines), 0)

    def grow(self, name: str, most: int, spare: int) -> None:
        """Show a part in ever larger forms, as long as they need no more lines or leave so many free."""
        part = self.parts[name]
        while part.shown < min(most, len(part.forms) - 1):
            more = len(part.forms[part.shown + 1]) - len(part.lines)
            if more > 0 and self.left - more < spare:
                return
            part.shown += 1


def draw(table: SeatedGame, width: int, height: int, message: str = "") -> list[Text]:
    """The lines of the screen, one fewer than it has: the last is for typing."""
    page = _Page(height - _PROMPT)
    choices = list(enumerate(table.choices() if table.person_decides else [], start=1))
    building = table.game.state.phase == c.BUILD
    keys = {one.thing: number for number, one in choices if building and one.thing}
    speaker, game = table.speaker, table.game
    page.add("title", [[_title(table, width)]])
    for seat in range(game.players):
        page.add(f"city {seat}", city_forms(speaker, game, seat, width))
    page.add("market heading", [[], [heading(market_title(speaker, game), width)]])
    market = market_forms(speaker, game, keys, width)
    page.add("market", market if keys else [[], *market])
    page.add("odds", odds_forms(speaker, game, width))
    page.add("log heading", [[], [heading(speaker.say("screen.log"), width)]])
    page.add("log", [[]])
    page.add("question", [_ask(table, width, message)])
    page.add("choices", _choice_forms([one for one in choices if one[1].thing not in keys], width))
    _grow(page, game.turn, game.players, bool(keys))
    room = page.left
    lines = journal_lines(speaker, game.events, width, room)
    page.parts["log"].forms = [lines + [Text()] * (room - len(lines))]
    return page.lines[_PROMPT - height :]  # on too small a screen, rather the choices than the title


def _grow(page: _Page, on_turn: int, players: int, to_choose: bool) -> None:
    """Give room to what is most useful: what can be chosen, then what to know for it, then the rest."""
    page.grow("choices", 4, _SMALL_LOG)
    if to_choose:
        page.grow("market", 2, 0)
        page.grow("market", 3, _SMALL_LOG)
    page.grow("odds", 1, _SMALL_LOG)
    page.grow(f"city {on_turn}", 2, _SMALL_LOG)
    cities = [f"city {seat}" for seat in range(players)]
    for city in cities:
        page.grow(city, 1, _SMALL_LOG)
    page.grow("market", 4, _SMALL_LOG)
    page.grow("market heading", 1, _GOOD_LOG)
    page.grow("log heading", 1, _GOOD_LOG)
    for city in cities:
        page.grow(city, 2, _GOOD_LOG)
    page.grow("odds", 2, _GOOD_LOG)


def _title(table: SeatedGame, width: int) -> Text:
    speaker, game = table.speaker, table.game
    left = f"Dicetown · {speaker.edition()} · {speaker.sets()}"
    right = speaker.say("screen.turn", n=game.turns + 1)
    title = crop_words(left, width - len(right) - 2)
    return ink(title.ljust(width - len(right)) + right, style="reverse")


def _ask(table: SeatedGame, width: int, message: str) -> list[Text]:
    speaker, game = table.speaker, table.game
    if game.over:
        lines = []
    elif table.person_decides:
        lines = paragraph(table.question(), width, STRONG)
    else:
        lines = [ink(speaker.say("screen.bot_plays", name=speaker.names[game.turn]), style=QUIET)]
    if message:
        lines = paragraph(message, width) + lines
    return [crop(line, width) for line in lines]


def _choice_forms(choices: Sequence[tuple[int, Choice]], width: int) -> list[list[Text]]:
    """The choices under the question, in fewer and fewer columns; all are always there."""
    if len(choices) <= _FEW:
        return [flow([_choice(number, choice, width) for number, choice in choices], width, between="    ")]
    forms = [_choice_columns(choices, columns, width) for columns in (4, 3, 2)]
    if len(choices) <= _MOST_IN_ONE_COLUMN:
        forms.append(_choice_columns(choices, 1, width))
    return forms


def _choice_columns(choices: Sequence[tuple[int, Choice]], columns: int, width: int) -> list[Text]:
    each = (width - 2 * (columns - 1)) // columns
    return in_columns([_choice(number, choice, each) for number, choice in choices], columns, width)


def _choice(number: int, choice: Choice, width: int) -> Text:
    """A choice; where room is short, the name is cut and not the note."""
    key, note = f"{number:>2} ", f" ({choice.note})" if choice.note else ""
    room = width - len(key) - cell_len(note)
    return ink(key, style=STRONG).append(crop_words(choice.text, room)).append(note, style=QUIET)
