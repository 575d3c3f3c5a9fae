"""How things look: symbols, colours, and lines that keep to a width.

Colour is never alone: each colour of card has a symbol of its own, affordable cards have the number to
choose them by, and gains and losses have signs.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

from rich.cells import cell_len
from rich.text import Text

from dicetown.material import Colour

COIN = "●"
BUILT, UNBUILT = "★", "☆"
SYMBOLS: dict[Colour, str] = {"blue": "◇", "green": "■", "red": "▼", "purple": "✦"}
STYLES: dict[Colour, str] = {
    "blue": "bright_cyan",
    "green": "green",
    "red": "bright_red",
    "purple": "magenta",
}
GOLD = "yellow"
QUIET = "dim"
STRONG = "bold"


def ink(words: str, style: str = "") -> Text:
    """Words in a style that ends with them: what is appended has its own."""
    return Text().append(words, style)


def crop(text: Text, width: int) -> Text:
    """The text in exactly so many cells: cut with an ellipsis, or filled up."""
    fitted = text.copy()
    fitted.truncate(max(width, 0), overflow="ellipsis", pad=True)
    return fitted


def crop_words(words: str, width: int) -> str:
    """Plain words in at most so many cells."""
    return words if cell_len(words) <= width else crop(Text(words), width).plain.rstrip()


def join(parts: Sequence[Text], between: str = " ") -> Text:
    """Texts in one line."""
    return Text(between).join(parts)


def flow(parts: Sequence[Text], width: int, indent: int = 0, between: str = "  ") -> list[Text]:
    """Parts one after another, in as many lines as they need; none is broken unless it is too long."""
    lines: list[Text] = []
    line = Text()
    for part in parts:
        fitted = part if cell_len(part.plain) <= width - indent else crop(part, width - indent)
        if line and cell_len(line.plain) + len(between) + cell_len(fitted.plain) > width - indent:
            lines.append(line)
            line = Text()
        line.append(between if line else "").append_text(fitted)
    lines.append(line)
    return [Text(" " * indent).append_text(one) for one in lines] if indent else lines


def paragraph(words: str, width: int, style: str = "", indent: int = 0) -> list[Text]:
    """A sentence or several in as many lines as they need."""
    lines = flow([Text(word) for word in words.split()], width, indent, between=" ")
    for line in lines:
        line.stylize(style, indent)
    return lines


def wrap(line: Text, width: int) -> list[Text]:
    """A line in as many as it needs, all indented like the first."""
    if line.cell_len <= width:
        return [line]
    indent = len(line.plain) - len(line.plain.lstrip())
    return flow([word for word in line.split(" ") if word.plain], width, indent, between=" ")


def in_columns(cells: Sequence[Text], columns: int, width: int, gap: int = 2) -> list[Text]:
    """Cells in columns, read downwards."""
    rows = -(-len(cells) // columns)
    each = (width - gap * (columns - 1)) // columns
    by_column = [cells[at : at + rows] for at in range(0, len(cells), rows)] if rows else []
    lines = []
    for row in zip_longest(*by_column, fillvalue=Text()):
        line = join([crop(cell, each) for cell in row], " " * gap)
        line.rstrip()
        lines.append(line)
    return lines


def heading(words: str, width: int) -> Text:
    """A line that begins a part of the screen."""
    title = f"── {words} "
    return ink(title + "─" * max(width - cell_len(title), 0), style=QUIET)
