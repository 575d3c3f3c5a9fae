"""A section in a terminal: its answer, and its tables as wide as the window allows."""

from __future__ import annotations

from collections.abc import Iterator

from rich.box import SIMPLE_HEAD
from rich.table import Table as Drawn

from dicetown.lab.findings.figures import digits_in, style_of
from dicetown.lab.findings.section import Cell, Column, Estimate, Section, Table

#: Rows of a table that are shown; the report has all of them.
MOST_ROWS = 40


def tables_of(section: Section, language: str) -> Iterator[Drawn]:
    """The tables that a section shows."""
    return (drawn_table(table, language) for table in section.tables if table.shown)


def drawn_table(table: Table, language: str, most: int = MOST_ROWS) -> Drawn:
    """A table, or its beginning if it is long."""
    more = f"(+ {style_of(language).count(len(table.rows) - most)})" if len(table.rows) > most else None
    drawn = Drawn(
        box=SIMPLE_HEAD,
        pad_edge=False,
        title=table.title,
        title_justify="left",
        title_style="bold",
        caption=more,
        caption_justify="left",
        caption_style="dim",
    )
    digits = {column.key: digits_in(table, column.key) for column in table.columns}
    rows = [
        [
            _cell(column, cell, digits[column.key], language)
            for column, cell in zip(table.columns, row, strict=True)
        ]
        for row in table.rows[:most]
    ]
    for place, column in enumerate(table.columns):
        # Titles and names take several lines where there is no room; figures stay whole.
        figures = [] if column.kind == "name" else [row[place] for row in rows]
        least = max(map(len, [*column.title.split(), *figures]), default=1)
        drawn.add_column(column.title, justify="right" if figures else "left", min_width=least)
    for row in rows:
        drawn.add_row(*row)
    return drawn


def _cell(column: Column, cell: Cell, digits: int, language: str) -> str:
    """A figure and, in brackets, its interval; markup in a name is no markup."""
    style = style_of(language)
    text = style.value(column, cell, digits).replace("[", "\\[")
    if isinstance(cell, Estimate):
        text += f" ({style.interval(column, cell, digits)})"
    return text
